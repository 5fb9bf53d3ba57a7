import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkWrite, isConditional, isNotModified, type WriteConditions } from './conditional.ts'
import { etagOf } from './etag.ts'
import type { RequestHeader, ResponseHeader } from './openapi/headers.ts'

/**
 * Documents that clients read, change and replace as a whole, such as a policy. They have entity tags, so that nobody
 * replaces what somebody else has saved meanwhile.
 */

type Headers = { reads: RequestHeader[]; sends: ResponseHeader[]; refuses?: number[] }

const inOrder = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** The same for the same document, whatever the order of its fields. */
const tagOf = (document: object) => etagOf(JSON.stringify(document, inOrder))

/** What a route that returns such a document reads and sends, for its documentation. */
export const documentRead: Headers = { reads: ['If-None-Match'], sends: ['ETag'] }
/** The same for one that replaces it. */
export const documentWrite: Headers = { reads: ['If-Match'], sends: ['ETag'], refuses: [412] }

/** The response has this document, as `body` or as a part of it. */
export const withTag = <T>(reply: FastifyReply, document: object, body: T): T => {
  reply.header('etag', tagOf(document))
  return body
}

/** The same, or 304 if the client has the document already. */
export const unlessKnown = <T>(req: FastifyRequest, reply: FastifyReply, document: object, body: T) => {
  const version = { etag: tagOf(document), lastModified: null, isDated: false }
  if (!isNotModified(req.headers, version)) return withTag(reply, document, body)
  return reply.code(304).header('etag', version.etag).send()
}

/**
 * Throws 412 unless the document is still one that the client names. Whoever compresses a response makes its tag weak, the
 * server itself or a proxy; it is the same document, so weak tags are accepted here.
 */
export const requireDocument = (conditions: WriteConditions, document: object) => {
  if (!isConditional(conditions)) return
  const { ifMatch, ifNoneMatch } = conditions
  checkWrite({ ifMatch: ifMatch?.replaceAll('W/"', '"'), ifNoneMatch }, tagOf(document))
}
