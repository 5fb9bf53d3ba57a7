import type { Tx } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'
import type { Booted } from './boot.ts'
import { until } from './eventually.ts'

/** The database processes of the transactions that are held open. */
const holders = new Set<number>()

/**
 * Runs `take` in a transaction of its own and keeps it open, with everything it has locked or changed, until `release`. With
 * it a test decides who waits for whom.
 */
export const hold = async ({ platform }: Pick<Booted, 'platform'>, take: (tx: Tx) => Promise<unknown>) => {
  const held = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const ended = platform.db.transaction(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout to 0`
    const { pid } = await one(tx<{ pid: number }[]>`select pg_backend_pid() as pid`)
    // Until it has what it takes, it may wait itself.
    await take(tx)
    holders.add(pid)
    try {
      held.resolve()
      await ending.promise
    } finally {
      holders.delete(pid)
    }
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

type Waiting = { pid: number; blockers: number[] }

/** How many of them wait for one of the holders, or for somebody who does. */
const countBehind = (waiting: readonly Waiting[]) => {
  const behind = new Set(holders)
  for (let before = -1; before < behind.size; ) {
    before = behind.size
    for (const { pid, blockers } of waiting)
      if (blockers.some((blocker) => behind.has(blocker))) behind.add(pid)
  }
  return behind.size - holders.size
}

/** Resolves once at least `count` statements wait for what is held. What jobs wait for at the same time does not count. */
export const waitingForLocks = ({ sql }: Pick<Booted, 'sql'>, count: number) =>
  until(`${count} statements wait for a lock`, async () => {
    const waiting = await sql<Waiting[]>`
      select pid, pg_blocking_pids(pid) as blockers from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return countBehind(waiting) >= count
  })
