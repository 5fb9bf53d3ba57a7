import type { Reader } from '#events/events.ts'
import { jsonBytes, lru } from '#platform/cache/lru.ts'
import { moduleState } from '#platform/module-state.ts'
import { evaluate, type PolicyBucket } from '../buckets/authorize.ts'
import { bucketCache } from '../buckets/lookup.ts'
import type { Principal, Storage } from '../context.ts'
import type { Dialect } from '../dialect.ts'
import { compilePolicy, type PolicyAction, type Subject } from '../policies/evaluate.ts'
import * as store from './store.ts'

/** Whoever reads events of an organization: one person or key, or for a webhook all who manage it. */
export type EventReader = Reader & { subjects: readonly Subject[]; form: Dialect; me?: Principal }

const goneBuckets = moduleState(() =>
  lru<PolicyBucket & { orgId: string; bytes: number }>(10_000, ({ bytes }) => bytes),
)

/** A bucket as policies need it. One that was deleted is as it was last. */
const bucketFor = async (ctx: Storage, orgId: string, id: string): Promise<PolicyBucket | undefined> => {
  const known = (await bucketCache(ctx).get(id)) ?? goneBuckets(ctx).get(id)
  if (known) return known.orgId === orgId ? known : undefined
  const deleted = await store.findDeletedBucket(ctx.db.sql, orgId, id)
  if (!deleted) return undefined
  const { name, visibility, policy } = deleted
  const gone = { id, orgId, name, visibility, policy: compilePolicy(policy), bytes: 4 * jsonBytes(policy) }
  goneBuckets(ctx).set(id, gone)
  return gone
}

type Target = { bucketId: string } & Omit<Parameters<typeof evaluate>[3], 'bucket'>

/** Whether all subjects of a reader may do all of this with a bucket or object now. */
export const mayAll = async (
  ctx: Storage,
  { owner, subjects }: EventReader,
  actions: readonly PolicyAction[],
  { bucketId, ...details }: Target,
) => {
  const bucket = await bucketFor(ctx, owner, bucketId)
  if (!bucket) return false
  return subjects.every((subject) =>
    actions.every((action) => evaluate(ctx, subject, action, { bucket, ...details }).allowed),
  )
}

/** Members read of their own keys only. Of the events of a bucket that is gone without a trace everybody could have read. */
export const mayReadPart = async (ctx: Storage, reader: EventReader, type: string, part: string) => {
  if (type.startsWith('api_key.'))
    return reader.subjects.every(({ role, userId }) => role !== 'member' || userId === part)
  if (!/^(?:bucket|object|policy)\./.test(type)) return true
  const isKnown = (await bucketFor(ctx, reader.owner, part)) !== undefined
  return !isKnown || mayAll(ctx, reader, ['bucket.read'], { bucketId: part })
}
