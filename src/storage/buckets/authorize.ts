import { AppError, forbidden } from '#platform/errors.ts'
import { roleRefusal } from '../access.ts'
import type { Principal, Storage } from '../context.ts'
import {
  type Decision,
  evaluatePolicy,
  type PolicyAction,
  type Subject,
  type Target,
} from '../policies/evaluate.ts'
import { type BucketFacts, bucketOf } from './lookup.ts'

/** What an action is about, apart from the bucket. */
type Details = Omit<Target, 'bucket'> & {
  /** Not everything is known yet: whatever depends on the rest is decided later, by another call. */
  preflight?: boolean
}

/** What a policy has allowed. */
export type Grant = { bucketId: string; action: PolicyAction; details: Details }

/** What a policy needs to know of its bucket. */
export type PolicyBucket = Pick<BucketFacts, 'id' | 'name' | 'visibility' | 'policy'> &
  Partial<Pick<BucketFacts, 'isClosed'>>

/** What the policy of a bucket, and behind it the role, says about an action. */
export const evaluate = (
  ctx: Storage,
  subject: Subject,
  action: PolicyAction,
  target: Details & { bucket: PolicyBucket },
): Decision =>
  evaluatePolicy({
    policy: target.bucket.policy,
    subject,
    action,
    target,
    now: ctx.clock.now(),
    preflight: target.preflight ?? false,
  })

const refuse = ({ reason, statement }: Decision, { role }: Subject, action: PolicyAction): never => {
  if (statement === null)
    return forbidden(role === 'anonymous' ? 'This object is not public' : roleRefusal(action))
  const details = [{ field: `statements[${statement}]`, reason }]
  throw new AppError(403, 'The policy of this bucket denies this', { details })
}

/** Throws 403, naming the statement that decided, unless the bucket's policy or the role allows the action. */
export const authorize = (
  ctx: Storage,
  subject: Subject & Pick<Principal, 'grants'>,
  action: PolicyAction,
  { bucket, ...details }: Details & { bucket: BucketFacts },
): void => {
  const decision = evaluate(ctx, subject, action, { bucket, ...details })
  if (!decision.allowed) refuse(decision, subject, action)
  subject.grants?.push({ bucketId: bucket.id, action, details } satisfies Grant)
}

/** The bucket, if the caller may do this with it; throws 404 or 403 otherwise. */
export const authorizedBucket = async (
  ctx: Storage,
  me: Principal,
  action: PolicyAction,
  { bucketId, ...details }: Details & { bucketId: string },
): Promise<BucketFacts> => {
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  authorize(ctx, me, action, { bucket, ...details })
  return bucket
}

/** Throws unless everything that was allowed to an earlier request is still allowed. */
export const authorizeAgain = async (ctx: Storage, me: Principal, grants: readonly Grant[]) => {
  for (const { bucketId, action, details } of grants)
    await authorizedBucket(ctx, me, action, { bucketId, ...details })
}
