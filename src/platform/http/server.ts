import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyRequest, type RouteOptions } from 'fastify'
import findMyWay from 'find-my-way'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { App } from './app.ts'
import { idempotent } from './contract/idempotency.ts'
import { isPaged, linking } from './contract/links.ts'
import { locating } from './contract/location.ts'
import { registerOpenApi } from './contract/openapi/openapi.ts'
import { actionOf, recorded } from './contract/recorded.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { systemRoutes } from './pages/system.ts'
import { admission } from './request/admission.ts'
import { parseJson, validatorCompiler } from './request/validation.ts'
import { compressResponses } from './response/compression.ts'
import {
  bodyLimit,
  bodyLimitOfStrangers,
  clientErrorHandler,
  errorHandler,
  refuseTunnel,
} from './response/errors.ts'
import { answerOptions, commonHeaders, requestId } from './response/headers.ts'
import { protectPages } from './response/page-headers.ts'
import { scoped } from './scope.ts'
import { clientAddress } from './server/client-address.ts'
import type { Shutdown } from './server/drain.ts'
import { createExchanges, type Exchanges } from './server/exchanges.ts'
import { type HttpLimits, httpLimits } from './server/http-limits.ts'
import { createHttpServer } from './server/http-server.ts'
import { continueWhenRead } from './server/unread-body.ts'
import type { Endpoint, Service } from './service.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const maxParamLength = 5_000

/** `metrics` are shared by all servers of a service; without them, the server has its own. */
export type ServerOptions = { limits: HttpLimits; shutdown: Shutdown; metrics?: Metrics }
const defaults: ServerOptions = { limits: httpLimits, shutdown: { leaving: false, closing: false } }

type Around = { metrics: Metrics; exchanges: Exchanges; shutdown: Shutdown }

/** Makes a server out of a service. Tests and production build it here, in the same way. */
export const buildServer = <Context extends Platform>(
  of: Service<Context>,
  ctx: Context,
  options: ServerOptions = defaults,
): Promise<App> => {
  const service = of as unknown as Service
  return buildEndpoint(of, ctx, options, async (app, around) => {
    registerOpenApi(app, service, ctx.config)
    app.addHook('onRoute', (route) => {
      if (isForStrangers(service, route)) route.bodyLimit ??= bodyLimitOfStrangers
    })
    // Health and documents are outside: served under any load, neither counted nor logged.
    await scoped(app, (scope) => systemRoutes(scope, service, ctx, around))
  })
}

