import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AppError } from '#platform/errors.ts'
import type { BlobContext } from './blobs.ts'
import * as store from './store.ts'

export const damageTopic = 'storage.blob-damage'

/** A blob that was found whole is taken for whole for so long; hashing what is read all the time would cost too much. */
const trustedMs = 3600 * 1000

type Blob = Pick<store.StoredBlob, 'id' | 'md5'>

export const damaged = (cause?: unknown): never => {
  throw new AppError(500, 'The stored content is damaged', { cause })
}

export const markDamage = (ctx: BlobContext, id: string, isDamaged: boolean) =>
  ctx.db.transaction(async (tx) => {
    const marked = await store.markDamaged(tx, id, isDamaged, ctx.clock.now())
    if (marked.count > 0) await ctx.signals.publish(tx, damageTopic, id)
  })

export const isTrusted = ({ blobs, clock }: BlobContext, { id }: Blob) =>
  (blobs.trusted.get(id) ?? 0) > clock.now().getTime() - trustedMs

/** From now on nobody is sent any of it, until it is found whole again. */
export const reportDamage = async (ctx: BlobContext, id: string): Promise<never> => {
  ctx.log.error({ blob: id }, 'a blob is damaged')
  await markDamage(ctx, id, true)
  return damaged()
}

/** Throws unless the bytes that were read are those that were stored. */
const confirm = async (ctx: BlobContext, { id, md5 }: Blob, found: Buffer) => {
  if (found.equals(md5)) return ctx.blobs.trusted.set(id, ctx.clock.now().getTime())
  return reportDamage(ctx, id)
}

export const confirmWhole = (ctx: BlobContext, blob: Blob, bytes: Buffer) =>
  confirm(ctx, blob, createHash('md5').update(bytes).digest())

/** All bytes of a blob. The last of them are held back until the hash is known, so that damage never looks whole. */
export const confirmed = async function* (ctx: BlobContext, blob: Blob, source: Readable) {
  const hash = createHash('md5')
  let last: Buffer | null = null
  for await (const chunk of source) {
    hash.update(chunk)
    if (last) yield last
    last = chunk as Buffer
  }
  await confirm(ctx, blob, hash.digest())
  if (last) yield last
}
