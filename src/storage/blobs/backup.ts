import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Manifest } from '#platform/backup/manifest.ts'
import type { Progress } from '#platform/backup/progress.ts'
import { hashFile, linesOf, writeSummed } from '#platform/backup/sums.ts'
import type { Sql } from '#platform/db/database.ts'
import { syncFile, syncFolder } from '#platform/durable.ts'
import { inParallel } from '#platform/parallel.ts'
import { backedUpPath, type Entry, listFile, parallelCopies } from './backup-list.ts'
import { blobPath } from './files.ts'
import * as store from './store.ts'

const batch = 5_000
const namedFile = 'blobs.named'

type Named = { id: string; size: number; md5: string }

const asLine = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

/** Lists the blobs of a database snapshot in a file, so that they can be copied after the snapshot is closed. */
export const nameBlobs = async (q: Sql, folder: string) => {
  let [count, bytes] = [0, 0]
  const named = async function* () {
    for (let after = store.firstId; ; ) {
      const blobs = await store.heldOutside(q, after, batch)
      for (const { id, size, md5 } of blobs) {
        count++
        bytes += size
        yield asLine({ id, size, md5: md5.toString('hex') } satisfies Named)
      }
      const last = blobs.at(-1)
      if (!last) return
      after = last.id
    }
  }
  await writeSummed(join(folder, namedFile), named())
  return { count, bytes }
}

/** Copies one blob and reads the copy back. A missing or damaged blob is backed up as it is. */
const copyOut = async (root: string, folder: string, { id, size, md5 }: Named, progress: Progress) => {
  const [source, target] = [join(root, blobPath(id)), join(folder, backedUpPath(id))]
  const missing = await copyFile(source, target, constants.COPYFILE_FICLONE).then(
    () => false,
    async (error) => {
      // ENOENT may also be about the target.
      if (error.code === 'ENOENT' && !(await lstat(source).catch(() => null))) return true
      throw error
    },
  )
  if (missing) return { entry: { id, bytes: size, sha256: null }, isWhole: false }
  await syncFile(target)
  const [sha256, stored] = [createHash('sha256'), createHash('md5')]
  const bytes = await hashFile(target, [sha256, stored], (more) => progress.count('bytes', more))
  const isWhole = bytes === size && stored.digest('hex') === md5
  return { entry: { id, bytes, sha256: sha256.digest('hex') }, isWhole }
}

type Lost = { id: string; what: 'missing' | 'damaged' }

/** Copies the blobs that `nameBlobs` has listed. */
export const backUpBlobs = async (
  root: string,
  folder: string,
  total: number,
  progress: Progress,
  onLost: (blob: Lost) => void,
): Promise<Manifest['blobs']> => {
  const folders = new Set<string>()
  const prepare = async ({ id }: Named) => {
    const path = dirname(join(folder, backedUpPath(id)))
    if (folders.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    folders.add(path)
  }
  const counts = { count: 0, bytes: 0, missing: 0, damaged: 0 }
  const copied = async function* () {
    const done: Entry[] = []
    // In batches, so that the list is written while blobs are copied and is never held in memory as a whole.
    for await (const some of inBatches(linesOf(join(folder, namedFile)), 64)) {
      await inParallel(some, parallelCopies, async (line) => {
        const named = JSON.parse(line) as Named
        await prepare(named)
        const { entry, isWhole } = await copyOut(root, folder, named, progress)
        counts.count++
        counts.bytes += entry.sha256 ? entry.bytes : 0
        progress.count('blobs', 1)
        if (!isWhole) {
          const what = entry.sha256 ? 'damaged' : 'missing'
          counts[what]++
          onLost({ id: entry.id, what })
        }
        done.push(entry)
      })
      progress.step(`blob ${counts.count} of ${total}`)
      for (const entry of done.splice(0)) yield asLine(entry)
    }
  }
  const list = await writeSummed(join(folder, listFile), copied())
  for (const path of folders) await syncFolder(path)
  if (folders.size > 0) await syncFolder(join(folder, 'blobs'))
  await rm(join(folder, namedFile))
  return { ...counts, list }
}

/** For blobs in S3, which are not copied. */
export const leaveBlobs = async (
  folder: string,
  named: { count: number; bytes: number },
): Promise<Manifest['blobs']> => {
  await rm(join(folder, namedFile))
  return { ...named, missing: 0, damaged: 0, list: null }
}

const inBatches = async function* <T>(items: AsyncIterable<T>, size: number) {
  let some: T[] = []
  for await (const item of items) {
    some.push(item)
    if (some.length < size) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
