/** The words for values that do not fit a schema: what was expected, and what was given where that helps. */

const unit = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

const typeWords: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}
const longestQuoted = 40
const shortened = (text: string) =>
  text.length > longestQuoted ? `${text.slice(0, longestQuoted).toWellFormed()}…` : text

/** What was given instead of something else. A number in place of a string is not repeated: it may be a password. */
const givenWords = (value: unknown, expected: string | string[] = []) => {
  if (typeof value === 'string') return `"${shortened(value)}"`
  if (Array.isArray(value)) return typeWords.array
  if (typeof value === 'object' && value !== null) return typeWords.object
  return typeof value === 'number' && !expected.includes('integer') ? typeWords.number : String(value)
}

const formatWords: Record<string, string> = {
  email: 'an email address, such as ada@example.com',
  uuid: 'a UUID, such as 0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
  date: 'a date, such as 2026-11-30',
  'date-time': 'a time, such as 2026-11-30T09:30:00Z',
  uri: 'a web address, such as https://example.com',
}

export type Params = {
  limit: number
  type: string | string[]
  allowedValues: unknown[]
  [name: string]: unknown
}

/** Why a value was refused, by the keyword of JSON Schema that it does not satisfy. */
export const reasons: Record<string, (params: Params, value: unknown) => string> = {
  required: () => 'is required',
  type: ({ type }, value) =>
    `must be ${[type]
      .flat()
      .map((name) => typeWords[name])
      .join(' or ')}, not ${givenWords(value, type)}`,
  enum: ({ allowedValues }, value) =>
    `must be one of ${allowedValues.filter((v) => v !== null).join(', ')}, not ${givenWords(value)}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${unit(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${unit(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minItems: ({ limit }) => `must have at least ${unit(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${unit(limit, 'item')}`,
  uniqueItems: () => 'must not repeat an item',
  maxProperties: ({ limit }) => `must have at most ${unit(limit, 'entry')}`,
  pattern: () => 'has characters that are not allowed here',
  format: ({ format }) => `must be ${formatWords[String(format)] ?? `a valid ${format}`}`,
}
