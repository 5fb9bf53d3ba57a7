import { execFile } from 'node:child_process'
import { chmod, chown, lchown, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ClusterError } from './errors.ts'

const run = promisify(execFile)

/** Who runs PostgreSQL when we ourselves are root, whom it refuses. */
export type Account = { uid: number; gid: number }

/** Where root keeps what that account could not reach elsewhere. */
export const SYSTEM_FOLDER = '/var/lib/trivet'

/** The owner of an existing cluster, else a system user; null when we are not root and nothing needs to change. */
export const databaseAccount = async (cluster: string): Promise<Account | null> => {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(cluster).catch(() => null)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return systemAccount(await readFile('/etc/passwd', 'utf8'))
}

const CANDIDATES = ['postgres', '_postgres', 'nobody']

const systemAccount = (passwd: string): Account => {
  const entries = passwd.split('\n').map((line) => line.split(':'))
  for (const name of CANDIDATES) {
    const entry = entries.find(([entryName]) => entryName === name)
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new ClusterError(
    `PostgreSQL does not run as root and there is no user ${CANDIDATES.join(' or ')}: add one, or set DATABASE_URL.`,
  )
}

/** Whether the account can enter a folder, or execute a file; asked as that account, for only the system knows. */
export const canReach = async (account: Account | null, path: string): Promise<boolean> => {
  if (!account) return true
  const asked = run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/' })
  return asked.then(
    () => true,
    () => false,
  )
}

/** A folder that only the database's account can enter. */
export const makePrivateFolder = async (path: string, account: Account | null) => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  if (account) await chown(path, account.uid, account.gid)
}

export const makeSystemFolder = async () => {
  await mkdir(SYSTEM_FOLDER, { recursive: true })
  await chmod(SYSTEM_FOLDER, 0o755)
}

export const giveAway = async (folder: string, { uid, gid }: Account) => {
  const entries = await readdir(folder, { recursive: true })
  for (const path of ['', ...entries]) await lchown(join(folder, path), uid, gid)
}
