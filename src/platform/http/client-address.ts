import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/** Who is at the other end of each connection, as it was when that came: after a reset nobody can tell any more. */
const peers = new WeakMap<Socket, string>()

const longest = 64

/** To be called when a connection comes. */
export const rememberPeer = (socket: Socket) => {
  const address = socket.remoteAddress ?? ''
  peers.set(socket, address)
  return address
}

/**
 * The client's address as `trustProxy` proxies in front of us tell it, the nearest one last; empty if it is not
 * known, because the connection was gone before anybody could ask.
 */
export const clientAddress = (socket: Socket, headers: IncomingHttpHeaders, trustProxy: number): string => {
  const own = peers.get(socket) ?? rememberPeer(socket)
  if (trustProxy === 0) return own
  const told = headers['x-forwarded-for']
  if (told === undefined) return own
  const hops = String(told).split(',')
  return (hops.at(-Math.min(trustProxy, hops.length)) as string).trim().slice(0, longest)
}

/** Whether the address is that of the nearest proxy itself, which speaks for many clients. */
export const isProxyItself = (headers: IncomingHttpHeaders, trustProxy: number) =>
  trustProxy > 0 && headers['x-forwarded-for'] === undefined
