import { statfs } from 'node:fs/promises'
import { codeOf, OperatorError } from '#platform/errors.ts'

/** The embedded database cannot be used; the message is one line for the operator. */
export class ClusterError extends OperatorError {
  override readonly name = 'ClusterError'
}

const diskFull = (dataDir: string, cause?: unknown) =>
  new ClusterError(`The disk that holds ${dataDir} is full: free some space and start again.`, { cause })

const pathOf = (error: unknown) => (error instanceof Error && 'path' in error ? String(error.path) : null)

const POSTGRES_DISK_FULL = '53100'

const userName = () => `user id ${process.getuid?.() ?? 'unknown'}`

const unusable = (why: string, cause: unknown) =>
  new ClusterError(`${why}: choose another TRIVET_DATA.`, { cause })

const isMkdir = (error: unknown) => error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'

/** What the operator can do about a failure in the data folder. */
export const explainFailure = (error: unknown, dataDir: string): unknown => {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case POSTGRES_DISK_FULL:
      return diskFull(dataDir, error)
    case 'EEXIST':
    case 'ENOTDIR':
      return unusable(`${pathOf(error) ?? dataDir} is not a folder`, error)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return unusable(`The data folder ${dataDir} is not writable for ${userName()}`, error)
    case 'ENOENT':
      return isMkdir(error) ? unusable(`The data folder ${dataDir} cannot be made there`, error) : error
    default:
      return error
  }
}

/** PostgreSQL's first word on what is wrong; that it is not ready yet is not. */
const SEVERE = /\b(?:FATAL|PANIC|ERROR|error): +(?! |the database system is)(.+)/
/** A start that wrote nothing may have failed because nothing could be written. */
const ROOM_TO_START = 32 * 2 ** 20

const hasNoRoom = async (folder: string) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < ROOM_TO_START
}

/** `initdb` or `postgres` failed: its own first severe line, and where to read more. */
export const explainOutput = async (what: string, output: string, dataDir: string, log?: string) => {
  if (/No space left on device|Disk quota exceeded/.test(output) || (await hasNoRoom(dataDir))) {
    return diskFull(dataDir)
  }
  const lines = output.split('\n').map((line) => line.trim())
  const reason =
    lines.map((line) => SEVERE.exec(line)?.[1]).find(Boolean) ?? lines.find(Boolean) ?? 'no reason given'
  return new ClusterError(`${what}: ${reason}${log ? ` (log: ${log})` : ''}`)
}
