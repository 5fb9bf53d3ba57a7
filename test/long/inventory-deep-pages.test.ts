import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventory } from '#inventory/app.ts'
import { type Shop, shop } from '#test/acceptance/inventory/scene.ts'
import { boot } from '#test/support/boot.ts'

const system = await boot()
const jobs = inventory.jobs(inventory.context(system.platform))
const fold = () => jobs.find(({ name }) => name === 'inventory.fold-sums')!.run({} as never)

/** All ids of a list, read page by page, and its total. */
const pages = async (s: Shop, path: string, of: string, limit: number) => {
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { [of]: rows, total } = (await s.api(`GET /api/${path}?limit=${limit}&page=${page}`)).body
    if (rows.length === 0) return { ids, total }
    ids.push(...rows.map(({ id }: { id: number }) => id))
  }
}

test('every page of a long ledger is exact, before and after its totals are folded', async () => {
  const s = await shop(system)
  const count = 900
  const lines = Array.from({ length: count }, (_, n) => `P-${n},Part ${n},1.00`)
  await s.api('POST /api/products/import', {
    raw: `sku,name,base_price\n${lines.join('\n')}`,
    headers: { 'content-type': 'text/csv' },
  })
  const { key } = await s.created('POST /api/api-keys', { name: 'Sync', permissions: ['read', 'write'] })
  const sync = (quantity: number) =>
    system.inventory('POST /api/external/inventory/sync', {
      headers: { 'x-api-key': key },
      body: lines.map((_, n) => ({ sku: `P-${n}`, warehouse_id: s.main, quantity })),
    })
  const check = async (expected: number) => {
    const rows = await system.sql<{ id: number }[]>`
      select id from inventory.movements where tenant_id = ${s.tenant.id} order by created_at desc, id desc`
    const { ids, total } = await pages(s, 'inventory/movements', 'movements', 333)
    assert.equal(total, expected)
    assert.deepEqual(
      ids,
      rows.map(({ id }) => id),
    )
    await s.sound()
  }
  for (const quantity of [1, 2, 3]) assert.equal((await sync(quantity)).body.updated, count)
  await check(3 * count)
  await Promise.all([fold(), fold()])
  await check(3 * count)
  await sync(4)
  await check(4 * count)
  await fold()
  await check(4 * count)
})

test('every page of 540 customers is exact, with deletions between', async () => {
  const s = await shop(system)
  const added = await Promise.all(
    Array.from({ length: 540 }, (_, n) => s.created('POST /api/customers', { name: `Customer ${n}` })),
  )
  const gone = [0, 1, 77, 498, 499, 500, 501, 539].map((n) => added[n].id as number)
  for (const id of gone) assert.equal((await s.api(`DELETE /api/customers/${id}`)).status, 200)
  const rows = await system.sql<{ id: number }[]>`
    select id from inventory.customers where tenant_id = ${s.tenant.id} and deleted_at is null order by id desc`
  const { ids, total } = await pages(s, 'customers', 'customers', 61)
  assert.equal(total, 540 - gone.length)
  assert.deepEqual(
    ids,
    rows.map(({ id }) => id),
  )
  await s.sound()
})

test('verify reports a list of products, customers or log entries whose total is wrong', async () => {
  const s = await shop(system)
  const { id } = await s.created('POST /api/api-keys', { name: 'Shop', permissions: ['read'] })
  await s.created('POST /api/customers', { name: 'Ada' })
  await fold()
  await s.sound()
  const change = async (by: number) => {
    await system.sql`
      update inventory.list_totals set total = total + ${by} where tenant_id = ${s.tenant.id} and list = 'customers'`
    await system.sql`
      insert into inventory.list_changes values (${s.tenant.id}, 'active_products', ${by})`
    await system.sql`
      update inventory.api_keys set logged_requests = logged_requests + ${by} where id = ${id}`
  }
  await change(1)
  const { ok, findings } = (await s.api('GET /api/inventory/verify')).body
  assert.equal(ok, false)
  assert.deepEqual(findings.map(({ subject }: { subject: string }) => subject).sort(), [
    `active_products of tenant ${s.tenant.id}`,
    `customers of tenant ${s.tenant.id}`,
    `requests of API key ${id}`,
  ])
  await change(-1)
  await s.sound()
})
