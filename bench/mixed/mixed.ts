import { bareServer } from '../bare.ts'
import { cpuPerRequest } from '../cpu.ts'
import { load, type Request } from '../load.ts'
import { compareCost, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'
import { publishingRequests } from './publishing.ts'
import { storageRequests } from './storage.ts'

/** The same requests to another server. */
const sentTo = (base: string, requests: Request[]) =>
  requests.map(({ url, ...rest }) => {
    const { pathname, search } = new URL(url)
    return { ...rest, url: base + pathname + search }
  })

const cost = (pid: number, variants: Request[]) => (seconds: number) =>
  cpuPerRequest(pid, () => load({ url: (variants[0] as Request).url, variants, seconds }))

/**
 * CPU time of the server process per request, beside that of a bare `node:http` server which sends the same bytes for
 * the same requests. The database is not counted, nor are rate limits: they are off in all benchmarks. A mix
 * with writes shows what is left of the speed of reads when something changes all the time.
 */
export const mixedWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const storage = await storageRequests(trivet)
  const publishing = await publishingRequests(trivet)
  for (const [name, requests] of [
    ['one post', [publishing.post]],
    ['one feed (RSS, 20 items)', [publishing.feed]],
    ['one hot object of 4 KiB', [storage.hotObject]],
    ['an ordinary route: GET /billing/tiers', [storage.priceList]],
    ['publishing: 10 % writes', publishing.mix],
    ['storage: 10 % uploads', storage.mix],
  ] as const) {
    const bare = await bareServer(...requests)
    try {
      yield await compareCost({
        name,
        limit: 'bare node:http, the same bytes',
        subject: cost(trivet.pid, [...requests]),
        against: cost(bare.pid, sentTo(bare.url, [...requests])),
      })
    } finally {
      bare.stop()
    }
  }
}
