import { signalledCache } from '#platform/cache/signalled.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { topics } from '../invalidation.ts'
import { readRelations } from './store.ts'

export type { Relations } from './store.ts'

/** Whom an account follows, mutes and blocks, by account id. */
export const relations = moduleState(({ db, signals }: Platform) =>
  signalledCache(signals, {
    topic: topics.relations,
    max: 5_000,
    load: (id) => readRelations(db.sql, Number(id)),
  }),
)
