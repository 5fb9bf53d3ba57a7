import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { findKeyOwner } from '../keys/keys.ts'
import { aboutObject, findContent } from '../objects/objects.ts'
import { bucketFor, decide } from './authorize.ts'
import { type Action, actions, compilePolicy, type Subject } from './evaluate.ts'
import type { PolicyStatement, Question } from './schema.ts'

const families = ['*', 'object.*', 'bucket.*', 'policy.*']
const isAction = (name: string): name is Action => (actions as string[]).includes(name)

/** As they are kept: every field there, and every condition understood. */
export const checkStatements = (input: PolicyStatement[]): PolicyStatement[] => {
  const statements = input.map((s, index) => {
    if (!isAction(s.action) && !families.includes(s.action))
      invalid(`statements[${index}].action`, `must be one of ${[...actions, ...families].join(', ')}`)
    const { effect, action, resourceType, resourceId, subjectType, subjectId, conditions = null } = s
    return { effect, action, resourceType, resourceId, subjectType, subjectId, conditions }
  })
  compilePolicy(statements)
  return statements
}

const roles = ['owner', 'admin', 'member', 'anonymous'] as const

const subjectOf = async (
  ctx: Storage,
  me: Principal,
  { subjectType, subjectId }: Question,
): Promise<Subject> => {
  const { ip } = me
  if (subjectType === 'role') {
    const role = roles.find((known) => known === subjectId)
    return role
      ? { userId: null, role, keyId: null, ip }
      : invalid('subjectId', `must be one of ${roles.join(', ')}`)
  }
  if (!isUuid(subjectId)) return notFound()
  const keyId = subjectType === 'api_key' ? subjectId : null
  const userId = keyId === null ? subjectId : await findKeyOwner(ctx, me.orgId, keyId)
  const person = (userId && (await ctx.people.get(userId))) || notFound()
  return person.orgId === me.orgId ? { userId: person.id, role: person.role, keyId, ip } : notFound()
}

/** What would be known of the object; of one that is to be written, not what it will hold. */
const targetOf = async (ctx: Storage, bucket: BucketFacts, action: Action, key: string | undefined) => {
  if (key === undefined) return {}
  const object = await findContent(ctx, bucket, key)
  return action === 'object.write' ? { key, objectId: object?.id } : aboutObject(object, key)
}

/** What would be decided, and by which statement, if this subject asked now from the caller's address. */
export const simulate = async (ctx: Storage, me: Principal, bucketId: string, question: Question) => {
  const bucket = await bucketFor(ctx, me, bucketId, 'policy.read')
  const { action, objectKey } = question
  if (!isAction(action)) return invalid('action', `must be one of ${actions.join(', ')}`)
  const subject = await subjectOf(ctx, me, question)
  return decide(ctx, subject, bucket, action, await targetOf(ctx, bucket, action, objectKey ?? undefined))
}
