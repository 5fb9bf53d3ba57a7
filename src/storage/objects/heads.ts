import { jsonBytes } from '#platform/cache/lru.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Storage } from '../context.ts'
import type { ObjectRef } from './key.ts'
import * as store from './store.ts'

const topic = 'storage.object'
/** The name of a key, under which it is cached, signalled and locked. */
export const keyName = ({ bucketId, key }: ObjectRef) => `${bucketId}/${key}`
const uuidLength = 36
const refOf = (name: string): ObjectRef => ({
  bucketId: name.slice(0, uuidLength),
  key: name.slice(uuidLength + 1),
})

/** What is needed to send a live object, by `<bucket id>/<key>`. */
const heads = moduleState(({ db, signals }: Platform) =>
  signalledCache<store.ObjectHead | undefined>(signals, {
    topic,
    max: 100_000,
    bytesOf: ({ metadata, headers, tags, checksum, blobs }) =>
      1024 + jsonBytes([metadata, headers, tags, checksum]) + 64 * blobs.length,
    load: (name) => store.findHead(db.sql, refOf(name)),
  }),
)

export const headOf = (ctx: Storage, ref: ObjectRef) => heads(ctx).get(keyName(ref))

/** To be called when an object changes. Not needed for a new one: that a key has no object is not cached. */
export const headChanged = (ctx: Storage, tx: Tx, ref: ObjectRef) =>
  ctx.signals.publish(tx, topic, keyName(ref))

/** The same for this node alone, once a SQL function has changed an object: those tell the other nodes themselves. */
export const noteHeadChange = (ctx: Storage, ref: ObjectRef) => ctx.signals.changed(topic, keyName(ref))

/** Locks keys until the transaction ends: no other transaction changes which objects they refer to. */
export const lockKeys = (tx: Tx, refs: ObjectRef[]) => store.lockNames(tx, refs.map(keyName))
