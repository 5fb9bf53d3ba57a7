import type { Tx } from '#platform/db/database.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import { releaseBlobs } from '../blobs/blobs.ts'
import { applyUsage } from '../buckets/usage.ts'
import type { Storage } from '../context.ts'
import { rulesOf } from '../lifecycle/lifecycle.ts'
import { abortionOf, uploadExpiries } from '../lifecycle/rules.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600 * 1000
/** How long after its end an upload can still be looked up, and completed again with the same response. */
const rememberedMs = 30 * dayMs

export type Session = Pick<store.SessionRow, 'bucketId' | 'objectKey' | 'created_at'>
type SessionRef = Pick<store.SessionRow, 'uploadId' | 'bucketId' | 'objectKey'>

/** When a pending upload fails by itself, and by which rule of its bucket. */
export const abortion = async (ctx: Storage, { bucketId, objectKey, created_at }: Session) =>
  abortionOf(await rulesOf(ctx, bucketId), { key: objectKey, startedAt: new Date(created_at) })

/** An upload that is too old has failed, whether or not its parts were removed already. */
export const withPresentStatus = async <S extends store.SessionRow>(ctx: Storage, session: S): Promise<S> => {
  if (session.status !== 'pending') return session
  const due = await abortion(ctx, session)
  return due && due.at <= ctx.clock.now() ? { ...session, status: 'failed' } : session
}

/** Uploads with this key that began then or earlier have failed by `now`. */
export const expiryFor = async (ctx: Storage, { bucketId, objectKey }: SessionRef, now: Date) => {
  const expiries = uploadExpiries(await rulesOf(ctx, bucketId), now)
  const times = expiries
    .filter(({ prefix }) => objectKey.startsWith(prefix))
    .map(({ time }) => time.getTime())
  return new Date(Math.max(0, ...times))
}

export const expiriesIn = async (ctx: Storage, bucketId: string) =>
  uploadExpiries(await rulesOf(ctx, bucketId), ctx.clock.now())

/** Ends an upload without an object: its parts are removed and no longer counted. */
export const failUpload = async (ctx: Storage, tx: Tx, actor: Actor, session: SessionRef) => {
  const now = ctx.clock.now()
  const parts = await store.deleteParts(tx, session.uploadId)
  const blobs = parts.map(({ blob_id }) => blob_id)
  await releaseBlobs(tx, blobs, now)
  await store.markFailed(tx, session.uploadId, now)
  const { uploadId, bucketId, objectKey } = session
  await recordAudit(tx, actor, {
    action: 'multipart.aborted',
    resourceType: 'multipart',
    resourceId: uploadId,
    payload: { bucketId, objectKey },
    now,
  })
  const retainedBytes = -parts.reduce((sum, part) => sum + part.size, 0)
  const change = { bucketId, retainedObjects: -1, retainedBytes, uploads: -1 }
  await applyUsage(tx, actor.orgId, change, { now, checkLimits: false })
}

/** Ends uploads of a bucket that are too old. Returns whether there may be more. */
export const failExpired = async (
  ctx: Storage,
  { id: bucketId, orgId }: { id: string; orgId: string },
  limit = 200,
): Promise<boolean> => {
  const expiries = await expiriesIn(ctx, bucketId)
  if (expiries.length === 0) return false
  const expired = await store.findExpired(ctx.db.sql, bucketId, expiries, limit)
  for (const { uploadId } of expired)
    await ctx.db.transaction(async (tx) => {
      const session = await store.lockUpload(tx, { bucketId, uploadId })
      if (session?.status === 'pending') await failUpload(ctx, tx, { orgId, userId: null, ip: '' }, session)
    })
  return expired.length === limit
}

/** Deletes what is remembered of uploads that ended long ago. Returns whether there may be more. */
export const forgetEnded = async (ctx: Storage, limit = 1000): Promise<boolean> => {
  const before = new Date(ctx.clock.now().getTime() - rememberedMs)
  return (await store.deleteEnded(ctx.db.sql, before, limit)) === limit
}

/**
 * Removes all uploads of a bucket that is being deleted. Its row is locked, and its counters go with it. Returns how many
 * were pending.
 */
export const dropUploads = async (tx: Tx, bucketId: string, now: Date) => {
  const parts = await store.deletePartsOfBucket(tx, bucketId)
  const blobs = parts.map(({ blob_id }) => blob_id)
  await releaseBlobs(tx, blobs, now)
  const uploads = await store.deleteUploadsOfBucket(tx, bucketId)
  return uploads.filter(({ status }) => status === 'pending').length
}
