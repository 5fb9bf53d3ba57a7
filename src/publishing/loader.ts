import { AsyncLocalStorage } from 'node:async_hooks'

type Waiting<V> = { resolve(value: V | undefined): void; reject(error: unknown): void }

/**
 * A data loader: rows that are requested within one tick are loaded by one query. It runs outside the callers' units of
 * work, because its results are shared and must not include uncommitted changes.
 */
export const loader = <V extends { id: number }>(load: (ids: number[]) => Promise<readonly V[]>) => {
  const outside = AsyncLocalStorage.snapshot()
  let waiting = new Map<number, Waiting<V>>()

  const run = async () => {
    const asked = waiting
    waiting = new Map()
    try {
      const found = new Map((await load([...asked.keys()])).map((row) => [row.id, row]))
      for (const [id, { resolve }] of asked) resolve(found.get(id))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }

  return (key: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<V | undefined>()
    if (waiting.size === 0) outside(() => queueMicrotask(run))
    const id = Number(key)
    const before = waiting.get(id)
    waiting.set(id, {
      resolve(value) {
        before?.resolve(value)
        resolve(value)
      },
      reject(error) {
        before?.reject(error)
        reject(error)
      },
    })
    return promise
  }
}
