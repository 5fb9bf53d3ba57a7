import type { Schemas } from '#web/storage/api.ts'

export type Statement = Schemas['PolicyStatement']
export type SubjectType = Statement['subjectType']

/** What one may do, in words that follow "may". */
export const actions: Record<string, string> = {
  'object.read': 'read objects',
  'object.write': 'write objects',
  'object.delete': 'delete objects',
  'object.list': 'list objects',
  'object.recover': 'recover objects',
  'object.purge': 'delete objects forever',
  'object.sign': 'sign URLs',
  'bucket.read': 'see the bucket',
  'bucket.update': 'change the bucket',
  'bucket.delete': 'delete the bucket',
  'policy.read': 'read the policy',
  'policy.write': 'change the policy',
}

/** Several actions at once; only statements have them. */
export const families: Record<string, string> = {
  '*': 'do everything',
  'object.*': 'do everything with objects',
  'bucket.*': 'do everything with the bucket itself',
  'policy.*': 'read and change the policy',
}

const conditionNames = [
  'ipCidr',
  'notIpCidr',
  'notBefore',
  'expiresAt',
  'prefix',
  'contentType',
  'maxSizeBytes',
] as const
type ConditionName = (typeof conditionNames)[number]

export const conditionLabels: Record<ConditionName, string> = {
  ipCidr: 'Only from these addresses',
  notIpCidr: 'Not from these addresses',
  notBefore: 'From this time on',
  expiresAt: 'Until this time',
  prefix: 'Keys that begin with',
  contentType: 'Content types',
  maxSizeBytes: 'Largest size in bytes',
}

/** One thing that is wrong with a policy: with which of its statements, and with which field of that. */
export type Fault = { index: number | null; field: string; message: string }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const oneOf = (values: readonly string[]) => (value: unknown) =>
  values.includes(value as string) ? null : `must be one of ${values.join(', ')}`
const text = (max: number) => (value: unknown) =>
  typeof value === 'string' && value !== '' && value.length <= max
    ? null
    : `must be a text of 1 to ${max} characters`

const fields: Record<string, (value: unknown) => string | null> = {
  effect: oneOf(['allow', 'deny']),
  action: oneOf([...Object.keys(actions), ...Object.keys(families)]),
  resourceType: oneOf(['bucket', 'object']),
  resourceId: text(1024),
  subjectType: oneOf(['user', 'role', 'api_key']),
  subjectId: text(255),
}

const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*)(?:\/\d{1,3})?$/i
const texts = (value: unknown) => (Array.isArray(value) ? value : [value])
const isText = (value: unknown) => typeof value === 'string' && value !== ''

const ofConditions: Record<ConditionName, (value: unknown) => string | null> = {
  ipCidr: (value) => addresses(value),
  notIpCidr: (value) => addresses(value),
  notBefore: (value) => moment(value),
  expiresAt: (value) => moment(value),
  prefix: (value) => (texts(value).every(isText) ? null : 'must be a text or a list of texts'),
  contentType: (value) => (texts(value).every(isText) ? null : 'must be a text or a list of texts'),
  maxSizeBytes: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? null : 'must be a whole number from 0',
}
const addresses = (value: unknown) =>
  texts(value).length > 0 && texts(value).every((one) => typeof one === 'string' && address.test(one))
    ? null
    : 'must be an address range such as 10.0.0.0/8'
const moment = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    ? null
    : 'must be a time, such as 2026-11-30T09:30:00Z'

const faultsOfConditions = (conditions: unknown): { field: string; message: string }[] => {
  if (conditions === undefined || conditions === null) return []
  if (!isObject(conditions)) return [{ field: 'conditions', message: 'must be an object' }]
  return Object.entries(conditions).flatMap(([name, value]) => {
    const check = Object.hasOwn(ofConditions, name) ? ofConditions[name as ConditionName] : null
    const message = check ? check(value) : `is not a condition: use ${conditionNames.join(', ')}`
    return message ? [{ field: `conditions.${name}`, message }] : []
  })
}

/** What the server would refuse, as far as it can be known without asking it. */
export const faultsOf = (policy: unknown): Fault[] => {
  if (!Array.isArray(policy))
    return [{ index: null, field: '', message: 'A policy is a list of statements: [ … ]' }]
  if (policy.length > 500) return [{ index: null, field: '', message: 'A policy has at most 500 statements' }]
  return policy.flatMap((statement, index): Fault[] => {
    if (!isObject(statement)) return [{ index, field: '', message: 'must be an object' }]
    const unknown = Object.keys(statement).filter((name) => !(name in fields) && name !== 'conditions')
    return [
      ...Object.entries(fields).flatMap(([field, check]) => {
        const message = check(statement[field])
        return message ? [{ index, field, message }] : []
      }),
      ...unknown.map((field) => ({ index, field, message: 'is not a field of a statement' })),
      ...faultsOfConditions(statement.conditions).map((fault) => ({ index, ...fault })),
    ]
  })
}

export const sayFault = ({ index, field, message }: Fault) =>
  index === null ? message : `Statement ${index + 1}: ${field ? `${field} ` : ''}${message}`

/** A policy as text, and what is wrong with it. */
export const readPolicy = (json: string): { statements: Statement[]; faults: Fault[] } => {
  try {
    const statements = JSON.parse(json) as Statement[]
    return { statements, faults: faultsOf(statements) }
  } catch (error) {
    const message = `This is not JSON yet: ${error instanceof Error ? error.message : ''}`
    return { statements: [], faults: [{ index: null, field: '', message }] }
  }
}

/** The reason of a decision, to follow "Allowed" or "Denied". */
export const sayReason = (reason: string) =>
  reason
    .replace(/^(?:allowed|denied) /, '')
    .replace(/statements\[(\d+)\]/, (_, index: string) => `statement ${Number(index) + 1}`)

/** A policy as text, its fields in the order in which one reads them. */
export const writePolicy = (statements: readonly Statement[]) =>
  JSON.stringify(
    statements.map(({ effect, action, resourceType, resourceId, subjectType, subjectId, conditions }) => ({
      effect,
      action,
      resourceType,
      resourceId,
      subjectType,
      subjectId,
      ...(conditions ? { conditions } : {}),
    })),
    null,
    2,
  )

/** The fields in an order of their own, so that two spellings of one statement are the same. */
const spelled = ({
  effect,
  action,
  resourceType,
  resourceId,
  subjectType,
  subjectId,
  conditions,
}: Statement) =>
  JSON.stringify([effect, action, resourceType, resourceId, subjectType, subjectId, conditions ?? null])

/** Which of these statements it is; -1 if none. */
export const indexOfStatement = (statements: readonly Statement[], one: Statement) =>
  statements.findIndex((statement) => spelled(statement) === spelled(one))

const everyone: Record<SubjectType, string> = { user: 'Everybody', role: 'Every role', api_key: 'Every key' }

/** What a statement says, as a sentence. `nameOf` knows the names of people and keys. */
export const describeStatement = (
  statement: Statement,
  nameOf: (type: SubjectType, id: string) => string,
) => {
  const { effect, action, resourceType, resourceId, subjectType, subjectId } = statement
  const who = subjectId === '*' ? everyone[subjectType] : nameOf(subjectType, subjectId)
  const what = actions[action] ?? families[action] ?? action
  const where = resourceId === '*' || resourceType === 'bucket' ? '' : ` that match ${resourceId}`
  return `${who} ${effect === 'allow' ? 'may' : 'may not'} ${what}${where}`
}
