import type { Logger } from 'pino'
import type { Database, Sql, Tx } from './database.ts'

/** Longer than any pause of a backup that goes on; what a dead one held back waits so long at most. */
const leaseSeconds = 600
const renewMs = 30_000

const tableIsThere = async (q: Sql) =>
  (await q<{ there: boolean }[]>`select to_regclass('platform.leases') is not null as there`)[0]?.there

/** By the clock of the database, which is the same for all nodes. It waits for transactions that found no lease. */
const renew = (db: Database) => db.sql`
  update platform.leases
  set until = greatest(until, clock_timestamp() + make_interval(secs => ${leaseSeconds}::int))
  where name = 'backup'`

/**
 * Keeps what the database names at this moment from being collected while `work` copies it. Nothing gives the lease
 * back: another backup may have it, too, and it lapses soon enough.
 */
export const whileHeldBack = async <T>(db: Database, log: Logger, work: () => Promise<T>): Promise<T> => {
  // A database from before there were leases belongs to nodes that would not look at one.
  if (!(await tableIsThere(db.sql))) return work()
  await renew(db)
  const timer = setInterval(() => {
    renew(db).catch((err) => log.warn({ err }, 'the lease of the backup could not be renewed yet'))
  }, renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Whether a backup runs. Until `tx` ends none can begin, so that what it deletes is in no later backup. */
export const isBackupRunning = async (tx: Tx) => {
  const [lease] = await tx<{ held: boolean }[]>`
    select until > clock_timestamp() as held from platform.leases where name = 'backup' for share`
  return lease?.held ?? false
}
