import { isUtf8 } from 'node:buffer'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { AppError, InvalidInput, type Problem } from '#platform/errors.ts'

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

const ajv = new Ajv({
  allErrors: true,
  useDefaults: true,
  strict: false,
  formats,
  validateFormats: true,
  verbose: true,
})

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

const path = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (whole, part) => (/^\d+$/.test(part) ? `${whole}[${part}]` : whole ? `${whole}.${part}` : part),
      '',
    )

const problem = (error: ErrorObject): Problem => {
  const missing = error.keyword === 'required' ? `/${error.params.missingProperty}` : ''
  const inPlainWords = error.keyword === 'pattern' ? error.parentSchema?.['x-reason'] : undefined
  const reason = inPlainWords ?? reasons[error.keyword]?.(error.params as Params)
  return {
    field: path(error.instancePath + missing) || 'body',
    reason: reason ?? error.message ?? 'is not valid',
  }
}

const problemsOf = (errors: ErrorObject[], data: unknown): Problem[] => {
  if (data === undefined || data === null) return [{ field: 'body', reason: 'is required' }]
  const seen = new Set<string>()
  return errors
    .map(problem)
    .filter(({ field }) => !seen.has(field) && seen.add(field))
    .slice(0, 20)
}

/** Bad paths do not exist; bad queries and bodies are told field by field. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  // Compiled when it is first needed: hundreds of schemas at once are half of a start.
  let compiled: ValidateFunction | undefined
  const { properties } = schema as { properties?: Record<string, Property> }
  return (data: unknown) => {
    if (httpPart !== 'body' && httpPart !== 'params') rejectUnstorable(data as object)
    if (httpPart !== 'body' && properties) readTexts(data as Record<string, unknown>, properties)
    compiled ??= ajv.compile(schema)
    const validate = compiled
    if (validate(data)) return { value: data }
    if (httpPart === 'params') return { error: new AppError(404, 'Not found') }
    return { error: new InvalidInput(problemsOf(validate.errors ?? [], data)) }
  }
}

/** Text that PostgreSQL cannot keep: NUL, and halves of surrogate pairs. */
const unstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

const rejectUnstorable = (root: unknown) => {
  const open: [unknown, string][] = [[root, '']]
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, pointer] = next
    if (typeof value === 'string' && unstorable(value))
      throw new InvalidInput([
        { field: path(pointer) || 'body', reason: 'must not contain NUL characters or lone surrogates' },
      ])
    if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) {
        if (unstorable(key))
          throw new InvalidInput([{ field: 'body', reason: 'must not contain NUL characters in names' }])
        open.push([item, `${pointer}/${key}`])
      }
  }
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
