import { BlockList, isIP, isIPv6 } from 'node:net'

/** Everything that IANA lists as special, and addresses at which clouds tell a machine its secrets. */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Of the addresses that may be global. Some of them contain an IPv4 address, which could be any. */
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const reserved = new BlockList()
for (const [network, prefix] of special4) reserved.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of special6) reserved.addSubnet(network, prefix, 'ipv6')

/** All others are local, mapped, translated or not assigned. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is on the internet: not on this machine, nor in the operator's network. */
export const isPublicAddress = (address: string) => {
  const version = isIP(address)
  if (version === 4) return !reserved.check(address, 'ipv4')
  return (
    version === 6 && isIPv6(address) && global6.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
  )
}
