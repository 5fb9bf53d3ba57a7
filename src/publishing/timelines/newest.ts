import { singleFlight } from '#platform/single-flight.ts'
import type { Platform } from '#platform/platform.ts'
import { topics } from '../memory.ts'
import * as store from './store.ts'

const depth = 4_000
/** How many of the newest posts are read again each time: as many of their neighbours may still be on their way. */
const unsettled = 100
const maxAgeMs = 2_000

type Settled = { posts: readonly store.Written[]; isAll: boolean }

/**
 * The newest posts of everybody and who wrote them, from which every reader takes those that they follow. Most of
 * it is read once for all readers; what has come since, and the last few before that, for all who ask meanwhile.
 */
export const newestPosts = ({ db, signals }: Pick<Platform, 'db' | 'signals'>) => {
  let settled: { value: Promise<Settled>; until: number } | null = null
  const forget = () => {
    settled = null
  }
  // The posts of somebody who is no longer suspended come back all over the list.
  signals.on(topics.person, forget)
  signals.onGap(forget)

  const load = async (): Promise<Settled> => {
    const newest = await store.newestSince(db.sql, 0, depth)
    return { posts: newest.slice(unsettled), isAll: newest.length < depth }
  }
  const recall = () => {
    const now = performance.now()
    if (settled && settled.until > now) return settled.value
    const started = { value: load(), until: now + maxAgeMs }
    settled = started
    started.value.catch(() => settled === started && forget())
    return started.value
  }

  const look = singleFlight(async () => {
    const { posts, isAll } = await recall()
    return { posts, isAll, fresh: await store.newestSince(db.sql, posts[0]?.id ?? 0, depth) }
  })

  /** The first `wanted` ids below `before` that these authors wrote; null unless it is certain that there are no others. */
  return async (authors: ReadonlySet<number>, before: number, wanted: number): Promise<number[] | null> => {
    const { fresh, posts, isAll } = await look()
    if (fresh.length === depth) return null
    const found: number[] = []
    for (const list of [fresh, posts])
      for (const { id, author_id } of list) {
        if (id >= before || !authors.has(author_id)) continue
        found.push(id)
        if (found.length === wanted) return found
      }
    return isAll ? found : null
  }
}
export type Newest = ReturnType<typeof newestPosts>
