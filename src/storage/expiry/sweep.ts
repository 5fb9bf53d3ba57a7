import type { Storage } from '../context.ts'
import { rulesOf } from '../lifecycle/lifecycle.ts'
import { daysBefore } from '../lifecycle/rules.ts'
import { failExpired } from '../multipart/lifecycle.ts'
import { expireLive } from './live.ts'
import { removeMarkers } from './markers.ts'
import { removeNoncurrent } from './noncurrent.ts'
import * as store from './store.ts'

const bucketsAtOnce = 500
const firstId = '00000000-0000-0000-0000-000000000000'

/** A run ends before the queue believes that its node is gone, and lets another one begin. */
const runMs = 20 * 60_000

/** Ends uploads that are too old. */
const failUploads = async (ctx: Storage) => {
  for (const bucket of await store.findBucketsWithUploads(ctx.db.sql)) while (await failExpired(ctx, bucket));
}

/** Old versions go before the deleted objects that they belong to, and markers when nothing is left below them. */
const sweepBucket = async (ctx: Storage, bucket: store.Bucket, isTimeUp: () => boolean) => {
  const rules = await rulesOf(ctx, bucket.id)
  const sweep = { bucket, rules, isTimeUp }
  return (
    (await expireLive(ctx, sweep)) &&
    (await removeNoncurrent(ctx, sweep)) &&
    (await removeMarkers(ctx, sweep))
  )
}

/**
 * Applies the rules of every bucket to what it holds, once a day: their days end at midnight. Returns whether all of it
 * was done in time; if not, the next run continues.
 */
export const applyLifecycles = async (ctx: Storage, isTimeUp = timer(runMs)): Promise<boolean> => {
  await failUploads(ctx)
  const since = daysBefore(ctx.clock.now(), 0)
  for (let after = firstId; ; ) {
    const buckets = await store.findUnswept(ctx.db.sql, since, after, bucketsAtOnce)
    for (const bucket of buckets) {
      if (!(await store.claimSweep(ctx.db.sql, bucket, since, ctx.clock.now()))) continue
      let isDone = false
      try {
        isDone = await sweepBucket(ctx, bucket, isTimeUp)
      } finally {
        if (!isDone) await store.unclaimSweep(ctx.db.sql, bucket)
      }
      if (!isDone) return false
    }
    const last = buckets.at(-1)
    if (!last || buckets.length < bucketsAtOnce) return true
    after = last.id
  }
}

const timer = (ms: number) => {
  const end = performance.now() + ms
  return () => performance.now() > end
}
