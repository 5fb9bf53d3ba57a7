import { randomUUID } from 'node:crypto'
import { firstId } from '#platform/ids.ts'
import type { Storage } from '../context.ts'
import { rulesOf } from '../lifecycle/lifecycle.ts'
import { daysBefore } from '../lifecycle/rules.ts'
import { failExpired } from '../multipart/ending.ts'
import { expireLive } from './live.ts'
import { removeMarkers } from './markers.ts'
import { removeNoncurrent } from './noncurrent.ts'
import type { Sweep } from './portions.ts'
import * as store from './store.ts'

const bucketsAtOnce = 500

const runMs = 20 * 60_000
/** How often a run says that it still works on a bucket. */
const keepMs = 30_000

/** A run ends before the queue believes that its node is gone and lets another one begin, or when the process stops. */
export const timer = (signal?: AbortSignal) => {
  const end = performance.now() + runMs
  return () => signal?.aborted === true || performance.now() > end
}

/** Ends uploads that are too old. */
const failUploads = async (ctx: Storage) => {
  for (const bucket of await store.findBucketsWithUploads(ctx.db.sql)) while (await failExpired(ctx, bucket));
}

/** Old versions go before the deleted objects that they belong to, and markers when nothing is left below them. */
const sweepBucket = async (ctx: Storage, sweep: Sweep) =>
  (await expireLive(ctx, sweep)) && (await removeNoncurrent(ctx, sweep)) && (await removeMarkers(ctx, sweep))

/** Applies the rules of one bucket, unless another run does. Returns whether there is time for more. */
const sweepClaimed = async (
  ctx: Storage,
  bucket: store.Bucket,
  isTimeUp: () => boolean,
): Promise<boolean> => {
  const { sql } = ctx.db
  const id = randomUUID()
  if (!(await store.claimSweep(sql, bucket, id, daysBefore(ctx.clock.now(), 0)))) return true
  let keptAt = performance.now()
  let isKept = true
  const mayGoOn = async () => {
    if (isTimeUp()) return false
    if (performance.now() - keptAt > keepMs) {
      isKept = await store.keepSweep(sql, bucket, id)
      keptAt = performance.now()
    }
    return isKept
  }
  const begunAt = ctx.clock.now()
  let isDone = false
  try {
    isDone = await sweepBucket(ctx, { bucket, rules: await rulesOf(ctx, bucket.id), mayGoOn })
  } finally {
    await store.endSweep(sql, bucket, id, isDone ? begunAt : null)
  }
  return isDone || !isKept
}

/**
 * Applies the rules of every bucket to what it holds, once a day: their days end at midnight. Returns whether all of it
 * was done in time; if not, the next run continues.
 */
export const applyLifecycles = async (ctx: Storage, isTimeUp = timer()): Promise<boolean> => {
  await failUploads(ctx)
  const since = daysBefore(ctx.clock.now(), 0)
  for (let after = firstId; ; ) {
    const buckets = await store.findUnswept(ctx.db.sql, since, after, bucketsAtOnce)
    for (const bucket of buckets) if (!(await sweepClaimed(ctx, bucket, isTimeUp))) return false
    const last = buckets.at(-1)
    if (!last || buckets.length < bucketsAtOnce) return true
    after = last.id
  }
}

/** Continues what a process has left that was killed. What is removed is not found again, so it just begins again. */
export const continueLifecycles = async (ctx: Storage, isTimeUp = timer()) => {
  for (const bucket of await store.findInterrupted(ctx.db.sql))
    if (!(await sweepClaimed(ctx, bucket, isTimeUp))) return
}
