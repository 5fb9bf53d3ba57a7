import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'

type Encoding = 'br' | 'gzip' | 'identity'

// Good, but not best: the best takes seconds for a large page.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const encoders: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, brotliOptions),
  gzip: (text) => promisify(gzip)(text),
  identity: async (text) => Buffer.from(text),
}

/** What a client accepts with a weight above 0, by name. */
const acceptedIn = (header: string) =>
  new Set(
    header
      .toLowerCase()
      .split(',')
      .map((item) => item.split(';').map((part) => part.trim()))
      .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
      .map(([name]) => name),
  )

export const chosenEncoding = (header: string | string[] | undefined): Encoding => {
  const accepted = acceptedIn(String(header ?? ''))
  return (['br', 'gzip'] as const).find((name) => accepted.has(name)) ?? 'identity'
}

/**
 * What never changes while the process lives: made and compressed when it is first asked for, and kept with its tag. `vary`
 * names the headers of requests on which the response depends.
 */
export const keptDocument = (type: string, make: () => string, vary = 'Accept-Encoding') => {
  let text: string | undefined
  let tag = ''
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return async (req: FastifyRequest, reply: FastifyReply) => {
    if (text === undefined) {
      text = make()
      tag = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    }
    const encoding = chosenEncoding(req.headers['accept-encoding'])
    const etag = encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`
    reply.headers({ etag, 'cache-control': 'no-cache', vary })
    if (isNotModified(req.headers, { etag, lastModified: null, isDated: false }))
      return reply.code(304).send()
    const body = bodies.getOrInsertComputed(encoding, () => encoders[encoding](text!))
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.header('content-type', type).send(await body)
  }
}
