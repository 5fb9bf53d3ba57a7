import type { Readable } from 'node:stream'
import { AppError } from '#platform/errors.ts'
import { requireActivePlan } from '../billing/plans.ts'
import { checkSize, requireSpace } from '../blobs/blobs.ts'
import type { BucketFacts } from '../buckets/lookup.ts'
import type { Storage } from '../context.ts'
import { type Replaced, reservation } from './quota.ts'

/** What is known of a body before it is read. */
type Expected = {
  bucket: BucketFacts
  /** The announced size, or a lower bound of it. */
  announced: number | undefined
  /** The maximum size of this upload, if it is less than that of any upload. */
  max?: number | undefined
  /** What will be replaced by this upload. */
  replaces: Replaced
  body?: Readable | null
}

/** Called with the number of bytes received so far; rejects when there is no room for them. */
export type Grow = (total: number) => Promise<void> | undefined

/** The body has not been read and will not be, so the connection cannot be used again. */
const unread = (error: unknown): never => {
  if (!(error instanceof AppError)) throw error
  const { status, message, code, headers, cause } = error
  throw new AppError(status, message, { code, headers: { ...headers, connection: 'close' }, cause })
}

/**
 * Receives a body while the plan, the quotas and the disk have room for it. An announced size is checked before the
 * body is read, any other is counted as it arrives. The reservations of all uploads on this node count against the
 * quotas, so that unfinished uploads cannot fill the disk. The final check, exact and across all nodes, is made by the
 * transaction that stores the upload.
 */
export const withReservation = async <T>(
  ctx: Storage,
  { bucket, announced = 0, max, replaces, body }: Expected,
  work: (grow: Grow) => Promise<T>,
): Promise<T> => {
  const reserved = reservation(ctx, bucket, replaces)
  // A body that has arrived completely needs no reservation.
  const here = body ? announced <= body.readableLength : false
  let covered = here ? announced : 0
  const reserve = async (total: number) => {
    await reserved.upTo(total).catch(unread)
    covered = total
  }
  const grow: Grow = (total) => (total > covered ? reserve(total) : undefined)
  try {
    try {
      checkSize(ctx, announced, max)
      await requireActivePlan(ctx, bucket)
      await requireSpace(ctx, announced)
      await grow(announced)
    } catch (error) {
      if (here) throw error
      unread(error)
    }
    return await work(grow)
  } finally {
    reserved.release()
  }
}
