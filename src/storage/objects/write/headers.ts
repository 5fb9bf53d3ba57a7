import { badRequest, invalid } from '#platform/errors.ts'
import type { Digest } from '../../blobs/blobs.ts'
import { type AlgorithmName, algorithmOf } from '../../checksums/algorithms.ts'
import type { Checksum, KeptHeaders, Metadata } from '../store.ts'

type Headers = Record<string, string | string[] | undefined>

const anyBytes = 'application/octet-stream'
const maxMetadataBytes = 8 * 1024

/** The content type that a client sent, if it can be sent back in a header. */
export const contentTypeOf = (text: string | undefined) =>
  text !== undefined && /^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(text) ? text : anyBytes

/** Node decodes header values as Latin-1, but clients send UTF-8. */
const headerText = (value: string) => {
  const bytes = Buffer.from(value, 'latin1')
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : value
}

export const checkMetadata = (value: unknown): Metadata => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return invalid('metadata', 'must be a JSON object of text values')
  const pairs = Object.entries(value).map(([name, item]) => {
    if (!['string', 'number', 'boolean'].includes(typeof item))
      invalid(`metadata.${name}`, 'must be text, a number or a boolean')
    if (!/^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name))
      invalid(`metadata.${name}`, 'must be a name that fits a header: letters, digits, - and _')
    const text = String(item)
    if (/\p{Cc}/u.test(name + text) || !(name + text).isWellFormed())
      invalid('metadata', 'must not contain control characters')
    return [name, text] as const
  })
  if (Buffer.byteLength(JSON.stringify(pairs)) > maxMetadataBytes)
    invalid('metadata', `must have at most ${maxMetadataBytes} bytes`)
  return Object.fromEntries(pairs)
}

/** The texts of headers that begin with a prefix, by what follows it. */
export const textsInHeaders = (headers: Headers, prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(prefix) && name.length > prefix.length)
      .map(([name, value]) => [name.slice(prefix.length), headerText([value].flat().join(', '))]),
  )

export const metadataInHeaders = (headers: Headers): Metadata =>
  checkMetadata(textsInHeaders(headers, 'x-meta-'))

export const metadataInJson = (text: string): Metadata => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid('metadata', 'must be a JSON object of text values')
  }
  return checkMetadata(value)
}

const maxLength = 1024
/** What can be sent in a header: no line breaks, and each character is one byte. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const tokens = new RegExp(`^${token}(?:[ \\t]*,[ \\t]*${token})*$`)
const languages = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*(?:[ \t]*,[ \t]*[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)*$/

/** Headers that are kept with an object, with the names of their fields in forms and JSON, and what they may hold. */
const kept = [
  { header: 'cache-control', name: 'Cache-Control', field: 'cacheControl', pattern: sendable },
  {
    header: 'content-disposition',
    name: 'Content-Disposition',
    field: 'contentDisposition',
    pattern: sendable,
  },
  { header: 'content-encoding', name: 'Content-Encoding', field: 'contentEncoding', pattern: tokens },
  { header: 'content-language', name: 'Content-Language', field: 'contentLanguage', pattern: languages },
] as const

type Fields = { [Field in (typeof kept)[number]['field']]?: string | null }

const check = (name: string, value: string, pattern: RegExp) => {
  if (value.length > maxLength) invalid(name, `must have at most ${maxLength} characters`)
  if (!pattern.test(value)) invalid(name, 'must be a valid header value')
  return value
}

/** `identity` means that there is no encoding. */
const isPlain = (header: string, value: string) =>
  value === '' || (header === 'content-encoding' && value.toLowerCase() === 'identity')

const collect = (values: { header: string; name: string; value: string; pattern: RegExp }[]): KeptHeaders =>
  Object.fromEntries(
    values
      .filter(({ header, value }) => !isPlain(header, value))
      .map(({ header, name, value, pattern }) => [header, check(name, value, pattern)]),
  )

/** Those of an upload whose body is the object. */
export const keptInHeaders = (headers: Headers) =>
  collect(kept.map((each) => ({ ...each, value: String(headers[each.header] ?? '').trim() })))

/** Those of a form, or of JSON. */
export const keptInFields = (fields: Fields) =>
  collect(kept.map((each) => ({ ...each, name: each.field, value: (fields[each.field] ?? '').trim() })))

const algorithms: Record<string, AlgorithmName> = { 'sha-256': 'SHA256', 'sha-512': 'SHA512', md5: 'MD5' }

/** A digest that the client has sent. */
type Promised = Digest & { expected: Buffer }

const promised = (algorithm: AlgorithmName, encoded: string, header: string): Promised => {
  const expected = Buffer.from(encoded, 'base64')
  if (expected.length !== algorithmOf(algorithm).bytes) badRequest(`${header} is not a valid digest`)
  const check = (found: Buffer) => {
    if (!found.equals(expected)) badRequest(`${header} does not match the content`)
  }
  return { algorithm, expected, check }
}

/** The digests that the client sent of its body. Unknown algorithms are ignored, as RFC 9530 demands. */
export const digestsOf = (headers: Headers): Promised[] => {
  const found: Promised[] = []
  const md5 = headers['content-md5']
  if (typeof md5 === 'string') found.push(promised('MD5', md5.trim(), 'Content-MD5'))
  for (const item of String(headers['content-digest'] ?? '').split(',')) {
    const [, name = '', encoded = ''] = /^\s*([a-z0-9-]+)=:([A-Za-z0-9+/=]*):\s*$/i.exec(item) ?? []
    const algorithm = algorithms[name.toLowerCase()]
    if (algorithm) found.push(promised(algorithm, encoded, 'Content-Digest'))
    else if (name === '' && item.trim() !== '') badRequest('Content-Digest is not valid')
  }
  return found
}

/** A SHA-256 is kept once the body was verified with it; the MD5 is the entity tag anyway. */
export const checksumIn = (digests: Promised[]): Checksum | null => {
  const sha256 = digests.find(({ algorithm }) => algorithm === 'SHA256')
  return sha256
    ? { algorithm: 'SHA256', value: sha256.expected.toString('base64'), type: 'FULL_OBJECT' }
    : null
}

export const announcedLength = (headers: Headers) =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** A part of an object cannot be replaced. Taken for the whole, it would be lost that it is a part. */
export const refuseRange = (headers: Headers) => {
  if (headers['content-range'] !== undefined)
    badRequest('Content-Range is not supported: send the whole body')
}
