import { requireActivePlan } from '../billing/plans.ts'
import type { Principal, Storage } from '../context.ts'
import { noBucket } from '../refusals.ts'
import { checkTags, type Tags } from '../tags/tags.ts'
import { authorizedBucket } from './authorize.ts'
import { auditBucket } from './buckets.ts'
import { bucketChanged } from './lookup.ts'
import * as store from './store.ts'

const maxTags = 50

/** The tags that a bucket may have; throws 400 if these are others. */
export const checkBucketTags = (pairs: Tags) => checkTags(pairs, maxTags)

/** What is configured for a bucket: tags, CORS, what keeps it from being public, ownership. */
export const getSettings = async (ctx: Storage, me: Principal, bucketId: string) => {
  await authorizedBucket(ctx, me, 'bucket.read', { bucketId })
  return (await store.findSettings(ctx.db.sql, bucketId)) ?? noBucket()
}

/** Changes what is given, and leaves the rest as it is. */
export const changeSettings = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  change: Partial<store.Settings>,
) => {
  const { id } = await authorizedBucket(ctx, me, 'bucket.update', { bucketId })
  await requireActivePlan(ctx, me)
  await ctx.db.transaction(async (tx) => {
    if ((await store.updateSettings(tx, me.orgId, id, change)).count === 0) noBucket()
    const payload = { changed: Object.keys(change).join(', ') }
    await auditBucket(tx, me, { action: 'bucket.updated', bucketId: id, payload, now: ctx.clock.now() })
    await bucketChanged(ctx, tx, id)
  })
}