/** The same for what has neither health checks nor documents of its own. */
export const buildEndpoint = async <Context extends Platform>(
  of: Endpoint<Context>,
  ctx: Context,
  { limits, shutdown, metrics = createMetrics(of.name, ctx, of.measured?.(ctx)) }: ServerOptions,
  declareOpen?: (app: App, around: Around) => Promise<void>,
): Promise<App> => {
  const service = of as unknown as Endpoint
  const { config } = ctx
  const refuse = errorHandler(service, ctx)
  const headersFor = commonHeaders(config, config.urls[service.name])
  const answered = of.answered?.(ctx)
  const app = Fastify({
    logger: false,
    bodyLimit,
    genReqId: ({ headers }) => requestId(headers),
    forceCloseConnections: 'idle',
    // Requests on connections that were kept open are still served; the response says that the connection closes.
    return503OnClosing: false,
    routerOptions: { maxParamLength, ignoreTrailingSlash: false },
    frameworkErrors: (error, req, reply) => {
      exchanges.begin(req, reply)
      reply.headers(headersFor(req.headers, req.id))
      refuse(error, req, reply)
      answered?.(req, reply, reply.statusCode)
    },
    clientErrorHandler: clientErrorHandler(service, ctx),
    serverFactory: (handler) =>
      createHttpServer({ tls: config.tls, idleMs: limits.idleMs }, (req, res) => {
        ctx.signals.catchUp()
        if (beforeRouting) beforeRouting(req, res, () => handler(req, res))
        else handler(req, res)
      }),
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App

  app.server.on('checkContinue', continueWhenRead(app.server))
  // Refused like any other request, see `protocolFault`.
  app.server.on('checkExpectation', (req, res) => app.server.emit('request', req, res))
  app.server.on('connect', refuseTunnel(service, ctx))

  app.setErrorHandler(refuse)
  app.setValidatorCompiler(validatorCompiler)
  // Responses are built from explicit columns; JSON.stringify is as fast as a compiled serializer, and simpler.
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
  app.decorate('metrics', metrics)
  // Replaces Fastify's own, which reads the address from the socket each time and finds none after a reset.
  app.decorateRequest('ip', {
    getter() {
      return clientAddress(this.raw, config.trustProxy)
    },
  })
  const exchanges = createExchanges(app, limits)
  const beforeRouting = of.beforeRouting?.(ctx, { metrics, exchanges, limits, shutdown })
  app.addHook('onSend', (_req, reply, _payload, done) => {
    if (shutdown.closing) reply.header('connection', 'close')
    done()
  })

  protectPages(app, config.urls[service.name])
  compressResponses(app)

  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    checkWords(service, route)
    if (!route.config?.partOfWildcard)
      paths.set(route.url, new Set([...(paths.get(route.url) ?? []), ...[route.method].flat()]))
    const action = service.recorder && actionOf(service.recorder, route)
    if (service.recorder && action) route.handler = recorded(ctx, service.recorder, action, route.handler)
    if (route.config?.idempotent)
      route.handler = idempotent(service, ctx, route.handler, route.config.idempotent)
    if (isPaged(route) && !route.schema?.hide) route.handler = linking(route.handler)
    if (route.config?.created)
      route.handler = locating(route.config.created, config.urls[service.name], route.handler)
  })

  /** Every path with its methods, whichever is asked for. */
  const known = findMyWay({ maxParamLength })
  const methodsAt = (req: FastifyRequest) => known.find('GET', pathOf(req.url))?.store as string[] | undefined
  const refuseUnknown = (req: FastifyRequest) => {
    const allow = methodsAt(req)
    if (isPreflight(req)) return
    if (!allow) throw new AppError(404, 'Not found')
    if (req.method !== 'OPTIONS') throw methodNotAllowed(allow)
  }

  await declareOpen?.(app, { metrics, exchanges, shutdown })
  await scoped(app, (scope) => {
    admission(scope, of, ctx, { metrics, exchanges, limits, answered, refuseUnknown })
    scope.setNotFoundHandler((req, reply) => answerOptions(methodsAt(req) ?? methods)(req, reply))
    for (const module of of.modules) module(scope, ctx)
  })
  for (const [url, found] of paths)
    known.on('GET', url, () => {}, [...methods.filter((method) => found.has(method)), 'OPTIONS'])
  await app.ready()
  return app
}

/** Whoever sends it, its body is read. */
const isForStrangers = ({ security }: Service, { config }: RouteOptions) =>
  config?.streamed !== true && config?.access !== 'system' && security(config?.access ?? '').length === 0

/** An access word that the guard does not know must not reach it: it might let everybody in. */
const checkWords = ({ words }: Endpoint, { method, url, config }: RouteOptions) => {
  if (method === 'HEAD' || config?.access === 'system') return
  const { access = '', limit } = config ?? {}
  if (!words.access.includes(access)) throw new Error(`${method} ${url}: there is no access word "${access}"`)
  if (limit !== undefined && !words.limits.includes(limit))
    throw new Error(`${method} ${url}: there is no limit "${limit}"`)
}

const pathOf = (url: string) => url.replace(/[?#].*$/s, '')

/** A browser reports what it asks for as refused by CORS if this is refused, even if there is nothing at this path. */
const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

const methodNotAllowed = (allow: string[]) =>
  new AppError(405, 'Method not allowed', { headers: { allow: allow.join(', ') } })
