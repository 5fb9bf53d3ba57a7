import type { Sql, Tx } from '#platform/db/database.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import * as store from './store.ts'

/** How much a bucket grows (or shrinks): its live objects, their bytes, and all bytes kept for it. */
export type Growth = store.Change & { bucketId: string }

/** The bucket cannot be deleted before this transaction ends; 404 if it already was. */
export const holdBucket = async (tx: Tx, orgId: string, bucketId: string) =>
  (await store.holdBucket(tx, orgId, bucketId)) ?? notFound()

/**
 * Counts what a transaction changes; the last thing in it, since from here on the whole organization waits for
 * its commit. Buckets are locked in the order of their ids, the organization after them. A `write` is refused
 * when it leaves more than the quotas allow, or when the plan has expired.
 */
export const account = async (
  tx: Tx,
  orgId: string,
  growth: Growth[],
  { now, write }: { now: Date; write: boolean },
): Promise<void> => {
  const ordered = growth.toSorted((a, b) => (a.bucketId < b.bucketId ? -1 : 1))
  const retained = growth.reduce((sum, change) => sum + change.retained, 0)
  // Sent together; they run in the order in which they are called.
  const [buckets, organization] = await Promise.all([
    Promise.all(ordered.map((change) => store.countInBucket(tx, orgId, change.bucketId, change))),
    store.countInOrganization(tx, orgId, retained, now),
  ])
  if (!write) return
  if (organization?.expired) forbidden('The plan has expired')
  if (retained > 0 && organization?.over) forbidden('The storage quota of the organization is exceeded')
  if (ordered.some((change, index) => change.retained > 0 && buckets[index]?.over))
    forbidden('The storage quota of the bucket is exceeded')
}

/** How many live objects a bucket holds, without counting them. */
export const liveObjects = (q: Sql, bucketId: string) => store.objectCount(q, bucketId)
