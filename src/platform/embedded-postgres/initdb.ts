import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lstat, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from '#platform/errors.ts'
import { isAlive } from '#platform/processes.ts'
import type { Report } from '#platform/progress.ts'
import {
  type Account,
  canReach,
  giveAway,
  makePrivateFolder,
  makeSystemFolder,
  SYSTEM_FOLDER,
} from './account.ts'
import type { Binaries } from './binaries.ts'
import { ClusterError, explainOutput } from './errors.ts'
import { CLEAN_ENVIRONMENT } from './postmaster.ts'

export const USER = 'trivet'

export const clusterPath = (dataDir: string) => join(dataDir, 'postgres')

/** The cluster of this data folder by its real path, made when there is none. */
export const findOrMakeCluster = async (
  dataDir: string,
  binaries: Binaries,
  account: Account | null,
  report: Report,
) => {
  await removeLeftovers(dataDir)
  if (!(await exists(clusterPath(dataDir)))) {
    report('creating the database')
    await makeCluster(dataDir, binaries, account)
  }
  return checkedCluster(dataDir, binaries, account)
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

const checkedCluster = async (dataDir: string, { major }: Binaries, account: Account | null) => {
  const path = clusterPath(dataDir)
  const folder = await realpath(path).catch((cause) => {
    throw new ClusterError(
      `${path} points to a database that is not there: bring it back, or remove the link.`,
      {
        cause,
      },
    )
  })
  const found = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (!found) throw new ClusterError(`${path} is not a PostgreSQL database that this user can read.`)
  if (found !== major) {
    throw new ClusterError(
      `${path} was written by PostgreSQL ${found}, this is PostgreSQL ${major}: ` +
        'move it with "trivet backup" of the old version and "trivet restore" of this one.',
    )
  }
  if (account && (await stat(folder)).uid === 0) await giveAway(folder, account)
  if (!(await canReach(account, folder))) {
    throw new ClusterError(
      `User id ${account?.uid}, who runs PostgreSQL, cannot enter ${folder}: allow it to pass the folders above.`,
    )
  }
  return folder
}

/**
 * A half-made cluster never bears the final name: it is made under another one and then renamed, or linked to where
 * the account cannot reach the data folder. Of two that do this at once, one finds the name taken and uses it.
 */
const makeCluster = async (dataDir: string, binaries: Binaries, account: Account | null) => {
  const reachable = await canReach(account, dataDir)
  if (!reachable) await makeSystemFolder()
  const place = reachable ? clusterPath(dataDir) : systemPlace(dataDir)
  const draft = `${place}${DRAFT}${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await makePrivateFolder(draft, account)
    await runInitdb(draft, dataDir, binaries, account)
    await rename(draft, place)
    if (!reachable) await symlink(place, clusterPath(dataDir))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!TAKEN.has(codeOf(error))) throw error
    if (!reachable) await rm(place, { recursive: true, force: true })
  }
}

const TAKEN = new Set(['EEXIST', 'ENOTEMPTY'])
const DRAFT = '.new-'
const ABANDONED_AFTER = 60_000

const systemPlace = (dataDir: string) =>
  join(SYSTEM_FOLDER, `${basename(dataDir)}-${randomBytes(6).toString('hex')}`)

const runInitdb = async (folder: string, dataDir: string, { initdb }: Binaries, account: Account | null) => {
  const options = [
    ...['-D', folder, `--username=${USER}`, '--auth=trust', '--encoding=UTF8', '--no-instructions'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    // pg_trgm knows letters beyond ASCII by this one only.
    `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
  ]
  const made = promisify(execFile)(initdb, options, { ...account, cwd: folder, env: CLEAN_ENVIRONMENT })
  await made.catch(async (error: Error & { stderr?: string }) => {
    throw await explainOutput(
      'PostgreSQL could not make its database',
      error.stderr || error.message,
      dataDir,
    )
  })
}

/** What a start that was killed left behind. */
const removeLeftovers = async (dataDir: string) => {
  const ours = (await readdir(dataDir))
    .filter((name) => name.startsWith('postgres'))
    .map((name) => join(dataDir, name))
  const systems = (await readdir(SYSTEM_FOLDER).catch(() => [])).map((name) => join(SYSTEM_FOLDER, name))
  for (const path of [...ours, ...systems]) {
    if (!basename(path).includes(DRAFT) || !(await isAbandoned(path))) continue
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

/** Its creator has ended. Age counts, too, because another process may have the creator's pid by now. */
const isAbandoned = async (draft: string) => {
  const maker = Number(draft.slice(draft.lastIndexOf(DRAFT) + DRAFT.length).split('-')[0])
  const made = await stat(draft).catch(() => null)
  return made !== null && (!isAlive(maker) || Date.now() - made.mtimeMs > ABANDONED_AFTER)
}
