import type { Tx } from '#platform/db/database.ts'
import { checkWrite, type WriteConditions } from '#platform/http/response/conditional.ts'
import { recordAudit } from '../../audit/audit.ts'
import { releaseBlobs } from '../../blobs/blobs.ts'
import { authorize, authorizedBucket } from '../../buckets/authorize.ts'
import { applyUsage, holdBucket } from '../../buckets/usage.ts'
import type { Principal, Storage } from '../../context.ts'
import { noObject } from '../../refusals.ts'
import { headChanged, lockKeys } from '../heads.ts'
import type { ObjectRef } from '../key.ts'
import { aboutObject } from '../objects.ts'
import * as store from './store.ts'

/** Removes objects with all their versions; returns how many contents these were, and their bytes. */
const remove = async (tx: Tx, ids: string[], now: Date) => {
  if (ids.length === 0) return { contents: 0, bytes: 0 }
  const removed = [...(await store.deleteVersionsOf(tx, ids)), ...(await store.deleteObjects(tx, ids))]
  const blobs = removed.flatMap((content) => content.blobs)
  await releaseBlobs(tx, blobs, now)
  return { contents: removed.length, bytes: removed.reduce((sum, { size }) => sum + size, 0) }
}

/** Whether anything was deleted in a bucket that can still be brought back as a version. */
export const hasMarkers = async (tx: Tx, { id }: { id: string }) =>
  (await store.markersOfBucket(tx, id, 1)).length > 0

/** Removes all objects of a bucket that is being deleted. Its row is locked, and its counters go with it. */
export const purgeBucket = async (tx: Tx, { orgId, id }: { orgId: string; id: string }, now: Date) => {
  const objects = await store.objectsOfBucket(tx, orgId, id)
  const ids = objects.map((object) => object.id)
  await remove(tx, ids, now)
  await store.deleteMarkersOfBucket(tx, id)
}

/** Removes for good everything that was ever stored under a key, live or deleted, with its versions. */
export const purgeObject = async (
  ctx: Storage,
  me: Principal,
  { bucketId, key }: ObjectRef,
  conditions: WriteConditions,
) => {
  const bucket = await authorizedBucket(ctx, me, 'object.purge', { bucketId, key, preflight: true })
  const ref = { bucketId: bucket.id, key }
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockKeys(tx, [ref])
    await holdBucket(tx, me.orgId, bucket.id)
    const objects = await store.lockAllOfKey(tx, ref)
    // A policy may protect any one of them. Only callers who could purge learn that there is none.
    for (const object of objects) authorize(ctx, me, 'object.purge', { bucket, ...aboutObject(object, key) })
    const last = objects.at(-1)
    if (!last) {
      authorize(ctx, me, 'object.purge', { bucket, key })
      return noObject()
    }
    const live = last.is_deleted ? undefined : last
    checkWrite(conditions, live?.etag)
    const ids = objects.map(({ id }) => id)
    const { contents, bytes } = await remove(tx, ids, now)
    const { count: markers } = await store.deleteMarkersOf(tx, ref)
    await recordAudit(tx, me, {
      action: 'object.purged',
      resourceType: 'object',
      resourceId: last.id,
      payload: { bucketId: bucket.id, objectKey: key, retainedBytes: bytes },
      now,
    })
    if (live) await headChanged(ctx, tx, ref)
    const change = {
      bucketId: bucket.id,
      objects: live ? -1 : 0,
      live: -(live?.size_bytes ?? 0),
      retainedObjects: -contents - markers,
      retainedBytes: -bytes,
    }
    await applyUsage(tx, me.orgId, change, { now, checkLimits: false })
    return last
  })
}
