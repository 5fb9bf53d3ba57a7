import type { Tx } from '#platform/db/database.ts'
import { checkWrite, type WriteConditions } from '#platform/http/conditional.ts'
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

/** Removes objects with all their versions; returns how many bytes were kept for them. */
const remove = async (tx: Tx, ids: string[], now: Date) => {
  if (ids.length === 0) return 0
  const removed = [...(await store.deleteVersionsOf(tx, ids)), ...(await store.deleteObjects(tx, ids))]
  const blobs = removed.flatMap((content) => content.blobs)
  await releaseBlobs(tx, blobs, now)
  return removed.reduce((sum, { size }) => sum + size, 0)
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
    const retained = await remove(tx, ids, now)
    await store.deleteMarkersOf(tx, ref)
    await recordAudit(tx, me, {
      action: 'object.purged',
      resourceType: 'object',
      resourceId: last.id,
      payload: { bucketId: bucket.id, objectKey: key, retainedBytes: retained },
      now,
    })
    if (live) await headChanged(ctx, tx, ref)
    const delta = {
      bucketId: bucket.id,
      objects: live ? -1 : 0,
      live: -(live?.size_bytes ?? 0),
      retained: -retained,
    }
    await applyUsage(tx, me.orgId, [delta], { now, checkLimits: false })
    return last
  })
}

/** How one kind of expired content is purged. `lock` returns where it is now, `remove` how many bytes were kept for it. */
type Purge = {
  action: 'object.purged' | 'version.purged' | 'marker.removed'
  lock(tx: Tx): Promise<store.Expired | undefined>
  remove(tx: Tx, now: Date): Promise<number>
}

/** The object may have moved since it was found: then it is looked for, and its bytes are counted, at its new place. */
const purgeOne = async (ctx: Storage, found: store.Expired, purge: Purge) => {
  for (let place: store.Expired | undefined = found; place; ) {
    const { id, orgId, bucketId, key }: store.Expired = place
    place = await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now()
      await lockKeys(tx, [{ bucketId, key }])
      const current = await purge.lock(tx)
      if (!current || current.bucketId !== bucketId || current.key !== key) return current
      const retained = await purge.remove(tx, now)
      await recordAudit(
        tx,
        { orgId, userId: null, ip: '' },
        {
          action: purge.action,
          resourceType: purge.action === 'marker.removed' ? 'marker' : 'object',
          resourceId: id,
          payload: { bucketId, objectKey: key, retainedBytes: retained },
          now,
        },
      )
      await applyUsage(tx, orgId, [{ bucketId, retained: -retained }], { now, checkLimits: false })
      return undefined
    })
  }
}

/**
 * Purges objects that were deleted, versions that were replaced, and markers that were added before then and hide nothing.
 * Returns whether there may be more.
 */
export const purgeExpired = async (ctx: Storage, before: Date, limit = 500): Promise<boolean> => {
  const objects = await store.findExpiredObjects(ctx.db.sql, before, limit)
  const versions = await store.findExpiredVersions(ctx.db.sql, before, limit)
  const markers = await store.findExpiredMarkers(ctx.db.sql, before, limit)
  for (const object of objects)
    await purgeOne(ctx, object, {
      action: 'object.purged',
      lock: (tx) => store.lockExpiredObject(tx, object.id, before),
      remove: (tx, now) => remove(tx, [object.id], now),
    })
  for (const version of versions)
    await purgeOne(ctx, version, {
      action: 'version.purged',
      lock: (tx) => store.lockVersion(tx, version.id),
      remove: async (tx, now) => {
        const { size, blobs } = await store.deleteVersion(tx, version.id)
        await releaseBlobs(tx, blobs, now)
        return size
      },
    })
  for (const marker of markers)
    await purgeOne(ctx, marker, {
      action: 'marker.removed',
      lock: (tx) => store.findExpiredMarker(tx, marker.id),
      remove: async (tx) => {
        await store.deleteMarker(tx, marker.id)
        return 0
      },
    })
  return [objects, versions, markers].some(({ length }) => length === limit)
}
