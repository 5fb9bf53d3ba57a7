import { createHash } from 'node:crypto'
import type { Version } from '#platform/http/conditional.ts'

type Headers = Record<string, string>

/** A whole response, the same for everybody who asks for the same URL. */
export type CachedResponse = {
  route: string
  /** Null where a 304 is never sent. */
  version: Version | null
  /** Headers of the response and of a 304 in its place. */
  shared: Headers
  /** Headers of the response alone. */
  own: Headers
  /** Length of the body in bytes. */
  size: number
  /** The body, and headers that differ each time. */
  content(): { body: string; headers?: Headers }
}

type Options = { route: string; type: string; version?: Version | null; shared?: Headers }

export const cachedResponse = (
  text: string,
  { route, type, version = null, shared = {} }: Options,
): CachedResponse => {
  const content = { body: text }
  const size = Buffer.byteLength(text)
  return {
    route,
    version,
    shared: { ...shared, ...(version && versionHeaders(version)) },
    own: { 'content-type': type, 'content-length': String(size) },
    size,
    content: () => content,
  }
}

export const cachedJson = (route: string, value: object) =>
  cachedResponse(JSON.stringify(value), { route, type: 'application/json; charset=utf-8' })

const versionHeaders = ({ etag, lastModified }: Version): Headers =>
  lastModified === null ? { etag } : { etag, 'last-modified': lastModified }

/** The same for the same text on every node. */
export const etagOf = (text: string) =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
