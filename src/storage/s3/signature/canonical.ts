import { hash } from 'node:crypto'
import { refuse } from '../errors.ts'

/** The parts of a request that signatures are about, as they were sent. */
export type SignedParts = {
  method: string
  /** The path and the query as they were sent, still encoded. */
  path: string
  query: string
  /** Names in lower case; each value as often as it was sent. */
  headers: ReadonlyMap<string, readonly string[]>
}

export type Parameter = readonly [name: string, value: string]

const decoded = (text: string) => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('InvalidURI')
  }
}

/** Everything but letters, digits and `-._~` is encoded. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export const decodedPath = decoded

/** The parameters of a query, decoded, in the order in which they were sent. */
export const parametersOf = (query: string): Parameter[] =>
  (query === '' ? [] : query.split('&'))
    .filter((item) => item !== '')
    .map((item) => {
      const text = item.replaceAll('+', '%20')
      const at = text.indexOf('=')
      return at < 0 ? [decoded(text), ''] : [decoded(text.slice(0, at)), decoded(text.slice(at + 1))]
    })

/** Most paths need no encoding. */
const plainPath = /^[\w.~/-]*$/

/** S3 does not normalize paths: `//`, `.` and `..` are parts of a key. */
const canonicalPath = (path: string) =>
  plainPath.test(path)
    ? path
    : path
        .split('/')
        .map((part) => encoded(decoded(part)))
        .join('/')

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Sorted by their encoded names, then by their encoded values. A query cannot sign its own signature. */
const canonicalQuery = (parameters: readonly Parameter[]) =>
  parameters
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const single = (value: string) => (/\s\s|[^\S ]/.test(value) ? value.replace(/\s+/g, ' ') : value)

/** Values without white space around them, and with single spaces inside. */
const canonicalHeader = (name: string, values: readonly string[]) => {
  const [first = '', ...more] = values
  const text =
    more.length === 0 ? single(first.trim()) : values.map((value) => single(value.trim())).join(',')
  return `${name}:${text}\n`
}

export const canonicalRequest = (
  { method, path, query, headers }: SignedParts,
  signedHeaders: readonly string[],
  payloadHash: string,
) =>
  [
    method,
    canonicalPath(path),
    canonicalQuery(parametersOf(query)),
    signedHeaders.map((name) => canonicalHeader(name, headers.get(name) ?? [])).join(''),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n')

export const sha256 = (text: string | Uint8Array) => hash('sha256', text, 'hex')
