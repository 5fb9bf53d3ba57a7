import { AppError, notFound } from '#platform/errors.ts'
import type { BucketFacts, Grant, Principal, Storage } from '../context.ts'
import { type Action, type Decision, evaluate, type Subject, type Target } from './evaluate.ts'

export type What = Omit<Target, 'bucket'> & { tentative?: boolean }

/** A bucket of this organization, whatever else may be allowed with it. */
export const bucketOf = async (ctx: Storage, orgId: string, bucketId: string): Promise<BucketFacts> => {
  const bucket = await ctx.buckets.get(bucketId.toLowerCase())
  return bucket?.orgId === orgId ? bucket : notFound()
}

export const decide = (
  ctx: Storage,
  subject: Subject,
  bucket: BucketFacts,
  action: Action,
  { tentative = false, ...target }: What = {},
) => evaluate(bucket.policy, subject, action, { bucket, ...target }, { now: ctx.clock.now(), tentative })

const refuse = ({ reason, statement }: Decision): never => {
  const details = statement === null ? undefined : [{ field: `statements[${statement}]`, reason }]
  throw new AppError(403, 'Forbidden', details ? { details } : {})
}

/** Throws 403, naming the statement that decided, unless the bucket's policy or the role allows it. */
export const demand = (
  ctx: Storage,
  subject: Subject & Pick<Principal, 'grants'>,
  bucket: BucketFacts,
  action: Action,
  what: What = {},
): void => {
  const decision = decide(ctx, subject, bucket, action, what)
  if (!decision.allowed) refuse(decision)
  subject.grants?.push({ bucketId: bucket.id, action, what })
}

/** What was allowed to an earlier request must be allowed still. */
export const demandAgain = async (ctx: Storage, me: Principal, grants: readonly Grant[] | null) => {
  for (const { bucketId, action, what } of grants ?? []) await bucketFor(ctx, me, bucketId, action, what)
}

/** The bucket, once it is certain that this action is allowed on it. */
export const bucketFor = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  action: Action,
  what?: What,
): Promise<BucketFacts> => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  demand(ctx, me, bucket, action, what)
  return bucket
}
