/**
 * Keeps uploads below the server's limit of 1,200 requests a minute for each person, so that the rest of the console can
 * still be used.
 */
export const perMinute = { limit: 1200, uploads: 1000 }

const minute = 60_000

export type Pace = {
  /** Takes a turn and returns 0, or returns how long to wait before asking again. `waiting`: how many want a turn. */
  take(waiting: number): number
}

export const createPace = (now: () => number = Date.now, most = perMinute.uploads): Pace => {
  const times: number[] = []
  let last = Number.NEGATIVE_INFINITY
  return {
    take(waiting) {
      const time = now()
      while (times[0] !== undefined && times[0] <= time - minute) times.shift()
      // Many are sent evenly from the beginning: all that is allowed at once would be followed by a long silence.
      const evenly = waiting > most ? last + minute / most - time : 0
      const allowed = times.length < most ? 0 : (times[0] as number) + minute - time
      const wait = Math.max(0, evenly, allowed)
      if (wait > 0) return wait
      times.push(time)
      last = time
      return 0
    },
  }
}
