import { bytes } from '#web/components/format.ts'
import type { Found } from '#web/frame/console.ts'
import { queries } from '#web/frame/queries.ts'
import { api, type Bucket } from './api.ts'
import { bucketsQuery } from './buckets/queries.ts'

/** How many are shown, and in how many buckets objects are searched for. */
const most = { buckets: 8, objects: 8, ofBucket: 5, searched: 100 }
const atOnce = 5

const objectsIn = async ({ id, name }: Bucket, text: string, signal: AbortSignal): Promise<Found[]> => {
  try {
    const { data } = await api.GET('/buckets/{bucketId}/objects', {
      params: { path: { bucketId: id }, query: { search: text, limit: most.ofBucket } },
      signal,
    })
    return (Array.isArray(data) ? data : []).map(({ object_key, size_bytes }) => ({
      label: object_key,
      detail: `${name}, ${bytes(size_bytes)}`,
      href: `/console/buckets/${id}?object=${encodeURIComponent(object_key)}`,
    }))
  } catch {
    // A policy may hide what is in one bucket; that is no reason to find nothing in the others.
    signal.throwIfAborted()
    return []
  }
}

/** Bucket after bucket, a few at once, until there are enough. */
const objectsOf = async (buckets: Bucket[], text: string, signal: AbortSignal) => {
  const found: Found[] = []
  for (let n = 0; n < buckets.length && found.length < most.objects; n += atOnce) {
    const some = buckets.slice(n, n + atOnce).map((bucket) => objectsIn(bucket, text, signal))
    found.push(...(await Promise.all(some)).flat())
  }
  return found
}

/** Buckets by name, and objects by a part of their key. */
export const find = async (text: string, signal: AbortSignal): Promise<Found[]> => {
  const buckets = await queries.fetchQuery({ ...bucketsQuery, staleTime: 30_000 })
  const named = buckets.filter(({ name }) => name.includes(text.toLowerCase())).slice(0, most.buckets)
  return [
    ...named.map(({ id, name, object_count }) => ({
      label: name,
      detail: `Bucket, ${object_count} objects`,
      href: `/console/buckets/${id}`,
    })),
    ...(await objectsOf(buckets.slice(0, most.searched), text, signal)),
  ]
}
