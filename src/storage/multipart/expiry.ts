import type { Tx } from '#platform/db/database.ts'
import { releaseBlobs } from '../blobs/blobs.ts'
import * as store from './store.ts'

/** All uploads of a bucket that is being deleted, whose row is locked: nothing is counted one by one. */
export const dropUploads = async (tx: Tx, bucketId: string, now: Date) => {
  const parts = await store.deletePartsOfBucket(tx, bucketId)
  await releaseBlobs(
    tx,
    parts.map(({ blob_id }) => blob_id),
    now,
  )
  await store.deleteUploadsOfBucket(tx, bucketId)
}
