import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { scoped } from '../scope.ts'
import { bodyMeter } from '../server/transport.ts'

/** Request and response bodies that are bytes, not JSON. */

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(;.*)?$/

const anyBytes = {
  description: 'Any bytes; `Content-Type` says what they are.',
  required: false,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
}

/** Declares routes that are given their body as a stream, whatever its type. An invalid type counts as none. */
export const withRawBodies = <A extends Pick<App, 'register'>>(app: A, routes: (scope: A) => void) =>
  scoped(app, (scope) => {
    const plain = scope as unknown as App
    plain.removeAllContentTypeParsers()
    plain.addHook('onRoute', (route) => {
      route.config = { requestBody: anyBytes, ...route.config, streamed: true }
    })
    plain.addHook('onRequest', (req, _, done) => {
      if (!mediaType.test(req.headers['content-type'] ?? '')) delete req.raw.headers['content-type']
      done()
    })
    plain.addContentTypeParser(
      '*',
      (_req: FastifyRequest, payload: unknown, done: (e: null, body: unknown) => void) => done(null, payload),
    )
    routes(scope)
  })

/** Bytes that are all here, as the stream of a body. */
export const streamOf = (bytes: Buffer): Readable => {
  const stream = new Readable({ read() {} })
  stream.push(bytes)
  stream.push(null)
  return stream
}

/** A request whose body is bytes; `body` is null if it is empty. */
export type RawRequest = {
  headers: Record<string, string | string[] | undefined>
  body: Readable | null
}

export const rawRequest = (req: FastifyRequest): RawRequest => ({
  headers: req.headers,
  body: (req.body as Readable | undefined) ?? null,
})

export type ByteResponse = {
  status: number
  headers: Record<string, string | number>
  body: Buffer | Readable | ''
  /** Called when the response has ended, with how many of the `length` bytes of its body were sent. */
  metered?: { length: number; record(bytes: number): void }
}

export const sendBytes = (req: FastifyRequest, reply: FastifyReply, response: ByteResponse) => {
  const { status, headers, body, metered } = response
  reply.code(status).headers(headers)
  if (metered) {
    const sent = bodyMeter(req.raw, reply.raw, metered.length)
    reply.raw.once('close', () => metered.record(sent()))
  }
  // An empty body would get a length of 0, which is not that of the content.
  return status === 304 ? reply.send() : body
}
