import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { blobs, damageTopic } from './state.ts'
import * as store from './store.ts'

/** How long a blob counts as intact after it was verified; hashing every read would cost too much. */
const verifiedForMs = 3600 * 1000

type Blob = Pick<store.StoredBlob, 'id' | 'md5'>

export const damaged = (cause?: unknown): never => {
  throw new AppError(500, 'The stored content is damaged', { cause })
}

export const markDamage = (ctx: Platform, id: string, isDamaged: boolean) =>
  ctx.db.transaction(async (tx) => {
    const marked = await store.markDamaged(tx, id, isDamaged, ctx.clock.now())
    if (marked.count > 0) await ctx.signals.publish(tx, damageTopic, id)
  })

export const isVerified = (ctx: Platform, { id }: Blob) =>
  (blobs(ctx).verifiedAt.get(id) ?? 0) > ctx.clock.now().getTime() - verifiedForMs

/** Marks a blob as damaged, so that it is not served until it is found intact again, and throws. */
export const reportDamage = async (ctx: Platform, id: string): Promise<never> => {
  ctx.log.error({ blob: id }, 'a blob is damaged')
  await markDamage(ctx, id, true)
  return damaged()
}

/** Throws unless the bytes that were read are those that were stored. */
const verify = async (ctx: Platform, { id, md5 }: Blob, found: Buffer) => {
  if (found.equals(md5)) return blobs(ctx).verifiedAt.set(id, ctx.clock.now().getTime())
  return reportDamage(ctx, id)
}

export const verifyWhole = (ctx: Platform, blob: Blob, bytes: Buffer) =>
  verify(ctx, blob, createHash('md5').update(bytes).digest())

/** All bytes of a blob. The last chunk is held back until the hash is known, so that a damaged blob never looks complete. */
export const verified = async function* (ctx: Platform, blob: Blob, source: Readable) {
  const hash = createHash('md5')
  let last: Buffer | null = null
  for await (const chunk of source) {
    hash.update(chunk)
    if (last) yield last
    last = chunk as Buffer
  }
  await verify(ctx, blob, hash.digest())
  if (last) yield last
}
