import { invalid } from '#platform/errors.ts'
import { authorizedBucket, evaluate } from '../buckets/authorize.ts'
import type { BucketFacts } from '../buckets/lookup.ts'
import { checkStatements, getPolicy } from '../buckets/policy.ts'
import { checkSubjects, subjectOf } from '../buckets/subjects.ts'
import type { Principal, Storage } from '../context.ts'
import { aboutObject, findContent } from '../objects/objects.ts'
import { actions, compilePolicy, isPolicyAction, type PolicyAction } from '../policies/evaluate.ts'
import type { PolicyStatement, Question } from '../policies/schema.ts'

/** What would be known of the object. For a write, its new content is not known; a list has a prefix instead. */
const detailsOf = async (
  ctx: Storage,
  bucket: BucketFacts,
  action: PolicyAction,
  key: string | undefined,
) => {
  if (action === 'object.list') return { prefix: key ?? '' }
  if (key === undefined) return {}
  const object = await findContent(ctx, { bucketId: bucket.id, key })
  return action === 'object.write' ? { key, objectId: object?.id } : aboutObject(object, key)
}

/** Statements that are not saved, refused for the same reasons as if they were to be. */
const checkDraft = async (ctx: Storage, me: Principal, bucketId: string, input: PolicyStatement[]) => {
  const statements = checkStatements(input)
  await checkSubjects(ctx, me, statements, await getPolicy(ctx, me, bucketId))
  return statements
}

/**
 * What the saved policy, or one that is not saved, would decide, and by which statement, if this subject asked now from
 * the caller's address.
 */
export const simulatePolicy = async (ctx: Storage, me: Principal, bucketId: string, question: Question) => {
  const bucket = await authorizedBucket(ctx, me, 'policy.read', { bucketId })
  const { action, objectKey } = question
  if (!isPolicyAction(action)) return invalid('action', `must be one of ${actions.join(', ')}`)
  const draft = question.statements && (await checkDraft(ctx, me, bucketId, question.statements))
  const policy = draft ? compilePolicy(draft) : bucket.policy
  const subject = await subjectOf(ctx, me, question)
  const details = await detailsOf(ctx, bucket, action, objectKey ?? undefined)
  const target = { bucket: { ...bucket, policy }, ...details }
  const { allowed, reason, statement } = evaluate(ctx, subject, action, target)
  const statements = statement === null ? [] : (draft ?? (await getPolicy(ctx, me, bucketId)))
  return {
    decision: allowed ? ('allow' as const) : ('deny' as const),
    reason,
    statement: statements[statement ?? 0] ?? null,
  }
}
