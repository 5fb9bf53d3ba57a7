import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createEventLog } from '#events/log.ts'
import { createStreams } from '#events/streams.ts'
import { boot } from '#test/support/boot.ts'
import { openEventStream } from '#test/support/event-stream.ts'
import { until } from '#test/support/eventually.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { rowsRead } from '#test/support/rows-read.ts'

const system = await boot()
const { sql } = system

test('while events that nobody has read for long get their ids, a reader gets those that have one, and does not wait', async () => {
  const log = createEventLog('inventory', system.platform, {} as never, { patienceMs: 0 })
  const count = 3_000
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

test('giving ids to some events does not read the others, also before the table was analyzed', async () => {
  await sql`
    insert into platform.events (service, owner, type, subject, data)
    select 'publishing', 'by/1', 'post.created', 'post/' || n, '{}' from generate_series(1, 5000) n`
  const read = await system.platform.db.transaction((tx) =>
    rowsRead(tx, 'platform.events', () => tx`select platform.number_events('publishing', 100)`),
  )
  assert.ok(read >= 100 && read <= 400, `${read} rows were read for 100 ids`)
})

test('a stream that begins while events of long ago get their ids tells only of new ones', async (t) => {
  const events = {} as never
  const log = createEventLog('storage', system.platform, events, { patienceMs: 0 })
  const streams = createStreams(system.platform, events, log)
  const reader = { owner: '1' }
  const filter = { after: null, types: null, subject: null }
  const server = createServer(async (_req, res) => {
    const start = await streams.prepare(reader, filter)
    streams.begin({
      res,
      headers: {},
      reader,
      address: '127.0.0.1',
      filter,
      identify: async () => reader,
      start,
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    streams.close()
    server.closeAllConnections()
    server.close()
  })
  const write = (subject: string, count: number, age: string) => sql`
    insert into platform.events (service, owner, type, subject, data, created_at)
    select 'storage', '1', 'bucket.created', ${subject}, '{}', clock_timestamp() - ${age}::interval
    from generate_series(1, ${count}::int)`
  const unnumbered = async () =>
    (await sql`select 1 from platform.events where service = 'storage' and id is null limit 1`).length > 0
  await sql`insert into platform.event_clocks (service, tick) values ('storage', 0) on conflict do nothing`
  await write('bucket/old', 5_000, '1 day')

  const stream = openEventStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await stream.opened
  assert.ok(await unnumbered(), 'it begins before all have their ids')
  await write('bucket/new', 3, '0 s')
  await until('all have their ids', async () => !(await unnumbered()))
  await log.number()
  await streams.run()
  await stream.until(3)
  await write('bucket/last', 1, '0 s')
  await log.number()
  await streams.run()
  await stream.until(4)
  const subjects = stream.received.map(({ data }) => data.subject)
  assert.deepEqual(subjects, ['bucket/new', 'bucket/new', 'bucket/new', 'bucket/last'])
})
