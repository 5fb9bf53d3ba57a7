import { isStatementRefused } from './failures.ts'

type Waiting<I, T> = { item: I; resolve(result: T): void; reject(error: unknown): void }

// Beyond a few items a larger batch does not make an item cheaper.
const maxBatch = 25

/** How long a batch waits for as many items as the last one had. */
const gatheringMs = 1

/**
 * Combines concurrent writes into batches. `run` receives the items of a batch and returns their results in the same
 * order. Items with the same `exclusiveBy` never run at the same time: not in two batches, and in one batch only if
 * `mayShare` says that the later one may join the first. If the database refuses a batch, each of its items is run alone.
 *
 * While `maxRunning` batches run, the next is collected. More at once would only make batches smaller. For the same reason
 * a batch waits a moment for those whose items were in the last one: they have just received their responses, and most of
 * them will send the next request. One who writes alone never waits for others.
 */
export type Batch<I, T> = {
  exclusiveBy: (item: I) => unknown
  mayShare?: (first: I, later: I) => boolean
  run: (items: I[]) => Promise<T[]>
  maxRunning: number
}

export const batchWrites = <I, T>({ exclusiveBy, mayShare = () => false, run, maxRunning }: Batch<I, T>) => {
  let waiting: Waiting<I, T>[] = []
  let running = 0
  let isDue = false
  let sizeOfLast = 1
  let gathering: ReturnType<typeof setTimeout> | undefined
  const busy = new Set<unknown>()

  const take = () => {
    const taken: Waiting<I, T>[] = []
    const left: Waiting<I, T>[] = []
    const firsts = new Map<unknown, I>()
    for (const entry of waiting) {
      const key = exclusiveBy(entry.item)
      const first = firsts.get(key)
      const isFree = first === undefined ? !busy.has(key) : mayShare(first, entry.item)
      if (taken.length === maxBatch || !isFree) left.push(entry)
      else {
        if (first === undefined) firsts.set(key, entry.item)
        busy.add(key)
        taken.push(entry)
      }
    }
    waiting = left
    return taken
  }

  const settle = async (taken: Waiting<I, T>[]): Promise<void> => {
    try {
      const results = await run(taken.map(({ item }) => item))
      taken.forEach(({ resolve }, n) => void resolve(results[n] as T))
    } catch (error) {
      // One item may have made the whole batch fail: run each alone, so that the others succeed.
      if (taken.length > 1 && isStatementRefused(error))
        await Promise.all(taken.map((entry) => settle([entry])))
      else for (const { reject } of taken) reject(error)
    }
  }

  const start = async () => {
    isDue = false
    const taken = take()
    if (taken.length === 0) return
    running++
    soon()
    await settle(taken)
    running--
    sizeOfLast = taken.length
    for (const { item } of taken) busy.delete(exclusiveBy(item))
    soon()
  }

  /** Starts a batch after the event loop has processed everything that has arrived. */
  const startSoon = () => {
    clearTimeout(gathering)
    gathering = undefined
    isDue = true
    setImmediate(start)
  }

  const soon = () => {
    if (isDue || running === maxRunning || waiting.length === 0) return
    if (waiting.length >= sizeOfLast) startSoon()
    else gathering ??= setTimeout(startSoon, gatheringMs)
  }

  return (item: I): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.push({ item, resolve, reject })
    soon()
    return promise
  }
}
