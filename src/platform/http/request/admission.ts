import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { clientOf } from '#platform/addresses.ts'
import { onBehalfOf } from '#platform/db/tenant.ts'
import { AppError, forbidden, Unavailable } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { App } from '../app.ts'
import type { Metrics } from '../metrics.ts'
import { accessLog } from '../response/access-log.ts'
import { commonHeaders, isHttpsMissing, traceId } from '../response/headers.ts'
import { isProxyItself } from '../server/client-address.ts'
import type { Exchange, Exchanges } from '../server/exchanges.ts'
import { type HttpLimits, shareOf } from '../server/http-limits.ts'
import { protocolFault } from '../server/protocol.ts'
import { hasBody } from '../server/transport.ts'
import type { Endpoint } from '../service.ts'

/** 429: nothing is wrong with the server, and others are served meanwhile. */
const tooMany = (whose: string) =>
  new AppError(429, `Too many requests at once ${whose}`, { headers: { 'retry-after': '1' } })
const tooManyOfAddress = tooMany('from your address')
const tooManyOfCredential = tooMany('with your credentials')

const bodyIsGone = new AppError(400, 'The body ended before it was complete')

/** A small body can expand to a large one, so none is expanded. */
const bodyIsEncoded = new AppError(415, 'The body must not be compressed', {
  headers: { 'accept-encoding': 'identity' },
})

/** Routes that take in their body as it comes do not read it, they store it. */
const isEncoded = ({ headers, routeOptions }: FastifyRequest) =>
  headers['content-encoding'] !== undefined &&
  headers['content-encoding'].toLowerCase() !== 'identity' &&
  routeOptions.config?.streamed !== true

/** nginx's status for a client that closed the connection before the response. */
const clientLeft = 499

type Around = {
  /** Called when a response has ended. */
  metrics: Metrics
  exchanges: Exchanges
  limits: HttpLimits
  answered: ((req: FastifyRequest, reply: FastifyReply, status: number) => void) | undefined
  /** What no route is for; only the question what may be asked there goes on. */
  refuseUnknown: (req: FastifyRequest) => void
}

/**
 * What every request of a service passes before its handler: headers, overload, protocol, then the service's own
 * guard, before the body is read. When its response has ended it is counted and logged.
 */
