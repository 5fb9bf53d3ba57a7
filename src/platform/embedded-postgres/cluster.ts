import { rmdir } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type Report, unreported } from '#platform/progress.ts'
import { databaseAccount } from './account.ts'
import { findBinaries, givenBinaries } from './binaries.ts'
import { explainFailure } from './errors.ts'
import { makeDataFolder, ownSocketFolder } from './folders.ts'
import { clusterPath, findOrMakeCluster, USER } from './initdb.ts'
import { type Joining, joinCluster } from './join.ts'
import { type Place, PORT, stopPostmaster } from './postmaster.ts'
import { DATABASE, type Purpose, type Session } from './session.ts'
import { type Join, supervise } from './supervise.ts'

export { ClusterError } from './errors.ts'

export type Cluster = {
  /** Where to connect; `host` is the folder of the Unix socket. */
  connection: { host: string; port: number; user: string; database: string }
  /** Leaves the cluster, and stops it unless another process still uses it. */
  close(): Promise<void>
}

export type ClusterOptions = {
  /** An absolute path. */
  dataDir: string
  /** One process serves a data folder; any number of operator commands may use it beside. */
  purpose: Purpose
  log: Logger
  /** A folder with the programs of PostgreSQL, instead of those of the npm package. */
  binaries?: string | undefined
  /** PostgreSQL settings beyond ours. */
  settings?: Record<string, string>
  report?: Report
}

/** The PostgreSQL of a data folder: made if there is none, started unless it runs, kept running until closed. */
export const openCluster = async ({
  dataDir,
  purpose,
  log,
  binaries,
  settings = {},
  report = unreported,
}: ClusterOptions): Promise<Cluster> => {
  const place = await explained(dataDir, () => preparePlace(dataDir, binaries, settings, report))
  report('starting the database')
  const join: Join = (signal, report) =>
    explained(dataDir, () => joinPrepared(place, { purpose, signal, log, report }))
  const first = await join(new AbortController().signal, report)
  const supervision = supervise(first, join, log)
  let closing: Promise<void> | undefined
  return {
    connection: { host: first.socketFolder, port: PORT, user: USER, database: DATABASE },
    close: () => {
      closing ??= supervision
        .stop()
        .then((session) => session && leave(place, session))
        .then(() => {})
      return closing
    },
  }
}

const explained = async <T>(dataDir: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw explainFailure(error, dataDir)
  }
}

const preparePlace = async (
  dataDir: string,
  given: string | undefined,
  settings: Record<string, string>,
  report: Report,
): Promise<Place> => {
  await makeDataFolder(dataDir)
  const account = await databaseAccount(clusterPath(dataDir))
  const binaries = await (given ? givenBinaries(given, account) : findBinaries(account, dataDir))
  const folder = await findOrMakeCluster(dataDir, binaries, account, report)
  return { dataDir, folder, account, settings, postgres: binaries.postgres }
}

const joinPrepared = async (place: Place, joining: Joining) => {
  const session = await joinCluster(place, joining)
  try {
    await session.makeDatabase()
    return session
  } catch (error) {
    await leave(place, session)
    throw error
  }
}

const leave = async (place: Place, session: Session) => {
  // A connection that is lost just now says nothing about others: the cluster is left to them.
  const last = await session.isLast().catch(() => false)
  if (last) await stopPostmaster(place.folder)
  await session.end()
  if (last && session.socketFolder !== ownSocketFolder(place.dataDir))
    await rmdir(session.socketFolder).catch(() => {})
}
