import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ListenerName } from '#platform/config.ts'
import { type Limit, rateLimitHeaders, type Verdict } from '#platform/limits/limits.ts'
import type { Platform } from '#platform/platform.ts'
import type { Metrics } from '../metrics.ts'
import { clientAddress } from '../server/client-address.ts'
import type { Shutdown } from '../server/drain.ts'
import type { Exchanges } from '../server/exchanges.ts'
import type { HttpLimits } from '../server/http-limits.ts'
import { protocolFault } from '../server/protocol.ts'
import { bodyMeter, hasBody } from '../server/transport.ts'
import { accessLog } from './access-log.ts'
import { varyByEncoding } from './encodings.ts'
import { commonHeaders, isHttpsMissing, requestId, traceId } from './headers.ts'

/** A response that is in memory as a whole. */
export type FastResponse = {
  /** The pattern of the route that would have sent it. */
  route: string
  status: number
  /** Besides those of every response, of which `undefined` leaves one out. */
  headers: Record<string, string | undefined>
  body: Buffer | string
  /** The same response is also sent in other encodings. */
  isNegotiated?: boolean
  /** Another header that the id of the request is sent in. */
  idHeader?: string
  /** The rate limit that the request counts against, and by which key. */
  limit: Limit
  limitKey: string
  /** Called with the number of bytes of the body that have left us, once no more will. */
  onSent?(bytes: number): void
}

/** Finds the response to a GET without waiting for anything. What it does not find is left to the route. */
export type FindFastResponse = (
  url: string,
  headers: IncomingHttpHeaders,
  ip: string,
  rawHeaders: readonly string[],
) => FastResponse | undefined

type Around = { metrics: Metrics; exchanges: Exchanges; limits: HttpLimits; shutdown: Shutdown }

/**
 * Sends what a service has in memory before the request is routed: routing, hooks and replies of the framework cost
 * more than such a response. It decides nothing that the route would not decide in the same way, and leaves every
 * unusual request to it (`route`).
 */
export const fastPath = (
  name: ListenerName,
  find: FindFastResponse | undefined,
  ctx: Platform,
  { metrics, exchanges, limits, shutdown }: Around,
) => {
  const { config, limiter } = ctx
  const headersFor = commonHeaders(config, config.urls[name])
  const refusesHttp = isHttpsMissing(config)
  const record = accessLog(ctx, metrics)

  const send = (
    req: IncomingMessage,
    res: ServerResponse,
    { route, status, headers, body, isNegotiated, idHeader, limit, onSent }: FastResponse,
    { ip, arrived }: { ip: string; arrived: number },
    verdict: Verdict,
  ) => {
    const id = requestId(req.headers)
    metrics.fastPathResponses.inc()
    const common: FastResponse['headers'] = headersFor(req.headers, id)
    Object.assign(common, headers, rateLimitHeaders(limit, verdict))
    if (idHeader) common[idHeader] = id
    if (isNegotiated) common.vary = varyByEncoding(common.vary)
    res.writeHead(status, flat(common))
    const size = Buffer.byteLength(body)
    res.end(body)
    const over = (sent: number, aborted: boolean) => {
      const ms = performance.now() - arrived
      const [url, trace] = [req.url as string, traceId(req.headers)]
      record({ method: 'GET', url, route, status, id, trace, ip, ms, aborted })
      onSent?.(sent)
    }
    // The operating system has taken a small response at once. Otherwise its client may read slowly, or leave.
    if (res.writableLength === 0) return over(size, false)
    const sent = bodyMeter(req, res, size, size)
    metrics.now.inFlight++
    exchanges.watch(req, res, () => {
      metrics.now.inFlight--
      over(sent(), !res.writableFinished)
    })
  }

  const isUsual = (req: IncomingMessage) =>
    req.method === 'GET' &&
    !hasBody(req) &&
    !refusesHttp(req.headers) &&
    !shutdown.closing &&
    metrics.now.inFlight < limits.inFlight

  return (req: IncomingMessage, res: ServerResponse, routeRequest: () => void) => {
    const arrived = performance.now()
    const ip = clientAddress(req, config.trustProxy)
    const found = isUsual(req) ? find?.(req.url as string, req.headers, ip, req.rawHeaders) : undefined
    if (found && !protocolFault(req)) {
      const settle = (verdict: Verdict) => {
        // A hit that is refused does not count: the route asks again, and responds with 429.
        if (!verdict.allowed) routeRequest()
        // Its client may have left while Redis was asked.
        else if (!res.destroyed) send(req, res, found, { ip, arrived }, verdict)
      }
      const verdict = limiter.hit(found.limit, found.limitKey)
      if (verdict instanceof Promise) verdict.then(settle, routeRequest)
      else settle(verdict)
    } else routeRequest()
  }
}

/** As Node takes headers that it need not keep. */
const flat = (headers: Record<string, string | undefined>) => {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) list.push(name, value)
  }
  return list
}
