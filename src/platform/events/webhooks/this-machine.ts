import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Loopback, and the unspecified address, which connects to it too. */
const always = new BlockList()
always.addSubnet('127.0.0.0', 8, 'ipv4')
always.addSubnet('0.0.0.0', 8, 'ipv4')
always.addAddress('::1', 'ipv6')
always.addAddress('::', 'ipv6')

/** Whether a name or an address leads to this machine, however it is written. */
export const isThisMachine = (host: string) => {
  const version = isIP(host)
  if (version === 0) return /(?:^|\.)localhost\.?$/i.test(host)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (always.check(host, family)) return true
  const own = new BlockList()
  for (const { address, family: of } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    own.addAddress(address, of === 'IPv6' ? 'ipv6' : 'ipv4')
  return own.check(host, family)
}
