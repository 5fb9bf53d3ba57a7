import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, codeOf } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'

const lookEveryMs = 1_000
const usualFloor = 512 * 1024 * 1024
const smallestPart = 20

/** 507, also if the disk itself reports that it is full. The connection is closed, because the body will not be read. */
export const noSpace = (cause?: unknown) =>
  new AppError(507, 'The server has no room for this upload at the moment', {
    headers: { connection: 'close' },
    cause,
  })

export const isFull = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes(codeOf(error))

export type Disk = { bsize: number; blocks: number; bavail: number }
export type ReadDisk = (folder: string) => Promise<Disk>

/** The folder is created with the first blob; until then, its parent is on the same disk. */
const nearest: ReadDisk = async (folder) => {
  try {
    return await statfs(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    return nearest(dirname(folder))
  }
}

export type Space = {
  /** Throws 507 if so many more bytes would leave less on the disk than must stay free. */
  require(bytes: number): Promise<void>
}

/** For a store that manages its own disks. */
export const unlimitedSpace: Space = { require: async () => {} }

/** The free space on the disk of a folder, read at most once a second. Some of it always stays free for others. */
export const createSpace = (
  folder: string,
  { config, log }: Pick<Platform, 'config' | 'log'>,
  readDisk: ReadDisk = nearest,
): Space => {
  let looked: { at: number; left: Promise<number> } | undefined
  let scarce = false

  const look = async () => {
    const { bsize, blocks, bavail } = await readDisk(folder)
    const free = bsize * bavail
    const floor = config.minFreeBytes ?? Math.min(usualFloor, (bsize * blocks) / smallestPart)
    if (scarce !== free < floor) {
      scarce = free < floor
      if (scarce)
        log.error({ folder, free, floor }, 'the disk of the blobs is nearly full: uploads are refused')
      else log.info({ folder, free, floor }, 'the disk of the blobs has room again')
    }
    return free - floor
  }

  return {
    async require(bytes) {
      const now = performance.now()
      if (!looked || now - looked.at >= lookEveryMs) looked = { at: now, left: look() }
      if ((await looked.left) < bytes) throw noSpace()
    },
  }
}
