import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'
import { forbidden } from '#platform/errors.ts'

const kept = /^[A-Za-z0-9._-]{1,128}$/

/** Looks like a UUID and is as unique; its end counts up, which takes a tenth of the time of a random one. */
const newRequestId = () => {
  if (last === ends.length) {
    last = 0
    prefix = crypto.randomUUID().slice(0, -3)
  }
  return prefix + ends[last++]
}
const ends = Array.from({ length: 16 ** 3 }, (_, n) => n.toString(16).padStart(3, '0'))
let prefix = ''
let last = ends.length

/** The client's own request id if it is harmless, else a new one. */
export const requestId = ({ 'x-request-id': sent }: IncomingHttpHeaders) =>
  typeof sent === 'string' && kept.test(sent) ? sent : newRequestId()

/** Headers that every answer carries, whoever asks; a route may overwrite them. */
export const fixedHeaders = ({ corsOrigins }: Config, url: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  ...(url.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  ...(corsOrigins === '*' ? { 'access-control-allow-origin': '*' } : { vary: 'Origin' }),
})

/** The same, and those that depend on the request. */
export const commonHeaders = (config: Config, url: string) => {
  const anyOrigin = config.corsOrigins === '*'
  const fixed = fixedHeaders(config, url)
  return (req: FastifyRequest, reply: FastifyReply) => {
    reply.headers(fixed)
    reply.header('x-request-id', req.id)
    const { origin } = req.headers
    if (origin === undefined || !(anyOrigin || config.corsOrigins.includes(origin))) return
    reply.header('access-control-allow-origin', anyOrigin ? '*' : origin)
    reply.header('access-control-expose-headers', '*')
  }
}

/** The answer to OPTIONS: what this path understands, for browsers and for people. */
export const answerOptions = (methods: string[]) => (req: FastifyRequest, reply: FastifyReply) => {
  const allow = methods.join(', ')
  const asked = req.headers['access-control-request-headers']
  reply
    .header('allow', allow)
    .header('access-control-allow-methods', allow)
    .header('access-control-max-age', '86400')
  if (asked)
    reply.header('access-control-allow-headers', asked).header('vary', 'Access-Control-Request-Headers')
  return reply.code(204).send()
}

/** A trusted proxy tells how the client came; over plain http it is turned away unless that was allowed. */
export const requireHttps = (config: Config) =>
  config.trustProxy > 0 && !config.allowHttp
    ? (req: FastifyRequest) => {
        const told = req.headers['x-forwarded-proto']
        if (told !== undefined && nearest(String(told)) !== 'https') forbidden('HTTPS is required')
      }
    : null

/** Whether the request came over https, to us or to the proxy that we trust. */
export const cameByHttps = (config: Config, { headers }: Pick<FastifyRequest, 'headers'>) =>
  Boolean(config.tls) ||
  (config.trustProxy > 0 && nearest(String(headers['x-forwarded-proto'] ?? '')) === 'https')

/** What the proxy in front of us added, if others had said something before it. */
const nearest = (list: string) => list.slice(list.lastIndexOf(',') + 1).trim()
