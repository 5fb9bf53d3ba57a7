import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '#platform/db/database.ts'
import type { Booted } from './boot.ts'

/** Takes locks in a transaction of its own and keeps them until `release`, so that a test decides who waits. */
export const hold = async ({ platform }: Pick<Booted, 'platform'>, take: (tx: Tx) => Promise<unknown>) => {
  const taken = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = platform.db.transaction(async (tx) => {
    await take(tx)
    taken.resolve()
    await released.promise
  })
  ended.catch(taken.reject)
  await taken.promise
  return {
    release() {
      released.resolve()
      return ended
    },
  }
}

/** Until this many wait for a lock in the database of the test. */
export const waitingForLocks = async ({ sql }: Pick<Booted, 'sql'>, count: number) => {
  for (let tries = 0; tries < 500; tries++) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting >= count) return
    await sleep(10)
  }
  assert.fail(`never did ${count} wait for a lock`)
}
