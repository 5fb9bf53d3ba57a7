import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyzeGrownTables } from '#platform/db/statistics.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { openSql } from '#test/support/sql.ts'

const system = await boot()
const { sql } = system

/** Like the real lists: the ids of a page, and the rows that belong to them. */
const pageOfProducts = `
  select p.name from (
    select id from inventory.products where tenant_id = $1 and deleted_at is null order by id desc limit $2) page
  join inventory.products p on p.tenant_id = $1 and p.id = page.id`

const addProducts = (tenant: number, count: number) => sql`
  insert into inventory.products (tenant_id, name, sku, base_price, tracking_type, created_at)
  select ${tenant}::bigint, 'Product ' || n, 'SKU-' || n, 10, 'none', now() from generate_series(1, ${count}::int) n`

/** Whether the planner has statistics of a table, and for how many rows. */
const knownRows = async (table: string) => {
  const [row] = await sql<{ rows: number }[]>`
    select reltuples::float8 as rows from pg_class where oid = ${table}::regclass`
  return row?.rows
}

test('a plan that a session made for an empty table is replaced once the table has grown', async (t) => {
  // Autovacuum would do it, too, but a minute later.
  await sql`alter table inventory.products set (autovacuum_enabled = false)`
  const [tenant] = await sql<{ id: number }[]>`
    insert into inventory.tenants (name, subscription_expires_at, created_at)
    values ('Growing', now(), now()) returning id`
  const session = await openSql(system.databaseUrl)
  t.after(session.end)
  await session`set plan_cache_mode to force_generic_plan`
  await session.unsafe(`prepare page as ${pageOfProducts}`)
  const planOf = async () =>
    (await session.unsafe<{ 'QUERY PLAN': string }[]>(`explain execute page(${tenant?.id}, 50)`))
      .map((line) => line['QUERY PLAN'])
      .join('\n')
  const byJoin = /Join Filter: \(products\.id = p\.id\)/
  assert.match(await planOf(), byJoin, 'the empty table is planned to be compared row by row')

  await addProducts(tenant?.id as number, 10_000)

  await until('the table is analyzed', async () => (await knownRows('inventory.products')) === 10_000)
  assert.doesNotMatch(await planOf(), byJoin)
})

test('a table that stays small is not analyzed, so that the planner keeps expecting it to grow', async () => {
  await sql`create table inventory.few as select n from generate_series(1, 100) n`
  await analyzeGrownTables(system.platform.db, ['inventory'])
  assert.equal(await knownRows('inventory.few'), -1)
})

test('a table is analyzed when it has doubled, and not before', async () => {
  const schemas = ['doubling']
  await sql`create schema doubling`
  await sql`create table doubling.rows (n int, filler text) with (autovacuum_enabled = false)`
  const grownAfter = async (rows: number) => {
    await sql`insert into doubling.rows select n, repeat('x', 1000) from generate_series(1, ${rows}::int) n`
    return analyzeGrownTables(system.platform.db, schemas)
  }
  assert.deepEqual(await grownAfter(700), ['doubling.rows'])
  assert.deepEqual(await grownAfter(600), [])
  assert.deepEqual(await grownAfter(300), ['doubling.rows'])
  assert.equal(await knownRows('doubling.rows'), 1_600)
})
