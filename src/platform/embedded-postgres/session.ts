import { ConnectionLost, connect, type Session as DatabaseSession } from '#platform/db/connection.ts'
import { codeOf } from '#platform/errors.ts'
import { USER } from './initdb.ts'
import { PORT } from './postmaster.ts'

export type Purpose = 'serve' | 'operator'

export const DATABASE = 'trivet'

/** One connection that says by its locks that this process uses the cluster, for as long as both live. */
export type Session = {
  socketFolder: string
  /** Resolves when the connection has ended, on either side. */
  closed: Promise<void>
  /** The database itself, which a fresh cluster does not have. */
  makeDatabase(): Promise<void>
  /** Releases the cluster; returns true if no other process uses it, and from then on none can join. */
  isLast(): Promise<boolean>
  end(): Promise<void>
}

/** Why there is no session: another process serves, or PostgreSQL starts or stops, has no place, or does not respond. */
export type Refusal = { state: 'served'; by: string } | { state: 'closed' | 'busy' | 'silent' }

const LOCKS = 0x7472_6976
const USES = 1
const SERVES = 2

/** The answer of a cluster that accepts no connections, because it recovers or shuts down. */
const CLOSED = '57P03'
/** The answer of a living cluster that has no place for us at the moment. */
const BUSY = '53300'
const SILENT = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'CONNECTION_FAILED'])
const SHUT_DOWN = new Set(['57P01', '57P02'])

export const openSession = async (socketFolder: string, purpose: Purpose): Promise<Session | Refusal> => {
  let session: DatabaseSession | undefined
  try {
    // Advisory locks are per database: all meet in the one that is always there.
    const address = { host: socketFolder, port: PORT, user: USER, database: 'postgres' }
    session = await connect(address, { applicationName: `trivet ${purpose} ${process.pid}` })
    const refusal = await takeLocks(session, purpose)
    if (refusal) {
      await session.end()
      return refusal
    }
    const open = session
    return {
      socketFolder,
      closed: open.closed,
      makeDatabase: () => makeDatabase(open),
      isLast: () => isLast(open),
      end: async () => open.destroy(),
    }
  } catch (error) {
    session?.destroy()
    const code = codeOf(error)
    if (code === CLOSED) return { state: 'closed' }
    if (code === BUSY) return { state: 'busy' }
    if (error instanceof ConnectionLost || SILENT.has(code) || SHUT_DOWN.has(code)) return { state: 'silent' }
    throw error
  }
}

type Locks = { uses: boolean; serves: boolean; server: string | null }

const takeLocks = async (session: DatabaseSession, purpose: Purpose): Promise<Refusal | null> => {
  const { rows } = await session.query({
    text: `
      select pg_try_advisory_lock_shared($1, $2) as uses,
        $4::boolean or pg_try_advisory_lock($1, $3) as serves,
        (select application_name from pg_stat_activity join pg_locks using (pid)
          where locktype = 'advisory' and classid = $1 and objid = $3 and granted limit 1) as server`,
    values: [LOCKS, USES, SERVES, purpose === 'operator'],
  })
  const locks = rows[0] as Locks
  if (!locks.uses) return { state: 'busy' }
  return locks.serves ? null : { state: 'served', by: locks.server?.split(' ').at(-1) ?? 'unknown' }
}

const makeDatabase = async (session: DatabaseSession) => {
  const { count } = await session.query({
    text: 'select from pg_database where datname = $1',
    values: [DATABASE],
  })
  if (count > 0) return
  await session.query({ text: `create database ${DATABASE}` }).catch((error) => {
    if (!['42P04', '23505'].includes(codeOf(error))) throw error
  })
}

/** Release, then ask: of two that leave at once the later one always learns that it is the last. */
const isLast = async (session: DatabaseSession) => {
  await session.query({ text: 'select pg_advisory_unlock_all()' })
  const { rows } = await session.query({
    text: 'select pg_try_advisory_lock($1, $2) as alone',
    values: [LOCKS, USES],
  })
  return (rows[0] as { alone: boolean }).alone
}
