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
export type Action = (typeof actions)[number]

/** Whom a statement can name. Somebody without credentials has the role `anonymous` and no id. */
export type Subject = { userId: string | null; role: Role | 'anonymous'; keyId: string | null; ip: string }

export type Target = {
  bucket: { id: string; name: string; visibility: 'private' | 'public' }
  objectId?: string | undefined
} & Omit<Facts, 'ip' | 'now' | 'effect'>

/** `statement` is the index of the one that decided. */
export type Decision = { allowed: boolean; reason: string; statement: number | null }

type Compiled = {
  effect: 'allow' | 'deny'
  action(name: string): boolean
  subject(subject: Subject): boolean
  /** Undefined when that depends on which object it is, and nobody has looked yet. */
  resource(target: Target, action: Action): boolean | undefined
  condition: Condition
}
export type Policy = readonly Compiled[]

const subjectIds = {
  user: (subject: Subject) => subject.userId,
  role: (subject: Subject) => subject.role,
  api_key: (subject: Subject) => subject.keyId,
}

const compileStatement = (s: PolicyStatement, index: number): Compiled => {
  const named = compilePattern(s.resourceId)
  const idOf = subjectIds[s.subjectType]
  const maybe = isUuid(s.resourceId) ? undefined : false
  return {
    effect: s.effect,
    action: compilePattern(s.action),
    // `*` is everybody, also those without a key or an account.
    subject: (subject) => s.subjectId === '*' || idOf(subject) === s.subjectId,
    resource({ bucket, key, objectId }, action) {
      if (s.resourceType === 'bucket') return named(bucket.id) || named(bucket.name)
      if (!action.startsWith('object.') || action === 'object.list') return false
      if (named(key ?? '')) return true
      return objectId === undefined ? maybe : objectId === s.resourceId
    },
    condition: compileConditions(s.conditions ?? null, `statements[${index}].conditions`),
  }
}

export const compilePolicy = (statements: PolicyStatement[]): Policy => statements.map(compileStatement)

const byDefault = ({ role }: Subject, action: Action, { bucket }: Target) =>
  role === 'anonymous' ? bucket.visibility === 'public' && action === 'object.read' : roleAllows(role, action)

/**
 * Any matching deny, else any matching allow, else what the role may do by default. While `tentative`, what is
 * not known yet counts in the subject's favour: it will be asked again when all is known.
 */
export const evaluate = (
  policy: Policy,
  subject: Subject,
  action: Action,
  target: Target,
  { now, tentative = false }: { now: Date; tentative?: boolean },
): Decision => {
  if (subject.role === 'owner' && (action === 'policy.read' || action === 'policy.write'))
    return { allowed: true, reason: 'the owner always keeps this right', statement: null }
  if (policy.length > 0) {
    const facts = { ...target, ip: subject.ip, now }
    const applies = (s: Compiled) => {
      const unknown = tentative && s.effect === 'allow'
      return (
        s.action(action) &&
        s.subject(subject) &&
        (s.resource(target, action) ?? unknown) &&
        (s.condition({ ...facts, effect: s.effect }) ?? unknown)
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
  return byDefault(subject, action, target)
    ? { allowed: true, reason: `allowed by default for ${subject.role}`, statement: null }
    : { allowed: false, reason: `not allowed by default for ${subject.role}`, statement: null }
}
