import { isUtf8 } from 'node:buffer'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { AppError, InvalidInput, type Problem } from '#platform/errors.ts'
import { someValue } from './json.ts'

const formats = {
  email:
    /^[^\s@"(),:;<>[\\\]\u0000-\u001f]{1,64}@(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isRealDate(text),
  'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text: string) => URL.canParse(text),
  password: true,
  binary: true,
} as const

const isRealDate = (text: string) => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const options = { useDefaults: true, strict: false, formats, validateFormats: true, verbose: true } as const
/** Stops at the first problem; of an array or object it looks at the size before it looks at what is inside. */
const untilFirst = new Ajv(options)
const everything = new Ajv({ ...options, allErrors: true })

/** Of larger input only the first problem is told: to find all of them could take longer than any request is worth. */
const mostValues = 2_000
const mostProblems = 20

type Property = { type?: string | string[]; format?: string }

const whole = /^-?(?:0|[1-9]\d{0,15})$/
const decimal = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/

/**
 * Paths and queries are text; what is written as a number or a truth value there is read as one, and only that.
 * An id has one spelling from here on: what is remembered or locked by it must be found however it was written.
 */
const readText = (text: string, { type, format }: Property): unknown => {
  const is = (name: string) => type === name || (Array.isArray(type) && type.includes(name))
  if (is('integer') && whole.test(text)) return Number(text)
  if (is('number') && decimal.test(text)) return Number(text)
  if (is('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return format === 'uuid' ? text.toLowerCase() : text
}

const readTexts = (data: Record<string, unknown>, properties: Record<string, Property>) => {
  for (const [name, property] of Object.entries(properties)) {
    const value = data[name]
    if (typeof value === 'string') data[name] = readText(value, property)
  }
}

const unit = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

type Params = { limit: number; type: string | string[]; allowedValues: unknown[]; [name: string]: unknown }

const reasons: Record<string, (params: Params) => string> = {
  required: () => 'is required',
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${allowedValues.filter((v) => v !== null).join(', ')}`,
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
  pattern: ({ pattern }) => `must match pattern ${pattern}`,
  format: ({ format }) => `must be a valid ${format}`,
}

const fieldAt = (path: readonly string[]) =>
  path.reduce(
    (whole, part) => (/^\d+$/.test(part) ? `${whole}[${part}]` : whole ? `${whole}.${part}` : part),
    '',
  ) || 'body'

const partsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

const problem = (error: ErrorObject): Problem => {
  const missing = error.keyword === 'required' ? `/${error.params.missingProperty}` : ''
  const inPlainWords = error.keyword === 'pattern' ? error.parentSchema?.['x-reason'] : undefined
  const reason = inPlainWords ?? reasons[error.keyword]?.(error.params as Params)
  return {
    field: fieldAt(partsOf(error.instancePath + missing)),
    reason: reason ?? error.message ?? 'is not valid',
  }
}

const problemsOf = (errors: readonly ErrorObject[]): Problem[] => {
  const byField = new Map<string, Problem>()
  for (const error of errors) {
    const found = problem(error)
    if (!byField.has(found.field)) byField.set(found.field, found)
    if (byField.size === mostProblems) break
  }
  return [...byField.values()]
}

const isSmall = (data: unknown) => {
  let values = 0
  return !someValue(data, () => ++values > mostValues)
}

/** What is wrong with the input; nothing if it is as the schema says. */
const checkOf = (schema: object) => {
  // Compiled when they are first needed: hundreds of schemas at once are half of a start.
  let first: ValidateFunction | undefined
  let all: ValidateFunction | undefined
  return (data: unknown): Problem[] | null => {
    first ??= untilFirst.compile(schema)
    if (first(data)) return null
    if (data === undefined || data === null) return [{ field: 'body', reason: 'is required' }]
    if (!isSmall(data)) return problemsOf(first.errors ?? [])
    all ??= everything.compile(schema)
    all(data)
    return problemsOf(all.errors ?? [])
  }
}

/** Bad paths do not exist; bad queries and bodies are told field by field. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const check = checkOf(schema)
  const { properties } = schema as { properties?: Record<string, Property> }
  return (data: unknown) => {
    if (httpPart !== 'body' && httpPart !== 'params') rejectUnstorable(data as object)
    if (httpPart !== 'body' && properties) readTexts(data as Record<string, unknown>, properties)
    const problems = check(data)
    if (!problems) return { value: data }
    return { error: httpPart === 'params' ? new AppError(404, 'Not found') : new InvalidInput(problems) }
  }
}

/** Text that PostgreSQL cannot keep: NUL, and halves of surrogate pairs. */
const unstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

const rejectUnstorable = (root: unknown) => {
  someValue(root, (value, key, path) => {
    if (key !== null && unstorable(key))
      throw new InvalidInput([{ field: 'body', reason: 'must not contain NUL characters in names' }])
    if (typeof value === 'string' && unstorable(value))
      throw new InvalidInput([
        { field: fieldAt(path()), reason: 'must not contain NUL characters or lone surrogates' },
      ])
    return false
  })
}

const suspicious = /\\u(?:0000|d[89a-f])/i

/** No document of ours is nested a tenth as deep, and whatever walks through one may count on it. */
const deepest = 100
const [quote, backslash, bracket, brace, endBracket, endBrace] = [...Buffer.from('"\\[{]}')]

const isTooDeep = (json: Buffer) => {
  if (json.length < 2 * deepest) return false
  let depth = 0
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (inText) {
      if (byte === backslash) i++
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === bracket || byte === brace) {
      if (++depth > deepest) return true
    } else if (byte === endBracket || byte === endBrace) depth--
  }
  return false
}

/** JSON as the contract wants it: 400 for anything malformed, and no text that could not be stored. */
export const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new AppError(400, 'Body is not valid UTF-8')
  if (isTooDeep(body)) throw new AppError(400, `Body must not be nested more than ${deepest} levels deep`)
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text, text.includes('__proto__') ? dropProto : undefined)
  } catch (cause) {
    throw new AppError(400, 'Body is not valid JSON', { cause })
  }
  if (suspicious.test(text)) rejectUnstorable(value)
  return value
}

const dropProto = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)
