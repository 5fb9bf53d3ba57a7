/**
 * At most `max` hits within any `windowSeconds` (a sliding window). A name has one window everywhere.
 *
 * When Redis cannot be reached, hits against a `strict` limit are refused with 503, because it protects something that
 * could be guessed by trying often. Hits against any other limit are then counted by this process alone.
 */
export type Limit = { name: string; max: number; windowSeconds: number; strict?: true }

/** A request that is counted against a limit, as so many at once. `now` is in milliseconds. */
export type Hit = { limit: Limit; key: string; now: number; count: number }

/** The state of the window after a hit. Times are in milliseconds. */
export type Usage = {
  allowed: boolean
  used: number
  /** When the first hit in the window was counted. */
  oldest: number
  /** When the hit was counted that has to expire before this one fits. */
  blocker: number
}

/** The clocks of two nodes may differ by this much. Hits from further ahead come from a clock that was set back since. */
export const clockToleranceMs = 10_000
