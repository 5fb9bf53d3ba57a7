/**
 * The time in milliseconds, without that in which this process did nothing because it was stopped or starved: who was slow
 * meanwhile cannot be told. `tick` has to be called every `everyMs`; where it comes later than twice that, the rest of the
 * time does not count.
 */
export const wakingTime = (everyMs: number, clock = () => performance.now()) => {
  let lost = 0
  let ticked = clock()
  const now = () => {
    const late = clock() - ticked - 2 * everyMs
    if (late > 0) {
      lost += late
      ticked += late
    }
    return clock() - lost
  }
  return {
    now,
    tick() {
      const time = now()
      ticked = clock()
      return time
    },
  }
}
