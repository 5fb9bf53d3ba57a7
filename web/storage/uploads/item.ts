import type { Upload, Waiting } from '#sdk/index.ts'

export type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed' | 'cancelled'

/** A file that is to be uploaded. Its fields change in place. */
export type UploadItem = {
  id: number
  bucketId: string
  bucketName: string
  key: string
  file: File
  size: number
  loaded: number
  /** Bytes per second, of the last ten seconds. */
  perSecond: number
  state: UploadState
  /** Why nothing is being sent at the moment. */
  held: Waiting['reason'] | null
  error: string | null
}

export type Target = { bucketId: string; bucketName: string; folder: string }

/** Larger files are sent in parts, so many at once. */
export const partsAbove = 16 * 1024 * 1024
export const partsAtOnce = 2

/** Smaller files are read ahead and sent together. */
const smallBytes = 64 * 1024

export const isLarge = ({ size }: { size: number }) => size > partsAbove
export const isSmall = ({ size }: { size: number }) => size <= smallBytes

/**
 * How much room it takes among the files that are sent at once. Large ones leave a connection to the rest of the console;
 * of small ones, two requests are on their way while the next is collected.
 */
export const weightOf = (item: UploadItem) => {
  if (isSmall(item)) return 1 / 32
  return isLarge(item) ? 3 : 1
}

/** An upload that was started. */
export type Running = Omit<Upload, 'done'> & { done: Promise<unknown> }
