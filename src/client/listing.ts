import type { Storage } from './credentials.ts'
import type { RemotePlace } from './places.ts'

export type RemoteObject = { bucketId: string; key: string; size: number; etag: string }

/** Every object below a prefix, in the order of keys. */
export async function* objectsBelow(
  storage: Storage,
  bucketId: string,
  prefix: string,
): AsyncGenerator<RemoteObject, void> {
  const params = { path: { bucketId }, query: { prefix } }
  for await (const { object_key, size_bytes, etag } of storage.list('/buckets/{bucketId}/objects', {
    params,
  }))
    yield { bucketId, key: object_key, size: size_bytes, etag }
}

/** One object; throws if there is none. */
export const objectAt = async (storage: Storage, { bucket, key }: RemotePlace): Promise<RemoteObject> => {
  const { id } = await storage.bucketNamed(bucket)
  const { size, etag } = await storage.head(id, key)
  return { bucketId: id, key, size, etag }
}

/** Keys of a folder begin with its name and a slash. */
export const asFolder = (prefix: string) => (prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`)
