import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#platform/db/database.ts'
import { onBehalfOf } from '#platform/db/tenant.ts'
import { AppError } from '#platform/errors.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { until } from '#test/support/eventually.ts'
import { openSql } from '#test/support/sql.ts'

const database = await freshDatabase()
const db = await openDatabase(database.url)
const beside = await openSql(database.url)
after(async () => {
  await db.close()
  await beside.end()
  await database.drop()
})

const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))

/** Statements of a tenant that wait until the test says otherwise. */
const gated = async (lock: number) => {
  const gate = await openSql(database.url)
  await gate`select pg_advisory_lock(${lock})`
  return {
    wait: (tenant: string, q = db.sql) =>
      onBehalfOf(tenant, async () => q`select pg_advisory_xact_lock_shared(${lock})`),
    async open() {
      await gate`select pg_advisory_unlock(${lock})`
      await gate.end()
    },
  }
}
const waiting = async () => {
  const [row] = await beside<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
  return row!.count
}

test('statements of one tenant that wait for something leave sessions for others', async () => {
  const gate = await gated(1)
  const all = Promise.all(['a', 'b'].flatMap((tenant) => times(20, () => gate.wait(tenant))))
  await until('as many wait as two tenants may have', async () => (await waiting()) === 8)
  await onBehalfOf('c', async () => db.sql`select 1`)
  assert.deepEqual([await waiting(), db.load.statementsWaiting], [8, 32])
  await gate.open()
  await all
  assert.equal(db.load.statements, 0)
})

test('what takes long of one tenant does not keep others waiting, and a long line is refused', async () => {
  const gate = await gated(2)
  const all = times(40, () => gate.wait('a', db.long))
  const outcomes = Promise.allSettled(all)
  await onBehalfOf('b', async () => db.long`select 1`)
  await gate.open()
  const refused = (await outcomes).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  assert.ok(refused.length > 0 && refused.length < 10, `${refused.length} were refused`)
  for (const error of refused) {
    assert.ok(error instanceof AppError)
    assert.deepEqual([error.status, error.headers['retry-after']], [429, '1'])
  }
})

test('tenants whose long statements wait take turns', async () => {
  const gate = await gated(3)
  const order: string[] = []
  const ask = async (tenant: string) => {
    await onBehalfOf(tenant, async () => db.long`select 1`)
    order.push(tenant)
  }
  const blocked = Promise.all([gate.wait('x', db.long), gate.wait('y', db.long)])
  await until('both wait', async () => (await waiting()) >= 1)
  const asked = Promise.all([...times(5, () => ask('a')), ask('b'), ask('c')])
  await gate.open()
  await Promise.all([blocked, asked])
  assert.ok(order.indexOf('b') < 4 && order.indexOf('c') < 5, order.join(' '))
})

test('where the server has few connections, the others wait for those that there are', async (t) => {
  const role = `few_${process.pid}`
  await beside.unsafe(`create role ${role} login connection limit 4; grant all on schema public to ${role}`)
  const url = new URL(database.url)
  url.username = role
  const few = await openDatabase(url.href)
  t.after(async () => {
    await few.close()
    await beside.unsafe(`drop owned by ${role}; drop role ${role}`)
  })
  const rows = await Promise.all(times(40, (n) => few.sql<{ n: number }[]>`select ${n}::int as n`))
  assert.deepEqual(
    rows.map(([row]) => row!.n),
    times(40, (n) => n),
  )
})
