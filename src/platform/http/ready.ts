import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '#platform/config.ts'
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
  const find = service.ready?.(ctx)
  if (!find) return
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
    const begun = performance.now()
    const ip = addressOf(req, trustProxy)
    const found = find(req, ip)
    if (!found) return false
    const id = requestId(req)
    const asked = { id, method: req.method as string, url: req.url as string, ip }
    const exposed = req.headers.origin === undefined ? [] : ['access-control-expose-headers', '*']
    res.once('close', () => {
      record(asked, found.route, found.status, performance.now() - begun)
      found.over?.(res)
    })
    res.writeHead(found.status, [...found.headers, ...exposed, 'x-request-id', id] as string[])
    res.end(found.body)
    return true
  }

  const [route] = app.server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[]
  app.server.removeAllListeners('request')
  app.server.on('request', (req, res) => {
    if (!answer(req, res)) route?.call(app.server, req, res)
  })
}

/** The client's address as `trustProxy` proxies in front of us tell it, the nearest one last. */
const addressOf = ({ socket, headers }: IncomingMessage, trustProxy: number) => {
  const own = socket.remoteAddress ?? ''
  const told = headers['x-forwarded-for']
  if (trustProxy === 0 || told === undefined) return own
  const hops = [...String(told).split(','), own].map((hop) => hop.trim())
  return hops.at(-1 - Math.min(trustProxy, hops.length - 1)) as string
}
