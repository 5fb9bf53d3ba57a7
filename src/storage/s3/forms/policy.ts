import { refuse } from '../errors.ts'

/** The sizes of a file that a policy allows, both included. */
export type SizeRange = { min: number; max: number }

type Condition = { operator: 'eq' | 'starts-with'; field: string; value: string; text: string }

/** What the signer of a form allows. */
export type Policy = { expiresAt: number; conditions: Condition[]; size: SizeRange }

const invalid = (message: string): never => refuse('InvalidPolicyDocument', `Invalid Policy: ${message}`)
const failed = (message: string): never => refuse('AccessDenied', `Invalid according to Policy: ${message}`)

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : invalid('Invalid Condition: values must be text.')

const sizeOf = (value: unknown) =>
  /^\d{1,15}$/.test(String(value)) ? Number(value) : invalid('Invalid content-length-range: not a number.')

const sizeRange = (operands: unknown[]): SizeRange => {
  if (operands.length !== 2) invalid('content-length-range must have a minimum and a maximum.')
  return { min: sizeOf(operands[0]), max: sizeOf(operands[1]) }
}

/** `[operator, "$field", value]` */
const inList = ([operator, field, value, ...more]: unknown[]): Condition => {
  const name = textOf(field)
  if ((operator !== 'eq' && operator !== 'starts-with') || more.length > 0 || !name.startsWith('$'))
    return invalid('Invalid Condition: must be ["eq" or "starts-with", "$field", value].')
  const text = JSON.stringify([operator, field, value])
  return { operator, field: name.slice(1).toLowerCase(), value: textOf(value), text }
}

/** `{field: value, …}` */
const inObject = (pairs: object): Condition[] => {
  const conditions = Object.entries(pairs).map(([name, value]) => {
    const text = JSON.stringify(['eq', `$${name}`, value])
    return { operator: 'eq' as const, field: name.toLowerCase(), value: textOf(value), text }
  })
  return conditions.length > 0 ? conditions : invalid('Invalid Condition: it is empty.')
}

const documentIn = (encoded: string): { expiration?: unknown; conditions?: unknown } => {
  try {
    const value = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {}
  return invalid('Invalid JSON.')
}

const iso8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)$/

const expiryIn = (expiration: unknown) => {
  if (expiration === undefined) invalid('Policy missing expiration.')
  const time =
    typeof expiration === 'string' && iso8601.test(expiration) ? Date.parse(expiration) : Number.NaN
  return Number.isNaN(time) ? invalid("Invalid 'expiration' value.") : time
}

export const readPolicy = (encoded: string): Policy => {
  const { expiration, conditions: listed } = documentIn(encoded)
  const expiresAt = expiryIn(expiration)
  if (!Array.isArray(listed) || listed.length === 0) return invalid('Policy missing conditions.')
  const size = { min: 0, max: Number.MAX_SAFE_INTEGER }
  const conditions = (listed as unknown[]).flatMap((condition) => {
    if (typeof condition !== 'object' || condition === null) return invalid('Invalid Condition.')
    if (!Array.isArray(condition)) return inObject(condition)
    const [operator, ...operands] = condition as unknown[]
    const name = String(operator).toLowerCase()
    if (name !== 'content-length-range') return inList([name, ...operands])
    const range = sizeRange(operands)
    size.min = Math.max(size.min, range.min)
    size.max = Math.min(size.max, range.max)
    return []
  })
  return { expiresAt, conditions, size }
}

const holds = ({ operator, field, value }: Condition, found: string) => {
  if (operator === 'eq') return found === value
  // A list of types must match as a whole.
  const items = field === 'content-type' ? found.split(',').map((type) => type.trim()) : [found]
  return items.every((item) => item.startsWith(value))
}

const needsNoCondition = (name: string) =>
  ['policy', 'x-amz-signature', 'file'].includes(name) || name.startsWith('x-ignore-')

/** Throws unless the fields, the bucket among them, are what the policy allows, and nothing else. */
export const checkPolicy = (
  { expiresAt, conditions }: Policy,
  fields: ReadonlyMap<string, string>,
  now: Date,
) => {
  if (now.getTime() >= expiresAt) failed('Policy expired.')
  for (const condition of conditions) {
    const found = fields.get(condition.field)
    if (found === undefined || !holds(condition, found)) failed(`Policy Condition failed: ${condition.text}`)
  }
  const named = new Set(conditions.map(({ field }) => field))
  const extra = [...fields.keys()].filter((name) => !named.has(name) && !needsNoCondition(name))
  if (extra.length > 0) failed(`Extra input fields: ${extra.join(', ')}`)
}

/** Passes a file on, and fails if it has more or fewer bytes than allowed. */
export const withinSize = async function* (file: AsyncIterable<Buffer>, { min, max }: SizeRange) {
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    if (size > max)
      refuse('EntityTooLarge', undefined, { fields: { ProposedSize: size, MaxSizeAllowed: max } })
    yield chunk
  }
  if (size < min) refuse('EntityTooSmall', undefined, { fields: { ProposedSize: size, MinSizeAllowed: min } })
}
