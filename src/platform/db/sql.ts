import { escapeIdentifier } from 'pg'
import type { Query, Result } from './connection.ts'

type Row = Record<string, unknown>

/** The rows of a statement, and how many it returned or changed. */
type Rows<T extends readonly object[]> = T & { count: number }

/** What a template accepts in `${}`: a value, which is sent as a parameter, or a part of the statement. */
type Parameter =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly (string | number | bigint | boolean | null | Date | Uint8Array)[]
  | Json
  | Identifier
  | Fragment

/** A part of a statement, created with the template of an `Sql` and embedded in another. */
export type Fragment = { readonly strings: TemplateStringsArray; readonly values: readonly Parameter[] }

/**
 * The template tag that stores write their SQL with. As a tag it creates a statement, which runs when it is awaited or
 * becomes a part of another one. Called with a name it returns a quoted identifier.
 */
export type Sql = {
  (identifier: string): Identifier
  <T extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Parameter[]
  ): Statement<Rows<T>>
  json(value: unknown): Json
  /** `"a" = $1, "b" = $2`: the columns of an update and their values. */
  set(columns: Readonly<Record<string, Parameter>>): Fragment
  /** Runs a statement that was created elsewhere. */
  run: Runner
  /** Runs a text, which must not contain input. Without values it may contain several statements. */
  unsafe<T extends readonly object[] = Row[]>(text: string, values?: readonly unknown[]): Statement<Rows<T>>
}

class Identifier {
  readonly text: string
  constructor(name: string) {
    this.text = name.split('.').map(escapeIdentifier).join('.')
  }
}

class Json {
  readonly text: string
  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

export type Runner = (query: Query) => Promise<Result>

/** Runs once, when it is first awaited. */
class Statement<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly strings: TemplateStringsArray
  readonly values: readonly Parameter[]
  readonly #start: () => Promise<T>
  #running: Promise<T> | undefined

  constructor(strings: TemplateStringsArray, values: readonly Parameter[], start: () => Promise<T>) {
    this.strings = strings
    this.values = values
    this.#start = start
  }

  #run() {
    this.#running ??= this.#start()
    return this.#running
  }
  // biome-ignore lint/suspicious/noThenProperty: awaiting a statement is what runs it
  then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ) {
    return this.#run().then(fulfilled, rejected)
  }
  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null) {
    return this.#run().catch(rejected)
  }
  finally(settled?: (() => void) | null) {
    return this.#run().finally(settled)
  }
}

type Compiled = { text: string; name: string | undefined }

// Names of prepared statements. Statements are written by hand, so there are a few hundred of them.
const maxNames = 2_000
const names = new Map<string, string>()
const nameOf = (text: string) => {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `s${names.size + 1}`
  names.set(text, name)
  return name
}

/** The server infers types of parameters from their context, which does not always determine them. */
const castOf = (value: Parameter) => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return ''
  if (typeof value === 'boolean') return '::boolean'
  if (typeof value === 'bigint') return '::bigint'
  if (value instanceof Date) return '::timestamptz'
  if (value instanceof Json) return '::jsonb'
  if (value instanceof Uint8Array) return '::bytea'
  if (value === undefined) throw new TypeError('A parameter of a statement is undefined')
  return ''
}

const isFragment = (value: Parameter): value is Fragment => value instanceof Statement

const write = (strings: TemplateStringsArray, values: readonly Parameter[], into: unknown[]): string => {
  let text = strings[0] as string
  for (let n = 0; n < values.length; n++) {
    const value = values[n] as Parameter
    if (isFragment(value)) text += write(value.strings, value.values, into)
    else if (value instanceof Identifier) text += value.text
    else text += `$${into.push(encode(value))}${castOf(value)}`
    text += strings[n + 1]
  }
  return text
}

const encode = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Json) return value.text
  // The driver would quote each number.
  if (Array.isArray(value)) return value.every(isNumber) ? `{${value.join()}}` : value.map(encode)
  return value
}

const isNumber = (value: unknown) => typeof value === 'number'

const compiled = new WeakMap<TemplateStringsArray, Map<string, Compiled>>()

/** Most templates embed no other, so that their text depends only on the types of their values. */
const compile = (strings: TemplateStringsArray, values: readonly Parameter[]): Query => {
  let casts = ''
  for (const value of values) {
    if (value instanceof Statement || value instanceof Identifier) {
      const all: unknown[] = []
      const text = write(strings, values, all)
      return { text, values: all, name: nameOf(text) }
    }
    casts += `${castOf(value)},`
  }
  let variants = compiled.get(strings)
  if (!variants) {
    variants = new Map()
    compiled.set(strings, variants)
  }
  let found = variants.get(casts)
  if (!found) {
    const text = write(strings, values, [])
    found = { text, name: nameOf(text) }
    variants.set(casts, found)
  }
  return { text: found.text, values: values.map(encode), name: found.name }
}

const asTemplate = (strings: string[]) => strings as unknown as TemplateStringsArray

const asRows = <T extends readonly object[]>({ rows, count }: Result) =>
  Object.assign(rows, { count }) as unknown as Rows<T>

/** A template tag whose statements are run by `run`. */
export const sqlTag = (run: Runner): Sql => {
  const tag = <T extends readonly object[]>(
    strings: TemplateStringsArray | string,
    ...values: readonly Parameter[]
  ) =>
    typeof strings === 'string'
      ? new Identifier(strings)
      : new Statement<Rows<T>>(strings, values, async () => asRows<T>(await run(compile(strings, values))))
  return Object.assign(tag, {
    run,
    json: (value: unknown) => new Json(value),
    set: (columns: Readonly<Record<string, Parameter>>) => {
      const strings = Object.keys(columns).map(
        (name, n) => `${n > 0 ? ', ' : ''}${escapeIdentifier(name)} = `,
      )
      return new Statement(asTemplate([...strings, '']), Object.values(columns), async () => [])
    },
    unsafe: <T extends readonly object[]>(text: string, values?: readonly unknown[]) =>
      new Statement<Rows<T>>(asTemplate([text]), [], async () =>
        asRows<T>(await run(values ? { text, values: values.map((value) => value ?? null) } : { text })),
      ),
  }) as unknown as Sql
}

/** The same template tag, but a second statement throws. */
export const onlyOnce = (q: Sql): Sql => {
  let used = false
  return sqlTag((query) => {
    if (used) throw new Error('A write is one statement: use a transaction for more')
    used = true
    return q.run(query)
  })
}

/**
 * The same template tag, but each statement is planned when it runs. For a transaction that fills tables: a plan that is
 * good for the first rows may be bad for the last, and no analysis sees them before the commit.
 */
export const plannedEachTime = (q: Sql): Sql =>
  sqlTag(({ text, values }) => q.run({ text, ...(values ? { values } : {}) }))
