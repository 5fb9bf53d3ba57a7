import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The process id of the embedded PostgreSQL of a data folder, according to its lock file. */
export const postmasterPid = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

/** A process that has just ended may still be listed for some milliseconds. */
export const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
