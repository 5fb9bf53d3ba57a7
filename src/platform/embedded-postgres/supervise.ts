import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Report } from '#platform/progress.ts'
import type { Session } from './session.ts'

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 5_000

export type Join = (signal: AbortSignal, report: Report) => Promise<Session>

const PROGRESS_EVERY = 10_000

/** Joins the cluster again whenever the session is lost; `stop` returns the session there is at the end, if any. */
export const supervise = (first: Session, join: Join, log: Logger) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )

  const watch = async (): Promise<Session | null> => {
    let session: Session | null = first
    while (session && !signal.aborted) {
      await Promise.race([session.closed, stopped])
      if (signal.aborted) break
      log.warn('The embedded database is lost; restoring it')
      const lostAt = Date.now()
      await session.end()
      session = await rejoin(join, signal, log)
      if (session) log.info({ ms: Date.now() - lostAt }, 'The embedded database is back')
    }
    return session
  }

  const watching = watch()
  return {
    stop: () => {
      stopping.abort()
      return watching
    },
  }
}

const rejoin = async (join: Join, signal: AbortSignal, log: Logger): Promise<Session | null> => {
  let lastProblem = ''
  const report = sometimes((step) => log.info(`The embedded database is not back yet: ${step}`))
  for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await join(signal, report)
    } catch (error) {
      if (signal.aborted) break
      const problem = error instanceof Error ? error.message : String(error)
      if (problem !== lastProblem) log.error(error, 'The embedded database cannot be restored yet')
      lastProblem = problem
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
  return null
}

/** Most recoveries are over before the first line. */
const sometimes = (report: Report): Report => {
  let reportedAt = performance.now()
  return (step) => {
    if (performance.now() - reportedAt < PROGRESS_EVERY) return
    reportedAt = performance.now()
    report(step)
  }
}
