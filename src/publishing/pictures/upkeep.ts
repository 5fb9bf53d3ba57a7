import { MissingBytes } from '#platform/blobs/engine.ts'
import { findOrphans } from '#platform/blobs/orphans.ts'
import { ownsBlobs } from '#platform/blobs/owner.ts'
import { isBackupRunning } from '#platform/db/lease.ts'
import { firstId } from '#platform/ids.ts'
import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import { discardFiles, files, readFile } from './files.ts'
import * as store from './store.ts'

const batch = 100

/** A backup copies the files that were shown when it began, so none are removed while it runs. */
const takeReleased = (ctx: Platform) =>
  ctx.db.transaction(async (tx) => ((await isBackupRunning(tx)) ? [] : store.takeReleased(tx, batch)))

/** Removes the files of pictures that are no longer shown: first the row, so that no reader finds it, then the bytes. */
export const removeReleased = async (ctx: Platform) => {
  if (!(await store.hasReleased(ctx.db.sql)) || !(await ownsBlobs(ctx, files(ctx).engine))) return
  for (;;) {
    const gone = await takeReleased(ctx)
    await discardFiles(ctx, gone)
    if (gone.length < batch) return
  }
}

const orphans = (ctx: Platform) =>
  findOrphans(files(ctx).engine, ctx.clock.now(), (ids) => store.knownAmong(ctx.db.sql, ids))

/** Removes what a crash has left behind: drafts, and files without a row. */
export const sweepPictures = async (ctx: Platform) => {
  if (!(await ownsBlobs(ctx, files(ctx).engine))) return
  await files(ctx).engine.sweep(ctx.clock.now())
  for await (const id of orphans(ctx)) await discardFiles(ctx, [{ id }])
}

export const pictureJobs = (ctx: Platform): Job[] => [
  { name: 'publishing.remove-pictures', cron: '* * * * *', run: () => removeReleased(ctx) },
  { name: 'publishing.sweep-pictures', cron: '41 3 * * *', run: () => sweepPictures(ctx) },
]

const damageOf = (ctx: Platform, file: store.HeldFile) =>
  readFile(ctx, file).then(
    () => null,
    (error) => {
      if (error instanceof MissingBytes) return error.message
      throw error
    },
  )

/** Every file that is not as it was stored, and every one that no row knows. */
export const findDamage = async function* (ctx: Platform) {
  for (let after = firstId; ; ) {
    const found = await store.heldFiles(ctx.db.sql, after, batch)
    for (const file of found) {
      const detail = await damageOf(ctx, file)
      if (detail) yield { subject: file.path, detail }
    }
    const last = found.at(-1)
    if (!last) break
    after = last.id
  }
  for await (const id of orphans(ctx)) yield { subject: `file ${id}`, detail: 'no row knows it' }
}
