import { isUuid } from '#platform/ids.ts'
import { roleAllows } from '../access.ts'
import type { Principal, Role } from '../context.ts'
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
export type Action = (typeof actions)[number]

/** Whom a statement can name. Somebody without credentials has the role `anonymous` and no id. */
export type Subject = Pick<Principal, 'keyId' | 'ancestorIds' | 'ip'> & {
  userId: string | null
  role: Role | 'anonymous'
}

export type Target = {
  bucket: { id: string; name: string; visibility: 'private' | 'public' }
  objectId?: string | undefined
} & Omit<Facts, 'ip' | 'now'>

/** `statement` is the index of the one that decided. */
export type Decision = { allowed: boolean; reason: string; statement: number | null }

type Compiled = {
  effect: 'allow' | 'deny'
  action(name: string): boolean
  subject(subject: Subject): boolean
  /** Whether it names a key, and not just anybody. */
  namesKey: boolean
  /** Undefined when that depends on which object it is, and nobody has looked yet. */
  resource(target: Target, action: Action): boolean | undefined
  condition: Condition
}
export type Policy = readonly Compiled[]

/** Whether somebody is whom a statement names. What it says of a key it says of all that descend from it. */
const isNamed = {
  user: (subject: Subject, id: string) => subject.userId === id,
  role: (subject: Subject, role: string) => subject.role === role,
  api_key: ({ keyId, ancestorIds }: Subject, id: string) => keyId === id || ancestorIds.includes(id),
}

const compileStatement = (s: PolicyStatement, index: number): Compiled => {
  // Ids are compared ignoring case, and so are names of buckets, which have no capitals. Keys are taken as they are.
  const resourceId = s.resourceId.toLowerCase()
  const subjectId = s.subjectId.toLowerCase()
  const bucketNamed = compilePattern(resourceId)
  const keyNamed = compilePattern(s.resourceId)
  const matches = isNamed[s.subjectType]
  const maybe = isUuid(resourceId) ? undefined : false
  return {
    effect: s.effect,
    action: compilePattern(s.action),
    // `*` is everybody, also those without a key or an account.
    subject: (subject) => subjectId === '*' || matches(subject, subjectId),
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

const byDefault = ({ role }: Subject, action: Action, { bucket }: Target) =>
  role === 'anonymous' ? bucket.visibility === 'public' && action === 'object.read' : roleAllows(role, action)

/** The owner always keeps the policy, with whatever credential but a key that a statement denies it by name. */
const isKept = ({ role }: Subject, action: Action) =>
  role === 'owner' && (action === 'policy.read' || action === 'policy.write')

type Circumstances = { now: Date; tentative?: boolean }

const evaluateOne = (
  policy: Policy,
  subject: Subject,
  action: Action,
  target: Target,
  { now, tentative = false }: Circumstances,
): Decision => {
  const kept = isKept(subject, action)
  if (policy.length > 0) {
    const facts = { ...target, ip: subject.ip, now }
    const applies = (s: Compiled) => {
      const unknown = tentative && s.effect === 'allow'
      return (
        (!kept || s.namesKey) &&
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
  if (kept) return { allowed: true, reason: 'the owner always keeps this right', statement: null }
  return byDefault(subject, action, target)
    ? { allowed: true, reason: `allowed by default for ${subject.role}`, statement: null }
    : { allowed: false, reason: `not allowed by default for ${subject.role}`, statement: null }
}

/**
 * Any matching deny, else any matching allow, else what the role may do by default. While `tentative`, what is
 * not known yet counts in the subject's favour: it will be asked again when all is known. Whoever must not delete
 * must not purge either.
 */
export const evaluate = (
  policy: Policy,
  subject: Subject,
  action: Action,
  target: Target,
  circumstances: Circumstances,
): Decision => {
  const decision = evaluateOne(policy, subject, action, target, circumstances)
  if (action !== 'object.purge' || !decision.allowed) return decision
  const deletion = evaluateOne(policy, subject, 'object.delete', target, circumstances)
  return deletion.allowed ? decision : deletion
}
