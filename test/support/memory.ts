import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the kernel says in kB about a process, in MiB; nothing about a process that has ended. */
const mebibytes = async (path: string, name: string) => {
  const text = await readFile(path, 'utf8').catch(() => '')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024
}

const childrenOf = async (pid: number) => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

/**
 * The memory of a server and of the PostgreSQL that it started, in MiB. What processes of PostgreSQL share is counted once.
 */
export const memoryOf = async (server: number, postmaster: number) => {
  const shares = [postmaster, ...(await childrenOf(postmaster))].map((pid) =>
    mebibytes(`/proc/${pid}/smaps_rollup`, 'Pss'),
  )
  const process = await mebibytes(`/proc/${server}/status`, 'VmRSS')
  const database = (await Promise.all(shares)).reduce((sum, share) => sum + share, 0)
  return { process, database, all: process + database }
}

export type Memory = Awaited<ReturnType<typeof memoryOf>>

/** Measures again and again until `end` is called; `peak` is then the measurement with the highest sum. */
export const watchMemory = (measure: () => Promise<Memory>) => {
  const ending = new AbortController()
  const watch = async () => {
    let peak = await measure()
    while (!ending.signal.aborted) {
      await sleep(50)
      const now = await measure()
      if (now.all > peak.all) peak = now
    }
    return peak
  }
  return { peak: watch(), end: () => ending.abort() }
}
