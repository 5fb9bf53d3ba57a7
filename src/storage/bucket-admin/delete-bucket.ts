import { conflict } from '#platform/errors.ts'
import { authorizedBucket } from '../buckets/authorize.ts'
import { auditBucket, deleteBucketRow, lockForDeletion } from '../buckets/buckets.ts'
import { bucketChanged } from '../buckets/lookup.ts'
import { applyUsage } from '../buckets/usage.ts'
import type { Principal, Storage } from '../context.ts'
import { dropUploads } from '../multipart/ending.ts'
import { hasMarkers, purgeBucket } from '../objects/delete/purge.ts'
import { noBucket } from '../refusals.ts'

/**
 * Deletes a bucket with its soft-deleted objects, versions and unfinished uploads. Throws 409 if it has live objects, and
 * with `keepVersions` also if it has markers, and with them what was deleted while it had versions.
 */
export const deleteBucket = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  { keepVersions = false } = {},
) => {
  const bucket = await authorizedBucket(ctx, me, 'bucket.delete', { bucketId })
  const { id, name, orgId } = bucket
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const { objects, retainedObjects, retainedBytes } = (await lockForDeletion(tx, orgId, id)) ?? noBucket()
    const isHeld = keepVersions && (await hasMarkers(tx, bucket))
    if (objects > 0 || isHeld) conflict('The bucket still holds objects')
    await purgeBucket(tx, bucket, now)
    const uploads = await dropUploads(tx, id, now)
    await deleteBucketRow(tx, orgId, id)
    await auditBucket(tx, me, { action: 'bucket.deleted', bucketId: id, payload: { name }, now })
    await bucketChanged(ctx, tx, id)
    const change = {
      bucketId: id,
      retainedObjects: -retainedObjects,
      retainedBytes: -retainedBytes,
      uploads: -uploads,
    }
    await applyUsage(tx, orgId, change, { now, checkLimits: false })
  })
}
