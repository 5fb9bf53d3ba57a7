import type { Tx } from '#platform/db/database.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import { releaseBlobs } from '../blobs/blobs.ts'
import { applyUsage } from '../buckets/usage.ts'
import type { Storage } from '../context.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600 * 1000
const lifetimeMs = 7 * dayMs
/** How long after its end an upload can still be looked up, and completed again with the same response. */
const rememberedMs = 30 * dayMs

/** Uploads that began at this time or earlier have expired by `now`. */
export const expiryAt = (now: Date) => new Date(now.getTime() - lifetimeMs)

type Session = Pick<store.SessionRow, 'uploadId' | 'bucketId' | 'objectKey'>

export const auditSession = (
  tx: Tx,
  actor: Actor,
  session: Session,
  event: { action: string; now: Date },
) => {
  const { uploadId, bucketId, objectKey } = session
  const payload = { bucketId, objectKey }
  return recordAudit(tx, actor, { ...event, resourceType: 'multipart', resourceId: uploadId, payload })
}

/** Ends an upload without an object: its parts are removed and no longer counted. */
export const failUpload = async (ctx: Storage, tx: Tx, actor: Actor, session: Session) => {
  const now = ctx.clock.now()
  const parts = await store.deleteParts(tx, session.uploadId)
  const blobs = parts.map(({ blob_id }) => blob_id)
  await releaseBlobs(tx, blobs, now)
  await store.markFailed(tx, session.uploadId, now)
  await auditSession(tx, actor, session, { action: 'multipart.aborted', now })
  const retained = -parts.reduce((sum, part) => sum + part.size, 0)
  await applyUsage(tx, actor.orgId, [{ bucketId: session.bucketId, retained }], { now, checkLimits: false })
}

/** Ends uploads that have expired. Returns whether there may be more. */
export const failExpired = async (ctx: Storage, limit = 200): Promise<boolean> => {
  const expiry = expiryAt(ctx.clock.now())
  const expired = await store.findExpired(ctx.db.sql, expiry, limit)
  for (const { id, orgId, bucketId } of expired)
    await ctx.db.transaction(async (tx) => {
      const session = await store.lockUpload(tx, { bucketId, uploadId: id }, expiry)
      if (session?.unended) await failUpload(ctx, tx, { orgId, userId: null, ip: '' }, session)
    })
  return expired.length === limit
}

/** Deletes what is remembered of uploads that ended long ago. Returns whether there may be more. */
export const forgetEnded = async (ctx: Storage, limit = 1000): Promise<boolean> => {
  const before = new Date(ctx.clock.now().getTime() - rememberedMs)
  return (await store.deleteEnded(ctx.db.sql, before, limit)) === limit
}

/** Removes all uploads of a bucket that is being deleted. Its row is locked, and its counters go with it. */
export const dropUploads = async (tx: Tx, bucketId: string, now: Date) => {
  const parts = await store.deletePartsOfBucket(tx, bucketId)
  const blobs = parts.map(({ blob_id }) => blob_id)
  await releaseBlobs(tx, blobs, now)
  await store.deleteUploadsOfBucket(tx, bucketId)
}
