import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'
import { prepare } from './account.ts'
import { fillBucket } from './crowd.ts'

const pages = {
  page: 'limit=100',
  prefix: 'prefix=dept-007/&limit=50',
  'prefix of all': 'prefix=dept-&limit=50',
  folders: 'delimiter=/&limit=100',
  'inside a folder': 'prefix=dept-007/&delimiter=/&limit=50',
  'search, common': 'search=report&limit=50',
  'search, rare': 'search=rare&limit=50',
  'search, nothing': 'search=no-such-key&limit=50',
}
const forms = ['R', 'S']

/** Pages of a bucket of a million objects against the same pages of one of ten thousand: at most 1.5 times as slow. */
export const listingWorkloads = async function* (trivet: Trivet): AsyncGenerator<Result> {
  const { urls, database } = trivet
  const { headers } = await prepare(trivet, 'listing')
  const bucketOf = async (count: number) => {
    const { id } = (await call('POST', `${urls.storage}/buckets`, { name: `b${count}` }, headers)) as {
      id: string
    }
    await fillBucket(database, id, count)
    return `${urls.storage}/buckets/${id}/objects`
  }
  const small = await bucketOf(10_000)
  const large = await bucketOf(1_000_000)
  for (const form of forms)
    for (const [name, query] of Object.entries(pages)) {
      const rate = (url: string) => async (seconds: number) => {
        const all = { ...headers, 'x-api-form': form }
        const { perSecond } = await load({
          url: `${url}?${query}`,
          headers: all,
          connections: 8,
          seconds,
        })
        return perSecond
      }
      yield await compare(
        {
          name: `list ${name} (${form}), 1 million`,
          limit: 'the same of 10,000 objects',
          subject: rate(large),
          against: rate(small),
        },
        3,
        1,
      )
    }
}
