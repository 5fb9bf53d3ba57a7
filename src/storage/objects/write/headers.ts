import { badRequest, invalid } from '#platform/errors.ts'
import type { Digest } from '../../blobs/blobs.ts'
import { type AlgorithmName, algorithmOf } from '../../checksums/algorithms.ts'
import type { Metadata } from '../store.ts'

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

const algorithms: Record<string, AlgorithmName> = { 'sha-256': 'SHA256', 'sha-512': 'SHA512', md5: 'MD5' }

/** A digest that the client has sent. */
export type Promised = Digest & { expected: Buffer }

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

export const announcedLength = (headers: Headers) =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** A part of an object cannot be replaced. Taken for the whole, it would be lost that it is a part. */
export const refuseRange = (headers: Headers) => {
  if (headers['content-range'] !== undefined)
    badRequest('Content-Range is not supported: send the whole body')
}
