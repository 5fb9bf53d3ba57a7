const windowMs = 10_000

/** Measures bytes per second over the last ten seconds. */
export const createMeter = (now: () => number = Date.now) => {
  let samples: { at: number; bytes: number }[] = []
  return {
    /** Notes how many bytes have been sent in all; fewer than before if some were lost. */
    note(bytes: number) {
      const at = now()
      const before = samples.at(-1)
      if (before && at - before.at < 100) before.bytes = bytes
      else samples.push({ at, bytes })
      samples = samples.filter((sample) => sample.at >= at - windowMs)
    },
    perSecond() {
      const [first] = samples
      const last = samples.at(-1)
      if (!first || !last || now() - first.at < 500) return 0
      return Math.max(0, ((last.bytes - first.bytes) * 1000) / (now() - first.at))
    },
    reset() {
      samples = []
    },
  }
}

/** In seconds; null while there is no telling. */
export const secondsLeft = (bytesLeft: number, perSecond: number, pacedFiles = 0, filesPerMinute = 1) => {
  const byPace = (pacedFiles * 60) / filesPerMinute
  if (bytesLeft <= 0) return byPace
  if (perSecond <= 0) return null
  return Math.max(bytesLeft / perSecond, byPace)
}

const plural = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`

/** Rounded so that it does not flicker: 42 seconds, 3 minutes, 2 hours. */
export const timeLeft = (seconds: number) => {
  if (seconds < 10) return 'a few seconds left'
  if (seconds < 55) return `${Math.ceil(seconds / 5) * 5} seconds left`
  if (seconds < 55 * 60) return `${plural(Math.round(seconds / 60), 'minute')} left`
  return `${plural(Math.round(seconds / 3600), 'hour')} left`
}
