import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '#platform/config.ts'
import { rateLimitHeaders, type Verdict } from '#platform/limits.ts'
import type { Platform } from '#platform/platform.ts'
import { fixedHeaders, requestId } from './headers.ts'
import type { Metrics } from './metrics.ts'
import { type Headers, headLines, sendPrepared } from './prepared.ts'
import { recorder } from './recorder.ts'
import type { App, Service } from './service.ts'

/** An answer that is in memory as a whole. */
export type Ready = {
  /** The route that would have answered, for the metrics. */
  route: string
  status: number
  /** Its lines of the head, from `headOf`. */
  head: string
  /** What the limit that it was counted against says. */
  verdict?: Verdict
  body: Buffer | string
  /** Told how many bytes of the body have left us, once no more will. */
  sent?(bytes: number): void
}

/** A service's own headers of a ready answer, with those that every answer carries; undefined leaves one out. */
export const headOf = (config: Config, url: string, own: Headers) =>
  headLines({ ...fixedHeaders(config, url), ...own })

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

  const isUsual = ({ method, headers }: IncomingMessage, res: ServerResponse) =>
    method === 'GET' &&
    res.shouldKeepAlive &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers.origin === undefined || corsOrigins === '*') &&
    (trustProxy === 0 || allowHttp || headers['x-forwarded-proto'] === 'https')

  const answer = (req: IncomingMessage, res: ServerResponse): boolean => {
    if (!isUsual(req, res)) return false
    if (req.url === '/healthz') return answerHealth(req, res)
    const ip = addressOf(req, trustProxy)
    const found = find(req, ip)
    if (!found) return false
    const id = requestId(req)
    const { route, status, head, verdict, body, sent } = found
    const exposed = req.headers.origin === undefined ? '' : 'access-control-expose-headers: *\r\n'
    const told = verdict && !verdict.unlimited ? limitLines(verdict) : ''
    sendPrepared(res, status, `${head}x-request-id: ${id}\r\n${exposed}${told}`, body)
    // What is in memory takes no time that could be told from none.
    record({ id, method: 'GET', url: req.url as string, ip }, route, status, 0)
    if (!sent) return true
    const { socket } = req
    // A small answer is in the hands of the system at once.
    if (socket.writableLength === 0) sent(body.length)
    else {
      const from = socket.bytesWritten - body.length
      res.once('close', () => sent(bodySent(res, socket, from, body.length)))
    }
    return true
  }

  const [route] = app.server.listeners('request') as ((req: IncomingMessage, res: ServerResponse) => void)[]
  app.server.removeAllListeners('request')
  app.server.on('request', (req, res) => {
    if (!answer(req, res)) route?.call(app.server, req, res)
  })
}

/** How much of a body has left, whole or cut short by the client; `from` is what the socket had written before it. */
export const bodySent = (answer: ServerResponse, socket: Socket, from: number, length: number) =>
  answer.writableFinished
    ? length
    : Math.max(0, Math.min(length, socket.bytesWritten - socket.writableLength - from))

const health = '{"status":"ok"}'
const healthHead = headLines({
  'access-control-allow-origin': '*',
  'content-type': 'application/json; charset=utf-8',
  'content-length': health.length,
})

/** Asked all the time, by whoever watches: neither counted nor logged. */
const answerHealth = (req: IncomingMessage, res: ServerResponse) => {
  sendPrepared(res, 200, `${healthHead}x-request-id: ${requestId(req)}\r\n`, health)
  return true
}

const limitLines = (verdict: Verdict) => headLines(rateLimitHeaders(verdict))

/** The client's address as `trustProxy` proxies in front of us tell it, the nearest one last. */
const addressOf = ({ socket, headers }: IncomingMessage, trustProxy: number) => {
  const own = socket.remoteAddress ?? ''
  const told = headers['x-forwarded-for']
  if (trustProxy === 0 || told === undefined) return own
  const hops = [...String(told).split(','), own].map((hop) => hop.trim())
  return hops.at(-1 - Math.min(trustProxy, hops.length - 1)) as string
}
