import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Answer } from '#test/support/client.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))
const counted = (answers: Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
/** The same tenant, through one node or the other in turn. */
const nodes = (s: Shop) => {
  const apis = [s.api, other.inventory.bearer(s.token)]
  return (i: number) => apis[i % apis.length] as typeof s.api
}

test('of 200 concurrent orders for 50 units under the reject policy on two nodes, exactly 50 succeed, numbered 1 to 50', async () => {
  const s = await shop(system)
  const a = await s.product(50)
  await s.settings({ oversell_policy: 'reject' })
  const node = nodes(s)
  const body = { items: [{ product_id: a, quantity: 1, unit_price: '0.10' }] }
  const answers = await times(200, (i) => node(i)('POST /api/orders', { body }))
  assert.deepEqual(counted(answers), { 201: 50, 400: 150 })
  const numbers = answers
    .filter((x) => x.status === 201)
    .map((x) => x.body.order_number)
    .sort()
  assert.deepEqual(
    numbers,
    Array.from({ length: 50 }, (_, i) => `ORD-${String(i + 1).padStart(6, '0')}`),
  )
  assert.deepEqual(await s.stock(a), [50, 50])
  assert.equal((await s.api('GET /api/orders/stats')).body.total_revenue, '5.00')
  await s.sound()
})

test('of 50 concurrent fulfilments of one order line, one takes effect', async () => {
  const s = await shop(system)
  const a = await s.product(5)
  const { id } = (await s.order([[a, 5]])).body
  const item = (await s.read(id)).items[0].id
  const node = nodes(s)
  const body = { items: [{ order_item_id: item, quantity_fulfilled: 5 }] }
  const answers = await times(50, (i) => node(i)(`POST /api/orders/${id}/fulfill`, { body }))
  assert.deepEqual(counted(answers), { 200: 1, 400: 49 })
  assert.deepEqual(await s.stock(a), [0, 0])
  await s.sound()
})

test('concurrent transfers in opposite directions all succeed, and no unit is lost', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const products = [await s.product(100), await s.product(100)]
  for (const p of products) await s.adjust(p, 100, away)
  const node = nodes(s)
  const answers = await times(60, (i) => {
    const [from_warehouse_id, to_warehouse_id] = i % 2 ? [s.main, away] : [away, s.main]
    const body = { product_id: products[(i >> 1) % 2], from_warehouse_id, to_warehouse_id, quantity: 3 }
    return node(i)('POST /api/inventory/transfer', { body })
  })
  assert.deepEqual(counted(answers), { 200: 60 })
  for (const p of products) {
    assert.deepEqual(await s.stock(p), [100, 0])
    assert.deepEqual(await s.stock(p, away), [100, 0])
  }
  await s.sound()
})

test('concurrent orders, shipments, cancellations, returns and deletions of the same products keep every invariant', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const products = [await s.product(30), await s.product(30), await s.product(30)]
  const customer = (await s.created('POST /api/customers', { name: 'Grace' })).id
  const node = nodes(s)
  const answers = await times(120, async (i) => {
    const api = node(i)
    const items = [0, 1, 2].map((k) => ({
      product_id: products[(i + (i % 2 ? k : 2 - k)) % 3],
      quantity: 1 + ((i + k) % 3),
      unit_price: '1.01',
    }))
    if (i % 6 === 5)
      return api('POST /api/inventory/adjust', {
        body: { product_id: products[i % 3], warehouse_id: i % 4 ? s.main : away, quantity: i % 5 ? 4 : -2 },
      })
    const warehouse_id = i % 7 === 0 ? away : s.main
    const placed = await api('POST /api/orders', { body: { items, customer_id: customer, warehouse_id } })
    assert.equal(placed.status, 201, placed.text)
    const order = (await api(`GET /api/orders/${placed.body.id}`)).body
    const first = order.items[0]
    const [shipped, moved] = await Promise.all([
      api(`POST /api/orders/${order.id}/fulfill`, {
        body: { items: [{ order_item_id: first.id, quantity_fulfilled: 1 }] },
      }),
      api(`PATCH /api/orders/${order.id}/status`, { body: { status: i % 3 ? 'cancelled' : 'paid' } }),
    ])
    if (shipped.status === 200)
      await api(`POST /api/orders/${order.id}/returns`, {
        body: { items: [{ order_item_id: first.id, quantity: 1 }] },
      })
    return i % 10 === 0 ? api(`DELETE /api/products/${products[0]}`) : moved
  })
  const seen = counted(answers)
  assert.deepEqual(
    Object.keys(seen).filter((status) => !['200', '400', '409'].includes(status)),
    [],
    JSON.stringify(seen),
  )
  await s.sound()
})

test('an order sent ten times at once with one Idempotency-Key is placed once', async () => {
  const s = await shop(system)
  const a = await s.product(10)
  const node = nodes(s)
  const headers = { 'idempotency-key': 'once' }
  const body = { items: [{ product_id: a, quantity: 1, unit_price: 1 }] }
  const answers = await times(10, (i) => node(i)('POST /api/orders', { body, headers }))
  const made = answers.filter((x) => x.status === 201)
  assert.ok(made.length >= 1)
  assert.equal(new Set(made.map((x) => x.body.id)).size, 1)
  assert.ok(answers.every((x) => x.status === 201 || x.status === 409))
  assert.equal((await s.api('GET /api/orders')).body.total, 1)
  assert.equal((await s.api('POST /api/orders', { body: { ...body, channel: 'pos' }, headers })).status, 409)
  await s.sound()
})

