import type { Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import { releaseBlobs } from '../blobs/blobs.ts'
import { account, holdBucket } from '../buckets/accounting.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { dropUploads } from '../multipart/expiry.ts'
import { demand } from '../policies/authorize.ts'
import { checkWrite, type WriteConditions } from './conditional.ts'
import { headChanged, lockNames } from './heads.ts'
import * as store from './purge-store.ts'

/** Removes objects with all their versions; answers how many bytes they held. */
const remove = async (tx: Tx, ids: string[], now: Date) => {
  if (ids.length === 0) return 0
  const held = [...(await store.deleteVersionsOf(tx, ids)), ...(await store.deleteObjects(tx, ids))]
  await releaseBlobs(
    tx,
    held.flatMap(({ blobs }) => blobs),
    now,
  )
  return held.reduce((sum, { size }) => sum + size, 0)
}

/** For a bucket that is being deleted, whose row is locked: nothing is counted one by one. */
export const emptyBucket = async (tx: Tx, orgId: string, bucketId: string, now: Date) => {
  const ids = (await store.objectsOfBucket(tx, orgId, bucketId)).map(({ id }) => id)
  await remove(tx, ids, now)
  await dropUploads(tx, bucketId, now)
}

/** Only to those who might have purged it. */
const nothingThere = (ctx: Storage, me: Principal, bucket: BucketFacts, key: string) => {
  demand(ctx, me, bucket, 'object.purge', { key })
  return notFound()
}

/** Everything that ever was under this key, live or deleted, with its versions. */
export const purgeKey = (
  ctx: Storage,
  me: Principal,
  bucket: BucketFacts,
  key: string,
  conditions: WriteConditions,
) =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    await lockNames(tx, [[bucket.id, key]])
    await holdBucket(tx, me.orgId, bucket.id)
    const victims = await store.lockAllOfKey(tx, bucket.id, key)
    // Each of them would be gone for good, so each of them is asked about.
    for (const { id: objectId, content_type: contentType, size_bytes: size } of victims)
      demand(ctx, me, bucket, 'object.purge', { key, objectId, contentType, size })
    const last = victims.at(-1) ?? nothingThere(ctx, me, bucket, key)
    const live = last.is_deleted ? undefined : last
    checkWrite(conditions, live?.etag)
    const ids = victims.map(({ id }) => id)
    const retained = await remove(tx, ids, now)
    await recordAudit(tx, me, {
      action: 'object.purged',
      resourceType: 'object',
      resourceId: last.id,
      payload: { bucketId: bucket.id, objectKey: key, retainedBytes: retained },
      now,
    })
    if (live) await headChanged(ctx, tx, bucket.id, key)
    const growth = {
      bucketId: bucket.id,
      objects: live ? -1 : 0,
      live: -(live?.size_bytes ?? 0),
      retained: -retained,
    }
    await account(tx, me.orgId, [growth], { now, write: false })
    return last
  })

/** What was deleted or replaced before `before` goes for good; answers whether there may be more. */
export const purgeExpired = async (ctx: Storage, before: Date, limit = 500): Promise<boolean> => {
  const [objects, versions] = await Promise.all([
    store.findExpiredObjects(ctx.db.sql, before, limit),
    store.findExpiredVersions(ctx.db.sql, before, limit),
  ])
  const now = ctx.clock.now()
  const each = async (place: (typeof objects)[number], take: (tx: Tx) => Promise<number>, action: string) =>
    ctx.db.transaction(async (tx) => {
      await lockNames(tx, [[place.bucket_id, place.object_key]])
      const retained = await take(tx)
      if (retained < 0) return
      await recordAudit(
        tx,
        { orgId: place.org_id, userId: null, ip: '' },
        {
          action,
          resourceType: 'object',
          resourceId: place.id,
          payload: { bucketId: place.bucket_id, objectKey: place.object_key, retainedBytes: retained },
          now,
        },
      )
      const growth = { bucketId: place.bucket_id, objects: 0, live: 0, retained: -retained }
      await account(tx, place.org_id, [growth], { now, write: false })
    })
  for (const object of objects)
    await each(
      object,
      async (tx) =>
        (await store.lockExpiredObject(tx, object.id, before)) ? remove(tx, [object.id], now) : -1,
      'object.purged',
    )
  for (const version of versions)
    await each(
      version,
      async (tx) => {
        const [held] = await store.deleteExpiredVersion(tx, version.id)
        if (!held) return -1
        await releaseBlobs(tx, held.blobs, now)
        return held.size
      },
      'version.purged',
    )
  return objects.length === limit || versions.length === limit
}
