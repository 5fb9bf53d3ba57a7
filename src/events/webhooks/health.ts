/** How a receiver is: what it takes at once, and which places of the node it uses, depend on it. */
export type Pace = 'swift' | 'slow' | 'down'

/** What an attempt says about a receiver; nothing, if none was made. */
export type Verdict = 'succeeded' | 'slow' | 'failed' | 'unknown'

/** A receiver that has failed so often in a row is down. */
const failuresUntilDown = 8
const [shortestPauseMs, longestPauseMs] = [250, 5_000]
/** A receiver that has been down for an hour may as well be found well some seconds later. */
const pauseShare = 1 / 60

/**
 * Keeps account of one receiver. While it is down it is tried once in a while instead of as fast as it fails, so that the
 * number of deliveries that wait for it costs nothing; the first success ends that. Each delivery keeps its own times.
 */
export const createHealth = (now: () => Date) => {
  let failures = 0
  let isSlow = false
  let triedAt = Number.NEGATIVE_INFINITY
  return {
    get pace(): Pace {
      return failures >= failuresUntilDown ? 'down' : isSlow || failures > 0 ? 'slow' : 'swift'
    },
    record(verdict: Verdict) {
      if (verdict === 'unknown') return
      failures = verdict === 'failed' ? failures + 1 : 0
      isSlow = verdict === 'slow'
      triedAt = now().getTime()
    },
    /** How long to wait before the next attempt, if every one has failed since then. */
    pauseMs(failingSince: string | null) {
      if (failures < failuresUntilDown) return 0
      const at = now().getTime()
      const failingMs = failingSince === null ? 0 : at - Date.parse(failingSince)
      const pauseMs = Math.min(Math.max(failingMs * pauseShare, shortestPauseMs), longestPauseMs)
      return Math.max(0, triedAt + pauseMs - at)
    },
  }
}
export type Health = ReturnType<typeof createHealth>
