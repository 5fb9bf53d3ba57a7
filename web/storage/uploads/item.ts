import type { Waiting } from '#sdk/index.ts'

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

export const isLarge = ({ size }: { size: number }) => size > partsAbove

/** How many connections it takes. */
export const weightOf = (item: UploadItem) => (isLarge(item) ? partsAtOnce : 1)
