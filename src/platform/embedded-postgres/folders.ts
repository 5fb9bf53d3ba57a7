import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chown, lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '#platform/errors.ts'
import { makeFolder } from '#platform/make-folder.ts'
import { type Account, canReach, makePrivateFolder } from './account.ts'
import { SOCKET_NAME } from './postmaster.ts'

/** The data folder, made when it is not there. Root leaves it open to pass through, for the database's account. */
export const makeDataFolder = async (dataDir: string) => {
  await makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
}

/** What the address of a Unix socket can hold on every system, with its closing NUL. */
const LONGEST_SOCKET_PATH = 100

const fits = (folder: string) => Buffer.byteLength(join(folder, SOCKET_NAME)) <= LONGEST_SOCKET_PATH

export const ownSocketFolder = (dataDir: string) => join(dataDir, 'run')

/** Where the postmaster listens: beside the data, or in a short private folder where that path does not work. */
export const makeSocketFolder = async (dataDir: string, account: Account | null): Promise<string> => {
  const beside = ownSocketFolder(await realpath(dataDir))
  if (fits(beside) && (await canReach(account, dataDir))) {
    await makePrivateFolder(beside, account)
    return beside
  }
  return makeShortFolder(dataDir, account)
}

const makeShortFolder = async (dataDir: string, account: Account | null) => {
  const uid = account?.uid ?? process.getuid?.() ?? 0
  const id = createHash('sha256')
    .update(`${uid}:${await realpath(dataDir)}`)
    .digest('hex')
    .slice(0, 12)
  const parent =
    fits(join(tmpdir(), `trivet-${id}`)) && (await canReach(account, tmpdir())) ? tmpdir() : '/tmp'
  const folder = join(parent, `trivet-${id}`)
  return (await isPrivateFolderOf(uid, folder, account)) ? folder : makeFreshFolder(parent, account)
}

/** A folder of that name may have been put there by somebody else, who could then read along. */
const isPrivateFolderOf = async (uid: number, folder: string, account: Account | null) => {
  try {
    await mkdir(folder, { mode: 0o700 })
    if (account) await chown(folder, account.uid, account.gid)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const found = await lstat(folder)
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}

const makeFreshFolder = async (parent: string, account: Account | null) => {
  const folder = await mkdtemp(join(parent, 'trivet-'))
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}
