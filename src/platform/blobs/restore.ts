import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { damagedBackup, type Manifest } from '#platform/backup/manifest.ts'
import type { Progress } from '#platform/backup/progress.ts'
import { checkFile } from '#platform/backup/sums.ts'
import type { Config } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { inParallel } from '#platform/parallel.ts'
import { backedUpPath, type Entry, entriesOf, listFile, parallelCopies } from './backup-list.ts'
import type { Engine } from './engine.ts'
import { collections, openEngine } from './open.ts'

/** Verifies every blob of a backup against its checksum. */
export const checkBlobs = async (folder: string, { blobs }: Manifest, progress: Progress) => {
  if (!blobs.list) return
  await checkFile(folder, listFile, blobs.list)
  let [count, bytes] = [0, 0]
  await inParallel(entriesOf(folder), parallelCopies, async ({ id, sha256, ...entry }) => {
    if (sha256)
      await checkFile(folder, backedUpPath(entry.in, id), { bytes: entry.bytes, sha256 }, (more) => {
        bytes += more
        progress.count('bytes', more)
      })
    progress.step(`checking blob ${++count} of ${blobs.count}`)
  })
  if (count !== blobs.count || bytes !== blobs.bytes)
    throw damagedBackup(folder, `${listFile} names ${count} blobs instead of ${blobs.count}`)
}

/** Plans how the blobs of a verified backup are restored, or refuses. `undo` reverts `place`. */
export const planBlobs = async (config: Config, folder: string, { blobs }: Manifest, progress: Progress) => {
  const engines = new Map(collections.map((name) => [name, openEngine(config, name)]))
  const engineOf = (entry: Entry) => engines.get(entry.in) as Engine
  if (!blobs.list && blobs.count > 0 && config.blobs.kind === 'file')
    throw new OperatorError(
      `This backup holds no blobs, since they stayed in their bucket: set BLOBS_URL to it or to a copy of it.`,
    )
  let wasEmpty = true
  if (config.blobs.kind === 'file')
    for (const [name, engine] of engines)
      for await (const { id } of engine.list()) {
        wasEmpty = false
        // Blobs of an interrupted restore are the same ones.
        if (!isUuid(id) || !(await lstat(join(folder, backedUpPath(name, id))).catch(() => null)))
          throw new OperatorError(
            `${config.blobs.dir} holds blobs that are not in the backup: restore into an empty folder.`,
          )
      }
  const each = async (work: (entry: Entry) => Promise<void>) => {
    if (blobs.list) await inParallel(entriesOf(folder), parallelCopies, work)
  }
  return {
    async place() {
      let count = 0
      await each(async (entry) => {
        const { id, sha256, bytes } = entry
        if (!sha256) return
        const [engine, path] = [engineOf(entry), join(folder, backedUpPath(entry.in, id))]
        await (engine.takeFile ? engine.takeFile(id, path) : engine.write(id, createReadStream(path)))
        progress.count('blobs', 1)
        progress.count('bytes', bytes)
        progress.step(`blob ${++count} of ${blobs.count}`)
      })
    },
    async undo() {
      if (config.blobs.kind === 'file' && wasEmpty) await each((entry) => engineOf(entry).remove(entry.id))
    },
  }
}
