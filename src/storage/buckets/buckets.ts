import type { Tx } from '#platform/db/database.ts'
import { taken } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { type AuditPayload, recordAudit } from '../audit/audit.ts'
import { requireActivePlan } from '../billing/plans.ts'
import type { Principal, Storage } from '../context.ts'
import { noBucket } from '../refusals.ts'
import type { Tags } from '../tags/tags.ts'
import { authorizedBucket, evaluate } from './authorize.ts'
import { bucketChanged, bucketsByIds } from './lookup.ts'
import { refusePublic } from './public-access.ts'
import type { BucketChange, NewBucket } from './schema.ts'
import * as store from './store.ts'

export { deleteBucketRow, lockForDeletion } from './store.ts'

/** The buckets that the caller may see. */
export const listBuckets = async (ctx: Storage, me: Principal) => {
  const rows = await store.listBuckets(ctx.db.sql, me.orgId)
  const visible = new Set<string>()
  const ids = rows.map(({ id }) => id)
  for await (const bucket of bucketsByIds(ctx, ids))
    if (evaluate(ctx, me, 'bucket.read', { bucket }).allowed) visible.add(bucket.id)
  return rows.filter(({ id }) => visible.has(id))
}

export const getBucket = async (ctx: Storage, me: Principal, bucketId: string) => {
  await authorizedBucket(ctx, me, 'bucket.read', { bucketId })
  return (await store.findBucket(ctx.db.sql, me.orgId, bucketId)) ?? noBucket()
}

type BucketEvent = { action: string; bucketId: string; payload: AuditPayload; now: Date }

export const auditBucket = (tx: Tx, me: Principal, { bucketId, ...event }: BucketEvent) =>
  recordAudit(tx, me, { ...event, resourceType: 'bucket', resourceId: bucketId })

export const createBucket = async (ctx: Storage, me: Principal, input: NewBucket & { tags?: Tags }) => {
  await requireActivePlan(ctx, me)
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const inserted = await store.insertBucket(tx, { id: uuidv7(), orgId: me.orgId, ...input, now })
    const bucket = inserted ?? taken('name', 'is already in use')
    const { id: bucketId, name, visibility } = bucket
    await auditBucket(tx, me, { action: 'bucket.created', bucketId, payload: { name, visibility }, now })
    return bucket
  })
}

const refuseIfBlocked = async (tx: Tx, bucketId: string, means: 'acl' | 'policy') =>
  refusePublic((await store.findSettings(tx, bucketId))?.publicAccessBlock ?? null, means)

/** Changes a bucket in the caller's transaction, once that is authorized. `means`: what would make it public. */
export const changeBucket = async (
  ctx: Storage,
  tx: Tx,
  me: Principal,
  {
    bucketId,
    hasHadVersions = false,
    ...change
  }: BucketChange & { bucketId: string; hasHadVersions?: boolean },
  means: 'acl' | 'policy' = 'acl',
) => {
  const changed = await store.updateBucket(tx, me.orgId, bucketId, { ...change, hasHadVersions })
  const bucket = changed ?? noBucket()
  // The update has locked the row, so what is read of it now is what holds.
  if (change.visibility === 'public') await refuseIfBlocked(tx, bucket.id, means)
  const event = { action: 'bucket.updated', bucketId: bucket.id, payload: change, now: ctx.clock.now() }
  await auditBucket(tx, me, event)
  await bucketChanged(ctx, tx, bucket.id)
  return bucket
}

export const updateBucket = async (ctx: Storage, me: Principal, bucketId: string, change: BucketChange) => {
  await authorizedBucket(ctx, me, 'bucket.update', { bucketId })
  await requireActivePlan(ctx, me)
  return ctx.db.transaction((tx) => changeBucket(ctx, tx, me, { bucketId, ...change }))
}

/** Enables or suspends versioning. Unlike one that was made without it, a bucket with suspended versioning has markers. */
export const setVersioning = async (ctx: Storage, me: Principal, bucketId: string, isEnabled: boolean) => {
  await authorizedBucket(ctx, me, 'bucket.update', { bucketId })
  await requireActivePlan(ctx, me)
  const change = { versioningEnabled: isEnabled, hasHadVersions: true }
  return ctx.db.transaction((tx) => changeBucket(ctx, tx, me, { bucketId, ...change }))
}
