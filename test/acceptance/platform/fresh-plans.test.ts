import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyzeGrownTables } from '#platform/db/statistics.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { openSql } from '#test/support/sql.ts'

const system = await boot()
const { sql } = system
const { db } = system.platform

/** What the planner was told by the last analysis; -1 if there was none. */
const analyzedRows = async (table: string) => {
  const [row] = await sql<{ rows: number }[]>`
    select reltuples::float8 as rows from pg_class where oid = ${table}::regclass`
  return row?.rows
}

/** Runs a statement, and returns when the server has counted its rows: a session reports them at its end. */
const insert = async (table: string, select: string, countedRows: number) => {
  const session = await openSql(system.databaseUrl)
  await session.unsafe(`insert into ${table} ${select}`)
  await session.end()
  await until(`${countedRows} rows of ${table} are counted`, async () => {
    const name = table.split(' ')[0] as string
    const [row] = await sql<{ rows: number }[]>`select pg_stat_get_live_tuples(${name}::regclass) as rows`
    return row?.rows === countedRows
  })
}

/** Like the real lists: the ids of a page, and the rows that belong to them. */
const pageOfProducts = `
  select p.name from (
    select id from inventory.products where tenant_id = $1 and deleted_at is null order by id desc limit $2) page
  join inventory.products p on p.tenant_id = $1 and p.id = page.id`

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
  const everyRow = /Join Filter: \(products\.id = p\.id\)/
  assert.match(await planOf(), everyRow, 'for an empty table, the plan compares all rows of the tenant')

  await insert(
    'inventory.products (tenant_id, name, sku, base_price, tracking_type, created_at)',
    `select ${tenant?.id}, 'Product ' || n, 'SKU-' || n, 10, 'none', now() from generate_series(1, 10000) n`,
    10_000,
  )

  await until('the table is analyzed', async () => (await analyzedRows('inventory.products')) === 10_000)
  assert.doesNotMatch(await planOf(), everyRow)
})

test('what every post contains is still counted by the index, after an analysis as before', async () => {
  await insert(
    'publishing.post_words (post_id, words)',
    `select n, 'every post ' || n from generate_series(1, 1000) n`,
    1_000,
  )
  const planOf = async () =>
    (
      await sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain select count(*) from publishing.post_words
        where publishing.trigrams(words) @@ '''eve'' & ''ery'''::tsquery`)
    )
      .map((line) => line['QUERY PLAN'])
      .join('\n')
  assert.match(await planOf(), /post_words_trigrams/)
  await sql`analyze publishing.post_words`
  assert.match(await planOf(), /post_words_trigrams/)
})

test('a table that stays small is not analyzed, so that the planner keeps expecting it to grow', async () => {
  await sql`create schema small create table things (n int)`
  await insert('small.things', 'select generate_series(1, 199)', 199)
  assert.deepEqual(await analyzeGrownTables(db, ['small']), [])
  assert.equal(await analyzedRows('small.things'), -1)
})

test('a table is analyzed when its rows have doubled, and not before', async () => {
  await sql`create schema doubling create table things (n int) with (autovacuum_enabled = false)`
  const grownAfter = async (rows: number, total: number) => {
    await insert('doubling.things', `select generate_series(1, ${rows})`, total)
    return analyzeGrownTables(db, ['doubling'])
  }
  assert.deepEqual(await grownAfter(700, 700), ['doubling.things'])
  assert.deepEqual(await grownAfter(699, 1_399), [])
  assert.equal(await analyzedRows('doubling.things'), 700)
  assert.deepEqual(await grownAfter(1, 1_400), ['doubling.things'])
  assert.equal(await analyzedRows('doubling.things'), 1_400)
})

test('rows of a transaction that is still open do not count: an analysis would not see them', async (t) => {
  await sql`create schema loading create table things (n int) with (autovacuum_enabled = false)`
  const session = await openSql(system.databaseUrl)
  t.after(session.end)
  await session.unsafe('begin; insert into loading.things select generate_series(1, 10000)')
  assert.deepEqual(await analyzeGrownTables(db, ['loading']), [])
})
