import { invalid } from '#platform/errors.ts'
import type { BucketFacts, Principal, Storage } from '../context.ts'
import { aboutObject, findContent } from '../objects/objects.ts'
import { bucketFor, decide } from './authorize.ts'
import { type Action, actions, compilePolicy } from './evaluate.ts'
import type { PolicyStatement, Question } from './schema.ts'
import { readSubject, subjectOf } from './subjects.ts'

const families = ['*', 'object.*', 'bucket.*', 'policy.*']
const isAction = (name: string): name is Action => (actions as string[]).includes(name)

/** As they are kept: every field there, ids in our own spelling, and every condition understood. */
export const checkStatements = (input: PolicyStatement[]): PolicyStatement[] => {
  const statements = input.map((s, index) => {
    if (!isAction(s.action) && !families.includes(s.action))
      invalid(`statements[${index}].action`, `must be one of ${[...actions, ...families].join(', ')}`)
    const { effect, action, resourceType, resourceId, subjectType, conditions = null } = s
    const subjectId = readSubject(s, `statements[${index}].subjectId`)
    return { effect, action, resourceType, resourceId, subjectType, subjectId, conditions }
  })
  compilePolicy(statements)
  return statements
}

/** What would be known of the object; of one that is to be written, not what it will hold. Lists have a prefix. */
const targetOf = async (ctx: Storage, bucket: BucketFacts, action: Action, key: string | undefined) => {
  if (action === 'object.list') return { prefix: key ?? '' }
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
