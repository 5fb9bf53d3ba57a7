import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '#platform/config.ts'
import type { Verdict } from '#platform/limits.ts'
import type { Platform } from '#platform/platform.ts'
import { fixedHeaders, requestId } from './headers.ts'
import type { Metrics } from './metrics.ts'
import { recorder } from './recorder.ts'
import type { App, Service } from './service.ts'

/** An answer that is in memory as a whole. */
export type Ready = {
  /** The route that would have answered, for the metrics. */
  route: string
  status: number
  headers: HeaderList
  /** What the limit that it was counted against says. */
  verdict?: Verdict
  body: Buffer | string
  /** Called when the answer is over, sent wholly or not. */
  over?(answer: ServerResponse): void
}

/** Names and values in turn, which is what costs least to send. */
export type HeaderList = readonly (string | number)[]

type Headers = Record<string, string | number | undefined>

/** A service's own headers of a ready answer, with those that every answer carries; undefined leaves one out. */
export const headerList = (config: Config, url: string, own: Headers): HeaderList =>
  Object.entries<Headers[string]>({ ...fixedHeaders(config, url), ...own }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  )

/**
 * Lets a service answer from memory before a request is routed, which would cost more than the answer itself.
 * Whatever is unusual about a request is left to its route.
 */
export const answerReady = <Context extends Platform>(
  app: App,
  service: Service<Context>,
  ctx: Context,
  metrics: Metrics,
) => {
  const find = service.ready?.(ctx) ?? (() => undefined)
  const { trustProxy, allowHttp, corsOrigins } = ctx.config
  const record = recorder(ctx, metrics)

  const isUsual = ({ method, headers }: IncomingMessage) =>
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers.origin === undefined || corsOrigins === '*') &&
    (trustProxy === 0 || allowHttp || headers['x-forwarded-proto'] === 'https')

  const answer = (req: IncomingMessage, res: ServerResponse): boolean => {
    if (!isUsual(req)) return false
    if (req.url === '/healthz') return answerHealth(req, res)
    const begun = performance.now()
    const ip = addressOf(req, trustProxy)
    const found = find(req, ip)
    if (!found) return false
    const id = requestId(req)
    const headers = found.headers.concat('x-request-id', id) as string[]
    if (found.verdict && !found.verdict.unlimited) tell(found.verdict, headers)
    if (req.headers.origin !== undefined) headers.push('access-control-expose-headers', '*')
    res.writeHead(found.status, headers)
    res.end(found.body)
    const { route, status, over } = found
    record({ id, method: 'GET', url: req.url as string, ip }, route, status, performance.now() - begun)
    if (over) res.once('close', () => over(res))
    return true
  }

  const [route] = app.server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[]
  app.server.removeAllListeners('request')
  app.server.on('request', (req, res) => {
    if (!answer(req, res)) route?.call(app.server, req, res)
  })
}

const health = '{"status":"ok"}'
const healthHeaders = [
  ...['access-control-allow-origin', '*', 'content-type', 'application/json; charset=utf-8'],
  ...['content-length', String(health.length)],
]

/** Asked all the time, by whoever watches: neither counted nor logged. */
const answerHealth = (req: IncomingMessage, res: ServerResponse) => {
  res.writeHead(200, healthHeaders.concat('x-request-id', requestId(req))).end(health)
  return true
}

const tell = ({ limit, remaining, resetSeconds }: Verdict, headers: (string | number)[]) =>
  headers.push('ratelimit-limit', limit, 'ratelimit-remaining', remaining, 'ratelimit-reset', resetSeconds)

/** The client's address as `trustProxy` proxies in front of us tell it, the nearest one last. */
const addressOf = ({ socket, headers }: IncomingMessage, trustProxy: number) => {
  const own = socket.remoteAddress ?? ''
  const told = headers['x-forwarded-for']
  if (trustProxy === 0 || told === undefined) return own
  const hops = [...String(told).split(','), own].map((hop) => hop.trim())
  return hops.at(-1 - Math.min(trustProxy, hops.length - 1)) as string
}
