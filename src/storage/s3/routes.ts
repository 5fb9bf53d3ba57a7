import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { countAgainst, countByAddress } from '#platform/http/request/count-against.ts'
import { type ByteResponse, sendBytes } from '#platform/http/response/bytes.ts'
import { inert } from '#platform/http/response/headers.ts'
import type { Endpoint } from '#platform/http/service.ts'
import { limits, type Module } from '../access.ts'
import type { Principal, Storage } from '../context.ts'
import { readAnonymously } from './anonymous.ts'
import { type Authenticated, authenticate } from './authenticate.ts'
import { corsHeaders, preflight } from './cors.ts'
import { errorDocument } from './error-document.ts'
import { refuse } from './errors.ts'
import { isForm, postForm } from './forms/post-object.ts'
import { operationFor } from './operations.ts'
import { type Reply, readRequest, type S3Request } from './request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    s3: S3Request | null
    authenticated: Authenticated | null
  }
}

/** Headers of the other APIs, which are for JSON and pages, or about origins that only a bucket can decide on. */
const notHere = [
  'cache-control',
  'referrer-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
]

const guard = (ctx: Storage) => async (req: FastifyRequest, reply: FastifyReply) => {
  for (const name of notHere) reply.removeHeader(name)
  reply.headers(inert)
  reply.header('x-amz-request-id', req.id)
  const request = readRequest(req.raw, { id: req.id, ip: req.ip, domain: ctx.config.s3Domain })
  req.s3 = request
  // The framework would refuse types that it cannot parse; here they are only kept.
  delete req.raw.headers['content-type']
  if (request.method === 'OPTIONS') return countByAddress(ctx.limiter, limits.publicDownload, req, reply)
  // Before anything can be refused: pages may read refusals, too.
  if (request.headers.has('origin')) reply.headers(await corsHeaders(ctx, request))
  const authenticated = await authenticate(ctx, request)
  if (authenticated) {
    req.authenticated = authenticated
    req.principal = authenticated.me
    await countAgainst(ctx.limiter, limits.s3, authenticated.me.keyId as string, reply)
  } else await countByAddress(ctx.limiter, limits.publicDownload, req, reply)
}

const run = async (ctx: Storage, req: FastifyRequest, reply: FastifyReply): Promise<Reply> => {
  const request = req.s3 as S3Request
  const body = (req.body as Readable | undefined) ?? null
  if (request.method === 'OPTIONS') return preflight(ctx, request)
  if (!req.authenticated) {
    if (!isForm(request)) return readAnonymously(ctx, request)
    return postForm(ctx, request, body, async ({ orgId, keyId }) => {
      if (request.headers.has('origin')) reply.headers(await corsHeaders(ctx, request, orgId))
      await countAgainst(ctx.limiter, limits.s3, keyId as string, reply)
    })
  }
  const operation = operationFor(request)
  if (!operation.run) return refuse('NotImplemented', `${operation.name} is not implemented`)
  return operation.run({ ctx, request, body, ...req.authenticated })
}

const handle: Module = (app, ctx) => {
  app.decorateRequest('s3', null)
  app.decorateRequest('authenticated', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    (_req: FastifyRequest, payload: unknown, done: (e: null, body: unknown) => void) => done(null, payload),
  )
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'],
    url: '/*',
    exposeHeadRoute: false,
    config: { access: 'public', streamed: true, uncompressed: true },
    handler: async (req, reply) => {
      const body = req.body as Readable | undefined
      // What an operation has begun to read but did not want is skipped, so that the next request is found behind it.
      reply.raw.once('finish', () => body?.unpipe().resume())
      return sendBytes(req, reply, (await run(ctx, req, reply)) as ByteResponse)
    },
  })
}

/** The S3 API: another way to the same buckets and objects, on a port of its own. */
export const s3: Endpoint<Storage> = {
  name: 's3',
  title: 'Trivet S3 endpoint',
  guard,
  ignoresExpectations: true,
  tenantOf: (req) => `storage:${(req.principal as Principal).orgId}`,
  repeatScope: (req) => (req.principal as Principal).keyId as string,
  errorBody: ({ message }) => ({ message }),
  errorDocument: (error, req) => errorDocument(error, req.id, 's3' in req ? req.s3 : null),
  statuses: { invalid: 400, mediaType: 400, keyReused: 409 },
  words: { access: ['public'], limits: [] },
  modules: [handle],
}
