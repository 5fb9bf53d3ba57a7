import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Booted } from './boot.ts'

/** Returns once so many statements of this database wait for a lock that somebody else holds. */
export const blocked = async ({ sql }: Pick<Booted, 'sql'>, count: number) => {
  const deadline = Date.now() + 20_000
  for (;;) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting >= count) return
    assert.ok(Date.now() < deadline, `${row!.waiting} of ${count} statements wait for a lock`)
    await sleep(10)
  }
}

/** Holds what `lock` locks until it is told to let go. */
export const holding = async (
  { platform }: Pick<Booted, 'platform'>,
  lock: Parameters<typeof platform.db.transaction>[0],
) => {
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = platform.db.transaction(async (tx) => {
    await lock(tx)
    held.resolve()
    await over.promise
  })
  ended.catch(held.reject)
  await held.promise
  return async () => {
    over.resolve()
    await ended
  }
}
