import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { StreamRequest } from './http2.ts'

/** The peer address of each connection, recorded when it was accepted: after a reset it is no longer known. */
const peers = new WeakMap<Socket | ServerHttp2Session, string>()

const maxLength = 64

/** To be called when a connection is accepted. */
export const rememberPeer = (socket: Socket, connection: Socket | ServerHttp2Session = socket) => {
  const address = socket.remoteAddress ?? ''
  peers.set(connection, address)
  return address
}

const peerOf = (req: IncomingMessage | StreamRequest) =>
  req instanceof StreamRequest
    ? (peers.get(req.session) ?? '')
    : (peers.get(req.socket) ?? rememberPeer(req.socket))

/**
 * The client's address according to the `trustProxy` proxies in front, of which the nearest is listed last. Empty if the
 * connection was closed before its address could be read.
 */
export const clientAddress = (req: IncomingMessage, trustProxy: number): string => {
  const own = peerOf(req)
  if (trustProxy === 0) return own
  const forwarded = req.headers['x-forwarded-for']
  if (forwarded === undefined) return own
  const hops = String(forwarded).split(',')
  return (hops.at(-Math.min(trustProxy, hops.length)) as string).trim().slice(0, maxLength)
}

/** Whether a request comes from the nearest proxy itself (such as a health check) and not from a client behind it. */
export const isProxyItself = (headers: IncomingHttpHeaders, trustProxy: number) =>
  trustProxy > 0 && headers['x-forwarded-for'] === undefined
