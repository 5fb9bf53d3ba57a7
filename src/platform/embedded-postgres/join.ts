import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Report } from '#platform/progress.ts'
import { ClusterError, explainOutput } from './errors.ts'
import { makeSocketFolder } from './folders.ts'
import { replaceHanging, SILENCE } from './hanging.ts'
import { clearForeignLocks, type Place, readPidFile, type Start, startPostmaster } from './postmaster.ts'
import { endOrphans, isPostmaster } from './processes.ts'
import { openSession, type Purpose, type Refusal, type Session } from './session.ts'

/** For a postmaster that is about to listen, and for the last processes of one that was killed. */
const PATIENCE = 15_000
/** For a postmaster that listens: three connections that are not answered, and one that hangs has been replaced. */
const ANSWER_PATIENCE = SILENCE + 5_000
/** A server that was killed a moment ago still holds its lock. */
const FAREWELL = 1_000

export type Joining = {
  purpose: Purpose
  signal: AbortSignal
  log: Logger
  /** Is told how far a recovery has come. */
  report: Report
}

/**
 * Goes round until this process has a session, starting the postmaster whenever none runs, and replacing one that
 * hangs.
 */
export const joinCluster = async (place: Place, joining: Joining): Promise<Session> => {
  const { purpose, signal } = joining
  const hanging = replaceHanging(place, joining)
  const began = Date.now()
  let silentSince = began
  let answered = false
  let start: Start | null = null
  let failure: string | null = null
  try {
    for (;;) {
      signal.throwIfAborted()
      const found = await readPidFile(place.folder)
      const answer = await ask(found?.socketFolder, purpose)
      if (!('state' in answer)) return answer
      if (answer.state === 'served' && Date.now() - began > FAREWELL) throw alreadyServed(place, answer.by)
      if (answer.state !== 'silent') {
        answered = true
        silentSince = Date.now()
      } else if (start) {
        failure = start.failure()
        if (failure !== null) start = await retryAfter(start, failure, place)
      } else if (!found || !(await isPostmaster(found.pid, place.folder))) {
        start = await startAfresh(place)
      }
      if (found && (await hanging.isEnded(found, answer.state, Date.now() - silentSince))) {
        await start?.release()
        start = null
        silentSince = Date.now()
      }
      if (Date.now() - silentSince > (found?.socketFolder ? ANSWER_PATIENCE : PATIENCE))
        throw await silence(place, found?.pid, failure)
      await sleep(pauseAfter(Date.now() - began), undefined, { signal })
    }
  } catch (error) {
    // Once it has responded, other processes may use it, too.
    if (signal.aborted || !answered) start?.abandon()
    throw error
  } finally {
    await start?.release()
  }
}

/** Short at first, and longer the longer it takes: each knock on a recovering cluster is a line in its log. */
const pauseAfter = (waited: number) => Math.min(Math.max(10, waited / 10), 250)

const ask = (socketFolder: string | undefined, purpose: Purpose): Promise<Session | Refusal> | Refusal =>
  socketFolder ? openSession(socketFolder, purpose) : { state: 'silent' }

const startAfresh = async (place: Place) => {
  const socketFolder = await makeSocketFolder(place.dataDir, place.account)
  await clearForeignLocks(place.folder, socketFolder)
  return startPostmaster(place, socketFolder)
}

/** Another process was faster, or tidied the socket folder away when it stopped the cluster just now. */
const OVERTAKEN = [/lock file ".*" already exists/, /could not create lock file ".*\.s\.PGSQL.*No such file/]
/** Processes of a killed postmaster are still there. */
const ORPHANED = /pre-existing shared memory block/

const retryAfter = async (start: Start, failure: string, place: Place): Promise<null> => {
  await start.release()
  if (failure === '') return null
  if (ORPHANED.test(failure)) await endOrphans(place.folder)
  else if (!OVERTAKEN.some((reason) => reason.test(failure))) throw await startFailed(failure, place)
  return null
}

const alreadyServed = ({ dataDir }: Place, by: string) =>
  new ClusterError(
    `Another Trivet already serves ${dataDir} (process ${by}). Stop it first, or choose another TRIVET_DATA.`,
  )

const silence = async (place: Place, pid: number | undefined, failure: string | null) =>
  failure
    ? startFailed(failure, place)
    : new ClusterError(
        `PostgreSQL (process ${pid}) runs in ${place.folder} but does not answer: stop that process.`,
      )

const startFailed = async (failure: string, { folder, dataDir }: Place) => {
  const log = await newestLog(join(folder, 'log'))
  const output = /FATAL|PANIC/.test(failure) || !log ? failure : sinceStart(await readFile(log, 'utf8'))
  return explainOutput('PostgreSQL did not start', output, dataDir, log ?? folder)
}

const sinceStart = (log: string) => log.slice(Math.max(0, log.lastIndexOf('starting PostgreSQL')))

const newestLog = async (folder: string) => {
  const names = await readdir(folder).catch(() => [])
  const logs = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  )
  return logs.sort((a, b) => b.at - a.at)[0]?.path ?? null
}