export const admission = <Context extends Platform>(
  app: App,
  service: Endpoint<Context>,
  ctx: Context,
  { metrics, exchanges, limits, answered, refuseUnknown }: Around,
) => {
  const { config } = ctx
  const record = accessLog(ctx, metrics)
  const headersFor = commonHeaders(config, config.urls[service.name])
  const refusesHttp = isHttpsMissing(config)
  const guard = service.guard(ctx)
  const noBodyHere = new AppError(service.statuses.mediaType, 'This request must not have a body')
  // Load tests come from one address.
  const mostOfOne = config.rateLimits ? shareOf(limits) : Number.POSITIVE_INFINITY
  const addresses = tally()
  const credentials = tally()

  const uncount = ({ network, holder }: Exchange) => {
    metrics.now.inFlight--
    if (network !== null) addresses.remove(network)
    if (holder !== null) credentials.remove(holder)
  }
  const over = (exchange: Exchange) => {
    const reply = exchange.reply as FastifyReply
    const req = reply.request
    const status = exchange.decided ? reply.statusCode : clientLeft
    const route = req.routeOptions.url ?? 'unknown'
    const ms = performance.now() - exchange.begun
    const aborted = !reply.raw.writableFinished
    const trace = traceId(req.headers)
    const { method, url, id, ip } = req
    record({ method, url, route, status, id, trace, ip, ms, aborted })
    answered?.(req, reply, status)
  }
  const watcher = { uncount, over }

  /** Counts as in flight until the response has ended or the client has left, and the handler has finished. */
  const account = (req: FastifyRequest, reply: FastifyReply) => {
    const exchange = exchanges.begin(req, reply, watcher)
    metrics.now.inFlight++
    if (isProxyItself(req.headers, config.trustProxy)) return 0
    exchange.network = clientOf(req.ip)
    return addresses.add(exchange.network)
  }

  const refuse = (error: AppError, req: FastifyRequest, reply: FastifyReply) => {
    metrics.refusals.inc()
    // Nothing of its body is wanted.
    if (hasBody(req.raw)) reply.header('connection', 'close')
    throw error
  }

  const admit = (req: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headersFor(req.headers, req.id))
    const ofAddress = account(req, reply)
    if (metrics.now.inFlight > limits.inFlight)
      refuse(new Unavailable('Too many requests at once'), req, reply)
    if (ofAddress > mostOfOne) refuse(tooManyOfAddress, req, reply)
    const fault = protocolFault(req.raw, service)
    if (fault) {
      if (hasBody(req.raw)) reply.header('connection', 'close')
      throw fault
    }
    if (refusesHttp(req.headers)) forbidden('HTTPS is required')
    if ((req.method === 'GET' || req.method === 'HEAD') && hasBody(req.raw)) throw noBodyHere
    // Before the body is read: no route would read or validate it.
    if (req.is404) return refuseUnknown(req)
    return guard(req, reply)
  }

  /** Once the guard knows who asks. */
  const admitHolder = (req: FastifyRequest, reply: FastifyReply) => {
    const { exchange } = req
    // Its client has left, and who waits for the body would wait for ever.
    if (exchange.body && req.raw.destroyed && !req.raw.readableEnded) throw bodyIsGone
    if (exchange.body && isEncoded(req)) throw bodyIsEncoded
    if (req.principal === null || mostOfOne === Number.POSITIVE_INFINITY) return
    exchange.holder = service.repeatScope(req)
    if (credentials.add(exchange.holder) > mostOfOne) refuse(tooManyOfCredential, req, reply)
  }

  app.addHook('onRequest', (req, reply, done) => {
    const enter = () => {
      try {
        admitHolder(req, reply)
        done()
      } catch (error) {
        done(error as Error)
      }
    }
    try {
      const pending = admit(req, reply)
      if (pending === undefined) enter()
      else pending.then(enter, done)
    } catch (error) {
      done(error as Error)
    }
  })

  /** Whoever is not signed in is known by address, as far as addresses are told apart. */
  const tenantOf = (req: FastifyRequest) => {
    if (req.principal !== null) return service.tenantOf(req)
    return mostOfOne === Number.POSITIVE_INFINITY ? null : req.exchange.network
  }
  // Not before the body is read, which would lose it.
  app.addHook('preHandler', (req, _reply, done) => onBehalfOf(tenantOf(req), done))

  /** Clients that send `{}` with every request mean no harm; anything more was meant for something else. */
  const refuseBody = (req: FastifyRequest, _: FastifyReply, done: (error?: Error) => void) => {
    const json = req.headers['content-type']?.startsWith('application/json')
    done(json && saysSomething(req.body) ? noBodyHere : undefined)
  }
  app.addHook('onRoute', (route: RouteOptions) => {
    const takesNone = (route.schema as { body?: unknown } | undefined)?.body === undefined
    if (takesNone && route.method !== 'GET' && route.method !== 'HEAD')
      route.preValidation = [refuseBody, ...[route.preValidation ?? []].flat()]
  })
}

/** Whether a JSON body holds anything. */
const saysSomething = (body: unknown) =>
  Array.isArray(body) ||
  (typeof body === 'object' &&
    body !== null &&
    Object.getPrototypeOf(body) === Object.prototype &&
    Object.keys(body).length > 0)

/** How many there are of each. */
const tally = () => {
  const counts = new Map<string, number>()
  return {
    add(name: string) {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return count
    },
    remove(name: string) {
      const count = (counts.get(name) ?? 0) - 1
      if (count > 0) counts.set(name, count)
      else counts.delete(name)
    },
  }
}
