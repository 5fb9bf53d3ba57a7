import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'
import { chosenEncoding, type Encoding, tagIn, varyByEncoding } from './encodings.ts'

// Good, but not best: the best takes seconds for a large page.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const encoders: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, brotliOptions),
  gzip: (text) => promisify(gzip)(text),
  identity: async (text) => Buffer.from(text),
}

/** What never changes while the process lives: made and compressed when it is first asked for, and kept with its tag. */
export const keptDocument = (type: string, make: () => string) => {
  let text: string | undefined
  let tag = ''
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return async (req: FastifyRequest, reply: FastifyReply) => {
    if (text === undefined) {
      text = make()
      tag = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    }
    const encoding = chosenEncoding(req.headers['accept-encoding'], text.length)
    const etag = tagIn(`"${tag}"`, encoding)
    const vary = varyByEncoding(reply.getHeader('vary'))
    reply.headers({ etag, 'cache-control': 'no-cache', vary })
    if (isNotModified(req.headers, { etag, lastModified: null, isDated: false }))
      return reply.code(304).send()
    const body = bodies.getOrInsertComputed(encoding, () => encoders[encoding](text!))
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.header('content-type', type).send(await body)
  }
}
