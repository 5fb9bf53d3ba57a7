import type { Readable } from 'node:stream'
import { AppError } from '#platform/errors.ts'
import { requireActivePlan } from '../billing/plans.ts'
import { checkSize, demandSpace } from '../blobs/blobs.ts'
import type { BucketFacts, Storage } from '../context.ts'
import { type Replaced, reservation } from './reservations.ts'

/** What is known of a body before it is read. */
export type Expected = {
  bucket: BucketFacts
  /** At least so many bytes, as far as that is known. */
  announced: number | undefined
  /** The most that this upload may have, if less than any upload. */
  max?: number | undefined
  /** What goes when this is stored. */
  replaces: Replaced
  body?: Readable | null
}

/** Told how many bytes there are by now; refuses more than there is room for. */
export type Grow = (total: number) => Promise<void> | undefined

/** A body that has not been read, and will not be: the connection cannot be used for anything else. */
const unread = (error: unknown): never => {
  if (!(error instanceof AppError)) throw error
  const { status, message, headers, cause } = error
  throw new AppError(status, message, { headers: { ...headers, connection: 'close' }, cause })
}

/**
 * Takes in a body, as long as plan, quotas and disk have room for it: what is announced is refused before it is read,
 * what is not is counted as it comes. What all uploads together have been promised on this node counts against what
 * is left, so that unfinished ones cannot fill the disk either. What is stored is decided exactly, and on all nodes,
 * by the transaction at the end.
 */
export const expecting = async <T>(
  ctx: Storage,
  { bucket, announced = 0, max, replaces, body }: Expected,
  work: (grow: Grow) => Promise<T>,
): Promise<T> => {
  const reserved = reservation(ctx, bucket, replaces)
  // A body that is here already takes no room before it is stored.
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
      await demandSpace(ctx, announced)
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
