import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { clientOf } from '#platform/addresses.ts'
import { accessLog } from '#platform/http/response/access-log.ts'
import { isNotModified } from '#platform/http/response/conditional.ts'
import { minCompressedBytes, varyByEncoding } from '#platform/http/response/encodings.ts'
import { commonHeaders, isHttpsMissing, requestId, traceId } from '#platform/http/response/headers.ts'
import { clientAddress } from '#platform/http/server/client-address.ts'
import { protocolFault } from '#platform/http/server/protocol.ts'
import { hasBody } from '#platform/http/server/transport.ts'
import type { BeforeRouting } from '#platform/http/service.ts'
import { rateLimitHeaders, type Verdict } from '#platform/limits/limits.ts'
import { limits } from '../access.ts'
import type { Publishing } from '../context.ts'
import { responses } from './cache.ts'
import { contentIn, isAtHand, negotiate } from './cached-response.ts'
import { notIn304 } from './send.ts'

/** A response that is in memory as a whole. */
type FastResponse = {
  /** The pattern of the route that would have sent it. */
  route: string
  status: number
  /** Besides those of every response, of which `undefined` leaves one out. */
  headers: Record<string, string | undefined>
  body: Buffer | string
  /** The same response is also sent in other encodings. */
  isNegotiated: boolean
}

const withoutThese = Object.fromEntries(notIn304.map((name) => [name, undefined]))

/** What is in the cache for readers without credentials, as `sendCached` would send it. */
const find = (ctx: Publishing, url: string, headers: IncomingHttpHeaders): FastResponse | undefined => {
  const response = headers.authorization === undefined ? responses(ctx).find(url) : undefined
  // A precondition can fail, and errors are not for the fast path.
  const isPlain = headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined
  if (!response || !isPlain) return undefined
  const { encoding, version, shared } = negotiate(response, headers)
  const common = { route: response.route, isNegotiated: response.size >= minCompressedBytes }
  if (version && isNotModified(headers, version))
    return { ...common, status: 304, headers: { ...shared, ...withoutThese }, body: '' }
  const content = isAtHand(response, encoding) && contentIn(response, encoding)
  // The route waits until it is compressed. Later readers find it here.
  if (!content || content instanceof Promise) return undefined
  return { ...common, status: 200, headers: { ...shared, ...content.headers }, body: content.body }
}

/**
 * Sends what is in memory before the request is routed: routing, hooks and replies of the framework cost more than such a
 * response. It decides nothing that the route would not decide in the same way, and leaves every unusual request to it.
 */
export const fastPath = (
  ctx: Publishing,
  { metrics, exchanges, limits: { inFlight }, shutdown }: Parameters<BeforeRouting<Publishing>>[1],
): ReturnType<BeforeRouting<Publishing>> => {
  const { config, limiter } = ctx
  const headersFor = commonHeaders(config, config.urls.publishing)
  const refusesHttp = isHttpsMissing(config)
  const record = accessLog(ctx, metrics)

  const send = (
    req: IncomingMessage,
    res: ServerResponse,
    { route, status, headers, body, isNegotiated }: FastResponse,
    { ip, arrived }: { ip: string; arrived: number },
    verdict: Verdict,
  ) => {
    const id = requestId(req.headers)
    metrics.fastPathResponses.inc()
    const common: FastResponse['headers'] = headersFor(req.headers, id)
    Object.assign(common, headers, rateLimitHeaders(limits.reads, verdict))
    if (isNegotiated) common.vary = varyByEncoding(common.vary)
    res.writeHead(status, flat(common))
    res.end(body)
    const over = (aborted: boolean) => {
      const ms = performance.now() - arrived
      const [url, trace] = [req.url as string, traceId(req.headers)]
      record({ method: 'GET', url, route, status, id, trace, ip, ms, aborted })
    }
    // The operating system has taken a small response at once. Otherwise its client may read slowly, or leave.
    if (res.writableLength === 0) return over(false)
    metrics.now.inFlight++
    exchanges.watch(req, res, () => {
      metrics.now.inFlight--
      over(!res.writableFinished)
    })
  }

  const isUsual = (req: IncomingMessage) =>
    req.method === 'GET' &&
    !hasBody(req) &&
    !refusesHttp(req.headers) &&
    !shutdown.closing &&
    metrics.now.inFlight < inFlight

  return (req, res, routeRequest) => {
    const arrived = performance.now()
    const found = isUsual(req) ? find(ctx, req.url as string, req.headers) : undefined
    if (!found || protocolFault(req)) return routeRequest()
    const ip = clientAddress(req, config.trustProxy)
    const settle = (verdict: Verdict) => {
      // A hit that is refused does not count: the route asks again, and responds with 429.
      if (!verdict.allowed) routeRequest()
      // Its client may have left while Redis was asked.
      else if (!res.destroyed) send(req, res, found, { ip, arrived }, verdict)
    }
    const verdict = limiter.hit(limits.reads, clientOf(ip))
    if (verdict instanceof Promise) verdict.then(settle, routeRequest)
    else settle(verdict)
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
