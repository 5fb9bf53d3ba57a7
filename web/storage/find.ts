import { bytes } from '#web/components/format.ts'
import type { Found } from '#web/frame/console.ts'
import { queries } from '#web/frame/queries.ts'
import { api } from './api.ts'
import { bucketsQuery } from './buckets/queries.ts'

const most = { buckets: 8, searched: 10, objects: 5 }

/** Buckets by name, and objects by a part of their key. */
export const find = async (text: string, signal: AbortSignal): Promise<Found[]> => {
  const buckets = await queries.fetchQuery({ ...bucketsQuery, staleTime: 30_000 })
  const named = buckets.filter(({ name }) => name.includes(text.toLowerCase())).slice(0, most.buckets)
  const objects = await Promise.all(
    buckets.slice(0, most.searched).map(async ({ id, name }) => {
      const { data } = await api.GET('/buckets/{bucketId}/objects', {
        params: { path: { bucketId: id }, query: { search: text, limit: most.objects } },
        signal,
      })
      return (Array.isArray(data) ? data : []).map(({ object_key, size_bytes }) => ({
        label: object_key,
        detail: `${name}, ${bytes(size_bytes)}`,
        href: `/console/buckets/${id}?object=${encodeURIComponent(object_key)}`,
      }))
    }),
  )
  return [
    ...named.map(({ id, name, object_count }) => ({
      label: name,
      detail: `Bucket, ${object_count} objects`,
      href: `/console/buckets/${id}`,
    })),
    ...objects.flat(),
  ]
}
