import type { IncomingHttpHeaders } from 'node:http'
import { compressBody, maxSyncBytes } from '#platform/http/response/compression.ts'
import type { Version } from '#platform/http/response/conditional.ts'
import { chosenEncoding, type Encoding, tagIn } from '#platform/http/response/encodings.ts'
import { etagOf } from '#platform/http/response/etag.ts'

type Headers = Record<string, string>

/** A body with its own headers. */
type Content = { body: string | Buffer; headers: Headers }

/** A whole response, the same for everybody who asks for the same URL. */
export type CachedResponse = {
  route: string
  /** Null where a 304 is never sent. */
  version: Version | null
  /** Headers of the response and of a 304 in its place. */
  shared: Headers
  /** Length of the body in bytes. */
  size: number
  /** The body and the headers of the response alone. */
  content(): Content
  /** Its compressed bodies, once they have been asked for. Null where the body differs each time. */
  compressed: Map<Encoding, Content> | null
}

type Options = { route: string; type: string; version?: Version | null; shared?: Headers }

export const cachedResponse = (
  text: string,
  { route, type, version = null, shared = {} }: Options,
): CachedResponse => {
  const size = Buffer.byteLength(text)
  const content = { body: text, headers: { 'content-type': type, 'content-length': String(size) } }
  return {
    route,
    version,
    shared: { ...shared, ...(version && versionHeaders(version)) },
    size,
    content: () => content,
    compressed: new Map(),
  }
}

/** What a client gets, before it is known whether it needs the body. */
export const negotiate = (response: CachedResponse, headers: IncomingHttpHeaders) => {
  const { size, version, shared } = response
  const encoding = chosenEncoding(headers['accept-encoding'], size)
  if (encoding === 'identity' || !version) return { encoding, version, shared }
  const encoded = { ...version, etag: tagIn(version.etag, encoding) }
  return { encoding, version: encoded, shared: { ...shared, ...versionHeaders(encoded) } }
}

/** Whether the body can be sent in this encoding at once. */
export const isAtHand = ({ compressed, size }: CachedResponse, encoding: Encoding) =>
  encoding === 'identity' || size <= maxSyncBytes || compressed?.has(encoding) === true

/** The body in an encoding; a promise if it has to be compressed and that takes long. */
export const contentIn = (response: CachedResponse, encoding: Encoding): Content | Promise<Content> => {
  if (encoding === 'identity') return response.content()
  const kept = response.compressed?.get(encoding)
  if (kept) return kept
  const { body, headers } = response.content()
  const keep = (compressed: Buffer) => {
    const length = { 'content-encoding': encoding, 'content-length': String(compressed.length) }
    const content = { body: compressed, headers: { ...headers, ...length } }
    response.compressed?.set(encoding, content)
    return content
  }
  const compressed = compressBody(body, encoding)
  return compressed instanceof Promise ? compressed.then(keep) : keep(compressed)
}

export const cachedJson = (route: string, value: object, shared: Headers) => {
  const json = JSON.stringify(value)
  const version = { etag: etagOf(json), lastModified: null, isDated: false }
  return cachedResponse(json, { route, type: 'application/json; charset=utf-8', version, shared })
}

const versionHeaders = ({ etag, lastModified }: Version): Headers =>
  lastModified === null ? { etag } : { etag, 'last-modified': lastModified }
