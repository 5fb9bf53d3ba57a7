import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { codeOf } from '#platform/errors.ts'

export type Process = {
  pid: number
  parent: number
  /** A letter as in `ps`: Z for one that has ended, D or U for one that waits for the disk. */
  state: string
  /** The CPU time so far, in whatever unit. */
  cpu: string
  command: string
}

/** By this name in their titles the processes of one cluster know each other. */
export const clusterName = (folder: string) =>
  `trivet-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`

/** Whether that process is the postmaster of this cluster, and not another one that was given its number. */
export const isPostmaster = async (pid: number, folder: string) =>
  (await readProcess(pid))?.command.endsWith(`postgres -D ${folder}`) ?? false

/** A living process that is not our postmaster. */
export const isStranger = async (pid: number, folder: string) =>
  (await readProcess(pid)) !== undefined && !(await isPostmaster(pid, folder))

/** A process of a killed postmaster that is busy notices only after its statement, and lets no other start before. */
export const endOrphans = async (folder: string) => {
  for (const { pid, parent, command } of await allProcesses()) {
    const isOurs = command.startsWith(`postgres: ${clusterName(folder)}: `)
    if (isOurs && !(await isPostmaster(parent, folder))) sendSignal(pid, 'SIGTERM')
  }
}

export const sendSignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It may have ended by itself in the meantime.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

const isLinux = process.platform === 'linux'

const readProcess = async (pid: number) => (isLinux ? readProc(pid) : (await ps(['-p', String(pid)]))[0])

export const allProcesses = async () => {
  if (!isLinux) return ps(['-ax'])
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  return (await Promise.all(pids.map(readProc))).filter((found) => found !== undefined)
}

/** Containers often have no `ps`, and root there may read little more than this of another user's process. */
const readProc = async (pid: number): Promise<Process | undefined> => {
  try {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything.
    const [state = '', parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      pid,
      parent: Number(parent),
      state,
      cpu: rest.slice(9, 11).join('+'),
      command: command.replaceAll('\0', ' ').trimEnd(),
    }
  } catch {
    return undefined
  }
}

const ps = async (which: string[]): Promise<Process[]> => {
  const listed = promisify(execFile)('ps', [...which, '-ww', '-o', 'pid=,ppid=,state=,time=,command='])
  const { stdout } = await listed.catch(() => ({ stdout: '' }))
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S)\S*\s+(\S+)\s+(.*?)\s*$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, state, cpu, command]) => ({
      pid: Number(pid),
      parent: Number(parent),
      state: state!,
      cpu: cpu!,
      command: command!,
    }))
}
