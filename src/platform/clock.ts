/** Everything that depends on the time uses a clock, so that a test can skip months. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** The real time plus an offset that tests advance. */
export const movableClock = () => {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    advance(milliseconds: number) {
      offset += milliseconds
    },
  }
}
