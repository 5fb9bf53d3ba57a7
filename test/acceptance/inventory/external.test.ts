import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inventory } from '#inventory/app.ts'
import { deleteUses } from '#inventory/keys/store.ts'
import { boot } from '#test/support/boot.ts'
import { rowsRead } from '#test/support/rows-read.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const second = await boot({ database: { url: system.databaseUrl } })

const keyOf = async (s: Shop, permissions = ['read', 'write'], more: object = {}) =>
  s.created('POST /api/api-keys', { name: 'Shop', permissions, ...more })
const withKey = (key: string) => system.inventory.with({ 'x-api-key': key })

test('an API key is shown once, listed without its secret, and refused as soon as it is revoked', async () => {
  const s = await shop(system)
  const made = await keyOf(s, ['read'], { expires_at: '2099-12-31' })
  assert.match(made.key, /^inv_live_[A-Za-z0-9]{20,}$/)
  assert.deepEqual([made.name, made.permissions, made.expires_at], ['Shop', ['read'], '2099-12-31'])
  const [listed] = (await s.api('GET /api/api-keys')).body.api_keys
  assert.deepEqual(
    [listed.key, listed.key_prefix, listed.is_active, listed.last_used_at],
    [undefined, made.key.slice(0, 12), true, null],
  )
  assert.equal((await s.created('POST /api/api-keys', { name: 'Plain' })).expires_at, null)
  for (const bad of [{}, { name: '' }, { name: 'x', permissions: [] }, { name: 'x', permissions: ['write'] },
    { name: 'x', permissions: ['read', 'read'] }, { name: 'x', permissions: ['all'] }, { name: 'x', expires_at: 'soon' }]) // biome-ignore format: one list
    assert.equal((await s.api('POST /api/api-keys', { body: bad })).status, 400, JSON.stringify(bad))
  const api = withKey(made.key)
  const elsewhere = second.inventory.with({ 'x-api-key': made.key })
  assert.equal((await api('GET /api/external/products')).status, 200)
  assert.equal((await elsewhere('GET /api/external/products')).status, 200)
  const stranger = await shop(system)
  assert.equal((await stranger.api(`DELETE /api/api-keys/${made.id}`)).status, 404)
  assert.equal((await s.api(`DELETE /api/api-keys/${made.id}`)).status, 200)
  assert.equal((await api('GET /api/external/products')).status, 401)
  await new Promise((done) => setTimeout(done, 1000))
  assert.equal((await elsewhere('GET /api/external/products')).status, 401)
  assert.equal((await s.api('GET /api/api-keys')).body.api_keys[0].is_active, false)
  const staff = await s.colleague('Staff')
  assert.equal((await staff.api('GET /api/api-keys')).status, 403)
  assert.equal((await staff.api('GET /api/api-keys/logs/all')).status, 403)
  assert.equal((await (await s.colleague('Manager')).api('GET /api/api-keys')).status, 200)
})

test('creating an API key without the read permission is refused with the permissions that are allowed', async () => {
  const s = await shop(system)
  const refused = await s.api('POST /api/api-keys', { body: { name: 'x', permissions: ['write'] } })
  assert.deepEqual(
    [refused.status, refused.body.error],
    [400, 'permissions must be ["read"] or ["read", "write"]'],
  )
  assert.deepEqual((await keyOf(s, ['write', 'read'])).permissions, ['read', 'write'])
})

test('a SKU that no product can have is 404 in the external API, like any unknown SKU', async () => {
  const api = withKey((await keyOf(await shop(system), ['read'])).key)
  for (const sku of ['nope', '%00', 'a%00b', '%F0%9F%98%80', 'x'.repeat(101)])
    assert.equal((await api(`GET /api/external/products/${sku}`)).status, 404, sku)
})

test('only API keys are admitted to the external API, and to nothing else', async () => {
  const s = await shop(system)
  const { key } = await keyOf(s, ['read'])
  for (const api of [system.inventory, s.api, withKey('inv_live_nonsense'), withKey(`${key}x`), withKey('')])
    assert.equal((await api('GET /api/external/products')).status, 401)
  for (const path of ['/api/products', '/api/orders', '/api/api-keys'])
    assert.equal((await withKey(key)(`GET ${path}`)).status, 401)
  const body = { items: [{ product_id: await s.product(), quantity: 1, unit_price: 1 }] }
  assert.equal((await withKey(key)('POST /api/external/orders', { body })).status, 403)
  assert.equal((await withKey(key)('POST /api/external/inventory/sync', { body: [] })).status, 403)
  const expired = await keyOf(s, ['read'], {
    expires_at: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  })
  assert.equal((await withKey(expired.key)('GET /api/external/products')).status, 401)
  const today = await keyOf(s, ['read'], { expires_at: new Date().toISOString().slice(0, 10) })
  assert.equal((await withKey(today.key)('GET /api/external/products')).status, 200)
})

