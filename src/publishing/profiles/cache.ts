import { signalledCache } from '#platform/cache/signalled.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { maxCounterAgeMs, topics } from '../invalidation.ts'
import { loader } from '../loader.ts'
import { withPublicUrls } from '../picture-urls.ts'
import { findAccounts, findCounters, findIdByHandle } from './store.ts'

/** Accounts by id, without what changes with every post. */
export const accounts = moduleState(({ config, db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.account,
    max: 100_000,
    load: loader(async (ids) =>
      (await findAccounts(db.sql, ids)).map((row) => withPublicUrls(config.urls.publishing, row)),
    ),
  }),
)

/** The counters of accounts by id. */
export const counters = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.counters,
    max: 100_000,
    maxAgeMs: maxCounterAgeMs,
    load: loader((ids) => findCounters(db.sql, ids)),
  }),
)

/** Account ids by lower-case handle. */
export const handles = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.handle,
    max: 100_000,
    load: (handle) => findIdByHandle(db.sql, handle),
  }),
)
