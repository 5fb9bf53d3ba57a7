import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, type FileHandle, open, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { allProcesses, clusterName, isPostmaster, isStranger, sendSignal } from './processes.ts'
import { clusterSettings, configFile } from './settings.ts'

/** A cluster on disk, and what is needed to run it. */
export type Place = {
  dataDir: string
  /** The real path of PostgreSQL's own folder. */
  folder: string
  postgres: string
  account: Account | null
  settings: Record<string, string>
}

export const PORT = 5432
export const SOCKET_NAME = `.s.PGSQL.${PORT}`

/** Our own environment stays outside: `PG…` and locale variables would change what PostgreSQL does. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** What a postmaster says of itself in `postmaster.pid`; the socket folder is empty until it listens. */
export const readPidFile = async (folder: string) => {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , , socketFolder = '', , , status] = text.split('\n')
  return Number(pid) > 0
    ? { pid: Number(pid), socketFolder, isStopping: status?.trim() === 'stopping' }
    : null
}

/**
 * PostgreSQL takes any living process of its own user for the one that a lock file names; after a restart of a
 * container that is often a stranger. Files that name a dead process it clears away by itself.
 */
export const clearForeignLocks = async (folder: string, socketFolder: string) => {
  for (const path of [join(folder, 'postmaster.pid'), join(socketFolder, `${SOCKET_NAME}.lock`)]) {
    const pid = await firstNumber(path)
    if (!pid || !(await isStranger(pid, folder))) continue
    if ((await firstNumber(path)) === pid) await unlink(path).catch(() => {})
  }
}

const firstNumber = async (path: string) => Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)

export type Start = {
  /** What it wrote before it gave up, nothing when somebody stopped it in good order; null while it runs. */
  failure(): string | null
  /** Stops it, because no process waits for it any longer. */
  abandon(): void
  /** From here on it is on its own. */
  release(): Promise<void>
}

/** Starts a postmaster in a session of its own, so that neither Ctrl-C nor our end takes it along. */
export const startPostmaster = async (place: Place, socketFolder: string): Promise<Start> => {
  await writeSettings(place, socketFolder)
  const output = await openNamelessFile(join(place.folder, `start-${randomUUID()}.log`))
  const child = spawn(place.postgres, ['-D', place.folder], {
    ...place.account,
    cwd: place.folder,
    env: CLEAN_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  child.unref()
  let failure: string | null = null
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('exit', async (code, signal) => {
    const written = await readAll(output).catch(() => '')
    failure = code === 0 ? '' : `${written}\n${signal ? `FATAL: ended by ${signal}` : ''}`
  })
  const release = async () => {
    child.removeAllListeners('exit')
    await output.close()
  }
  return { failure: () => failure, abandon: () => child.kill('SIGINT'), release }
}

/** Nothing has to tidy it up; what matters later is in PostgreSQL's own log. */
const openNamelessFile = async (path: string) => {
  const file = await open(path, 'w+')
  await unlink(path)
  return file
}

const readAll = async (file: FileHandle) => {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(2 ** 16), position: 0 })
  return buffer.toString('utf8', 0, bytesRead)
}

const writeSettings = async ({ folder, account, settings }: Place, socketFolder: string) => {
  const path = join(folder, 'postgresql.conf')
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, configFile({ ...clusterSettings(clusterName(folder), socketFolder), ...settings }), {
    mode: 0o600,
  })
  if (account) await chown(draft, account.uid, account.gid)
  await rename(draft, path)
}

/** Fast shutdown; waits until the process has ended. */
export const stopPostmaster = async (folder: string) => {
  const found = await readPidFile(folder)
  if (!found || !(await isPostmaster(found.pid, folder))) return
  sendSignal(found.pid, 'SIGINT')
  while (await isPostmaster(found.pid, folder)) await sleep(10)
}

/** For the processes of a postmaster that is to stop at once. */
const SHUTDOWN_PATIENCE = 10_000

/** Immediate shutdown of a postmaster that hangs, which loses nothing that was committed; waits until it has ended. */
export const stopHanging = async (pid: number, folder: string) => {
  if (!(await isPostmaster(pid, folder))) return
  sendSignal(pid, 'SIGQUIT')
  const askedAt = performance.now()
  while (await isPostmaster(pid, folder)) {
    if (performance.now() - askedAt > SHUTDOWN_PATIENCE) await killTree(pid, folder)
    await sleep(50)
  }
}

/** The postmaster goes first, so that it starts no other processes. */
const killTree = async (postmaster: number, folder: string) => {
  const children = (await allProcesses()).filter(({ parent }) => parent === postmaster)
  if (!(await isPostmaster(postmaster, folder))) return
  for (const pid of [postmaster, ...children.map(({ pid }) => pid)]) sendSignal(pid, 'SIGKILL')
}
