/** How many requests a server handles at a time, and how slow clients may be. Tests use smaller numbers. */
export type HttpLimits = {
  /** Requests in flight per server. One client may have a tenth of them. */
  inFlight: number
  /** A body that is read as a whole must arrive within this time; a streamed one must keep the minimum rate over it. */
  bodyMs: number
  /** How long a client may read nothing of a response, beyond what the minimum rate allows. */
  responseMs: number
  minBytesPerSecond: number
  /** A connection on which nothing moves for this long is closed, unless it is the server that takes so long. */
  idleMs: number
  /** How often slow clients are looked for. */
  checkEveryMs: number
}

export const httpLimits: HttpLimits = {
  inFlight: 2_000,
  bodyMs: 30_000,
  responseMs: 30_000,
  minBytesPerSecond: 4 * 1024,
  idleMs: 120_000,
  checkEveryMs: 1_000,
}

/** How many requests in flight one client address, or one credential, may have. */
export const shareOf = ({ inFlight }: HttpLimits) => Math.max(1, Math.floor(inFlight / 10))
