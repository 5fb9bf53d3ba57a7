import { graceMs, findOrphans as orphansIn } from '#platform/blobs/orphans.ts'
import { ownsBlobs } from '#platform/blobs/owner.ts'
import { isBackupRunning } from '#platform/db/lease.ts'
import type { Platform } from '#platform/platform.ts'
import { blobs } from './state.ts'
import * as store from './store.ts'

const batch = 500

const before = (ctx: Platform) => new Date(ctx.clock.now().getTime() - graceMs)

/** A backup copies the blobs that were referenced when it began, so none are collected while it runs. */
const collect = (ctx: Platform) =>
  ctx.db.transaction(async (tx) =>
    (await isBackupRunning(tx)) ? [] : store.collectReleased(tx, before(ctx), batch),
  )

/** Removes blobs without references: first the row, so that no reader finds it, then the bytes. */
export const collectBlobs = async (ctx: Platform, signal?: AbortSignal) => {
  if (!(await ownsBlobs(ctx, blobs(ctx).engine))) return
  while (!signal?.aborted) {
    const gone = await collect(ctx)
    for (const { id, inline } of gone) if (!inline) await blobs(ctx).engine.remove(id)
    if (gone.length < batch) return
  }
}

/** Blobs in the engine without a row, older than any upload that may still insert one. */
export const findOrphans = (ctx: Platform) =>
  orphansIn(blobs(ctx).engine, ctx.clock.now(), (ids) => store.knownAmong(ctx.db.sql, ids))

/** Removes drafts that crashed uploads left behind. */
export const sweepDrafts = async (ctx: Platform) => {
  if (await ownsBlobs(ctx, blobs(ctx).engine)) await blobs(ctx).engine.sweep(ctx.clock.now())
}

/** Removes drafts that crashed uploads left behind, and blobs without a row. */
export const sweepBlobs = async (ctx: Platform) => {
  if (!(await ownsBlobs(ctx, blobs(ctx).engine))) return
  await blobs(ctx).engine.sweep(ctx.clock.now())
  for await (const id of findOrphans(ctx)) {
    ctx.log.warn({ blob: id }, 'bytes without a row removed')
    await blobs(ctx).engine.remove(id)
  }
}
