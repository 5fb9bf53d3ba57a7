import type { Tx } from '#platform/db/database.ts'
import type { Booted } from './boot.ts'
import { until } from './eventually.ts'

/**
 * Runs `take` in a transaction of its own and keeps it open, with everything it has locked or changed, until `release`. With
 * it a test decides who waits for whom.
 */
export const hold = async ({ platform }: Pick<Booted, 'platform'>, take: (tx: Tx) => Promise<unknown>) => {
  const held = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const ended = platform.db.transaction(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout to 0`
    await take(tx)
    held.resolve()
    await ending.promise
  })
  ended.catch(held.reject)
  await held.promise
  return {
    release() {
      ending.resolve()
      return ended
    },
  }
}

/** Resolves once at least `count` statements of this database wait for a lock. */
export const waitingForLocks = ({ sql }: Pick<Booted, 'sql'>, count: number) =>
  until(`${count} statements wait for a lock`, async () => {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return row!.waiting >= count
  })
