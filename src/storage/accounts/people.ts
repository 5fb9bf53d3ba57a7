import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { conflict } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { Person, Storage } from '../context.ts'
import * as store from './store.ts'

const topic = 'storage.user'

/** Everybody who may sign in, remembered until something changes that the guard must know. */
export const createPeopleCache = ({ db, signals }: Platform) =>
  signalledCache<Person | undefined>(signals, {
    topic,
    max: 50_000,
    load: (id) => store.findPerson(db.sql, id),
  })

/** A new role, a new password, or gone: true on every node from the moment it is committed. */
export const personChanged = (ctx: Storage, tx: Tx, userId: string) => ctx.signals.publish(tx, topic, userId)

export const addPerson = async (tx: Tx, person: store.NewUser) =>
  (await store.insertUser(tx, person)) ?? conflict('email is already in use')
