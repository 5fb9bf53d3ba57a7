import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { singleFlight } from '#platform/single-flight.ts'
import { topics } from '../invalidation.ts'
import * as store from './store.ts'

const depth = 4_000
/** The newest posts are read again each time: a post with a smaller id may still be about to commit. */
const unstable = 100
const maxAgeMs = 2_000

type Cached = { posts: readonly store.Authored[]; isAll: boolean }

/**
 * The newest posts of all accounts and who wrote them. Every home timeline takes from them the posts of those it follows.
 * Most of the list is cached for all readers; the newest part is read anew, once for all who ask at the same time.
 */
export const newestPosts = moduleState(({ db, signals }: Platform) => {
  let cached: { value: Promise<Cached>; until: number } | null = null
  const forget = () => {
    cached = null
  }
  // When a suspension ends, posts come back all over the list.
  signals.on(topics.account, forget)
  signals.onGap(forget)

  const load = async (): Promise<Cached> => {
    const newest = await store.newestSince(db.sql, 0, depth)
    return { posts: newest.slice(unstable), isAll: newest.length < depth }
  }
  const getCached = () => {
    const now = performance.now()
    if (cached && cached.until > now) return cached.value
    const started = { value: load(), until: now + maxAgeMs }
    cached = started
    started.value.catch(() => cached === started && forget())
    return started.value
  }

  const read = singleFlight(async () => {
    const { posts, isAll } = await getCached()
    return { posts, isAll, fresh: await store.newestSince(db.sql, posts[0]?.id ?? 0, depth) }
  })

  return {
    /** The first `wanted` ids below `before` by these authors; null if there may be others beyond the list. */
    async of(authors: ReadonlySet<number>, before: number, wanted: number): Promise<number[] | null> {
      const { fresh, posts, isAll } = await read()
      if (fresh.length === depth) return null
      const found: number[] = []
      for (const list of [fresh, posts])
        for (const { id, author_id } of list) {
          if (id >= before || !authors.has(author_id)) continue
          found.push(id)
          if (found.length === wanted) return found
        }
      return isAll ? found : null
    },
  }
})
