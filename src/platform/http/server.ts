import { readFileSync } from 'node:fs'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { isDisconnect, isTimeout } from '#platform/db/failures.ts'
import { AppError, InvalidInput, unavailable } from '#platform/errors.ts'
import { safeUrl } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import { answerOptions, commonHeaders, requestId, requireHttps } from './headers.ts'
import { idempotent } from './idempotency.ts'
import { createMetrics } from './metrics.ts'
import { describe } from './openapi.ts'
import type { App, Service } from './service.ts'
import { systemRoutes } from './system-routes.ts'
import { parseJson, validatorCompiler } from './validation.ts'

const bodyLimit = 1024 * 1024
const maxInFlight = 2_000
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Makes a server out of a service. Tests and production build it here, in the same way. */
export const buildServer = async <Context extends Platform>(
  service: Service<Context>,
  ctx: Context,
): Promise<App> => {
  const { config, log } = ctx
  const app = Fastify({
    logger: false,
    trustProxy: config.trustProxy > 0 && ((_, hop) => hop < config.trustProxy),
    bodyLimit,
    genReqId: requestId,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 5_000, ignoreTrailingSlash: false },
    // A connection on which nothing moves for this long is given up, whichever side is to blame.
    connectionTimeout: 120_000,
    frameworkErrors: (error, req, reply) => {
      setHeaders(req, reply)
      refuse(error, req, reply)
      answered?.(req, reply)
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return
      const status =
        error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
      const text = { 400: 'Malformed request', 408: 'Request timed out', 431: 'Header fields too large' }[
        status
      ]
      const id = crypto.randomUUID()
      const body = JSON.stringify(service.errorBody(new AppError(status, text), { id }))
      socket.end(
        `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
    ...(config.tls
      ? { https: { cert: readFileSync(config.tls.certPath), key: readFileSync(config.tls.keyPath) } }
      : {}),
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App

  const metrics = createMetrics(service.name)
  const setHeaders = commonHeaders(config, config.urls[service.name])
  const checkProtocol = requireHttps(config)
  const guard = service.guard(ctx)
  const answered = service.answered?.(ctx)
  /** Every path with the methods it understands, whatever method is asked for. */
  const known = findMyWay({ maxParamLength: 5_000 })

  const refuse = (thrown: unknown, req: FastifyRequest, reply: FastifyReply) => {
    const error = publicError(thrown, service as unknown as Service)
    if (error.status >= 500 && error.status !== 503)
      log.error({ err: thrown, reqId: req.id, method: req.method, url: safeUrl(req.url) }, 'request failed')
    else if (error.status === 503) log.debug({ err: thrown, reqId: req.id }, 'unavailable')
    const page = service.errorPage?.(error, req, ctx)
    const type = page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
    reply.code(error.status).headers(error.headers).header('content-type', type)
    reply.removeHeader('etag').removeHeader('content-disposition')
    reply.headers(page?.headers ?? {}).send(page?.html ?? service.errorBody(error, req))
  }

  app.setErrorHandler(refuse)
  app.setNotFoundHandler((req, reply) => {
    const allow = known.find('GET', pathOf(req.url))?.store as string[] | undefined
    if (allow && req.method === 'OPTIONS') return answerOptions(allow)(req, reply)
    refuse(allow ? methodNotAllowed(allow) : new AppError(404, 'Not found'), req, reply)
  })
  app.setValidatorCompiler(validatorCompiler)
  // Answers are built from explicit columns; JSON.stringify is as fast as a compiled serializer and simpler.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.decorateRequest('principal', null)

  /** What every request passes before its guard; health checks are answered whatever the load. */
  const admit = (req: FastifyRequest, reply: FastifyReply) => {
    setHeaders(req, reply)
    if (metrics.now.inFlight >= maxInFlight) {
      metrics.now.refused++
      throw unavailable('Too many requests at once')
    }
    metrics.now.inFlight++
    reply.raw.once('close', release)
    checkProtocol?.(req)
    if ((req.method === 'GET' || req.method === 'HEAD') && hasBody(req)) throw noBodyHere
  }
  const release = () => metrics.now.inFlight--
  const noBodyHere = new AppError(service.statuses.mediaType, 'This request must not have a body')

  app.addHook('onRequest', (req, reply, done) => {
    if (isSystem(req)) {
      reply.header('x-request-id', req.id).header('access-control-allow-origin', '*')
      return done()
    }
    try {
      admit(req, reply)
    } catch (error) {
      return done(error as Error)
    }
    if (req.is404 || req.routeOptions.config.access === 'open') return done()
    Promise.resolve(guard(req, reply)).then(() => done(), done)
  })
  app.addHook('preValidation', (req, _, done) => {
    if (req.body === undefined) return done()
    const takesNone = !req.is404 && req.routeOptions.schema?.body === undefined
    const json = req.headers['content-type']?.startsWith('application/json')
    const refused = takesNone && json && saysSomething(req.body)
    done(refused ? noBodyHere : undefined)
  })
  app.addHook('onResponse', (req, reply, done) => {
    if (!isSystem(req)) {
      const { id: reqId, method, ip } = req
      const [ms, status] = [reply.elapsedTime, reply.statusCode]
      metrics.observe(method, req.routeOptions.url ?? 'unknown', status, ms / 1000)
      log.info({ reqId, method, url: safeUrl(req.url), status, ip, ms: Math.round(ms * 10) / 10 }, 'request')
      answered?.(req, reply)
    }
    done()
  })

  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined && route.method !== 'HEAD')
      throw new Error(`${route.method} ${route.url} does not say who may enter`)
    if (!route.config?.partOfWildcard)
      paths.set(route.url, (paths.get(route.url) ?? new Set()).add(String(route.method)))
    if (route.config?.idempotent)
      route.handler = idempotent(service as unknown as Service, ctx, route.handler, route.config.idempotent)
  })

  describe(app, service as unknown as Service, config)
  await app.register(async (scope) =>
    systemRoutes(scope as unknown as App, service as unknown as Service, ctx, metrics),
  )
  await app.register(async (scope) => {
    for (const module of service.modules) module(scope as unknown as App, ctx)
  })
  for (const [url, found] of paths)
    known.on('GET', url, () => {}, [...methods.filter((method) => found.has(method)), 'OPTIONS'])
  await app.ready()
  return app
}

const isSystem = (req: FastifyRequest) => req.routeOptions.config.access === 'system'

const hasBody = (req: FastifyRequest) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

/** Whether a JSON body holds anything; clients that send `{}` with every request mean no harm. */
const saysSomething = (body: unknown) =>
  Array.isArray(body) ||
  (typeof body === 'object' &&
    body !== null &&
    Object.getPrototypeOf(body) === Object.prototype &&
    Object.keys(body).length > 0)

const pathOf = (url: string) => url.replace(/[?#].*$/s, '')

const methodNotAllowed = (allow: string[]) =>
  new AppError(405, 'Method not allowed', { headers: { allow: allow.join(', ') } })

/** What a client may know of whatever was thrown. */
const publicError = (thrown: unknown, service: Service): AppError => {
  if (thrown instanceof InvalidInput)
    return new AppError(service.statuses.invalid, thrown.message, { details: thrown.details ?? [] })
  if (thrown instanceof AppError) return thrown
  if (isDisconnect(thrown) || isTimeout(thrown)) return unavailable(undefined, thrown)
  const { code, statusCode } = thrown as FastifyError
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError(service.statuses.mediaType, 'Content-Type must be application/json')
  // An address that cannot be decoded names nothing.
  if (code === 'FST_ERR_BAD_URL') return new AppError(404, 'Not found')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError(413, `Body must have at most ${bodyLimit} bytes`)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError(statusCode, (thrown as Error).message)
  return new AppError(500, 'Internal server error', { cause: thrown })
}
