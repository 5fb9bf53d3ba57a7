import { isUndone } from './failures.ts'

type Waiting<I, T> = { item: I; resolve(result: T): void; reject(error: unknown): void }

// One is prepared while another is running: more of them would only be smaller. From a few items on, each costs the same.
const statements = 2
const largest = 25

/**
 * Makes one statement of what callers want in the same moment: whoever comes while two are running waits, and goes
 * with all who wait in the next. What has the same `apart` is never in two statements at once, nor twice in one.
 */
export const gathered = <I, T>(apart: (item: I) => unknown, run: (items: I[]) => Promise<T[]>) => {
  let waiting: Waiting<I, T>[] = []
  let running = 0
  let isDue = false
  const busy = new Set<unknown>()

  const take = () => {
    const taken: Waiting<I, T>[] = []
    const left: Waiting<I, T>[] = []
    for (const entry of waiting) {
      const key = apart(entry.item)
      if (taken.length === largest || busy.has(key)) left.push(entry)
      else {
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
      // One of them may be to blame, and the others must not pay for it.
      if (taken.length > 1 && isUndone(error)) await Promise.all(taken.map((entry) => settle([entry])))
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
    for (const { item } of taken) busy.delete(apart(item))
    soon()
  }

  /** Once all that has arrived by now has been read. */
  const soon = () => {
    if (isDue || running === statements || waiting.length === 0) return
    isDue = true
    setImmediate(start)
  }

  return (item: I): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.push({ item, resolve, reject })
    soon()
    return promise
  }
}
