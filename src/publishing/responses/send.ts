import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'
import type { RequestHeader, ResponseHeader } from '#platform/http/contract/openapi/headers.ts'
import { isNotModified, requireVersion } from '#platform/http/response/conditional.ts'
import { minCompressedBytes, varyByEncoding } from '#platform/http/response/encodings.ts'
import { Type } from '#platform/type/type.ts'
import type { Publishing } from '../context.ts'
import { type Render, responses } from './cache.ts'
import { type CachedResponse, contentIn, negotiate } from './cached-response.ts'

/** A 304 leaves these as the client has them, and with the policy its nonce. */
export const notIn304 = ['content-security-policy', 'x-content-type-options', 'referrer-policy'] as const

/** Sends a response, or a 304 to a client that has it. */
export const sendResponse = async (req: FastifyRequest, reply: FastifyReply, response: CachedResponse) => {
  const { encoding, version, shared } = negotiate(response, req.headers)
  if (version) requireVersion(req.headers, version)
  reply.headers(shared)
  if (response.size >= minCompressedBytes) reply.header('vary', varyByEncoding(reply.getHeader('vary')))
  if (version && isNotModified(req.headers, version)) {
    for (const name of notIn304) reply.removeHeader(name)
    return reply.code(304).send()
  }
  const { body, headers } = await contentIn(response, encoding)
  return reply.headers(headers).send(body)
}

/** Whether the route knows every name in the query: any other makes a new URL of the same response. */
const hasKnownQuery = ({ query, routeOptions }: FastifyRequest) => {
  const schema = routeOptions.schema?.querystring as { properties?: object } | undefined
  const known = schema?.properties ?? {}
  return Object.keys(query as object).every((name) => Object.hasOwn(known, name))
}

/** For readers without credentials: rendered once, and kept until something that it shows changes. */
export const sendCached = async (ctx: Publishing, req: FastifyRequest, reply: FastifyReply, render: Render) =>
  sendResponse(
    req,
    reply,
    hasKnownQuery(req) ? await responses(ctx).get(req.url, render) : (await render()).value,
  )

/** What a response that differs by reader depends on, beside what every response does. */
export const variesByReader = ({ corsOrigins }: Config) =>
  corsOrigins === '*' ? 'Authorization' : 'Origin, Authorization'

/** How a response may be cached: what is sent without credentials by everybody. All are to ask whether it has changed. */
export const cachingOf = (config: Config, { principal }: Pick<FastifyRequest, 'principal'>) => ({
  'cache-control': principal === null ? 'public, no-cache' : 'private, no-cache',
  vary: variesByReader(config),
})

/** For the API document: a response that is recognised by its tag. */
export const tagged: { reads: RequestHeader[]; sends: ResponseHeader[] } = {
  reads: ['If-None-Match'],
  sends: ['ETag'],
}

/** For the API document: a response that is not JSON. */
export const responseOf = (type: string, description: string, example?: string): object => ({
  description,
  content: { [type]: { schema: Type.String(example ? { examples: [example] } : {}) } },
})
