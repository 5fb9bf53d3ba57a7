import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#platform/db/database.ts'
import { boot } from '#test/support/boot.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, password, storageOwner } from '#test/support/factories.ts'
import { openSql } from '#test/support/sql.ts'

const database = await freshDatabase()
const beside = await openSql(database.url)
const system = await boot({ database: { url: database.url } })
after(async () => {
  await beside.end()
})

/** What a demoted server does to sessions that it kept. */
const refuseWrites = async (...tables: string[]) => {
  await beside.unsafe(`
    create function public.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'cannot execute INSERT in a read-only transaction' using errcode = '25006'; end $$`)
  for (const table of tables)
    await beside.unsafe(
      `create trigger refuse before insert on ${table} for each row execute function public.refuse()`,
    )
  return () => beside.unsafe('drop function public.refuse cascade')
}

test('a write on a server that has become read-only is 503 with Retry-After, and succeeds when it is writable again', async () => {
  const { api: storage } = await storageOwner(system)
  const { api: inventory } = await inventoryAdmin(system)
  const allow = await refuseWrites('storage.buckets', 'inventory.warehouses')
  const attempts = [
    () => storage('POST /buckets', { body: { name: 'demoted' } }),
    () => inventory('POST /api/warehouses', { body: { name: 'Demoted', code: 'DEMOTED' } }),
  ]
  for (const attempt of attempts) {
    const { status, headers } = await attempt()
    assert.equal(status, 503)
    assert.equal(headers.get('retry-after'), '1')
  }
  await allow()
  for (const attempt of attempts) assert.equal((await attempt()).status, 201)
})

test('readiness follows a server that is read-only, and comes back with it', async () => {
  const name = new URL(database.url).pathname.slice(1)
  const ready = async () => (await system.storage('GET /readyz')).status === 200
  assert.ok(await ready())
  await beside.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  await beside`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`
  await until('it is not ready', async () => !(await ready()), { withinMs: 10_000 })
  const account = {
    ...{ organizationName: 'Late', organizationSlug: 'late', fullName: 'Late' },
    ...{ email: 'late@example.com', password },
  }
  assert.equal((await system.storage('POST /auth/register', { body: account })).status, 503)
  await assert.rejects(openDatabase(database.url), /cannot be used: .* is read-only\.$/)
  await beside.unsafe(`alter database ${name} set default_transaction_read_only = off`)
  await until('it is ready again', ready, { withinMs: 10_000 })
})
