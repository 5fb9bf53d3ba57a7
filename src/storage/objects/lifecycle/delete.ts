import { maybeOne } from '#platform/db/rows.ts'
import { AppError, conflict, notFound } from '#platform/errors.ts'
import { checkWrite, unconditional, type WriteConditions } from '#platform/http/conditional.ts'
import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import { bucketOf } from '../../buckets/lookup.ts'
import { applyUsage, holdBucket } from '../../buckets/usage.ts'
import type { Principal, Storage } from '../../context.ts'
import { headChanged, lockKeys } from '../heads.ts'
import { checkKey, type ObjectRef } from '../key.ts'
import { aboutObject, auditObject, authorizedObject } from '../objects.ts'
import * as store from '../store.ts'

/** Marks the live object of a key as deleted; it can be recovered until it is purged. */
export const deleteObject = async (
  ctx: Storage,
  me: Principal,
  { bucketId, key }: ObjectRef,
  conditions: WriteConditions = unconditional,
) => {
  const { bucket } = await authorizedObject(ctx, me, 'object.delete', { bucketId, key })
  const ref = { bucketId: bucket.id, key }
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [ref])
    await holdBucket(tx, me.orgId, bucket.id)
    const live = (await maybeOne(store.lockLive(tx, ref))) ?? notFound()
    checkWrite(conditions, live.etag)
    const object = await store.markDeleted(tx, live.id, true, now)
    await auditObject(tx, me, object, { action: 'object.deleted', now })
    await headChanged(ctx, tx, ref)
    const delta = { bucketId: bucket.id, objects: -1, live: -live.size_bytes, retained: 0 }
    await applyUsage(tx, me.orgId, [delta], { now, checkLimits: false })
    return object
  })
}

const concurrentDeletes = 4

/**
 * Deletes each key in a transaction of its own. A key that cannot be deleted is reported and does not affect the
 * others. If the database is lost meanwhile, some of the keys may be deleted already.
 */
export const deleteObjects = async (ctx: Storage, me: Principal, bucketId: string, keys: string[]) => {
  await bucketOf(ctx, me.orgId, bucketId)
  const failures = new Map<string, string>()
  const distinct = [...new Set(keys)]
  const waiting = distinct.values()
  const deleteNext = async () => {
    for (const key of waiting)
      try {
        await deleteObject(ctx, me, { bucketId, key: checkKey(key, 'keys') })
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        failures.set(key, error.message)
      }
  }
  await Promise.all(Array.from({ length: concurrentDeletes }, deleteNext))
  return {
    deleted: distinct.filter((key) => !failures.has(key)),
    errors: distinct.flatMap((key) => {
      const message = failures.get(key)
      return message === undefined ? [] : { key, message }
    }),
  }
}

/** Brings back the object of a key that was deleted last, unless the key is taken. */
export const recoverObject = async (ctx: Storage, me: Principal, { bucketId, key }: ObjectRef) => {
  const bucket = await authorizedBucket(ctx, me, 'object.recover', { bucketId, key, preflight: true })
  const ref = { bucketId: bucket.id, key }
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [ref])
    await holdBucket(tx, me.orgId, bucket.id)
    const live = await maybeOne(store.lockLive(tx, ref))
    const deleted = await maybeOne(store.lockDeleted(tx, ref))
    if (!deleted) return live ? conflict('The object is not deleted') : notFound()
    authorize(ctx, me, 'object.recover', { bucket, ...aboutObject(deleted, key) })
    if (live) conflict('A live object has taken this key')
    const object = await store.markDeleted(tx, deleted.id, false, now)
    await auditObject(tx, me, object, { action: 'object.recovered', now })
    const delta = { bucketId: bucket.id, objects: 1, live: object.size_bytes, retained: 0 }
    await applyUsage(tx, me.orgId, [delta], { now, checkLimits: true })
    return object
  })
}
