import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventLog } from '#platform/events/log.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'

const system = await boot()
const { sql } = system

test('while events that nobody has read for long get their ids, a reader gets those that have one, and does not wait', async () => {
  const log = createEventLog('inventory', system.platform, {} as never, { patienceMs: 0 })
  const count = 10_000
  const page = async () =>
    (await log.read({ owner: '1' }, { after: null, types: null, subject: null, limit: count + 1 })).events
      .length
  await sql`insert into platform.event_clocks (service, tick) values ('inventory', 0)`
  await sql`
    insert into platform.events (service, owner, type, subject, data)
    select 'inventory', '1', 'product.created', 'product/' || n, '{}' from generate_series(1, ${count}::int) n`

  const clock = () =>
    hold(system, (tx) => tx`select from platform.event_clocks where service = 'inventory' for update`)
  const before = await clock()
  const first = page()
  await waitingForLocks(system, 1)
  const after = clock()
  await waitingForLocks(system, 2)
  await before.release()
  const held = await after
  const some = await first
  assert.ok(some >= 500 && some < count)
  await waitingForLocks(system, 1)
  const more = await page()
  assert.ok(more >= some && more < count, 'although the next ones wait for the clock')
  await held.release()
  await until('all have an id', async () => (await page()) === count)
})
