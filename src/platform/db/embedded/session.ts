import postgres from 'postgres'
import { codeOf } from './errors.ts'
import { USER } from './initdb.ts'
import { PORT } from './postmaster.ts'

export type Purpose = 'serve' | 'operator'

export const DATABASE = 'trivet'

/** One connection that says by its locks that this process uses the cluster, for as long as both live. */
export type Session = {
  socketFolder: string
  /** Resolves when the connection is gone, whoever ended it. */
  closed: Promise<void>
  /** The database itself, which a fresh cluster does not have. */
  makeDatabase(): Promise<void>
  /** Gives up the use; true when nobody else uses the cluster, which from then on nobody can join. */
  isLast(): Promise<boolean>
  end(): Promise<void>
}

/** Why there is no session: another process serves, or nothing answers (yet, or any more). */
export type Refusal = { state: 'served'; by: string } | { state: 'busy' | 'silent' }

const LOCKS = 0x7472_6976
const USES = 1
const SERVES = 2

/** Answers from a living cluster that has no place for us at the moment. */
const BUSY = new Set(['57P03', '53300'])
const SILENT = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'CONNECTION_CLOSED',
  'CONNECT_TIMEOUT',
])
const SHUT_DOWN = new Set(['57P01', '57P02'])

export const openSession = async (socketFolder: string, purpose: Purpose): Promise<Session | Refusal> => {
  const lost = Promise.withResolvers<void>()
  // Advisory locks are per database: all meet in the one that is always there.
  const sql = postgres({
    host: socketFolder,
    port: PORT,
    user: USER,
    database: 'postgres',
    max: 1,
    onnotice: () => {}, // a dying server says so in a notice, which the driver would print
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    connection: { application_name: `trivet ${purpose} ${process.pid}` },
    onclose: () => lost.resolve(),
  })
  const end = () => sql.end({ timeout: 0 })
  try {
    const refusal = await takeLocks(sql, purpose)
    if (refusal) {
      await end()
      return refusal
    }
    return {
      socketFolder,
      closed: lost.promise,
      makeDatabase: () => makeDatabase(sql),
      isLast: () => isLast(sql),
      end,
    }
  } catch (error) {
    await end()
    const code = codeOf(error)
    if (BUSY.has(code)) return { state: 'busy' }
    if (SILENT.has(code) || SHUT_DOWN.has(code)) return { state: 'silent' }
    throw error
  }
}

type Sql = postgres.Sql

/** In one statement, for a connection that is lost in between would quietly be replaced by one without locks. */
const takeLocks = async (sql: Sql, purpose: Purpose): Promise<Refusal | null> => {
  const [locks] = await sql<[{ uses: boolean; serves: boolean; server: string | null }]>`
    select pg_try_advisory_lock_shared(${LOCKS}, ${USES}) as uses,
      ${purpose === 'operator'} or pg_try_advisory_lock(${LOCKS}, ${SERVES}) as serves,
      (select application_name from pg_stat_activity join pg_locks using (pid)
        where locktype = 'advisory' and classid = ${LOCKS} and objid = ${SERVES} and granted limit 1) as server`
  if (!locks.uses) return { state: 'busy' }
  return locks.serves ? null : { state: 'served', by: locks.server?.split(' ').at(-1) ?? 'unknown' }
}

const makeDatabase = async (sql: Sql) => {
  const [found] = await sql`select from pg_database where datname = ${DATABASE}`
  if (found) return
  await sql`create database ${sql(DATABASE)}`.catch((error) => {
    if (!['42P04', '23505'].includes(codeOf(error))) throw error
  })
}

/** Release, then ask: of two that leave at once the later one always learns that it is the last. */
const isLast = async (sql: Sql) => {
  await sql`select pg_advisory_unlock_all()`
  const [answer] = await sql<[{ alone: boolean }]>`select pg_try_advisory_lock(${LOCKS}, ${USES}) as alone`
  return answer.alone
}
