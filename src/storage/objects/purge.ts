import type { Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { checkWrite, type WriteConditions } from '#platform/http/conditional.ts'
import { recordAudit } from '../audit/audit.ts'
import { releaseBlobs } from '../blobs/blobs.ts'
import { account, holdBucket } from '../buckets/accounting.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { dropUploads } from '../multipart/expiry.ts'
import { demand } from '../policies/authorize.ts'
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

/** One thing that is past its time: where it is once it is locked, and how many bytes go with it. */
type Expired = {
  action: 'object.purged' | 'version.purged'
  lock(tx: Tx): Promise<store.Place | undefined>
  take(tx: Tx, now: Date): Promise<number>
}

const isAt = ({ bucket_id, object_key }: store.Place, bucketId: string, key: string) =>
  bucket_id === bucketId && object_key === key

/** Where it was found it may no longer be: what was moved meanwhile goes from, and counts for, its new place. */
const purgeFrom = async (ctx: Storage, found: store.Place, { action, lock, take }: Expired) => {
  for (let place: store.Place | undefined = found; place; ) {
    const { id, org_id: orgId, bucket_id: bucketId, object_key: objectKey }: store.Place = place
    place = await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now()
      await lockNames(tx, [[bucketId, objectKey]])
      const current = await lock(tx)
      if (!current || !isAt(current, bucketId, objectKey)) return current
      const retained = await take(tx, now)
      const actor = { orgId, userId: null, ip: '' }
      const payload = { bucketId, objectKey, retainedBytes: retained }
      await recordAudit(tx, actor, { action, resourceType: 'object', resourceId: id, payload, now })
      const growth = { bucketId, objects: 0, live: 0, retained: -retained }
      await account(tx, orgId, [growth], { now, write: false })
      return undefined
    })
  }
}

/** What was deleted or replaced before `before` goes for good; answers whether there may be more. */
export const purgeExpired = async (ctx: Storage, before: Date, limit = 500): Promise<boolean> => {
  const [objects, versions] = await Promise.all([
    store.findExpiredObjects(ctx.db.sql, before, limit),
    store.findExpiredVersions(ctx.db.sql, before, limit),
  ])
  for (const object of objects)
    await purgeFrom(ctx, object, {
      action: 'object.purged',
      lock: (tx) => store.lockExpiredObject(tx, object.id, before),
      take: (tx, now) => remove(tx, [object.id], now),
    })
  for (const version of versions)
    await purgeFrom(ctx, version, {
      action: 'version.purged',
      lock: (tx) => store.lockVersion(tx, version.id),
      take: async (tx, now) => {
        const { size, blobs } = await store.deleteVersion(tx, version.id)
        await releaseBlobs(tx, blobs, now)
        return size
      },
    })
  return objects.length === limit || versions.length === limit
}
