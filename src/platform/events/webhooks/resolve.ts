import { lookup, Resolver } from 'node:dns/promises'
import { codeOf } from '#platform/errors.ts'

export type Resolve = (name: string) => Promise<string[]>

const resolver = new Resolver({ timeout: 2_000, tries: 2 })
const hasNone = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Asks the name servers. The functions of the operating system would take a thread of the few that also read files and hash
 * passwords, for as long as a stranger's name server pleases.
 */
export const resolvePublic: Resolve = async (name) => {
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const failed = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (addresses.length === 0) throw failed.find((error) => !hasNone.has(codeOf(error))) ?? failed[0]
  return addresses
}

/** Where receivers may be in the operator's network: as the operating system knows names, also from its hosts file. */
export const resolveInside: Resolve = async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address)
