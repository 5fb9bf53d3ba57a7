import type { FastifyReply, FastifyRequest } from 'fastify'
import { isNotModified } from './conditional.ts'
import { etagOf } from './etag.ts'

/** Bytes that never change while the process lives, such as an icon: made when they are first asked for, and kept. */
export const keptFile = (type: string, make: () => Buffer) => {
  let kept: { body: Buffer; etag: string } | undefined
  const madeOnce = () => {
    const body = make()
    return { body, etag: etagOf(body) }
  }
  return async (req: FastifyRequest, reply: FastifyReply) => {
    kept ??= madeOnce()
    const { body, etag } = kept
    reply.headers({ etag, 'cache-control': 'public, max-age=86400' })
    if (isNotModified(req.headers, { etag, lastModified: null, isDated: false }))
      return reply.code(304).send()
    return reply.header('content-type', type).send(body)
  }
}
