import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/** The peer address of each connection, recorded when it was accepted: after a reset it is no longer known. */
const peers = new WeakMap<Socket, string>()

const maxLength = 64

/** To be called when a connection is accepted. */
export const rememberPeer = (socket: Socket) => {
  const address = socket.remoteAddress ?? ''
  peers.set(socket, address)
  return address
}

/**
 * The client's address according to the `trustProxy` proxies in front, of which the nearest is listed last. Empty if the
 * connection was closed before its address could be read.
 */
export const clientAddress = (socket: Socket, headers: IncomingHttpHeaders, trustProxy: number): string => {
  const own = peers.get(socket) ?? rememberPeer(socket)
  if (trustProxy === 0) return own
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined) return own
  const hops = String(forwarded).split(',')
  return (hops.at(-Math.min(trustProxy, hops.length)) as string).trim().slice(0, maxLength)
}

/** Whether a request comes from the nearest proxy itself (such as a health check) and not from a client behind it. */
export const isProxyItself = (headers: IncomingHttpHeaders, trustProxy: number) =>
  trustProxy > 0 && headers['x-forwarded-for'] === undefined
