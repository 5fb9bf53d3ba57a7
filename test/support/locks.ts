import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '#platform/db/database.ts'
import type { Booted } from './boot.ts'

/**
 * Runs `take` in a transaction of its own and keeps it open, with all that it has locked or changed, until `release`.
 * Whoever comes meanwhile has to wait, so that a test decides who meets whom.
 */
export const hold = async ({ platform }: Pick<Booted, 'platform'>, take: (tx: Tx) => Promise<unknown>) => {
  const held = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const over = platform.db.transaction(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout to 0`
    await take(tx)
    held.resolve()
    await ending.promise
  })
  over.catch(held.reject)
  await held.promise
  return {
    release() {
      ending.resolve()
      return over
    },
  }
}

/** Resolves once so many statements wait for somebody else's lock. */
export const waitingForLocks = async ({ sql }: Pick<Booted, 'sql'>, count: number) => {
  for (let tries = 0; tries < 1_000; tries++) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting >= count) return
    await sleep(20)
  }
  throw new Error(`fewer than ${count} statements wait for a lock`)
}
