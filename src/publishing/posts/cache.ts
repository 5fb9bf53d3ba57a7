import { loader } from '#platform/cache/loader.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { maxCounterAgeMs, topics } from '../invalidation.ts'
import { findPosts } from './store.ts'

/** Posts by id; deleted ones are not there. */
export const postRows = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.post,
    max: 100_000,
    maxAgeMs: maxCounterAgeMs,
    load: loader((ids) => findPosts(db.sql, ids)),
  }),
)
