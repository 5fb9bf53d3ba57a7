import type { Logger } from 'pino'
import type { Report } from '#platform/progress.ts'
import { type Place, type readPidFile, stopHanging } from './postmaster.ts'
import { allProcesses, clusterName, isPostmaster, type Process } from './processes.ts'
import { LOOK_EVERY, watchRecovery } from './recovery.ts'
import type { Refusal } from './session.ts'

/** For how long a postmaster that listens may leave connections unanswered. */
export const SILENCE = 30_000

type Found = NonNullable<Awaited<ReturnType<typeof readPidFile>>>

/** Ends a postmaster that will never accept a connection again, so that another one can be started. */
export const replaceHanging = ({ folder }: Place, { log, report }: { log: Logger; report: Report }) => {
  let watch = watchRecovery(0, '')
  let lookedAt = Number.NEGATIVE_INFINITY

  const whyInRecovery = async (postmaster: number) => {
    if (performance.now() - lookedAt < LOOK_EVERY) return null
    lookedAt = performance.now()
    if (watch.postmaster !== postmaster) watch = watchRecovery(postmaster, clusterName(folder))
    const { hangs, position } = watch.look(await allProcesses())
    if (position && !hangs) report(`the database recovers from a crash (log segment ${position})`)
    return hangs && `hangs in recovery (${hangs})`
  }

  const whySilent = async (postmaster: number, silentMs: number) => {
    if (silentMs < SILENCE || isUsed(postmaster, clusterName(folder), await allProcesses())) return null
    return `has not answered for ${Math.round(silentMs / 1000)} s`
  }

  const why = async ({ pid, socketFolder, isStopping }: Found, state: Refusal['state'], silentMs: number) => {
    if (isStopping || !socketFolder || !(await isPostmaster(pid, folder))) return null
    if (state === 'closed') return whyInRecovery(pid)
    return state === 'silent' ? whySilent(pid, silentMs) : null
  }

  return {
    /** Returns true after it has ended a postmaster that hangs. */
    async isEnded(found: Found, state: Refusal['state'], silentMs: number) {
      const reason = await why(found, state, silentMs)
      if (reason === null) return false
      log.warn(`The embedded database ${reason}; stopping process ${found.pid} to start it again`)
      await stopHanging(found.pid, folder)
      return true
    },
  }
}

/** Whether others have sessions: then it is slow for those who come now, and still of use. */
const isUsed = (postmaster: number, cluster: string, processes: Process[]) => {
  const session = new RegExp(`^postgres: ${cluster}: .* \\[local\\] (?!authentication|startup|initializing)`)
  return processes.some(({ parent, command }) => parent === postmaster && session.test(command))
}
