import { readFileSync } from 'node:fs'
import {
  createServer,
  Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  ServerResponse,
} from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { Server as NetServer } from 'node:net'
import type { Config } from '#platform/config.ts'
import { rememberPeer } from './client-address.ts'
import type { HttpLimits } from './http-limits.ts'
import { StreamRequest, StreamResponse } from './http2.ts'
import { inTurn } from './in-turn.ts'

const smallBytes = 8 * 1024

/** Sends a small body as text: Node hands text to the system in one piece with the headers, and a buffer in another. */
class Response extends ServerResponse {
  override end(body?: unknown, encoding?: unknown, done?: unknown): this {
    return Buffer.isBuffer(body) && body.length <= smallBytes && typeof encoding !== 'function'
      ? super.end(body.toString('latin1'), 'latin1', done as () => void)
      : super.end(body, encoding as BufferEncoding, done as () => void)
  }
}

const http1Options = {
  ServerResponse: Response,
  // A request without it is refused by us, in the format of the service.
  requireHostHeader: false,
}

/** How many bytes of bodies may be on their way to us. Node's 64 KiB would limit an upload to that in each round trip. */
const streamWindow = 256 * 1024
const sessionWindow = 1024 * 1024

/** What one connection over HTTP/2 may take up. Node itself ends those that reset streams in quick succession. */
const http2Options = {
  settings: { maxConcurrentStreams: 100, initialWindowSize: streamWindow, enablePush: false },
  /** In megabytes; new streams are refused beyond it. Enough for a response from memory on each stream. */
  maxSessionMemory: 256,
  Http2ServerRequest: StreamRequest,
  Http2ServerResponse: StreamResponse,
}

const sessions = new WeakMap<NetServer, Set<ServerHttp2Session>>()

type Options = Pick<Config, 'tls'> & Pick<HttpLimits, 'idleMs'>

/**
 * Serves HTTP/1, one request of a connection at a time, and over TLS also HTTP/2 to clients that prefer it. Emits `timeout` with a connection on which nothing has
 * moved for `idleMs`.
 */
export const createHttpServer = ({ tls, idleMs }: Options, handle: RequestListener): HttpServer => {
  const listener = inTurn(handle)
  const server = tls ? secureServer(tls, listener) : createServer(http1Options, listener)
  server.on(tls ? 'secureConnection' : 'connection', (socket) => void rememberPeer(socket))
  server.setTimeout(idleMs)
  // Between two requests the same time holds. How long a request may take is decided where its body is read.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  return server
}

const secureServer = ({ certPath, keyPath }: NonNullable<Config['tls']>, listener: RequestListener) => {
  const server: Http2SecureServer = createSecureServer({
    ...{ allowHTTP1: true, http1Options, ...http2Options },
    cert: readFileSync(certPath),
    key: readFileSync(keyPath),
  } as object)
  server.on('request', (req: IncomingMessage | StreamRequest, res) => {
    // Fastify has no hooks for methods that it does not know. Refused like a CONNECT, which has an event of its own.
    if (req instanceof StreamRequest && !req.isKnownMethod) server.emit('connect', req, res)
    else listener(req as IncomingMessage, res as never)
  })
  const open = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    open.add(session)
    session.setLocalWindowSize(sessionWindow)
    rememberPeer(session.socket, session)
    // Node itself emits it only the first time.
    session.on('timeout', () => server.emit('timeout', session))
    session.once('close', () => open.delete(session))
  })
  // Fastify and the rest know it as the server of HTTP/1 that it also is.
  const both = server as unknown as HttpServer
  sessions.set(both, open)
  return both
}

/** Tells the clients of HTTP/2 to send no more requests, and closes each connection when its streams have ended. */
export const closeSessions = (server: NetServer) => {
  for (const session of sessions.get(server) ?? []) session.close()
}

/** Closes all connections, whatever happens on them. */
export const destroyConnections = (server: HttpServer) => {
  // Node has it for the connections of HTTP/1, but only as a method of its server.
  HttpServer.prototype.closeAllConnections.call(server)
  for (const session of sessions.get(server) ?? []) session.destroy()
}
