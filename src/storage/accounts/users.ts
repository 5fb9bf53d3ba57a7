import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { taken } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'

const topic = 'storage.user'

export type { KnownUser } from './store.ts'

/** Users by id, cached until something changes that the guard must know. */
export const userCache = moduleState(({ db, signals }: Platform) =>
  signalledCache<store.KnownUser | undefined>(signals, {
    topic,
    max: 50_000,
    load: (id) => store.findKnownUser(db.sql, id),
  }),
)

/** To be called when a user's role or password changes, or the user is deleted: all nodes drop their cached copy. */
export const userChanged = (ctx: Platform, tx: Tx, userId: string) => ctx.signals.publish(tx, topic, userId)

export const addUser = async (tx: Tx, user: store.NewUser) =>
  (await store.insertUser(tx, user)) ?? taken('email', 'is already in use')
