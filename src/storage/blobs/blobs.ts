import type { Readable } from 'node:stream'
import { isFull, noSpace } from '#platform/blobs/space.ts'
import { isStatementRefused } from '#platform/db/failures.ts'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { type Bounds, type NewBlob, receive, tooLarge } from './receive.ts'
import { blobs } from './state.ts'

export { asRefusal, checkBytes, type Digest, type NewBlob } from './receive.ts'
/** What other modules do to blobs in their own transactions. */
export { releaseBlobs } from './store.ts'

const largest = ({ config }: Platform, max = Number.MAX_SAFE_INTEGER) => Math.min(max, config.maxUploadBytes)

/** Throws 413 if an upload is announced larger than allowed. */
export const checkSize = (ctx: Platform, bytes: number, max?: number) => {
  if (bytes > largest(ctx, max)) tooLarge(largest(ctx, max))
}

/** Throws 507 if the disk has no room for so many bytes. */
export const requireSpace = (ctx: Platform, bytes: number) => blobs(ctx).space.require(bytes)

/** Stores the bytes of a body durably; no row refers to them yet. */
export const receiveBlob = (
  ctx: Platform,
  source: Readable | null,
  { max, grow, ...options }: Omit<Bounds, 'max'> & { max?: number | undefined } = {},
) => {
  const room = async (total: number) => {
    await requireSpace(ctx, 0)
    await grow?.(total)
  }
  return receive(blobs(ctx).engine, source, { ...options, max: largest(ctx, max), grow: room }).catch(
    (error) => {
      if (!isFull(error)) throw error
      ctx.log.error({ err: error }, 'the disk of the blobs is full')
      throw noSpace(error)
    },
  )
}

/**
 * Removes received bytes after the transaction that should have stored them has failed, if it is certain that it was
 * not committed. Otherwise they stay, and the sweep removes them if no row refers to them.
 */
export const discardUncommitted = async (ctx: Platform, blob: NewBlob, error: unknown) => {
  if (error instanceof AppError || isStatementRefused(error)) await discardBlob(ctx, blob)
}

/** What cannot be removed now will be removed by the sweep; the failure must not hide why the upload was refused. */
export const discardBlob = async (ctx: Platform, blob: NewBlob) => {
  if (blob.data !== null) return
  await blobs(ctx)
    .engine.remove(blob.id)
    .catch((err) => ctx.log.warn({ err, blob: blob.id }, 'refused bytes could not be removed yet'))
}
