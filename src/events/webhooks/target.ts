import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Config } from '#platform/config.ts'
import { codeOf } from '#platform/errors.ts'
import { singleFlightByKey } from '#platform/single-flight.ts'
import { isPublicAddress } from './public-addresses.ts'

/** Where a delivery may not go, and why, in words that follow the name of the field. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}
const refuse = (reason: string): never => {
  throw new RefusedTarget(reason)
}

/** Where to send: the port, and the name or the address in the URL. */
export type Target = { url: URL; host: string; port: number }

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

type Resolve = (name: string) => Promise<string[]>

const resolver = new Resolver({ timeout: 2_000, tries: 2 })
const hasNone = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Asks the name servers. The functions of the operating system would take a thread of the few that also read files and hash
 * passwords, for as long as a stranger's name server pleases.
 */
const resolvePublic: Resolve = async (name) => {
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const failed = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (addresses.length === 0) throw failed.find((error) => !hasNone.has(codeOf(error))) ?? failed[0]
  return addresses
}

/** Where receivers may be in the operator's network: as the operating system knows names, also from its hosts file. */
const resolveInside: Resolve = async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address)

/** Loopback, and the unspecified address, which connects to it too. */
const always = new BlockList()
always.addSubnet('127.0.0.0', 8, 'ipv4')
always.addSubnet('0.0.0.0', 8, 'ipv4')
always.addAddress('::1', 'ipv6')
always.addAddress('::', 'ipv6')

/** Whether a name or an address leads to this machine, however it is written. */
const isThisMachine = (host: string) => {
  const version = isIP(host)
  if (version === 0) return /(?:^|\.)localhost\.?$/i.test(host)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (always.check(host, family)) return true
  const own = new BlockList()
  for (const { address, family: of } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    own.addAddress(address, of === 'IPv6' ? 'ipv6' : 'ipv4')
  return own.check(host, family)
}

/** Checks where webhooks go: when they are created or changed, and again before each attempt. */
export const createTargets = (
  config: Config,
  resolve: Resolve = config.webhooksAllowPrivate ? resolveInside : resolvePublic,
) => {
  const { webhooksAllowPrivate: mayBePrivate } = config
  const resolving = singleFlightByKey<string[]>()

  /** Read each time: the port of a server is known only when it listens. Behind a proxy its own address is another one. */
  const isOurs = (host: string, port: number) => {
    const own = Object.values(config.urls).map((url) => new URL(url))
    if (own.some((url) => hostOf(url) === host && portOf(url) === port)) return true
    const isOwnPort =
      Object.values(config.ports).includes(port) ||
      own.some((url) => portOf(url) === port && isThisMachine(hostOf(url)))
    return isOwnPort && isThisMachine(host)
  }

  const check = (text: string): Target => {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol))
      return refuse('must be a web address that begins with https://')
    if (url.protocol === 'http:' && !mayBePrivate) refuse('must begin with https://')
    if (url.username || url.password) refuse('must not contain credentials')
    const [host, port] = [hostOf(url), portOf(url)]
    if (port < 1024 && port !== 80 && port !== 443)
      refuse('must not name a port below 1024 other than 80 and 443')
    if (isOurs(host, port)) refuse('must not be an address of this server')
    if (isIP(host) > 0 ? !isPublicAddress(host) : /(?:^|\.)localhost\.?$/i.test(host))
      if (!mayBePrivate) refuse('must not be a private address')
    return { url, host, port }
  }

  return {
    /** Throws `RefusedTarget` unless this may be the address of a webhook. Names are resolved only when it is used. */
    check,
    /** The addresses to connect to, all of which have been checked. A name may have got others since it was created. */
    async resolve(text: string) {
      const { url, host, port } = check(text)
      const addresses = isIP(host) > 0 ? [host] : await resolving.run(host, () => resolve(host))
      if (addresses.length === 0) refuse('has no address')
      for (const address of addresses) {
        if (!mayBePrivate && !isPublicAddress(address))
          refuse(`resolves to ${address}, which is a private address`)
        if (isOurs(address, port)) refuse('resolves to an address of this server')
      }
      return { url, host, port, addresses }
    },
  }
}
export type Targets = ReturnType<typeof createTargets>
