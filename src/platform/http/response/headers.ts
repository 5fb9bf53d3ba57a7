import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'

const harmless = /^[A-Za-z0-9._-]{1,128}$/

/** The client's own request id if it is harmless, else a new one. */
export const requestId = ({ 'x-request-id': sent }: IncomingHttpHeaders) =>
  typeof sent === 'string' && harmless.test(sent) ? sent : crypto.randomUUID()

const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

/** The trace that the request belongs to, if its client says so (W3C Trace Context). */
export const traceId = ({ traceparent: sent }: IncomingHttpHeaders) =>
  typeof sent === 'string' ? traceparent.exec(sent)?.[1] : undefined

/** Headers of every response to any client; a route may overwrite them. */
export const fixedHeaders = ({ corsOrigins }: Config, url: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  ...(url.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  ...(corsOrigins === '*' ? { 'access-control-allow-origin': '*' } : { vary: 'Origin' }),
})

/**
 * For whatever somebody has stored: shown as a page, it runs no script, belongs to no origin, and so neither reads nor sets
 * cookies. Sent whatever its type is, because no list of types that are harmless stays complete.
 */
export const inert = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' }

/** The same, and those that depend on the request. */
export const commonHeaders = (config: Config, url: string) => {
  const anyOrigin = config.corsOrigins === '*'
  const fixed = fixedHeaders(config, url)
  return ({ origin }: IncomingHttpHeaders, id: string): Record<string, string> => {
    const headers = { ...fixed, 'x-request-id': id }
    if (origin === undefined || !(anyOrigin || config.corsOrigins.includes(origin))) return headers
    return {
      ...headers,
      'access-control-allow-origin': anyOrigin ? '*' : origin,
      'access-control-expose-headers': '*',
    }
  }
}

/** The response to OPTIONS: which methods this path has, for browsers and for people. */
export const answerOptions = (methods: readonly string[]) => (req: FastifyRequest, reply: FastifyReply) => {
  const allow = methods.join(', ')
  const asked = req.headers['access-control-request-headers']
  reply
    .header('allow', allow)
    .header('access-control-allow-methods', allow)
    .header('access-control-max-age', '86400')
  if (asked)
    reply
      .header('access-control-allow-headers', asked)
      .header('vary', [reply.getHeader('vary') ?? [], 'Access-Control-Request-Headers'].flat().join(', '))
  return reply.code(204).send()
}

/** Whether a trusted proxy says that the client came over plain http, which is refused unless it is allowed. */
export const isHttpsMissing = (config: Config) => {
  const isRequired = config.trustProxy > 0 && !config.allowHttp
  return ({ 'x-forwarded-proto': told }: IncomingHttpHeaders) =>
    isRequired && told !== undefined && nearest(String(told)) !== 'https'
}

/** Whether the request came over https, to us or to the proxy that we trust. */
export const cameByHttps = (config: Config, { headers }: Pick<FastifyRequest, 'headers'>) =>
  Boolean(config.tls) ||
  (config.trustProxy > 0 && nearest(String(headers['x-forwarded-proto'] ?? '')) === 'https')

/** Whether browsers trust where the page came from: elsewhere they ignore some headers, and complain of them. */
export const isTrustworthy = (config: Config, req: Pick<FastifyRequest, 'headers'>) =>
  cameByHttps(config, req) || /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(req.headers.host ?? '')

/** What the proxy in front of us added, which comes last. */
const nearest = (list: string) => list.slice(list.lastIndexOf(',') + 1).trim()
