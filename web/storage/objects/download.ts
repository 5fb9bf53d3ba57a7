import { api, type Bucket } from '../api.ts'
import { nameOf } from './paths.ts'
import type { Place } from './transfer.ts'

const validSeconds = 3600

const save = (href: string, name: string) => {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}

/** A signed address on this server: what the browser fetches by itself does not carry the session. */
export const signedPath = async ({ bucketId, key }: Place, versionId?: string) => {
  const { data } = await api.POST('/buckets/{bucketId}/signed-url', {
    params: { path: { bucketId } },
    body: {
      objectKey: key,
      method: 'GET',
      expiresInSeconds: validSeconds,
      ...(versionId ? { versionId } : {}),
    },
  })
  const { pathname, search } = new URL(data.url)
  return pathname + search
}

/** Saves objects. The browser asks once whether a page may save several. */
export const downloadAll = async ({ id: bucketId }: Bucket, keys: readonly string[]) => {
  for (const key of keys) save(await signedPath({ bucketId, key }), nameOf(key))
}

export const downloadVersion = async (place: Place, versionId: string) =>
  save(await signedPath(place, versionId), nameOf(place.key))
