import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Manifest } from '#platform/backup/manifest.ts'
import type { Progress } from '#platform/backup/progress.ts'
import { hashFile, linesOf, writeSummed } from '#platform/backup/sums.ts'
import type { Sql } from '#platform/db/database.ts'
import { syncFile, syncFolder } from '#platform/durable.ts'
import { firstId } from '#platform/ids.ts'
import { inParallel } from '#platform/parallel.ts'
import { backedUpPath, type Entry, listFile, parallelCopies, pathIn } from './backup-list.ts'
import type { Collection } from './open.ts'

const batch = 5_000
const namedFile = 'blobs.named'

/** A collection of blobs, and those of them that rows refer to, in the order of their ids. */
export type Held = {
  in: Collection
  after(q: Sql, id: string, limit: number): PromiseLike<{ id: string; size: number; md5: Buffer }[]>
}

type Named = { in: Collection; id: string; size: number; md5: string }

const asLine = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

/** Lists the blobs of a database snapshot in a file, so that they can be copied after the snapshot is closed. */
export const nameBlobs = async (q: Sql, collections: Held[], folder: string) => {
  let [count, bytes] = [0, 0]
  const namedIn = async function* (held: Held) {
    for (let after = firstId; ; ) {
      const blobs = await held.after(q, after, batch)
      for (const { id, size, md5 } of blobs) {
        count++
        bytes += size
        yield asLine({ in: held.in, id, size, md5: md5.toString('hex') } satisfies Named)
      }
      const last = blobs.at(-1)
      if (!last) return
      after = last.id
    }
  }
  const named = async function* () {
    for (const held of collections) yield* namedIn(held)
  }
  await writeSummed(join(folder, namedFile), named())
  return { count, bytes }
}

/** Copies one blob and reads the copy back. A missing or damaged blob is backed up as it is. */
const copyOut = async (root: string, folder: string, { size, md5, ...blob }: Named, progress: Progress) => {
  const [source, target] = [
    join(root, pathIn(blob.in, blob.id)),
    join(folder, backedUpPath(blob.in, blob.id)),
  ]
  const missing = await copyFile(source, target, constants.COPYFILE_FICLONE).then(
    () => false,
    async (error) => {
      // ENOENT may also be about the target.
      if (error.code === 'ENOENT' && !(await lstat(source).catch(() => null))) return true
      throw error
    },
  )
  if (missing) return { entry: { ...blob, bytes: size, sha256: null }, isWhole: false }
  await syncFile(target)
  const [sha256, stored] = [createHash('sha256'), createHash('md5')]
  const bytes = await hashFile(target, [sha256, stored], (more) => progress.count('bytes', more))
  const isWhole = bytes === size && stored.digest('hex') === md5
  return { entry: { ...blob, bytes, sha256: sha256.digest('hex') }, isWhole }
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
  const prepare = async (blob: Named) => {
    const path = dirname(join(folder, backedUpPath(blob.in, blob.id)))
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
  const parents = new Set([...folders].map(dirname))
  for (const path of parents) await syncFolder(path)
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
