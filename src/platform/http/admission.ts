import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError, unavailable } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { commonHeaders, requireHttps } from './headers.ts'
import type { Metrics } from './metrics.ts'
import { recorder } from './recorder.ts'
import type { App, Service } from './service.ts'

const maxInFlight = 2_000

type Around = {
  /** Who is told when an answer is over. */
  metrics: Metrics
  answered: ((req: FastifyRequest, reply: FastifyReply) => void) | undefined
  /** What no route is for; only the question what may be asked there goes on. */
  refuseUnknown: (req: FastifyRequest) => void
}

/**
 * What every request of a service passes before its handler: headers, overload, protocol, then the service's own
 * guard, before the body is read. When its answer is gone it is counted and logged.
 */
export const admission = <Context extends Platform>(
  app: App,
  service: Service<Context>,
  ctx: Context,
  { metrics, answered, refuseUnknown }: Around,
) => {
  const { config } = ctx
  const { kindOf, record } = recorder(ctx, metrics)
  const setHeaders = commonHeaders(config, config.urls[service.name])
  const checkProtocol = requireHttps(config)
  const guard = service.guard(ctx)
  const noBodyHere = new AppError(service.statuses.mediaType, 'This request must not have a body')

  /** Counted until the answer, or its reader, is gone. */
  const account = (req: FastifyRequest, reply: FastifyReply) => {
    const begun = performance.now()
    metrics.now.inFlight++
    reply.raw.once('close', () => {
      metrics.now.inFlight--
      const ms = performance.now() - begun
      const route = req.routeOptions.url ?? 'unknown'
      record(kindOf(req.method, req.url, route, reply.raw.statusCode), req.id, req.ip, ms)
      answered?.(req, reply)
    })
  }

  const admit = (req: FastifyRequest, reply: FastifyReply) => {
    setHeaders(req, reply)
    account(req, reply)
    if (metrics.now.inFlight > maxInFlight) {
      metrics.now.refused++
      throw unavailable('Too many requests at once')
    }
    checkProtocol?.(req)
    if ((req.method === 'GET' || req.method === 'HEAD') && hasBody(req)) throw noBodyHere
    // Before its body is read: nobody here could make anything of it, nor find fault with it.
    if (req.is404) return refuseUnknown(req)
    return req.routeOptions.config.access === 'open' ? undefined : guard(req, reply)
  }

  app.addHook('onRequest', (req, reply, done) => {
    try {
      const pending = admit(req, reply)
      if (pending === undefined) done()
      else pending.then(() => done(), done)
    } catch (error) {
      done(error as Error)
    }
  })

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

const hasBody = (req: FastifyRequest) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

/** Whether a JSON body holds anything. */
const saysSomething = (body: unknown) =>
  Array.isArray(body) ||
  (typeof body === 'object' &&
    body !== null &&
    Object.getPrototypeOf(body) === Object.prototype &&
    Object.keys(body).length > 0)
