/** Every rule that depends on time asks a clock, so that a test can pass months in a moment. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that runs on from the real time but can be moved forward. */
export const movableClock = () => {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    advance(milliseconds: number) {
      offset += milliseconds
    },
  }
}
