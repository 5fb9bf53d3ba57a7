import { createHash } from 'node:crypto'
import { MissingBytes } from '#platform/blobs/engine.ts'
import { graceMs, findOrphans as orphansIn } from '#platform/blobs/orphans.ts'
import { ownsBlobs } from '#platform/blobs/owner.ts'
import { isBackupRunning } from '#platform/db/lease.ts'
import { firstId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { markDamage } from './integrity.ts'
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
export const collectBlobs = async (ctx: Platform) => {
  if (!(await ownsBlobs(ctx, blobs(ctx).engine))) return
  for (;;) {
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

/** What is wrong with a blob; null if it is intact. */
const damageOf = async (ctx: Platform, blob: store.StoredBlob): Promise<string | null> => {
  const hash = createHash('md5')
  try {
    if (blob.inline) hash.update((await store.readInline(ctx.db.sql, blob.id)) ?? Buffer.alloc(0))
    else if (blob.size > 0)
      for await (const chunk of await blobs(ctx).engine.read(blob.id, blob.size, 0, blob.size - 1))
        hash.update(chunk)
  } catch (error) {
    if (error instanceof MissingBytes) return error.message
    throw error
  }
  return hash.digest().equals(blob.md5) ? null : 'its bytes are not those that were stored'
}

/** Verifies all blobs after an id, and marks the damaged ones, so that they are not served. */
export const scrubBlobs = async function* (ctx: Platform, from = firstId) {
  for (let after = from; ; ) {
    const found = await store.blobsAfter(ctx.db.sql, after, batch)
    for (const blob of found) {
      const damage = await damageOf(ctx, blob)
      await markDamage(ctx, blob.id, damage !== null)
      yield { ...blob, damage }
    }
    const last = found.at(-1)
    if (!last) return
    after = last.id
  }
}

const scrubBytes = 20 * 1024 ** 3

/** Verifies one portion of all blobs; the next run continues there, and starts over at the end. */
export const scrubPortion = async (ctx: Platform, bytes = scrubBytes) => {
  const job = 'scrub'
  let read = 0
  let position = (await store.findProgress(ctx.db.sql, job)) ?? firstId
  let ended = true
  for await (const { id, size, damage } of scrubBlobs(ctx, position)) {
    if (damage) ctx.log.error({ blob: id, damage }, 'a blob is damaged')
    position = id
    read += size
    if (read < bytes) continue
    ended = false
    break
  }
  await store.saveProgress(ctx.db.sql, job, ended ? firstId : position)
}
