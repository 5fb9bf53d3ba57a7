import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestHeader, ResponseHeader } from '../contract/openapi/headers.ts'
import { checkWrite, isConditional, isNotModified, undated, type WriteConditions } from './conditional.ts'
import { chosenEncoding, type Encoding, isCompressible, tagIn, varyByEncoding } from './encodings.ts'
import { etagOf } from './etag.ts'

/** Bodies with entity tags: those that never change while the process lives, and those that clients change as a whole. */

// Good, but not best: the best takes seconds for a large page.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body) => promisify(gzip)(body),
  identity: async (body) => body,
}

/** How a body is kept: `caching` is the `Cache-Control` of its responses. */
type Keeping = { caching?: string; etag?: string }

/** Sends a body that never changes, in the encoding that the client prefers; compressed when that is first asked for. */
export const keptBody = (
  type: string,
  body: Buffer,
  { caching = 'no-cache', etag: plain = etagOf(body) }: Keeping = {},
) => {
  const isNegotiated = isCompressible(type)
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return async (req: FastifyRequest, reply: FastifyReply) => {
    const encoding = isNegotiated ? chosenEncoding(req.headers['accept-encoding'], body.length) : 'identity'
    const etag = tagIn(plain, encoding)
    reply.headers({ etag, 'cache-control': caching })
    if (isNegotiated) reply.header('vary', varyByEncoding(reply.getHeader('vary')))
    if (isNotModified(req.headers, undated(etag))) return reply.code(304).send()
    const encoded = await bodies.getOrInsertComputed(encoding, () => encoders[encoding](body))
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.header('content-type', type).send(encoded)
  }
}

/** The same for what is made when it is first asked for. */
export const keptDocument = (
  type: string,
  make: () => string | Buffer | Promise<string>,
  keeping?: Keeping,
) => {
  let making: Promise<ReturnType<typeof keptBody>> | undefined
  const madeOnce = async () => keptBody(type, Buffer.from(await make()), keeping)
  return async (req: FastifyRequest, reply: FastifyReply) => {
    making ??= madeOnce().catch((error) => {
      making = undefined
      throw error
    })
    return (await making)(req, reply)
  }
}

/**
 * Documents that clients read, change and replace as a whole, such as a policy. They have entity tags, so that nobody
 * replaces what somebody else has saved meanwhile.
 */

type Headers = { reads: RequestHeader[]; sends: ResponseHeader[]; refuses?: number[] }

/** What a route that returns such a document reads and sends, for its documentation. */
export const documentRead: Headers = { reads: ['If-None-Match'], sends: ['ETag'] }
/** The same for one that replaces it. */
export const documentWrite: Headers = { reads: ['If-Match'], sends: ['ETag'], refuses: [412] }

const inOrder = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** The same for the same document, whatever the order of its fields. */
const tagOfDocument = (document: object) => etagOf(JSON.stringify(document, inOrder))

/** The response has this document, as `body` or as a part of it. */
export const withTag = <T>(reply: FastifyReply, document: object, body: T): T => {
  reply.header('etag', tagOfDocument(document))
  return body
}

/** The same, or 304 if the client has the document already. */
export const unlessKnown = <T>(req: FastifyRequest, reply: FastifyReply, document: object, body: T) => {
  const etag = tagOfDocument(document)
  if (!isNotModified(req.headers, undated(etag))) return withTag(reply, document, body)
  return reply.code(304).header('etag', etag).send()
}

/**
 * Throws 412 unless the document is still one that the client names. Whoever compresses a response makes its tag weak, the
 * server itself or a proxy; it is the same document, so weak tags are accepted here.
 */
export const requireDocument = (conditions: WriteConditions, document: object) => {
  if (!isConditional(conditions)) return
  const { ifMatch, ifNoneMatch } = conditions
  checkWrite({ ifMatch: ifMatch?.replaceAll('W/"', '"'), ifNoneMatch }, tagOfDocument(document))
}
