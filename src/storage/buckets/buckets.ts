import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { recordAudit } from '../audit/audit.ts'
import { requireActivePlan } from '../billing/plans.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { emptyBucket } from '../objects/purge.ts'
import { bucketFor, decide } from '../policies/authorize.ts'
import { compilePolicy } from '../policies/evaluate.ts'
import type { PolicyStatement } from '../policies/schema.ts'
import { checkSubjects } from '../policies/subjects.ts'
import { account } from './accounting.ts'
import type { BucketChange, NewBucket } from './schema.ts'
import * as store from './store.ts'

const topic = 'storage.bucket'

const compiled = (row: store.FactsRow): BucketFacts => ({ ...row, policy: compilePolicy(row.policy) })

/** Buckets by id, with their policy compiled. */
export const createBucketCache = ({ db, signals }: Platform) =>
  signalledCache<BucketFacts | undefined>(signals, {
    topic,
    max: 20_000,
    load: async (id) => {
      const row = await store.findFacts(db.sql, id)
      return row && compiled(row)
    },
  })

/** Those that the caller may see. What is not in memory is read together, however many there are. */
export const listBuckets = async (ctx: Storage, me: Principal) => {
  const rows = await store.listBuckets(ctx.db.sql, me.orgId)
  const facts = new Map(rows.map(({ id }) => [id, ctx.buckets.peek(id)]))
  const unknown = rows.map(({ id }) => id).filter((id) => facts.get(id) === undefined)
  if (unknown.length > 0)
    for (const row of await store.listFacts(ctx.db.sql, unknown)) facts.set(row.id, compiled(row))
  return rows.filter(({ id }) => {
    const bucket = facts.get(id)
    return bucket && decide(ctx, me, bucket, 'bucket.read').allowed
  })
}

export const getBucket = async (ctx: Storage, me: Principal, id: string) => {
  await bucketFor(ctx, me, id, 'bucket.read')
  return (await store.findBucket(ctx.db.sql, me.orgId, id)) ?? notFound()
}

const audit = (tx: Tx, me: Principal, action: string, bucketId: string, payload: object, now: Date) =>
  recordAudit(tx, me, {
    action,
    resourceType: 'bucket',
    resourceId: bucketId,
    payload: payload as Record<string, string | number | boolean | null>,
    now,
  })

export const createBucket = async (ctx: Storage, me: Principal, input: NewBucket) => {
  await requireActivePlan(ctx, me)
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const bucket =
      (await store.insertBucket(tx, uuidv7(), me.orgId, input, now)) ?? conflict('name is already in use')
    const { id, name, visibility } = bucket
    await audit(tx, me, 'bucket.created', id, { name, visibility }, now)
    return bucket
  })
}

const change = async (ctx: Storage, tx: Tx, me: Principal, id: string, input: BucketChange) => {
  const bucket = (await store.updateBucket(tx, me.orgId, id, input)) ?? notFound()
  await audit(tx, me, 'bucket.updated', bucket.id, input, ctx.clock.now())
  await ctx.signals.publish(tx, topic, bucket.id)
  return bucket
}

export const updateBucket = async (ctx: Storage, me: Principal, id: string, input: BucketChange) => {
  await bucketFor(ctx, me, id, 'bucket.update')
  await requireActivePlan(ctx, me)
  return ctx.db.transaction((tx) => change(ctx, tx, me, id, input))
}

export const getPolicy = async (ctx: Storage, me: Principal, id: string) => {
  await bucketFor(ctx, me, id, 'policy.read')
  return ((await store.findFacts(ctx.db.sql, id)) ?? notFound()).policy
}

/**
 * New statements, a new visibility (which Form R takes for the policy), or both at once. What is answered is read
 * here too: whoever has just taken the right to see it from themselves is still told what they did.
 */
export const changePolicy = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  {
    statements,
    visibility,
  }: { statements?: PolicyStatement[] | undefined; visibility?: Visibility | undefined },
) => {
  const { id } = await bucketFor(ctx, me, bucketId, 'policy.write')
  await requireActivePlan(ctx, me)
  if (statements) {
    const before = ((await store.findFacts(ctx.db.sql, id)) ?? notFound()).policy
    await checkSubjects(ctx, me, statements, before)
  }
  return ctx.db.transaction(async (tx) => {
    if (statements) {
      if ((await store.updatePolicy(tx, me.orgId, id, statements)).count === 0) notFound()
      await audit(tx, me, 'policy.updated', id, { statements: statements.length }, ctx.clock.now())
      await ctx.signals.publish(tx, topic, id)
    }
    const bucket = visibility
      ? await change(ctx, tx, me, id, { visibility })
      : ((await store.findBucket(tx, me.orgId, id)) ?? notFound())
    return { bucket, policy: statements ?? ((await store.findFacts(tx, id)) ?? notFound()).policy }
  })
}
type Visibility = BucketFacts['visibility']

/** Soft-deleted objects, versions and unfinished uploads go with the bucket; live objects keep it. */
export const deleteBucket = async (ctx: Storage, me: Principal, id: string) => {
  const bucket = await bucketFor(ctx, me, id, 'bucket.delete')
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const { object_count, retained } = (await store.lockForDeletion(tx, me.orgId, bucket.id)) ?? notFound()
    if (object_count > 0) conflict('The bucket still holds objects')
    await emptyBucket(tx, me.orgId, bucket.id, now)
    await store.deleteBucket(tx, me.orgId, bucket.id)
    await audit(tx, me, 'bucket.deleted', bucket.id, { name: bucket.name }, now)
    await ctx.signals.publish(tx, topic, bucket.id)
    await account(tx, me.orgId, [{ bucketId: bucket.id, objects: 0, live: 0, retained: -retained }], {
      now,
      write: false,
    })
  })
}
