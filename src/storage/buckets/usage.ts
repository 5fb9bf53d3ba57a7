import type { Tx } from '#platform/db/database.ts'
import { maybeOne, pipeline } from '#platform/db/rows.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import * as store from './store.ts'

export { liveObjectCount, lockBucket, type UsageDelta } from './store.ts'

/** Locks the bucket against deletion until the transaction ends; throws 404 if it was deleted. */
export const holdBucket = async (tx: Tx, orgId: string, bucketId: string) =>
  (await maybeOne(store.lockBucket(tx, orgId, bucketId))) ?? notFound()

/**
 * Adds to the counters of buckets and of their organization what a transaction has changed. This must be the last step
 * of the transaction, because from here on all writers of the organization wait for its commit. Buckets are locked in
 * the order of their ids, and the organization after them. With `checkLimits`, throws 403 if the change exceeds a quota
 * or the plan has expired.
 */
export const applyUsage = async (
  tx: Tx,
  orgId: string,
  deltas: store.UsageDelta[],
  { now, checkLimits }: { now: Date; checkLimits: boolean },
): Promise<void> => {
  const retained = deltas.reduce((sum, delta) => sum + delta.retained, 0)
  const ordered = deltas.toSorted((a, b) => (a.bucketId < b.bucketId ? -1 : 1))
  const buckets = ordered.map((delta) => store.addToBucket(tx, orgId, delta))
  const organization = store.addToOrganization(tx, orgId, retained, now)
  await pipeline(...buckets, organization)
  if (!checkLimits) return
  const [after] = await organization
  if (after?.expired) forbidden('The plan has expired')
  if (retained > 0 && after?.over) forbidden('The storage quota of the organization is exceeded')
  for (const [index, delta] of ordered.entries())
    if (delta.retained > 0 && (await buckets[index])?.[0]?.over)
      forbidden('The storage quota of the bucket is exceeded')
}
