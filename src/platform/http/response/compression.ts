import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import {
  chosenEncoding,
  type Encoding,
  isCompressible,
  minCompressedBytes,
  varyByEncoding,
} from './encodings.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The response shows a secret, such as a token. It is never compressed: whoever can choose a part of such a response
     * could find out the secret from its size (BREACH).
     */
    showsSecret?: boolean
    /** Clients do not expect compression, even if their HTTP library accepts it. */
    uncompressed?: boolean
  }
}

type Compressed = Exclude<Encoding, 'identity'>

// Responses are made for one request each: better compression would take longer than it saves.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }
const gzipOptions = { level: 4 }

/** Up to this size, handing a body to another thread takes longer than compressing it. */
export const maxSyncBytes = 16 * 1024

const asynchronously = {
  br: (body: Buffer | string) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body: Buffer | string) => promisify(gzip)(body, gzipOptions),
}

/** A body that is in memory. */
export const compressBody = (body: Buffer | string, encoding: Compressed): Buffer | Promise<Buffer> => {
  if (body.length > maxSyncBytes) return asynchronously[encoding](body)
  return encoding === 'br' ? brotliCompressSync(body, brotliOptions) : gzipSync(body, gzipOptions)
}

/** A body that is produced while it is sent. Every piece leaves at once, as it would without compression. */
const compressStream = (body: Readable, encoding: Compressed): Readable => {
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({ ...brotliOptions, flush: constants.BROTLI_OPERATION_FLUSH })
      : createGzip({ ...gzipOptions, flush: constants.Z_SYNC_FLUSH })
  // Whoever reads the compressor learns of a failure of the body from it.
  return pipeline(body, compressor, () => {})
}

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as { pipe?: unknown } | null)?.pipe === 'function'

/** How many bytes a payload has, as far as that is known; 0 if there is nothing to compress. */
const sizeOf = (payload: unknown) => {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload)
  return isStream(payload) ? Number.POSITIVE_INFINITY : 0
}

/** Sets the headers of a response that is sent in this encoding. */
const announce = (reply: FastifyReply, encoding: Compressed) => {
  reply.header('content-encoding', encoding).removeHeader('content-length')
  const etag = reply.getHeader('etag')
  // Equivalent, but not the same bytes.
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
}

/** Ranges are ranges of the stored bytes, so what can be asked for in ranges is sent as it is stored. */
const isNegotiable = (req: FastifyRequest, reply: FastifyReply) =>
  isCompressible(reply.getHeader('content-type')) &&
  !reply.hasHeader('accept-ranges') &&
  !reply.hasHeader('content-encoding') &&
  req.routeOptions.config?.showsSecret !== true &&
  req.routeOptions.config?.uncompressed !== true

/** Compresses the responses of all routes for clients that accept it. */
export const compressResponses = (app: App) => {
  app.addHook('onSend', (req, reply, payload, done) => {
    const size = sizeOf(payload)
    const encoding = chosenEncoding(req.headers['accept-encoding'], size)
    const isPlain = encoding === 'identity' && size < minCompressedBytes
    if (size === 0 || isPlain || !isNegotiable(req, reply)) return done()
    reply.header('vary', varyByEncoding(reply.getHeader('vary')))
    if (encoding === 'identity') return done()
    announce(reply, encoding)
    // A HEAD of a stream has no length either way.
    if (isStream(payload))
      return done(null, req.method === 'HEAD' ? payload : compressStream(payload, encoding))
    const body = compressBody(payload as Buffer | string, encoding)
    if (body instanceof Promise) body.then((compressed) => done(null, compressed), done)
    else done(null, body)
  })
}
