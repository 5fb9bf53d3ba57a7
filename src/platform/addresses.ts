import { isIPv4, isIPv6 } from 'node:net'

const hex = (group: number) => group.toString(16)

/** An address as a number of 128 bits; one of IPv4 is the same as where it is mapped into IPv6. */
export const numberOf = (address: string): bigint =>
  groupsOf(isIPv4(address) ? `::ffff:${address}` : address).reduce(
    (sum, group) => (sum << 16n) | BigInt(group),
    0n,
  )

/** The eight groups of an IPv6 address, whose last two may be written as an IPv4 address. */
const groupsOf = (address: string): number[] => {
  const read = (part: string) =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)]
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
          return [a * 256 + b, c * 256 + d]
        })
  const [start = '', end] = address.replace(/%.*$/s, '').split('::')
  const [before, after] = [read(start), read(end ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/**
 * The client that an address belongs to, wherever clients are counted. A customer usually owns a whole /64 of IPv6
 * addresses, so these count as one client. An IPv4 address that is mapped into IPv6 (by a dual-stack socket) counts as
 * the IPv4 address.
 */
export const clientOf = (address: string): string => {
  if (!address.includes(':') || !isIPv6(address)) return address
  const groups = groupsOf(address)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (!isMapped) return `${groups.slice(0, 4).map(hex).join(':')}::/64`
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
