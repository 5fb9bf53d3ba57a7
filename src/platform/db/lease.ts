import type { Logger } from 'pino'
import type { Database, Sql, Tx } from './database.ts'
import { maybeOne } from './rows.ts'

/** Longer than a running backup ever pauses. After a backup has died, garbage collection resumes this much later. */
const leaseSeconds = 600
const renewMs = 30_000

const hasLeases = async (q: Sql) =>
  (await q<{ there: boolean }[]>`select to_regclass('platform.leases') is not null as there`)[0]?.there

/** Uses the clock of the database, which all nodes share. Waits for transactions that have found no lease. */
const renew = (db: Database) => db.sql`
  update platform.leases
  set until = greatest(until, clock_timestamp() + make_interval(secs => ${leaseSeconds}::int))
  where name = 'backup'`

/**
 * Keeps blobs that the database refers to from being collected while `work` copies them. The lease is not given back,
 * because another backup may share it; it expires soon enough.
 */
export const withBackupLease = async <T>(db: Database, log: Logger, work: () => Promise<T>): Promise<T> => {
  // The nodes that serve a database without this table would not respect a lease.
  if (!(await hasLeases(db.sql))) return work()
  await renew(db)
  const timer = setInterval(() => {
    renew(db).catch((err) =>
      log.warn({ err }, 'the lease of the backup could not be renewed, will be retried'),
    )
  }, renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Whether a backup is running. None can start before `tx` ends, so that no later backup refers to what it deletes. */
export const isBackupRunning = async (tx: Tx) => {
  const lease = await maybeOne(tx<{ held: boolean }[]>`
    select until > clock_timestamp() as held from platform.leases where name = 'backup' for share`)
  return lease?.held ?? false
}
