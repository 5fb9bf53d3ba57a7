import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'
import { isDisconnect, isExhausted, isTimeout } from '#platform/db/failures.ts'
import { AppError, InvalidInput, Unavailable } from '#platform/errors.ts'
import { safeUrl } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import { StreamResponse } from '../server/http2.ts'
import { methodNotImplemented, type ParserError, parserFault } from '../server/protocol.ts'
import { closeGently } from '../server/unread-body.ts'
import type { Endpoint } from '../service.ts'
import { fixedHeaders } from './headers.ts'

/** The maximum size of a JSON body. Routes that accept bytes have limits of their own. */
export const bodyLimit = 1024 * 1024

/** The same without credentials. Parsing more would keep everybody else waiting for whoever likes. */
export const bodyLimitOfStrangers = 16 * 1024

/**
 * No faults of ours: what is not implemented, versions of HTTP that are not spoken, and conditions that are logged where
 * they are noticed.
 */
const expected = [501, 503, 505, 507]

/** Headers that describe the content that would have been sent without the error. */
const contentHeaders =
  /^(etag|last-modified|accept-ranges|x-meta-.*|content-(disposition|range|length|language|encoding))$/

/** Turns errors into responses in the format of the service, as JSON or as a page. */
export const errorHandler = (service: Endpoint, ctx: Platform) => {
  const { log } = ctx
  /** A page that cannot be rendered must not take the place of the error itself. */
  const pageFor = (error: AppError, req: FastifyRequest) => {
    try {
      return service.errorPage?.(error, req, ctx)
    } catch (err) {
      log.error({ err, reqId: req.id }, 'error page failed')
      return undefined
    }
  }
  return (thrown: unknown, req: FastifyRequest, reply: FastifyReply) => {
    const error = publicError(thrown, service, req)
    if (error.status >= 500 && !expected.includes(error.status))
      log.error({ err: thrown, reqId: req.id, method: req.method, url: safeUrl(req.url) }, 'request failed')
    else if (isExhausted(thrown))
      log.error({ err: thrown, reqId: req.id }, 'the database is out of disk, memory or connections')
    else if (error.status >= 500) log.debug({ err: thrown, reqId: req.id }, 'unavailable')
    if (error.headers.connection === 'close') closeGently(req.raw)
    for (const name of Object.keys(reply.getHeaders()))
      if (contentHeaders.test(name)) reply.removeHeader(name)
    const document = service.errorDocument?.(error, req)
    if (document) {
      const { status, headers, body } = document
      reply
        .code(status)
        .headers({ 'cache-control': 'no-store', ...error.headers, ...headers })
        .send(body)
      return
    }
    const page = pageFor(error, req)
    const type = page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
    reply.header('cache-control', 'no-store').header('content-type', type)
    if (service.errorPage) reply.header('vary', withAccept(reply.getHeader('vary')))
    if (error.status === 401) reply.header('www-authenticate', `Bearer realm="${service.title}"`)
    reply.code(error.status).headers(error.headers)
    reply.headers(page?.headers ?? {}).send(page?.html ?? service.errorBody(error, req))
  }
}

/** Whether an error is a page depends on what the client accepts. */
const withAccept = (vary: unknown) => (vary === undefined ? 'Accept' : `${vary}, Accept`)

/** What a client may know about an error. */
const publicError = (thrown: unknown, { statuses }: Endpoint, req: FastifyRequest): AppError => {
  if (thrown instanceof InvalidInput) {
    const { message, code, details } = thrown
    return new AppError(statuses.invalid, message, { code, details: details ?? [] })
  }
  if (thrown instanceof AppError) return thrown
  if (isDisconnect(thrown) || isTimeout(thrown) || isExhausted(thrown))
    return new Unavailable(undefined, thrown)
  const { code, statusCode } = thrown as FastifyError
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError(statuses.mediaType, 'Content-Type must be application/json')
  // A URL that cannot be decoded does not refer to anything.
  if (code === 'FST_ERR_BAD_URL') return new AppError(404, 'Not found')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError(413, `Body must have at most ${req.routeOptions.bodyLimit ?? bodyLimit} bytes`)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError(statusCode, (thrown as Error).message)
  return new AppError(500, 'Internal server error', { cause: thrown })
}

/** For what could not be parsed as a request: it has no route, but gets a response of the same format. */
export const clientErrorHandler =
  (service: Endpoint, { config }: Platform) =>
  (error: ParserError, socket: Duplex) => {
    if (socket.writable) socket.end(rawResponse(service, config, parserFault(error)))
  }

const bareResponse = (service: Endpoint, config: Config, error: AppError) => {
  const id = crypto.randomUUID()
  const document = service.errorDocument?.(error, { id })
  const body = document?.body ?? JSON.stringify(service.errorBody(error, { id }))
  const headers = {
    ...fixedHeaders(config, config.urls[service.name]),
    date: new Date().toUTCString(),
    'x-request-id': id,
    'content-type': document?.headers['content-type'] ?? 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }
  return { status: document?.status ?? error.status, headers, body }
}

const rawResponse = (service: Endpoint, config: Config, error: AppError) => {
  const { status, headers, body } = bareResponse(service, config, error)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/** CONNECT asks for a tunnel, which is what proxies are for. */
export const refuseTunnel =
  (service: Endpoint, { config }: Platform) =>
  (_req: unknown, client: Duplex | StreamResponse) => {
    if (client instanceof StreamResponse) {
      const { status, headers, body } = bareResponse(service, config, methodNotImplemented)
      client.writeHead(status, headers)
      client.end(body)
      return
    }
    client.on('error', () => {})
    client.end(rawResponse(service, config, methodNotImplemented))
  }
