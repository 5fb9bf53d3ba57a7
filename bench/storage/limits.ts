import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Measure } from '../measure.ts'

type Limit = { measure: Measure; stop(): void }

/** The least that is durable: write, fdatasync, rename, fsync of the folder, one file after the other. */
export const fileLoop = async (folder: string, size: number): Promise<Limit> => {
  const child = fork(new URL(import.meta.url), ['files', folder, String(size)])
  await once(child, 'message')
  return {
    measure: async (seconds) => {
      child.send(seconds)
      return (await once(child, 'message'))[0] as number
    },
    stop: () => void child.kill(),
  }
}

const writeOne = async (folder: string, bytes: Buffer, n: number) => {
  const draft = join(folder, 'draft')
  const file = await open(draft, 'w')
  await file.write(bytes)
  await file.datasync()
  await file.close()
  await rename(draft, join(folder, `file-${n % 1000}`))
  const directory = await open(folder, 'r')
  await directory.sync()
  await directory.close()
}

const writeFiles = async (folder: string, bytes: Buffer) => {
  await mkdir(folder, { recursive: true })
  process.on('disconnect', () => void rm(folder, { recursive: true, force: true }))
  process.on('message', async (seconds: number) => {
    const end = performance.now() + seconds * 1000
    let written = 0
    while (performance.now() < end) await writeOne(folder, bytes, written++)
    process.send?.(written / seconds)
  })
  process.send?.(0)
}

if (process.argv[2] === 'files')
  await writeFiles(process.argv[3] as string, Buffer.alloc(Number(process.argv[4]), 'b'))