test('two Admins who demote each other at once cannot both succeed', async () => {
  const s = await shop(system)
  const second = await s.colleague('Admin')
  const [one, two] = await Promise.all([
    s.api(`PATCH /api/users/${second.id}`, { body: { role: 'Staff' } }),
    second.api(`PATCH /api/users/${s.user.id}`, { body: { role: 'Staff' } }),
  ])
  assert.ok([one.status, two.status].includes(200))
  const admins =
    await system.sql`select 1 from inventory.users where tenant_id = ${s.tenant.id} and role = 'Admin'`
  assert.ok(admins.length >= 1)
})

test('a SKU that is added twice at once exists once', async () => {
  const s = await shop(system)
  const body = { name: 'Twin', sku: 'TWIN', base_price: 1 }
  const node = nodes(s)
  assert.deepEqual(counted(await times(8, (i) => node(i)('POST /api/products', { body }))), {
    201: 1,
    409: 7,
  })
  assert.equal((await s.api('GET /api/products')).body.total, 1)
  await s.sound()
})

const heldProduct = (id: number) =>
  hold(system, (tx) => tx`select from inventory.products where id = ${id} for no key update`)
const heldStock = (id: number) =>
  hold(system, (tx) => tx`select from inventory.stock where product_id = ${id} for no key update`)

test('two concurrent receipts of one product into two warehouses both count in its average cost', async () => {
  const s = await shop(system)
  const product = await s.product()
  const { id: supplier_id } = await s.created('POST /api/suppliers', { name: 'Alder' })
  const delivery = async (warehouse_id: number, quantity: number, unit_cost: string) => {
    const items = [{ product_id: product, quantity, unit_cost }]
    const { id } = await s.created('POST /api/suppliers/purchase-orders', {
      supplier_id,
      warehouse_id,
      items,
    })
    const body = { items: [{ product_id: product, quantity_received: quantity }] }
    return () => s.api(`POST /api/suppliers/purchase-orders/${id}/receive`, { body })
  }
  const deliveries = [await delivery(s.main, 10, '1.00'), await delivery(await s.warehouse(), 30, '3.00')]
  const { release } = await heldProduct(product)
  const answers = deliveries.map((receive) => receive())
  await waitingForLocks(system, 2)
  await release()
  assert.deepEqual(counted(await Promise.all(answers)), { 200: 2 })
  assert.equal((await s.api('GET /api/inventory/summary')).body.total_stock_value, '100.00')
  await s.sound()
})

test('an adjustment that comes while an order reserves the same stock sees the reservation', async () => {
  const s = await shop(system)
  const product = await s.product(5)
  const { release } = await heldStock(product)
  const ordered = s.order([[product, 5]])
  await waitingForLocks(system, 1)
  const adjusted = s.adjust(product, -5)
  await waitingForLocks(system, 2)
  await release()
  assert.equal((await ordered).status, 201)
  const refused = await adjusted
  assert.equal(refused.status, 400)
  assert.match(refused.body.error, /^Insufficient stock of SKU-\d+ in Main warehouse: 0 available$/)
  assert.deepEqual(await s.stock(product), [5, 5])
  await s.sound()
})

test('an order that comes while an adjustment takes the same stock is backordered', async () => {
  const s = await shop(system)
  const product = await s.product(5)
  const { release } = await heldStock(product)
  const adjusted = s.adjust(product, -5)
  await waitingForLocks(system, 1)
  const ordered = s.order([[product, 5]])
  await waitingForLocks(system, 2)
  await release()
  assert.equal((await adjusted).status, 200)
  const { id } = (await ordered).body
  assert.equal((await s.read(id)).items[0].quantity_backordered, 5)
  assert.deepEqual(await s.stock(product), [0, 0])
  await s.sound()
})

test('of two cancellations of one order at once, one succeeds', async () => {
  const s = await shop(system)
  const product = await s.product(10)
  for (let round = 0; round < 10; round++) {
    const { id } = (await s.order([[product, 1]])).body
    const { release } = await hold(
      system,
      (tx) => tx`select 1 from inventory.orders where id = ${id} for update`,
    )
    const both = Promise.all([s.status(id, 'cancelled'), s.status(id, 'cancelled')])
    await waitingForLocks(system, 2)
    await release()
    assert.deepEqual((await both).map(({ status }) => status).sort(), [200, 400], `round ${round}`)
  }
  assert.deepEqual(await s.stock(product), [10, 0])
  await s.sound()
})

test('a count that is set while the row is held counts what has changed meanwhile', async () => {
  const s = await shop(system)
  const product = await s.product(10)
  const sku = (await s.api(`GET /api/products/${product}`)).body.sku
  const { key } = await s.created('POST /api/api-keys', { name: 'sync', permissions: ['read', 'write'] })
  const sync = (quantity: number) =>
    system.inventory('POST /api/external/inventory/sync', {
      body: [{ sku, warehouse_id: s.main, quantity }],
      headers: { 'x-api-key': key },
    })
  const { release } = await hold(
    system,
    (tx) => tx`select 1 from inventory.stock where product_id = ${product} for update`,
  )
  const both = Promise.all([sync(7), s.adjust(product, 5)])
  await waitingForLocks(system, 2)
  await release()
  assert.deepEqual(
    (await both).map(({ status }) => status),
    [200, 200],
  )
  // Whichever came first: the count is absolute, the adjustment is not.
  assert.ok([7, 12].includes((await s.stock(product))![0]))
  await s.sound()
})
