import { readdir, readFile } from 'node:fs/promises'

/** The clock tick of /proc on every Linux that Node runs on. */
const ticksPerSecond = 100

type Process = { parent: number; seconds: number; secondsOfEndedChildren: number }

/** What a process has used so far, all its threads together, in user and kernel mode. Linux only. */
const processOf = async (pid: number): Promise<Process> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the command comes second, in parentheses, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const secondsIn = (...indexes: number[]) =>
    indexes.reduce((sum, index) => sum + Number(fields[index]), 0) / ticksPerSecond
  return { parent: Number(fields[1]), seconds: secondsIn(11, 12), secondsOfEndedChildren: secondsIn(13, 14) }
}

const cpuSeconds = async (pid: number) => (await processOf(pid)).seconds

/** CPU seconds of a process and of everything that it started, what has ended meanwhile included. */
const cpuSecondsOfTree = async (root: number) => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const processes = new Map<number, Process>()
  await Promise.all(
    pids.map(async (pid) => {
      const found = await processOf(pid).catch(() => null) // It has ended since the folder was read.
      if (found) processes.set(pid, found)
    }),
  )
  const total = (pid: number): number => {
    const { seconds, secondsOfEndedChildren } = processes.get(pid) as Process
    const children = [...processes].filter(([, { parent }]) => parent === pid)
    return children.reduce((sum, [child]) => sum + total(child), seconds + secondsOfEndedChildren)
  }
  return total(root)
}

/** CPU microseconds that a process spends per request while `run` sends it requests and returns how many. */
export const cpuPerRequest = async (pid: number, run: () => Promise<{ requests: number }>) => {
  const before = await cpuSeconds(pid)
  const { requests } = await run()
  return (((await cpuSeconds(pid)) - before) / requests) * 1e6
}

/** The same for a server together with its embedded database. */
export const cpuPerWrite = async (pid: number, run: () => Promise<{ requests: number }>) => {
  const before = await cpuSecondsOfTree(pid)
  const { requests } = await run()
  return (((await cpuSecondsOfTree(pid)) - before) / requests) * 1e6
}