test('every request with a known API key is in the usage log, including refused ones', async () => {
  const s = await shop(system)
  const { key, id } = await keyOf(s, ['read'])
  const api = withKey(key)
  await api('GET /api/external/products?search=a')
  await api('POST /api/external/inventory/sync', { body: [] })
  await api('GET /api/products')
  await s.api(`DELETE /api/api-keys/${id}`)
  await api('GET /api/external/orders')
  const { logs, total, page, limit } = (await s.api('GET /api/api-keys/logs/all?limit=3')).body
  assert.deepEqual([total, page, limit, logs.length], [4, 1, 3, 3])
  assert.deepEqual(
    logs.map((l: Record<string, unknown>) => [l.method, l.path, l.status_code, l.api_key_id, l.key_name]),
    [
      ['GET', '/api/external/orders', 401, id, 'Shop'],
      ['GET', '/api/products', 401, id, 'Shop'],
      ['POST', '/api/external/inventory/sync', 403, id, 'Shop'],
    ],
  )
  assert.equal(logs[0].ip_address, '127.0.0.1')
  const older = (await s.api('GET /api/api-keys/logs/all?limit=3&page=2')).body.logs
  assert.deepEqual([older.length, older[0].path, older[0].status_code], [1, '/api/external/products', 200])
  assert.ok((await s.api('GET /api/api-keys')).body.api_keys[0].last_used_at)
  const stranger = await shop(system)
  assert.equal((await stranger.api('GET /api/api-keys/logs/all')).body.total, 0)
})

test('the usage log of an API key shows how long a request took', async () => {
  const s = await shop(system)
  const { key } = await keyOf(s, ['read', 'write'])
  const slowBody = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('['))
      await sleep(500)
      controller.enqueue(new TextEncoder().encode(']'))
      controller.close()
    },
  })
  await fetch(`${system.urls.inventory}/api/external/inventory/sync`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: slowBody,
    duplex: 'half',
  })
  const { logs } = (await s.api('GET /api/api-keys/logs/all')).body
  // A busy machine may connect late, after which less of the pause is left.
  assert.ok(logs[0].response_time_ms >= 100, `${logs[0].response_time_ms} ms`)
})

test('the usage log has unknown paths, wrong methods and malformed URLs of known API keys, and no requests without one', async () => {
  const s = await shop(system)
  const api = withKey((await keyOf(s, ['read'])).key)
  await api('GET /api/external/nothing')
  await api('DELETE /api/external/orders')
  await api('GET /api/external/products/%zz')
  await withKey('inv_live_unknown')('GET /api/external/products')
  await system.inventory('GET /healthz')
  const { logs, total } = (await s.api('GET /api/api-keys/logs/all')).body
  assert.equal(total, 3)
  assert.deepEqual(
    logs.map((l: Record<string, unknown>) => [l.method, l.path, l.status_code]),
    [
      ['GET', '/api/external/products/%zz', 404],
      ['DELETE', '/api/external/orders', 405],
      ['GET', '/api/external/nothing', 404],
    ],
  )
})

