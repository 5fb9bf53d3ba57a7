import type { Tx } from '#platform/db/database.ts'
import { recordAudit } from '../audit/audit.ts'
import { releaseBlobs } from '../blobs/blobs.ts'
import { account } from '../buckets/accounting.ts'
import type { Storage } from '../context.ts'
import type { Actor } from '../objects/objects.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600 * 1000
const lifetimeMs = 7 * dayMs
/** So long after its end an upload can still be looked up, and completed again for the same answer. */
const rememberedMs = 30 * dayMs

/** What began then, or before, and was not ended has failed by `now`. */
export const expiryAt = (now: Date) => new Date(now.getTime() - lifetimeMs)

export const auditSession = (
  tx: Tx,
  actor: Actor,
  action: string,
  session: Pick<store.SessionRow, 'uploadId' | 'bucketId' | 'objectKey'>,
  now: Date,
) =>
  recordAudit(tx, actor, {
    action,
    resourceType: 'multipart',
    resourceId: session.uploadId,
    payload: { bucketId: session.bucketId, objectKey: session.objectKey },
    now,
  })

/** Its parts go, and are no longer counted. */
export const fail = async (
  ctx: Storage,
  tx: Tx,
  actor: Actor,
  session: Pick<store.SessionRow, 'uploadId' | 'bucketId' | 'objectKey'>,
) => {
  const now = ctx.clock.now()
  const gone = await store.deleteParts(tx, session.uploadId)
  await releaseBlobs(tx, gone.map(({ blob_id }) => blob_id), now) // biome-ignore format: one thought
  await store.endUpload(tx, session.uploadId, 'failed', null, now)
  await auditSession(tx, actor, 'multipart.aborted', session, now)
  const retained = -gone.reduce((sum, part) => sum + part.size, 0)
  await account(tx, actor.orgId, [{ bucketId: session.bucketId, objects: 0, live: 0, retained }], {
    now,
    write: false,
  })
}

/** Sessions that were never ended have failed by themselves; now their parts go. */
export const failExpired = async (ctx: Storage, limit = 200): Promise<boolean> => {
  const expiry = expiryAt(ctx.clock.now())
  const expired = await store.findExpired(ctx.db.sql, expiry, limit)
  for (const { id, org_id, bucket_id } of expired)
    await ctx.db.transaction(async (tx) => {
      const session = await store.lockUpload(tx, bucket_id, id, { expiry, how: 'end' })
      if (session?.unended) await fail(ctx, tx, { orgId: org_id, userId: null, ip: '' }, session)
    })
  return expired.length === limit
}

/** Nobody asks for what ended long ago; answers whether there may be more of it. */
export const forgetEnded = async (ctx: Storage, limit = 1000): Promise<boolean> => {
  const before = new Date(ctx.clock.now().getTime() - rememberedMs)
  return (await store.deleteEnded(ctx.db.sql, before, limit)) === limit
}
