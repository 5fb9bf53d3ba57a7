import { join } from 'node:path'
import type { Config } from '#platform/config.ts'
import type { Platform } from '#platform/platform.ts'
import type { Engine } from './engine.ts'
import { fileEngine } from './files.ts'
import { s3Engine } from './s3.ts'
import { createSpace, type Space, unlimitedSpace } from './space.ts'

/**
 * A folder below that of all blobs, or a prefix in their bucket. Every service that has blobs has a collection of its
 * own, so that what one of them sweeps away is never another's. The blobs of objects have no folder of their own.
 */
export const collections = ['', 'pictures'] as const
export type Collection = (typeof collections)[number]

export const openEngine = ({ blobs, maxUploadBytes }: Config, collection: Collection): Engine =>
  blobs.kind === 'file'
    ? fileEngine(join(blobs.dir, collection))
    : s3Engine({ ...blobs, prefix: collection && `${collection}/` }, { maxBytes: maxUploadBytes })

/** How much room is left for blobs. */
export const openSpace = (platform: Platform): Space => {
  const { blobs } = platform.config
  return blobs.kind === 'file' ? createSpace(blobs.dir, platform) : unlimitedSpace
}
