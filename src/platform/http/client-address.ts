import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6, type Socket } from 'node:net'

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

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 address is in, since one host has all of that. */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] as string
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  // An address in dotted form at the end stands for two groups.
  const width = (parts: string[]) => parts.length + (parts.at(-1)?.includes('.') ? 1 : 0)
  const missing = Math.max(0, 8 - width(before) - width(after))
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
