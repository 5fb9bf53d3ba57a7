import type { Tx } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import { noBucket } from '../refusals.ts'
import * as store from './store.ts'

export { liveObjectCount, lockBucket } from './store.ts'

/** Locks the bucket against deletion until the transaction ends; throws 404 if it was deleted. */
export const holdBucket = async (tx: Tx, orgId: string, bucketId: string) =>
  (await maybeOne(store.lockBucket(tx, orgId, bucketId))) ?? noBucket()

/**
 * Adds to the counters of a bucket and of its organization what a transaction has changed. This must be the last step
 * of the transaction, because from here on all writers of the organization wait for its commit. With `checkLimits`,
 * refuses a change that exceeds a quota or comes after the end of the plan: wait for it with `ctx.orRefuse`.
 */
export const applyUsage = async (
  tx: Tx,
  orgId: string,
  change: store.UsageChange,
  { now, checkLimits }: { now: Date; checkLimits: boolean },
): Promise<void> => {
  await store.addUsage(tx, orgId, change, { now, checked: checkLimits })
}
