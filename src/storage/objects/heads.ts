import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import type { Storage } from '../context.ts'
import * as store from './store.ts'

const topic = 'storage.object'
const nameOf = (bucketId: string, key: string) => `${bucketId}/${key}`
const uuidLength = 36

/** What is needed to send a live object, remembered until the object changes. */
export const createHeadCache = ({ db, signals }: Platform) =>
  signalledCache<store.ObjectHead | undefined>(signals, {
    topic,
    max: 20_000,
    load: (name) => store.findHead(db.sql, name.slice(0, uuidLength), name.slice(uuidLength + 1)),
  })

export const headOf = (ctx: Storage, bucketId: string, key: string) => ctx.heads.get(nameOf(bucketId, key))

/** The same, if it is in memory. */
export const recallHead = (ctx: Storage, bucketId: string, key: string) =>
  ctx.heads.peek(nameOf(bucketId, key))

/** Only needed where there was an object before: what does not exist is not remembered. */
export const headChanged = (ctx: Storage, tx: Tx, bucketId: string, key: string) =>
  ctx.signals.publish(tx, topic, nameOf(bucketId, key))

/** Whatever these keys stand for changes only in this transaction until it ends. */
export const lockNames = (tx: Tx, places: [bucketId: string, key: string][]) =>
  store.lockKeys(
    tx,
    places.map(([bucketId, key]) => nameOf(bucketId, key)),
  )
