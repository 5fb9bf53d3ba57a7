import { isUuid } from '#platform/ids.ts'
import { roleAllows } from '../access.ts'
import type { Role } from '../context.ts'
import { type Condition, compileConditions, type Facts } from './conditions.ts'
import { compilePattern } from './pattern.ts'
import type { PolicyStatement } from './schema.ts'

const objectActions = [
  'object.list',
  'object.read',
  'object.write',
  'object.delete',
  'object.recover',
  'object.purge',
  'object.sign',
] as const
const bucketActions = [
  'bucket.read',
  'bucket.update',
  'bucket.delete',
  'policy.read',
  'policy.write',
] as const
export const actions = [...bucketActions, ...objectActions]
export type PolicyAction = (typeof actions)[number]
export const isPolicyAction = (name: string): name is PolicyAction => (actions as string[]).includes(name)

/** Who is asking. Callers without credentials have the role `anonymous` and no id. */
export type Subject = {
  userId: string | null
  role: Role | 'anonymous'
  keyId: string | null
  ancestorIds: readonly string[]
  ip: string
}

export type Target = {
  bucket: {
    id: string
    name: string
    visibility: 'private' | 'public'
    /** Nobody may use it without credentials, whatever its visibility and its policy say. */
    isClosed?: boolean
  }
  objectId?: string | undefined
} & Omit<Facts, 'ip' | 'now'>

/** `statement` is the index of the statement that decided. */
export type Decision = { allowed: boolean; reason: string; statement: number | null }

type Compiled = {
  effect: 'allow' | 'deny'
  action(name: string): boolean
  subject(subject: Subject): boolean
  /** Whether it names one API key. */
  namesKey: boolean
  /** Whether it names one object by its id. */
  namesObject: boolean
  /** Undefined if it depends on the object's id, which is not known yet. */
  resource(target: Target, action: PolicyAction): boolean | undefined
  condition: Condition
}
export type Policy = readonly Compiled[]

/** Whether a subject is the one a statement names. A statement about a key applies to all its descendants. */
const isNamed = {
  user: (subject: Subject, id: string) => subject.userId === id,
  role: (subject: Subject, role: string) => subject.role === role,
  api_key: ({ keyId, ancestorIds }: Subject, id: string) => keyId === id || ancestorIds.includes(id),
}

const compileStatement = (s: PolicyStatement, index: number): Compiled => {
  // Ids and bucket names are compared case-insensitively, object keys exactly.
  const resourceId = s.resourceId.toLowerCase()
  const subjectId = s.subjectId.toLowerCase()
  const bucketNamed = compilePattern(resourceId)
  const keyNamed = compilePattern(s.resourceId)
  const matches = isNamed[s.subjectType]
  const maybe = isUuid(resourceId) ? undefined : false
  return {
    effect: s.effect,
    action: compilePattern(s.action),
    // `*` is everyone, including callers without credentials.
    subject: (subject) => subjectId === '*' || matches(subject, subjectId),
    namesObject: s.resourceType === 'object' && isUuid(resourceId),
    namesKey: s.subjectType === 'api_key' && subjectId !== '*',
    resource({ bucket, key, objectId }, action) {
      if (s.resourceType === 'bucket') return bucketNamed(bucket.id) || bucketNamed(bucket.name)
      if (!action.startsWith('object.') || action === 'object.list') return false
      if (keyNamed(key ?? '')) return true
      return objectId === undefined ? maybe : objectId === resourceId
    },
    condition: compileConditions(s.conditions ?? null, `statements[${index}].conditions`, s.effect),
  }
}

export const compilePolicy = (statements: PolicyStatement[]): Policy => statements.map(compileStatement)

/** Whether a decision can depend on the id of an object. */
export const namesObject = (policy: Policy) => policy.some((statement) => statement.namesObject)

const byDefault = ({ role }: Subject, action: PolicyAction, { bucket }: Target) =>
  role === 'anonymous' ? bucket.visibility === 'public' && action === 'object.read' : roleAllows(role, action)

/** The owner can always read and write the policy, except with an API key that a statement denies by name. */
const isReservedForOwner = ({ role }: Subject, action: PolicyAction) =>
  role === 'owner' && (action === 'policy.read' || action === 'policy.write')

type Question = {
  policy: Policy
  subject: Subject
  action: PolicyAction
  target: Target
  now: Date
  /** Whatever is not known yet counts in the subject's favour, because the final question follows. */
  preflight: boolean
}

const evaluateOne = ({ policy, subject, action, target, now, preflight }: Question): Decision => {
  const reserved = isReservedForOwner(subject, action)
  if (policy.length > 0) {
    const facts = { ...target, ip: subject.ip, now }
    const applies = (s: Compiled) => {
      const unknown = preflight && s.effect === 'allow'
      return (
        (!reserved || s.namesKey) &&
        s.action(action) &&
        s.subject(subject) &&
        (s.resource(target, action) ?? unknown) &&
        (s.condition(facts) ?? unknown)
      )
    }
    for (const effect of ['deny', 'allow'] as const) {
      const index = policy.findIndex((s) => s.effect === effect && applies(s))
      if (index >= 0)
        return {
          allowed: effect === 'allow',
          reason: `${effect === 'allow' ? 'allowed' : 'denied'} by statements[${index}]`,
          statement: index,
        }
    }
  }
  if (reserved) return { allowed: true, reason: 'the owner always keeps this right', statement: null }
  return byDefault(subject, action, target)
    ? { allowed: true, reason: `allowed by default for ${subject.role}`, statement: null }
    : { allowed: false, reason: `not allowed by default for ${subject.role}`, statement: null }
}

/**
 * Any matching deny, else any matching allow, else what the role may do by default. Purging also requires the right to
 * delete.
 */
export const evaluatePolicy = (question: Question): Decision => {
  if (question.subject.role === 'anonymous' && question.target.bucket.isClosed)
    return { allowed: false, reason: 'public access to this bucket is blocked', statement: null }
  const decision = evaluateOne(question)
  if (question.action !== 'object.purge' || !decision.allowed) return decision
  const deletion = evaluateOne({ ...question, action: 'object.delete' })
  return deletion.allowed ? decision : deletion
}