test('the usage log is paged by API key, keeps 90 days, and its total counts what is kept', async () => {
  const s = await shop(system)
  const use = async (key: string, times: number) => {
    for (let n = 0; n < times; n++) await withKey(key)('GET /api/external/orders')
  }
  const [a, b] = [await keyOf(s, ['read']), await keyOf(s, ['read'])]
  const read = async (query: string) => {
    const { logs, total } = (await s.api(`GET /api/api-keys/logs/all?${query}`)).body
    return [total, logs.map((l: { api_key_id: number }) => l.api_key_id)]
  }
  assert.deepEqual(await read(`api_key_id=${a.id}`), [0, []])
  await use(a.key, 3)
  await use(b.key, 2)
  await use(a.key, 2)
  assert.deepEqual(await read('limit=4&page=2'), [7, [a.id, a.id, a.id]])
  assert.deepEqual(await read('limit=4&page=3'), [7, []])
  assert.deepEqual(await read(`limit=3&page=2&api_key_id=${a.id}`), [5, [a.id, a.id]])
  assert.deepEqual(await read(`api_key_id=${b.id}`), [2, [b.id, b.id]])
  const stranger = await shop(system)
  assert.equal((await stranger.api(`GET /api/api-keys/logs/all?api_key_id=${a.id}`)).body.total, 0)

  const jobs = inventory.jobs(inventory.context(system.platform))
  const forget = () => jobs.find(({ name }) => name === 'inventory.forget-api-uses')!.run({} as never)
  await forget()
  assert.equal((await read(''))[0], 7)
  await system.sql`
    update inventory.api_usage set created_at = created_at - interval '90 days' where tenant_id = ${s.tenant.id}`
  await use(b.key, 1)
  assert.equal((await read(''))[0], 8)
  await forget()
  assert.deepEqual(await read(''), [1, [b.id]])
  assert.deepEqual(await read(`api_key_id=${a.id}`), [0, []])
  assert.deepEqual(await read(`api_key_id=${b.id}`), [1, [b.id]])
  await use(a.key, 1)
  assert.deepEqual(await read(''), [2, [a.id, b.id]])
})

test('the external API lists products, stock, orders and customers, and places orders', async () => {
  const s = await shop(system)
  const api = withKey((await keyOf(s)).key)
  const a = await s.product(5, { sku: 'A/1 ü' })
  const off = await s.product(0, { sku: 'OFF' })
  await s.api(`PATCH /api/products/${off}`, { body: { is_active: false } })
  await s.created('POST /api/customers', { name: 'Ada' })
  const products = (await api('GET /api/external/products')).body
  assert.deepEqual([products.total, products.products[0].id], [1, a])
  const one = (await api(`GET /api/external/products/${encodeURIComponent('A/1 ü')}`)).body
  assert.deepEqual([one.base_price, one.stock[0].quantity, one.total_stock], ['10.00', 5, 5])
  assert.equal((await api('GET /api/external/products/NOPE')).status, 404)
  const stranger = withKey((await keyOf(await shop(system))).key)
  assert.equal((await stranger('GET /api/external/products/OFF')).status, 404)
  assert.equal((await api('GET /api/external/inventory')).body.total, 2)
  assert.equal((await api('GET /api/external/customers')).body.customers[0].name, 'Ada')
  const body = { items: [{ product_id: a, quantity: 2, unit_price: '1.00' }] }
  const order = await api('POST /api/external/orders', { body, headers: { 'idempotency-key': 'once' } })
  assert.equal(order.status, 201)
  const again = await api('POST /api/external/orders', { body, headers: { 'idempotency-key': 'once' } })
  assert.equal(again.body.id, order.body.id)
  assert.equal((await s.read(order.body.id)).channel, 'api')
  await api('POST /api/external/orders', { body: { ...body, channel: 'pos' } })
  const { orders, total } = (await api('GET /api/external/orders?status=pending')).body
  assert.deepEqual([total, orders[0].channel], [2, 'pos'])
  assert.equal((await api('GET /api/external/orders?status=odd')).status, 400)
  assert.equal((await api('GET /api/external/orders?from=2000-01-01&to=2000-01-02')).body.total, 0)
})

test('lists of the external API have 200 rows where no limit is given', async () => {
  const api = withKey((await keyOf(await shop(system), ['read'])).key)
  for (const list of ['products', 'inventory', 'orders', 'customers']) {
    const read = async (query = '') => (await api(`GET /api/external/${list}${query}`)).body
    const { page, limit, total } = await read()
    assert.deepEqual([page, limit, total], [1, 200, 0], list)
    assert.equal((await read('?limit=1&page=2')).limit, 1, list)
    for (const wrong of ['limit=0', 'limit=x', 'page=0'])
      assert.equal((await api(`GET /api/external/${list}?${wrong}`)).status, 400, `${list}?${wrong}`)
  }
})

