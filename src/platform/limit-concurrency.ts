import { unavailable } from '#platform/errors.ts'

/** Beyond `mostWaiting` that wait, work is refused with 503 and these words. */
type Waiting = { mostWaiting?: number; refusal?: string }

/** Runs at most `most` pieces of work at once. The others wait for their turn, in the order in which they came. */
export const limitConcurrency = (
  most: number,
  { mostWaiting = Number.POSITIVE_INFINITY, refusal }: Waiting = {},
) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running++
    else if (waiting.length >= mostWaiting) unavailable(refusal)
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever is next takes over the place.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
export type Limited = ReturnType<typeof limitConcurrency>
