/** How many requests a server takes on at once, and how slow its clients may be. Tests use smaller numbers. */
export type HttpLimits = {
  /** Requests of one server that are being answered. A tenth of them may be of one client. */
  inFlight: number
  /** An ordinary body is whole within this time; a stream of bytes keeps up the least rate over any such time. */
  bodyMs: number
  /** So long a reader may take nothing of an answer that waits for it, beyond what the least rate allows. */
  answerMs: number
  leastBytesPerSecond: number
  /** How often it is looked whether somebody is too slow. */
  lookMs: number
}

export const httpLimits: HttpLimits = {
  inFlight: 2_000,
  bodyMs: 30_000,
  answerMs: 30_000,
  leastBytesPerSecond: 4 * 1024,
  lookMs: 1_000,
}

/** What one client address, or one credential, may have of all that is in flight. */
export const shareOf = ({ inFlight }: HttpLimits) => Math.max(1, Math.floor(inFlight / 10))
