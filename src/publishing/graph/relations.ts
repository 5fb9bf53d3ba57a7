import { signalledCache } from '#platform/cache/signalled.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { topics } from '../invalidation.ts'
import { type Relations, readRelations } from './store.ts'

export type { Relations } from './store.ts'

/** Whom an account follows, mutes and blocks, by account id. */
export const relations = moduleState(({ db, signals }: Platform) =>
  signalledCache<Relations>(signals, {
    topic: topics.relations,
    max: 100_000,
    bytesOf: ({ follows, mutes, blocks, authors }) =>
      1024 + 32 * (follows.size + mutes.size + blocks.size + authors.size),
    load: (id) => readRelations(db.sql, Number(id)),
  }),
)
