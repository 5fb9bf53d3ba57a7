import { isUuid } from '#platform/ids.ts'
import type { Engine } from './engine.ts'

const batch = 500
/** Longer than any upload takes from its last byte to its row, and any download after its blob was released. */
export const graceMs = 3600 * 1000

/** Blobs that no row refers to, older than any upload that may still insert one. `known` returns those that have a row. */
export const findOrphans = async function* (
  engine: Engine,
  now: Date,
  known: (ids: string[]) => PromiseLike<{ id: string }[]>,
) {
  let candidates: string[] = []
  const check = async () => {
    const found = new Set((await known(candidates)).map(({ id }) => id))
    const orphans = candidates.filter((id) => !found.has(id))
    candidates = []
    return orphans
  }
  const limit = new Date(now.getTime() - graceMs)
  for await (const { id, modifiedAt } of engine.list()) {
    if (isUuid(id) && modifiedAt < limit) candidates.push(id)
    if (candidates.length >= batch) yield* await check()
  }
  yield* await check()
}
