import type { Statement, SubjectType } from './statements.ts'

const list = (value: unknown) => [value ?? []].flat().join(', ')

/** A statement as the form shows it: the subject as one choice, and each condition in a field of its own. */
export const valuesOf = (statement?: Statement) => {
  const conditions = statement?.conditions ?? {}
  return {
    effect: (statement?.effect ?? 'allow') as Statement['effect'],
    subject: statement ? `${statement.subjectType}:${statement.subjectId}` : 'role:member',
    action: statement?.action ?? 'object.read',
    resourceType: (statement?.resourceType ?? 'object') as Statement['resourceType'],
    resourceId: statement?.resourceId ?? '*',
    ipCidr: list(conditions.ipCidr),
    notIpCidr: list(conditions.notIpCidr),
    notBefore: list(conditions.notBefore),
    expiresAt: list(conditions.expiresAt),
    prefix: list(conditions.prefix),
    contentType: list(conditions.contentType),
    maxSizeBytes: (conditions.maxSizeBytes ?? null) as number | null,
  }
}
export type StatementValues = ReturnType<typeof valuesOf>

/** Where the form shows what the API says about a field of a statement. */
export const fieldInForm = (field: string) =>
  field === 'subjectId' || field === 'subjectType' ? 'subject' : field.replace(/^conditions\./, '')

/** One text, or several that are separated by commas. */
const texts = (value: string) => {
  const all = value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return all.length > 1 ? all : all[0]
}

export const subjectOf = (choice: string) => {
  const at = choice.indexOf(':')
  return { subjectType: choice.slice(0, at) as SubjectType, subjectId: choice.slice(at + 1) }
}

export const statementOf = (values: StatementValues): Statement => {
  const { effect, subject, action, resourceType, resourceId, maxSizeBytes } = values
  const named = (['ipCidr', 'notIpCidr', 'notBefore', 'expiresAt', 'prefix', 'contentType'] as const)
    .map((name) => [name, texts(values[name])] as const)
    .filter(([, value]) => value !== undefined)
  const conditions: Record<string, unknown> = Object.fromEntries(named)
  if (maxSizeBytes !== null) conditions.maxSizeBytes = maxSizeBytes
  return {
    effect,
    action,
    resourceType,
    resourceId,
    ...subjectOf(subject),
    conditions: Object.keys(conditions).length > 0 ? conditions : null,
  }
}
