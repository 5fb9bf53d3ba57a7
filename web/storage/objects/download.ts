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
export const signedPath = async ({ bucketId, key }: Place) => {
  const { data } = await api.POST('/buckets/{bucketId}/signed-url', {
    params: { path: { bucketId } },
    body: { objectKey: key, method: 'GET', expiresInSeconds: validSeconds },
  })
  const { pathname, search } = new URL(data.url)
  return pathname + search
}

/** Saves objects. The browser asks once whether a page may save several. */
export const downloadAll = async ({ id: bucketId }: Bucket, keys: readonly string[]) => {
  for (const key of keys) save(await signedPath({ bucketId, key }), nameOf(key))
}

/** An earlier content; it has no signed address, so that it is read into the page first. */
export const downloadVersion = async ({ bucketId, key }: Place, versionId: string) => {
  const { data } = await api.GET('/buckets/{bucketId}/objects/{objectKey}', {
    params: { path: { bucketId, objectKey: key }, query: { versionId } },
    parseAs: 'blob',
  })
  // Saved as bytes: a page from a stored object must not open under this address.
  const address = URL.createObjectURL(new Blob([data as Blob], { type: 'application/octet-stream' }))
  save(address, nameOf(key))
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