test('a stock sync sets counts, skips what it cannot set, and turns the newest reservations into backorders', async () => {
  const s = await shop(system)
  const api = withKey((await keyOf(s)).key)
  const sync = (body: unknown) => api('POST /api/external/inventory/sync', { body })
  const a = await s.product(10, { sku: 'A' })
  const b = await s.product(0, { sku: 'B' })
  await s.product(0, { sku: 'S', tracking_type: 'serial' })
  const [first, last] = [(await s.order([[a, 4]])).body.id, (await s.order([[a, 5]])).body.id]
  const row = (sku: string, quantity: number, more: object = {}) => ({
    sku,
    warehouse_id: s.main,
    quantity,
    ...more,
  })
  const done = await sync([
    row('A', 6), row('B', 3), row('NOPE', 1), row('S', 1), row('A', 9), row('B', 1, { warehouse_id: 999_999 }),
  ]) // biome-ignore format: one list
  assert.deepEqual([done.status, done.body.updated], [200, 2], done.text)
  assert.deepEqual(
    done.body.skipped.map((x: { sku: string; reason: string }) => [x.sku, x.reason]),
    [
      ['NOPE', 'Unknown SKU'],
      ['S', 'Tracked by serial number'],
      ['A', 'Given more than once'],
      ['B', 'Unknown warehouse'],
    ],
  )
  const waiting = async (id: number) => (await s.read(id)).items[0].quantity_backordered
  assert.deepEqual([await s.stock(a), await waiting(first), await waiting(last)], [[6, 6], 0, 3])
  assert.deepEqual(await s.stock(b), [3, 0])
  const guarded = await sync({
    items: [row('A', 20, { expected_quantity: 6 }), row('B', 9, { expected_quantity: 4 })],
  })
  assert.deepEqual([guarded.body.updated, guarded.body.skipped[0].reason], [1, 'Expected 4, but there are 3'])
  assert.deepEqual([await s.stock(a), await waiting(last)], [[20, 9], 0])
  assert.equal((await sync([row('A', 20)])).body.updated, 1)
  const kinds = (await s.api('GET /api/inventory/movements?type=sync')).body
  assert.deepEqual([kinds.total, kinds.movements[0].created_by_name], [3, null])
  for (const bad of [
    [],
    {},
    { items: [] },
    [row('A', -1)],
    [row('A', 1.5)],
    [{ sku: 'A' }],
    'text',
    [row('A', 2_147_483_648)],
  ])
    assert.equal((await sync(bad)).status, 400, JSON.stringify(bad))
  await s.sound()
})

test('a stock sync sets 10,000 rows in one call', async () => {
  const s = await shop(system)
  const api = withKey((await keyOf(s)).key)
  const skus = Array.from({ length: 200 }, (_, n) => `SKU${n}`)
  const csv = await s.api('POST /api/products/import', {
    raw: `sku,name,base_price\n${skus.map((sku) => `${sku},Product,1.00\n`).join('')}`,
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(csv.body.created, 200)
  const depots = await Promise.all(Array.from({ length: 50 }, () => s.warehouse()))
  const rows = depots.flatMap((warehouse_id) =>
    skus.map((sku, n) => ({ sku, warehouse_id, quantity: n % 7 })),
  )
  const done = await api('POST /api/external/inventory/sync', { body: rows })
  assert.deepEqual([done.status, done.body.updated, done.body.skipped], [200, 10_000, []])
  await s.sound()
})

test('API keys are 402 after the subscription has expired', async () => {
  const s = await shop(system)
  const api = withKey((await keyOf(s)).key)
  assert.equal((await api('GET /api/external/products')).status, 200)
  system.clock.advance(31 * 86_400_000)
  assert.equal((await api('GET /api/external/products')).status, 402)
})

test('old uses are deleted without comparing all uses of a company, although the planner believes that it has few', async () => {
  const [mine, other] = [await shop(system), await shop(system)]
  const fill = async (s: Shop, count: number) => {
    const { id } = await keyOf(s)
    await system.sql`
      insert into inventory.api_usage (tenant_id, api_key_id, method, path, status_code, response_time_ms, ip_address, created_at)
      select k.tenant_id, k.id, 'GET', '/api/external/products', 200, 1, '127.0.0.1', now() - interval '1 year'
      from inventory.api_keys k, generate_series(1, ${count}::int) where k.id = ${id}`
    await system.sql`update inventory.api_keys set logged_requests = ${count} where id = ${id}`
    const [key] = await system.sql<
      { tenant_id: number }[]
    >`select tenant_id from inventory.api_keys where id = ${id}`
    return key!.tenant_id
  }
  await fill(other, 10_000)
  await system.sql`analyze inventory.api_usage`
  const tenant = await fill(mine, 2_000)
  const read = await system.platform.db.transaction((tx) =>
    rowsRead(tx, 'inventory.api_usage', async () =>
      assert.equal(await deleteUses(tx, tenant, new Date(), 100), 100),
    ),
  )
  assert.ok(read >= 200 && read <= 1_000, `${read} rows were read to delete 100`)
})
