import { isUtf8 } from 'node:buffer'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { AppError, InvalidInput, type Problem } from '#platform/errors.ts'
import { someValue } from './json.ts'
import { type Params, reasons } from './validation-words.ts'

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
/** Stops at the first problem, and checks the size of an array or object before its contents. */
const untilFirst = new Ajv(options)
const everything = new Ajv({ ...options, allErrors: true })

/** For larger input only the first problem is reported, because finding all of them could take too long. */
const maxValues = 2_000
const maxProblems = 20

type Property = { type?: string | string[]; format?: string }

const whole = /^-?(?:0|[1-9]\d{0,15})$/
const decimal = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/

/**
 * Paths and queries are text. Numbers and booleans are converted if they are written as such. UUIDs are converted to lower
 * case, because they are used as keys of caches and locks.
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
  const ownReason = error.keyword === 'pattern' ? error.parentSchema?.['x-reason'] : undefined
  const reason = ownReason ?? reasons[error.keyword]?.(error.params as Params, error.data)
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
    if (byField.size === maxProblems) break
  }
  return [...byField.values()]
}

const isSmall = (data: unknown) => {
  let values = 0
  return !someValue(data, () => ++values > maxValues)
}

/** Returns the problems of an input, or null if it is valid. */
const checkOf = (schema: object) => {
  // Compiled on first use: compiling hundreds of schemas would take half of the start.
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

const nothingAt = (problems: Problem[]) =>
  new AppError(404, `Not found: ${problems.map(({ field, reason }) => `${field} ${reason}`).join('; ')}`)

/** An invalid path is a 404. For an invalid query or body the problems of each field are reported. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const check = checkOf(schema)
  const { properties } = schema as { properties?: Record<string, Property> }
  return (data: unknown) => {
    if (httpPart !== 'body' && httpPart !== 'params') rejectUnusable(data as object)
    if (httpPart !== 'body' && properties) readTexts(data as Record<string, unknown>, properties)
    const problems = check(data)
    if (!problems) return { value: data }
    return { error: httpPart === 'params' ? nothingAt(problems) : new InvalidInput(problems) }
  }
}

/** A name that JavaScript does not treat like others: what it stands for would get lost on the way. */
const lostName = '__proto__'

/** Text that PostgreSQL cannot store: NUL characters and lone surrogates. */
const unstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

const rejectUnusable = (root: unknown) => {
  someValue(root, (value, key, path) => {
    if (key !== null && unstorable(key))
      throw new InvalidInput([{ field: 'body', reason: 'must not contain NUL characters in names' }])
    if (key === lostName)
      throw new InvalidInput([{ field: fieldAt(path()), reason: 'must not be used as a name' }])
    if (typeof value === 'string' && unstorable(value))
      throw new InvalidInput([
        { field: fieldAt(path()), reason: 'must not contain NUL characters or lone surrogates' },
      ])
    return false
  })
}

/** Also the name in escapes. */
const suspicious = /__proto__|\\u(?:0000|d[89a-f]|00(?:5f|6f|7[024]))/i

/** Ten times as deep as any valid document. Code that walks through documents may rely on it. */
const maxDepth = 100
/** More than any valid document has. To make more of them would hold up others. */
const most = { containers: 100_000, names: 100_000, values: 2_500_000 }
const [quote, backslash, comma, colon, bracket, brace, endBracket, endBrace] = Buffer.from('"\\,:[{]}')

/** What is wrong with the shape of a document, found without making it. */
const faultOfShape = (json: Buffer): string | null => {
  if (json.length < 2 * maxDepth) return null
  let [depth, containers, names, commas] = [0, 0, 0, 0]
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (inText) {
      if (byte === backslash) i++
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === comma) commas++
    else if (byte === colon) names++
    else if (byte === bracket || byte === brace) {
      if (++depth > maxDepth) return `must not be nested more than ${maxDepth} levels deep`
      containers++
    } else if (byte === endBracket || byte === endBrace) depth--
  }
  if (containers > most.containers) return `must not have more than ${most.containers} arrays and objects`
  if (names > most.names) return `must not have more than ${most.names} names`
  if (commas >= most.values) return `must not have more than ${most.values} values`
  return null
}

/** Parses JSON: 400 for anything malformed, and for names and text that cannot be kept. */
export const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new AppError(400, 'Body is not valid UTF-8')
  const fault = faultOfShape(body)
  if (fault) throw new AppError(400, `Body ${fault}`)
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AppError(400, `Body is not valid JSON${placeOf(cause)}`, { cause })
  }
  if (suspicious.test(text)) rejectUnusable(value)
  return value
}

/** Where a parser stopped. Its own words may quote the body, of which an error repeats nothing. */
const placeOf = (error: unknown) => {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? []
  if (line !== undefined) return `: something is wrong at line ${line}, column ${column}`
  return /end of JSON input/.test(String(error)) ? ': it ends too early' : ''
}
