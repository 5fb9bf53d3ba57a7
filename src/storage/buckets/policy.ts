import { invalid } from '#platform/errors.ts'
import { unconditional, type WriteConditions } from '#platform/http/response/conditional.ts'
import { requireDocument } from '#platform/http/response/document.ts'
import { requireActivePlan } from '../billing/plans.ts'
import type { Principal, Storage } from '../context.ts'
import { actions, compilePolicy, isPolicyAction } from '../policies/evaluate.ts'
import { maxPolicyBytes, type PolicyStatement } from '../policies/schema.ts'
import { noBucket } from '../refusals.ts'
import { authorizedBucket } from './authorize.ts'
import { auditBucket, changeBucket } from './buckets.ts'
import { type BucketFacts, bucketChanged } from './lookup.ts'
import { isPublicStatement, refusePublic } from './public-access.ts'
import * as store from './store.ts'
import { checkSubjects, readSubject } from './subjects.ts'

const families = ['*', 'object.*', 'bucket.*', 'policy.*']

/** Statements as they are stored: every field present, ids in lower case, every condition understood. */
export const checkStatements = (input: PolicyStatement[]): PolicyStatement[] => {
  const statements = input.map((s, index) => {
    if (!isPolicyAction(s.action) && !families.includes(s.action))
      invalid(`statements[${index}].action`, `must be one of ${[...actions, ...families].join(', ')}`)
    const { effect, action, resourceType, resourceId, subjectType, conditions = null } = s
    const subjectId = readSubject(s, `statements[${index}].subjectId`)
    return { effect, action, resourceType, resourceId, subjectType, subjectId, conditions }
  })
  if (Buffer.byteLength(JSON.stringify(statements)) > maxPolicyBytes)
    invalid('statements', `must have at most ${maxPolicyBytes} bytes as JSON`)
  compilePolicy(statements)
  return statements
}

export const getPolicy = async (ctx: Storage, me: Principal, bucketId: string) => {
  await authorizedBucket(ctx, me, 'policy.read', { bucketId })
  return ((await store.findFacts(ctx.db.sql, bucketId)) ?? noBucket()).policy
}

/** The same with the visibility, and the document that it was translated from. */
export const describePolicy = async (ctx: Storage, me: Principal, bucketId: string) => {
  await authorizedBucket(ctx, me, 'policy.read', { bucketId })
  return (await store.findPolicy(ctx.db.sql, bucketId)) ?? noBucket()
}

type Visibility = BucketFacts['visibility'] | undefined

type PolicyChange = {
  statements?: PolicyStatement[] | undefined
  /** May depend on what the policy was before. */
  visibility?: Visibility | ((before: store.PolicyRow) => Visibility) | undefined
  /** What the statements were translated from. */
  document?: string | null
  /** About the statements that there are. */
  conditions?: WriteConditions
}

/**
 * Sets new statements, a new visibility (which is the policy in Form R), or both. The result is read in the same
 * transaction: callers who have just lost the right to read the policy still learn what they stored.
 */
export const changePolicy = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  { statements, visibility: asked, document = null, conditions = unconditional }: PolicyChange,
) => {
  const { id } = await authorizedBucket(ctx, me, 'policy.write', { bucketId })
  await requireActivePlan(ctx, me)
  if (statements) {
    const before = ((await store.findFacts(ctx.db.sql, id)) ?? noBucket()).policy
    await checkSubjects(ctx, me, statements, before)
  }
  return ctx.db.transaction(async (tx) => {
    const before = (await store.lockPolicy(tx, id)) ?? noBucket()
    requireDocument(conditions, before.policy)
    const visibility = typeof asked === 'function' ? asked(before) : asked
    if (statements) {
      if ((await store.updatePolicy(tx, me.orgId, id, statements, document)).count === 0) noBucket()
      const payload = { statements: statements.length }
      if (statements.some(isPublicStatement))
        refusePublic((await store.findSettings(tx, id))?.publicAccessBlock ?? null, 'policy')
      await auditBucket(tx, me, { action: 'policy.updated', bucketId: id, payload, now: ctx.clock.now() })
      await bucketChanged(ctx, tx, id)
    }
    const bucket = visibility
      ? await changeBucket(ctx, tx, me, { bucketId: id, visibility }, 'policy')
      : ((await store.findBucket(tx, me.orgId, id)) ?? noBucket())
    return { bucket, policy: statements ?? ((await store.findFacts(tx, id)) ?? noBucket()).policy }
  })
}
