import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Storage } from '../context.ts'
import type { ObjectRef } from './key.ts'
import * as store from './store.ts'

const topic = 'storage.object'
const nameOf = ({ bucketId, key }: ObjectRef) => `${bucketId}/${key}`
const uuidLength = 36
const refOf = (name: string): ObjectRef => ({
  bucketId: name.slice(0, uuidLength),
  key: name.slice(uuidLength + 1),
})

/** What is needed to send a live object, by `<bucket id>/<key>`. */
const heads = moduleState(({ db, signals }: Platform) =>
  signalledCache<store.ObjectHead | undefined>(signals, {
    topic,
    max: 20_000,
    load: (name) => store.findHead(db.sql, refOf(name)),
  }),
)

export const headOf = (ctx: Storage, ref: ObjectRef) => heads(ctx).get(nameOf(ref))

/** The same, if it is cached. */
export const recallHead = (ctx: Storage, bucketId: string, key: string) =>
  heads(ctx).peek(nameOf({ bucketId, key }))

/** To be called when an object changes. Not needed for a new one: that a key has no object is not cached. */
export const headChanged = (ctx: Storage, tx: Tx, ref: ObjectRef) =>
  ctx.signals.publish(tx, topic, nameOf(ref))

/** Locks keys until the transaction ends: no other transaction changes which objects they refer to. */
export const lockKeys = (tx: Tx, refs: ObjectRef[]) => store.lockNames(tx, refs.map(nameOf))
