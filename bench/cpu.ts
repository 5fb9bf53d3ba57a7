import { readFile } from 'node:fs/promises'

/** The clock tick of /proc on every Linux that Node runs on. */
const ticksPerSecond = 100

/** CPU seconds that a process has used so far, all its threads together, in user and kernel mode. Linux only. */
const cpuSeconds = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the command comes second, in parentheses, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [userTicks, systemTicks] = [fields[11], fields[12]]
  return (Number(userTicks) + Number(systemTicks)) / ticksPerSecond
}

/** CPU microseconds that a process spends per request while `run` sends it requests and returns how many. */
export const cpuPerRequest = async (pid: number, run: () => Promise<{ requests: number }>) => {
  const before = await cpuSeconds(pid)
  const { requests } = await run()
  return (((await cpuSeconds(pid)) - before) / requests) * 1e6
}
