import { BucketPath } from '../buckets/schema.ts'
import { keyInUrl, type ObjectRef } from './key.ts'
import { ObjectPath } from './schema.ts'

/** A key with slashes needs the wildcard; the other spelling of the same route is the one in the reference. */
export const keyPaths = [
  { url: '/buckets/:bucketId/objects/:objectKey', params: ObjectPath, hide: false },
  { url: '/buckets/:bucketId/objects/*', params: BucketPath, hide: true },
]

/** The object in `/buckets/<id>/objects/<key>`; `suffix` is the operation that may follow the key. */
export const refOf = (req: { params: unknown; originalUrl: string }, suffix = ''): ObjectRef => ({
  bucketId: (req.params as { bucketId: string }).bucketId,
  key: keyInUrl(req.originalUrl, 3, suffix),
})
