/** At most `places` at once; others wait for their turn. */
const createLane = (places: number) => {
  let free = places
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/**
 * The limits of a node. Receivers that take long and those that are down have places of their own, so that they never take
 * those of the others.
 */
export const createLanes = () => ({ swift: createLane(256), slow: createLane(64), down: createLane(32) })
export type Lanes = ReturnType<typeof createLanes>
