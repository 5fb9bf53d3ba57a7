import { isStatementRefused } from './failures.ts'
import { onBehalfOf, presentTenant } from './tenant.ts'

type Waiting<I, T> = {
  item: I
  tenant: string | null
  resolve(result: T): void
  reject(error: unknown): void
}

// Beyond a few items a larger batch does not make an item cheaper.
const maxBatch = 25

/** How long a batch waits for as many items as the last one had. */
const gatheringMs = 1

/** A batch that takes longer waits for a lock, and others do not wait for it. */
const usualMs = 25

/**
 * Combines concurrent writes into batches. `run` receives the items of a batch and returns their results in the same
 * order. Items with the same `exclusiveBy` never run at the same time: not in two batches, and in one batch only if
 * `mayShare` says that the later one may join the first. If the database refuses a batch, each of its items is run alone.
 * A batch whose items are all of one tenant is run on behalf of that tenant.
 *
 * While `maxRunning` batches run, and none of them takes unusually long, the next is collected. More at once would only make batches smaller. For the same reason
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

  const runAll = (taken: Waiting<I, T>[]) => {
    const tenant = taken[0]!.tenant
    const isOfOne = taken.every((entry) => entry.tenant === tenant)
    return onBehalfOf(isOfOne ? tenant : null, () => run(taken.map(({ item }) => item)))
  }
  const free = (taken: Waiting<I, T>[]) => {
    for (const { item } of taken) busy.delete(exclusiveBy(item))
  }

  /** Whether the items are settled. One of several may have made all of them fail. */
  const attempt = async (taken: Waiting<I, T>[]): Promise<boolean> => {
    try {
      const results = await runAll(taken)
      sizeOfLast = taken.length
      taken.forEach(({ resolve }, n) => void resolve(results[n] as T))
    } catch (error) {
      if (taken.length > 1 && isStatementRefused(error)) return false
      for (const { reject } of taken) reject(error)
    }
    return true
  }
  const attemptInTurn = async (taken: Waiting<I, T>[]) => {
    for (const entry of taken) await attempt([entry])
    free(taken)
    soon()
  }
  const settle = async (taken: Waiting<I, T>[]) => {
    if (await attempt(taken)) return free(taken)
    const groups = Map.groupBy(taken, ({ item }) => exclusiveBy(item))
    await Promise.all(groups.values().map(attemptInTurn))
  }

  const start = async () => {
    isDue = false
    const taken = take()
    if (taken.length === 0) return
    let isRunning = true
    running++
    const end = () => {
      if (isRunning) running--
      isRunning = false
      soon()
    }
    const unusual = setTimeout(end, usualMs)
    soon()
    await settle(taken)
    clearTimeout(unusual)
    end()
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
    waiting.push({ item, tenant: presentTenant(), resolve, reject })
    soon()
    return promise
  }
}
