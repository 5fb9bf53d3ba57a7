import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'
import { chosenEncoding, type Encoding, tagIn, varyByEncoding } from './encodings.ts'
import { etagOf } from './etag.ts'

// Good, but not best: the best takes seconds for a large page.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body) => promisify(gzip)(body),
  identity: async (body) => body,
}

/** A body in each encoding, compressed when it is first asked for. */
export const keptBody = (body: Buffer) => {
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return (encoding: Encoding) => bodies.getOrInsertComputed(encoding, () => encoders[encoding](body))
}

/** What never changes while the process lives: made and compressed when it is first asked for, and kept with its tag. */
export const keptDocument = (type: string, make: () => string | Promise<string>) => {
  let making: ReturnType<typeof madeOnce> | undefined
  const madeOnce = async () => {
    const body = Buffer.from(await make())
    return { size: body.length, etag: etagOf(body), inEncoding: keptBody(body) }
  }
  return async (req: FastifyRequest, reply: FastifyReply) => {
    making ??= madeOnce().catch((error) => {
      making = undefined
      throw error
    })
    const kept = await making
    const encoding = chosenEncoding(req.headers['accept-encoding'], kept.size)
    const etag = tagIn(kept.etag, encoding)
    const vary = varyByEncoding(reply.getHeader('vary'))
    reply.headers({ etag, 'cache-control': 'no-cache', vary })
    if (isNotModified(req.headers, { etag, lastModified: null, isDated: false }))
      return reply.code(304).send()
    const body = await kept.inEncoding(encoding)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.header('content-type', type).send(body)
  }
}
