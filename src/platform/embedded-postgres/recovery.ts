import type { Process } from './processes.ts'

/** How often a cluster that recovers is looked at. */
export const LOOK_EVERY = 1_000
/** PostgreSQL itself takes five seconds at most to end the processes that a crash left. */
const LOOKS_WITHOUT_STARTUP = 5
const LOOKS_WITHOUT_MOVEMENT = 60

type Look = {
  /** Why this recovery will never end, or null as long as it may. */
  hangs: string | null
  /** The segment of the log that is being replayed, once that is known. */
  position: string | null
}

/** The processes that recovery depends on. The rest also wakes up when nothing happens, or because we knock. */
const WORKS = /^(startup|checkpointer|io worker)\b/
const STARTUP = /^startup( recovering (\w+))?/

/**
 * Tells a slow recovery from one that hangs. When a startup process is killed at an unlucky moment, a postmaster waits for
 * ever for one that it never starts. Looks are counted instead of time, so that a pause of this process, or of the
 * machine, does not count.
 */
export const watchRecovery = (postmaster: number, cluster: string) => {
  const title = `postgres: ${cluster}: `
  let absent = 0
  let still = 0
  let last = ''
  return {
    postmaster,
    look(processes: Process[]): Look {
      const working = processes.flatMap((process) => {
        const name = process.command.slice(title.length)
        const isOurs = process.parent === postmaster && process.command.startsWith(title)
        return isOurs && process.state !== 'Z' && WORKS.test(name) ? [{ ...process, name }] : []
      })
      const startup = working.find(({ name }) => STARTUP.test(name))
      absent = startup ? 0 : absent + 1

      const seen = working.map(({ pid, name, cpu }) => `${pid} ${name} ${cpu}`).join('\n')
      const waitsForDisk = working.some(({ state }) => state === 'D' || state === 'U')
      still = seen === last && !waitsForDisk ? still + 1 : 0
      last = seen

      const hangs =
        absent >= LOOKS_WITHOUT_STARTUP
          ? 'no startup process'
          : still >= LOOKS_WITHOUT_MOVEMENT
            ? `nothing has moved for ${(still * LOOK_EVERY) / 1000} s`
            : null
      return { hangs, position: (startup && STARTUP.exec(startup.name)?.[2]) ?? null }
    },
  }
}
