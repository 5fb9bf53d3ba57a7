import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDisconnect, isExhausted, isTimeout } from '#platform/db/failures.ts'
import { AppError, InvalidInput, Unavailable } from '#platform/errors.ts'
import { safeUrl } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Service } from './service.ts'
import { closeGently } from './unread.ts'

/** The largest JSON body; routes that take bytes have limits of their own. */
export const bodyLimit = 1024 * 1024

/** What is told by whoever notices it, and not for each request. */
const temporary = [503, 507]

/** Told of the content that would have been sent, had nothing gone wrong on the way. */
const ofContent = /^(etag|last-modified|accept-ranges|x-meta-.*|content-(disposition|range|length|language))$/

/** How everything that goes wrong is told, in the service's own words, as JSON or as a page. */
export const refusals = (service: Service, ctx: Platform) => {
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
    const error = publicError(thrown, service)
    if (error.status >= 500 && !temporary.includes(error.status))
      log.error({ err: thrown, reqId: req.id, method: req.method, url: safeUrl(req.url) }, 'request failed')
    else if (isExhausted(thrown))
      log.error({ err: thrown, reqId: req.id }, 'the database is out of disk, memory or connections')
    else if (error.status >= 500) log.debug({ err: thrown, reqId: req.id }, 'unavailable')
    if (error.headers.connection === 'close') closeGently(req.raw.socket)
    const page = pageFor(error, req)
    const type = page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
    for (const name of Object.keys(reply.getHeaders())) if (ofContent.test(name)) reply.removeHeader(name)
    reply.header('cache-control', 'no-store').header('content-type', type)
    reply.code(error.status).headers(error.headers)
    reply.headers(page?.headers ?? {}).send(page?.html ?? service.errorBody(error, req))
  }
}

/** What a client may know of whatever was thrown. */
const publicError = (thrown: unknown, { statuses }: Service): AppError => {
  if (thrown instanceof InvalidInput)
    return new AppError(statuses.invalid, thrown.message, { details: thrown.details ?? [] })
  if (thrown instanceof AppError) return thrown
  if (isDisconnect(thrown) || isTimeout(thrown) || isExhausted(thrown))
    return new Unavailable(undefined, thrown)
  const { code, statusCode } = thrown as FastifyError
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError(statuses.mediaType, 'Content-Type must be application/json')
  // An address that cannot be decoded names nothing.
  if (code === 'FST_ERR_BAD_URL') return new AppError(404, 'Not found')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError(413, `Body must have at most ${bodyLimit} bytes`)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError(statusCode, (thrown as Error).message)
  return new AppError(500, 'Internal server error', { cause: thrown })
}

const unreadable: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Header fields too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timed out'],
}

/** What could not be read as a request at all has no route, but gets an answer of the same shape. */
export const refuseUnreadable = (service: Service) => (error: { code?: string }, socket: Socket) => {
  if (!socket.writable) return
  const [status, text] = unreadable[error.code ?? ''] ?? [400, 'Malformed request']
  const id = crypto.randomUUID()
  const body = JSON.stringify(service.errorBody(new AppError(status, text), { id }))
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
