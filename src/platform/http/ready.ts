import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { rateLimitHeaders, type Verdict } from '#platform/limits/limits.ts'
import type { Platform } from '#platform/platform.ts'
import { clientAddress, rememberPeer } from './client-address.ts'
import type { Exchanges } from './exchanges.ts'
import { fixedHeaders, requestId } from './headers.ts'
import type { Metrics } from './metrics.ts'
import { type Headers, headLines, headOf, sendPrepared } from './prepared.ts'
import { type Kind, recorder } from './recorder.ts'
import type { App, Lifecycle, Service } from './service.ts'

/** What stays the same of an answer however often it is given: made once, and kept with what it tells. */
export type Prepared = Kind & { status: number; head: string }

/** The route is the one that would have answered. Of the headers that every answer carries, `undefined` leaves one out. */
export type Prepare = (about: { url: string; route: string; status: number; headers: Headers }) => Prepared

/** Finds the answer to a GET, if it is in memory as a whole. */
export type FindReady = (url: string, headers: IncomingHttpHeaders, ip: string) => Ready | undefined

type Ready = {
  prepared: Prepared
  /** Lines of its head that differ each time. */
  lines?: string
  /** What the limit that it was counted against says. */
  verdict?: Verdict
  body: Buffer | string
  /** Told how many bytes of the body have left us, once no more will. */
  sent?(bytes: number): void
}

/**
 * Lets a service answer from memory before a request is routed, which would cost more than the answer itself.
 * Whatever is unusual about a request is left to its route.
 */
export const answerReady = <Context extends Platform>(
  app: App,
  service: Service<Context>,
  ctx: Context,
  { metrics, exchanges, lifecycle }: { metrics: Metrics; exchanges: Exchanges; lifecycle: Lifecycle },
) => {
  const { config } = ctx
  const { trustProxy, allowHttp, corsOrigins } = config
  const { kindOf, record } = recorder(ctx, metrics)
  const fixed = fixedHeaders(config, config.urls[service.name])
  const prepare: Prepare = ({ url, route, status, headers }) => ({
    ...kindOf('GET', url, route, status),
    status,
    head: headOf(status, { ...fixed, ...headers }),
  })
  const find = service.ready?.(ctx, prepare) ?? (() => undefined)

  const health = '{"status":"ok"}'
  const healthHead = headOf(200, {
    ...fixed,
    'access-control-allow-origin': '*',
    'content-type': 'application/json; charset=utf-8',
    'content-length': health.length,
  })
  /** Asked all the time, by whoever watches: neither counted nor logged. */
  const answerHealth = (headers: IncomingHttpHeaders, res: ServerResponse) => {
    sendPrepared(res, 200, `${healthHead}x-request-id: ${requestId(headers)}\r\n`, health)
    return true
  }

  const isUsual = (headers: IncomingHttpHeaders) =>
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers.origin === undefined || corsOrigins === '*') &&
    (trustProxy === 0 || allowHttp || headers['x-forwarded-proto'] === 'https')

  const answer = (req: IncomingMessage, res: ServerResponse): boolean => {
    if (req.method !== 'GET' || !res.shouldKeepAlive || lifecycle.closing) return false
    // Read once: each time costs a look at how far they are parsed.
    const { headers, socket } = req
    if (!isUsual(headers)) return false
    const url = req.url as string
    if (url === '/healthz') return answerHealth(headers, res)
    const ip = clientAddress(socket, headers, trustProxy)
    const found = find(url, headers, ip)
    if (!found) return false
    const id = requestId(headers)
    const { prepared, lines = '', verdict, body, sent } = found
    const exposed = headers.origin === undefined ? '' : 'access-control-expose-headers: *\r\n'
    const told = verdict && !verdict.unlimited ? limitLines(verdict) : ''
    sendPrepared(
      res,
      prepared.status,
      `${prepared.head}x-request-id: ${id}\r\n${lines}${exposed}${told}`,
      body,
    )
    // What is in memory takes no time that could be told from none.
    record(prepared, id, ip, 0, false)
    // A small answer is in the hands of the system at once.
    if (res.writableLength === 0) sent?.(body.length)
    else {
      exchanges.watch(req, res)
      // While it waits for the answer to an earlier request, nothing of it has been written.
      const from = res.socket ? socket.bytesWritten - body.length : Number.POSITIVE_INFINITY
      if (sent) res.once('close', () => sent(bodySent(res, socket, from, body.length)))
    }
    return true
  }

  app.server.on(config.tls ? 'secureConnection' : 'connection', rememberPeer)
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

const limitLines = (verdict: Verdict) => headLines(rateLimitHeaders(verdict))
