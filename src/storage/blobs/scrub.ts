import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MissingBytes } from '#platform/blobs/engine.ts'
import { firstId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { markDamage } from './integrity.ts'
import { blobs } from './state.ts'
import * as store from './store.ts'

const batch = 500

/** Called now and then by those who work for a long time. */
type Pause = () => Promise<void>
const never: Pause = async () => {}

/** What is wrong with a blob; null if it is intact. */
const damageOf = async (ctx: Platform, blob: store.HashedBlob, pause: Pause): Promise<string | null> => {
  const changed = 'its bytes are not those that were stored'
  if (blob.inline) return blob.intact ? null : changed
  const hash = createHash('md5')
  try {
    if (blob.size > 0)
      for await (const chunk of await blobs(ctx).engine.read(blob.id, blob.size, 0, blob.size - 1)) {
        hash.update(chunk)
        await pause()
      }
  } catch (error) {
    if (error instanceof MissingBytes) return error.message
    throw error
  }
  return hash.digest().equals(blob.md5) ? null : changed
}

type Scrub = { from?: string; find?: typeof store.hashedAfter; pause?: Pause }

/** Verifies blobs, all of them or those after an id, and marks the damaged ones, so that they are not served. */
export const scrubBlobs = async function* (
  ctx: Platform,
  { from = firstId, find = store.hashedAfter, pause = never }: Scrub = {},
) {
  for (let after = from; ; ) {
    const found = await find(ctx.db.sql, after, batch)
    await pause()
    for (const blob of found) {
      const damage = await damageOf(ctx, blob, pause)
      if (blob.damaged !== (damage !== null)) await markDamage(ctx, blob.id, damage !== null)
      yield { ...blob, damage }
    }
    const last = found.at(-1)
    if (!last) return
    after = last.id
  }
}

const restedAfterMs = 5
const maxRestMs = 1_000

/** Rests for four times as long as it has worked, so that requests come first. */
const resting = (signal?: AbortSignal): Pause => {
  let since = performance.now()
  return async () => {
    const workedMs = performance.now() - since
    if (workedMs < restedAfterMs) return
    await sleep(Math.min(4 * workedMs, maxRestMs), null, { signal }).catch(() => {})
    since = performance.now()
  }
}

const job = 'scrub'
const passEveryMs = 7 * 24 * 3600 * 1000
const saveEveryMs = 5_000

type Portion = { bytes?: number; signal?: AbortSignal | undefined }

/** Those that were damaged may have been repaired. */
const scrubDamaged = async (ctx: Platform, pause: Pause, signal?: AbortSignal) => {
  for await (const { id, damage } of scrubBlobs(ctx, { find: store.damagedAfter, pause })) {
    if (!damage) ctx.log.info({ blob: id }, 'a damaged blob is intact again')
    if (signal?.aborted) return
  }
}

/**
 * Verifies the blobs that are marked as damaged, and one portion of all blobs. The next one continues there. When all have
 * been verified, the next pass begins a week after this one began.
 */
export const scrubPortion = async (ctx: Platform, { bytes = 4 * 1024 ** 3, signal }: Portion = {}) => {
  const pause = resting(signal)
  await scrubDamaged(ctx, pause, signal)
  const now = ctx.clock.now()
  const last = await store.findProgress(ctx.db.sql, job)
  if (last?.position === null && now.getTime() - Date.parse(last.began_at) < passEveryMs) return
  const began_at = last?.position ? last.began_at : now.toISOString()
  const save = (position: string | null) => store.saveProgress(ctx.db.sql, job, { position, began_at })
  let read = 0
  let savedAt = performance.now()
  for await (const { id, size, damage } of scrubBlobs(ctx, { from: last?.position ?? firstId, pause })) {
    if (damage) ctx.log.error({ blob: id, damage }, 'a blob is damaged')
    read += size
    const isOver = read >= bytes || signal?.aborted
    if (isOver || performance.now() - savedAt > saveEveryMs) {
      await save(id)
      savedAt = performance.now()
    }
    if (isOver) return
  }
  await save(null)
}
