import { readdir, readFile } from 'node:fs/promises'

type Role = 'backend' | 'checkpointer' | 'walwriter' | 'startup' | 'io worker' | 'other'

/** The titles of processes that are not client sessions. */
const helpers = /^(background writer|autovacuum|logical replication|archiver|parallel worker|logger|wal)/

const roleOf = (title: string): Role => {
  const name = title.replace(/^postgres: (trivet-[0-9a-f]+: )?/, '')
  if (name.startsWith('checkpointer')) return 'checkpointer'
  if (name.startsWith('walwriter')) return 'walwriter'
  if (name.startsWith('startup')) return 'startup'
  if (name.startsWith('io worker')) return 'io worker'
  return helpers.test(name) ? 'other' : 'backend'
}

const parentOf = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const isZombie = /^State:\s+Z/m.test(status)
  return isZombie ? 0 : Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0)
}

/** False also for a zombie. */
export const isAlive = async (pid: number) => (await parentOf(pid)) !== 0

/** The processes of a PostgreSQL, read from /proc, because a query would need a session of its own. */
export const processesBelow = async (postmaster: number) => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const all = await Promise.all(
    pids.map(async (pid) => {
      if ((await parentOf(pid)) !== postmaster) return []
      const title = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
      return [{ pid, role: roleOf(title) }]
    }),
  )
  return all.flat()
}

/** Sends a signal to each process that still exists. */
export const signalAll = (pids: number[], signal: NodeJS.Signals) => {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
