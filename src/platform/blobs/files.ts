import { constants } from 'node:fs'
import { chmod, copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { syncFile, syncFolder } from '#platform/durable.ts'
import { uuidv7 } from '#platform/ids.ts'
import { isAlive } from '#platform/processes.ts'
import { singleFlight } from '#platform/single-flight.ts'
import { type Engine, MissingBytes } from './engine.ts'
import { fileStream } from './file-stream.ts'

const abandonedAfterMs = 24 * 3600 * 1000
const processStart = Date.now() - process.uptime() * 1000

/** The path of a blob below the folder of all blobs. */
export const blobPath = (id: string) => `${id.slice(-2)}/${id}`

/** Blobs as files, spread over 256 folders by the end of their id, which is random. */
export const fileEngine = (root: string): Engine => {
  const drafts = join(root, 'drafts')
  const pathOf = (id: string) => join(root, blobPath(id))
  const folderOf = (id: string) => dirname(pathOf(id))
  const draftOf = () => join(drafts, `${hostname()}.${process.pid}.${uuidv7()}`)
  let prepared: Promise<unknown> | null = null

  const prepare = async () => {
    await mkdir(drafts, { recursive: true, mode: 0o700 })
    for (let n = 0; n < 256; n++)
      await mkdir(join(root, n.toString(16).padStart(2, '0')), { recursive: true, mode: 0o700 })
    await syncFolder(root)
  }
  const ready = () => {
    prepared ??= prepare().catch((error) => {
      prepared = null
      throw error
    })
    return prepared
  }

  const flushes = new Map<string, () => Promise<void>>()
  /** Blobs that were renamed into a folder while it was being flushed share its next flush. */
  const flushFolder = (path: string) => {
    const flush = flushes.get(path) ?? singleFlight(() => syncFolder(path))
    flushes.set(path, flush)
    return flush()
  }

  const throughDraft = async (id: string, write: (draft: string) => Promise<void>) => {
    await ready()
    const draft = draftOf()
    try {
      await write(draft)
      await rename(draft, pathOf(id))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await flushFolder(folderOf(id))
  }

  const orMissing = (id: string) => (cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? new MissingBytes(`blob ${id} is missing`, { cause }) : cause
  }
  const checkLength = (id: string, found: number, size: number) => {
    if (found !== size) throw new MissingBytes(`blob ${id} has ${found} bytes instead of ${size}`)
  }

  const openWhole = async (id: string, size: number) => {
    const file = await open(pathOf(id), 'r').catch(orMissing(id))
    try {
      checkLength(id, (await file.stat()).size, size)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  return {
    async locate(id, size) {
      checkLength(id, (await stat(pathOf(id)).catch(orMissing(id))).size, size)
      return blobPath(id)
    },

    write: (id, chunks) =>
      throughDraft(id, async (draft) => {
        const file = await open(draft, 'wx', 0o600)
        try {
          await writeAll(file, chunks)
          await file.datasync()
        } finally {
          await file.close()
        }
      }),

    takeFile: (id, path) =>
      throughDraft(id, async (draft) => {
        await copyFile(path, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
        await chmod(draft, 0o600)
        await syncFile(draft)
      }),

    async read(id, size, start, end) {
      return fileStream(await openWhole(id, size), start, end)
    },

    async readWhole(id, size) {
      const file = await openWhole(id, size)
      try {
        const bytes = Buffer.allocUnsafeSlow(size)
        let done = 0
        while (done < size) {
          const { bytesRead } = await file.read(bytes, done, size - done, done)
          if (bytesRead === 0) throw new MissingBytes(`blob ${id} ended at ${done} of ${size} bytes`)
          done += bytesRead
        }
        return bytes
      } finally {
        await file.close()
      }
    },

    remove: (id) => rm(pathOf(id), { force: true }),

    async *list() {
      for (let n = 0; n < 256; n++) {
        const folder = join(root, n.toString(16).padStart(2, '0'))
        for (const name of await namesIn(folder)) {
          const facts = await stat(join(folder, name)).catch(() => null)
          if (facts) yield { id: name, modifiedAt: facts.mtime }
        }
      }
    },

    async sweep(now) {
      for (const name of await namesIn(drafts)) {
        const path = join(drafts, name)
        const facts = await stat(path).catch(() => null)
        if (facts && isAbandoned(name, facts.mtimeMs, now)) await rm(path, { force: true })
      }
    },
  }
}

/** A folder that does not exist yet is empty. */
const namesIn = (folder: string) =>
  readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

const writeAll = async (file: FileHandle, chunks: AsyncIterable<Buffer>) => {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
  }
}

/** The process that wrote the draft has ended, if it ran on this machine, or the draft has not changed for a day. */
const isAbandoned = (name: string, modifiedAt: number, now: Date) => {
  if (now.getTime() - modifiedAt > abandonedAfterMs) return true
  const [pid, host] = [Number(name.split('.').at(-2)), name.split('.').slice(0, -2).join('.')]
  if (host !== hostname()) return false
  return pid === process.pid ? modifiedAt < processStart : !isAlive(pid)
}
