import type { Request } from '../load.ts'
import { prepare, upload } from '../storage/account.ts'
import type { Trivet } from '../system.ts'

const size = 4096
const hotObjects = 200
/** One request in ten is an upload; every second one replaces an object that is being read. */
const mixLength = 1000

/** Small objects of one bucket, read and written with an API key. */
export const storageRequests = async (trivet: Trivet) => {
  const { headers, root } = await prepare(trivet, 'mixed')
  const get = (n: number): Request => ({ url: `${root}/hot-${n}`, headers })
  const put = (key: string): Request => ({
    url: `${root}/${key}`,
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: 'b'.repeat(size),
  })
  for (let n = 0; n < hotObjects; n++) await upload(`${root}/hot-${n}`, headers, size)
  const mix = Array.from({ length: mixLength }, (_, n) => {
    if (n % 10 !== 9) return get((n * 7) % hotObjects)
    return put(n % 20 === 9 ? `hot-${n % hotObjects}` : `cold-${n}`)
  })
  return { hotObject: get(0), priceList: { url: `${trivet.urls.storage}/billing/tiers`, headers }, mix }
}
