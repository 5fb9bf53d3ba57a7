import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

const batch = (s: Shop, product_id: number, batch_number: string, quantity: number, more: object = {}) =>
  s.created('POST /api/batches', { product_id, batch_number, quantity, ...more })

const batches = async (s: Shop, product: number) => {
  const { batches } = (await s.api(`GET /api/batches?product_id=${product}`)).body
  return Object.fromEntries(
    batches.map((b: { batch_number: string; quantity: number }) => [b.batch_number, b.quantity]),
  )
}

const fulfil = async (s: Shop, order: number, quantity_fulfilled: number, more: object = {}) => {
  const { items } = await s.read(order)
  const body = { items: [{ order_item_id: items[0].id, quantity_fulfilled, ...more }] }
  return s.api(`POST /api/orders/${order}/fulfill`, { body })
}

test('a batch belongs to a batch-tracked product, has a unique number, and counts as stock', async () => {
  const s = await shop(system)
  const milk = await s.product(0, { tracking_type: 'batch' })
  const away = await s.warehouse()
  const made = await batch(s, milk, 'B1', 5, {
    expiry_date: day(10),
    lot_number: 'L1',
    notes: 'Cold',
    warehouse_id: away,
  })
  const { id, created_at: _, sku: __, product_name: ___, ...rest } = made
  assert.deepEqual(rest, {
    product_id: milk, batch_number: 'B1', lot_number: 'L1', manufacture_date: null, expiry_date: day(10),
    quantity: 5, stock: [{ warehouse_id: away, warehouse_name: 'Other', quantity: 5 }], notes: 'Cold',
  }) // biome-ignore format: one list
  assert.deepEqual(
    [await s.stock(milk, away), await s.stock(milk)],
    [
      [5, 0],
      [0, 0],
    ],
  )
  const stranger = await shop(system)
  const body = { product_id: milk, batch_number: 'B1' }
  assert.equal((await s.api('POST /api/batches', { body })).status, 409)
  for (const [status, more] of [
    [400, { product_id: await s.product() }],
    [400, { product_id: await s.product(0, { tracking_type: 'serial' }) }],
    [404, { product_id: 999_999 }],
    [404, { batch_number: 'B2', quantity: 1, warehouse_id: 999_999 }],
    [404, { batch_number: 'B2', warehouse_id: 999_999 }],
    [404, { batch_number: 'B2', warehouse_id: stranger.main }],
    [400, { batch_number: '' }],
    [400, { batch_number: 'B2', quantity: -1 }],
    [400, { batch_number: 'B2', expiry_date: '2030-13-01' }],
    [400, { batch_number: 'B2', expiry_date: '2030-01-01', manufacture_date: '2030-01-02' }],
  ] as const)
    assert.equal(
      (await s.api('POST /api/batches', { body: { ...body, ...more } })).status,
      status,
      JSON.stringify(more),
    )
  assert.equal((await batch(s, milk, 'EMPTY', 0)).quantity, 0)
  assert.equal((await stranger.api(`GET /api/batches/${id}`)).status, 404)
  assert.equal((await stranger.api(`GET /api/batches/${id}/trace`)).status, 404)
  await s.sound()
})

test('the list of expiring batches has those on hand that expire within the given days, earliest first', async () => {
  const s = await shop(system)
  const milk = await s.product(0, { tracking_type: 'batch' })
  await batch(s, milk, 'far', 1, { expiry_date: day(31) })
  await batch(s, milk, 'edge', 1, { expiry_date: day(30) })
  await batch(s, milk, 'soon', 1, { expiry_date: day(2) })
  await batch(s, milk, 'past', 1, { expiry_date: day(-1) })
  await batch(s, milk, 'empty', 0, { expiry_date: day(2) })
  await batch(s, milk, 'never', 1)
  const list = async (query = '') =>
    (await s.api(`GET /api/batches/expiring${query}`)).body.batches.map((b: Record<string, unknown>) => [
      b.batch_number,
      b.days_until_expiry,
    ])
  assert.deepEqual(await list(), [
    ['past', -1],
    ['soon', 2],
    ['edge', 30],
  ])
  assert.deepEqual(await list('?days=1'), [['past', -1]])
  assert.equal((await s.api('GET /api/batches/expiring?days=-1')).status, 400)
  assert.equal((await s.api('GET /api/batches?expiring_days=2')).body.total, 2)
})

test('shipments take batches by earliest expiry, and expired ones only if they are named', async () => {
  const s = await shop(system)
  const milk = await s.product(0, { tracking_type: 'batch' })
  await s.adjust(milk, 2)
  await batch(s, milk, 'late', 3, { expiry_date: day(20) })
  await batch(s, milk, 'early', 3, { expiry_date: day(0) })
  await batch(s, milk, 'never', 3)
  const old = await batch(s, milk, 'expired', 3, { expiry_date: day(-1) })
  const order = (await s.order([[milk, 14]])).body.id
  assert.equal((await fulfil(s, order, 4)).status, 200)
  assert.deepEqual(await batches(s, milk), { late: 2, early: 0, never: 3, expired: 3 })
  assert.equal((await fulfil(s, order, 6)).status, 200)
  assert.deepEqual(await batches(s, milk), { late: 0, early: 0, never: 0, expired: 3 })
  const refused = await fulfil(s, order, 2)
  assert.equal(refused.status, 400, refused.text)
  assert.equal((await fulfil(s, order, 1)).status, 200)
  assert.equal((await fulfil(s, order, 4, { batch_id: old.id })).status, 400)
  assert.equal((await fulfil(s, order, 3, { batch_id: old.id })).status, 200)
  assert.equal((await s.read(order)).status, 'fulfilled')
  assert.deepEqual(await s.stock(milk), [0, 0])
  const item = (await s.read(order)).items[0].id
  assert.equal((await s.giveBack(order, [[item, 5]])).status, 201)
  const back = await batches(s, milk)
  assert.equal(back.expired, 3, 'what left last comes back first')
  assert.equal((await fulfil(s, (await s.order([[milk, 1]])).body.id, 1, { batch_id: 999_999 })).status, 404)
  const other = await s.product(3)
  assert.equal((await fulfil(s, (await s.order([[other, 1]])).body.id, 1, { batch_id: old.id })).status, 400)
  await s.sound()
})

test('adjustments and transfers may name a batch, and otherwise take unbatched units first', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const milk = await s.product(0, { tracking_type: 'batch' })
  const b1 = await batch(s, milk, 'B1', 3, { expiry_date: day(5) })
  await batch(s, milk, 'B2', 3, { expiry_date: day(1) })
  await s.adjust(milk, 2)
  const adjust = (quantity: number, more: object = {}) =>
    s.api('POST /api/inventory/adjust', {
      body: { product_id: milk, warehouse_id: s.main, quantity, ...more },
    })
  assert.equal((await adjust(-3)).body.new_quantity, 5)
  assert.deepEqual(await batches(s, milk), { B1: 3, B2: 2 })
  assert.equal((await adjust(2, { batch_id: b1.id })).body.new_quantity, 7)
  assert.equal((await adjust(-6, { batch_id: b1.id })).status, 400)
  assert.equal((await adjust(1, { batch_id: 999_999 })).status, 404)
  const move = (quantity: number, more: object = {}) =>
    s.api('POST /api/inventory/transfer', {
      body: { product_id: milk, from_warehouse_id: s.main, to_warehouse_id: away, quantity, ...more },
    })
  assert.equal((await move(3)).status, 200)
  assert.equal((await move(1, { batch_id: b1.id })).status, 200)
  const { stock } = (await s.api(`GET /api/batches/${b1.id}`)).body
  assert.deepEqual(
    stock.map((x: Record<string, number>) => [x.warehouse_id, x.quantity]),
    [
      [s.main, 3],
      [away, 2],
    ],
  )
  assert.equal((await move(4, { batch_id: b1.id })).status, 400)
  const plain = await s.product(5)
  const body = { product_id: plain, warehouse_id: s.main, quantity: 1, batch_id: b1.id }
  assert.equal((await s.api('POST /api/inventory/adjust', { body })).status, 400)
  await s.sound()
})

test('a batch can be traced from its supplier to the customers who have it', async () => {
  const s = await shop(system)
  const milk = await s.product(0, { tracking_type: 'batch' })
  const supplier = (await s.created('POST /api/suppliers', { name: 'Dairy' })).id
  const po = await s.created('POST /api/suppliers/purchase-orders', {
    supplier_id: supplier,
    warehouse_id: s.main,
    items: [{ product_id: milk, quantity: 10 }],
  })
  const items = [{ product_id: milk, quantity_received: 10, batch_number: 'B1' }]
  await s.created(`POST /api/suppliers/purchase-orders/${po.id}/receive`, { items }, 200)
  const customer = (await s.created('POST /api/customers', { name: 'Ada', email: 'ada@x.example' })).id
  const order = (await s.order([[milk, 6]], { customer_id: customer })).body.id
  await fulfil(s, order, 6)
  await s.giveBack(order, [[(await s.read(order)).items[0].id, 2]])
  await s.adjust(milk, -1)
  const id = (await s.api(`GET /api/batches?product_id=${milk}`)).body.batches[0].id
  const trace = (await s.api(`GET /api/batches/${id}/trace`)).body
  assert.deepEqual(
    [trace.total_received, trace.total_shipped, trace.other_changes, trace.on_hand],
    [10, 4, -1, 5],
  )
  assert.deepEqual([trace.receipts[0].po_number, trace.receipts[0].supplier_name], ['PO-000001', 'Dairy'])
  const [{ shipped_at: _, ...shipment }] = trace.shipments
  assert.deepEqual(shipment, {
    order_id: order, order_number: 'ORD-000001', customer_id: customer, customer_name: 'Ada',
    customer_email: 'ada@x.example', customer_phone: null, quantity: 6, quantity_returned: 2,
  }) // biome-ignore format: one list
  await s.sound()
})

const serial = (s: Shop, product_id: number, serial_number: string, more: object = {}) =>
  s.api('POST /api/serials', { body: { product_id, serial_number, warehouse_id: s.main, ...more } })

const turn = (s: Shop, id: number, status: string) => s.api(`PATCH /api/serials/${id}`, { body: { status } })

test('a serial counts as one unit of stock and is unique within its product', async () => {
  const s = await shop(system)
  const phone = await s.product(0, { tracking_type: 'serial' })
  const made = await serial(s, phone, 'A1', { notes: 'Boxed' })
  assert.equal(made.status, 201)
  const { serial_number, status, warehouse_name, notes, order_id } = made.body
  assert.deepEqual(
    [serial_number, status, warehouse_name, notes, order_id],
    ['A1', 'in_stock', 'Main warehouse', 'Boxed', null],
  )
  assert.deepEqual(await s.stock(phone), [1, 0])
  assert.equal((await serial(s, phone, 'A1')).status, 409)
  assert.equal((await serial(s, await s.product(0, { tracking_type: 'serial' }), 'A1')).status, 201)
  assert.equal((await serial(s, await s.product(), 'A2')).status, 400)
  assert.equal((await serial(s, 999_999, 'A2')).status, 404)
  assert.equal((await serial(s, phone, 'A2', { warehouse_id: 999_999 })).status, 404)
  for (const bad of ['', 'x'.repeat(101), 'a\0b', 5])
    assert.equal((await serial(s, phone, bad as string)).status, 400)
  const bulk = (serials: unknown) =>
    s.api('POST /api/serials/bulk', { body: { product_id: phone, warehouse_id: s.main, serials } })
  assert.equal((await bulk(['B1', 'A1'])).status, 409)
  assert.equal((await bulk(['B1', 'B1'])).status, 409)
  assert.equal((await bulk([])).status, 400)
  assert.deepEqual(await s.stock(phone), [1, 0])
  const all = await bulk(['B1', 'B2'])
  assert.deepEqual([all.status, all.body.count, all.body.ids.length], [201, 2, 2])
  assert.equal((await s.adjust(phone, 1)).status, 400)
  assert.equal(
    (await s.api(`GET /api/serials?product_id=${phone}&warehouse_id=${s.main}&status=in_stock`)).body.total,
    3,
  )
  const stranger = await shop(system)
  assert.equal((await turn(stranger, made.body.id, 'scrapped')).status, 404)
  const staff = await s.colleague('Staff')
  assert.equal(
    (await staff.api('POST /api/serials', { body: { product_id: phone, serial_number: 'Z' } })).status,
    403,
  )
  await s.sound()
})

test('the status of a serial changes along its life cycle, and stock follows', async () => {
  const s = await shop(system)
  const phone = await s.product(0, { tracking_type: 'serial' })
  const { id } = (await serial(s, phone, 'A1')).body
  const path: [to: string, status: number, stock: [number, number]][] = [
    ['sold', 400, [1, 0]], ['returned', 400, [1, 0]], ['in_stock', 400, [1, 0]],
    ['reserved', 200, [1, 1]], ['scrapped', 400, [1, 1]], ['in_stock', 200, [1, 0]],
    ['reserved', 200, [1, 1]], ['sold', 200, [0, 0]], ['in_stock', 400, [0, 0]], ['scrapped', 400, [0, 0]],
    ['returned', 200, [0, 0]], ['sold', 400, [0, 0]], ['in_stock', 200, [1, 0]],
    ['scrapped', 200, [0, 0]], ['in_stock', 400, [0, 0]],
  ] // biome-ignore format: a table
  for (const [to, status, stock] of path) {
    assert.equal((await turn(s, id, to)).status, status, to)
    assert.deepEqual(await s.stock(phone), stock, to)
  }
  assert.equal((await s.api('GET /api/inventory/movements')).body.total, 4)
  assert.equal((await turn(s, id, 'lost')).status, 400)
  const next = (await serial(s, phone, 'A2')).body.id
  await s.order([[phone, 1]])
  assert.equal((await turn(s, next, 'reserved')).status, 400, 'it is promised to an order')
  assert.equal((await turn(s, next, 'scrapped')).status, 400)
  await s.sound()
})

test('serials of a product that is no longer tracked by serial number cannot change status', async () => {
  const s = await shop(system)
  const phone = await s.product(0, { tracking_type: 'serial' })
  const { id, sku } = (await serial(s, phone, 'A1')).body
  const order = (await s.order([[phone, 1]])).body.id
  const [line] = (await s.read(order)).items
  await s.fulfil(order, [[line.id, 1]])
  const track = (tracking_type: string) =>
    s.api(`PUT /api/products/${phone}`, { body: { name: 'Phone', sku, base_price: 1, tracking_type } })
  assert.equal((await track('none')).status, 200)
  assert.equal((await s.giveBack(order, [[line.id, 1]])).status, 201)
  const refused = await turn(s, id, 'returned')
  assert.deepEqual(
    [refused.status, refused.body.error],
    [400, 'This product is not tracked by serial number any more'],
  )
  assert.deepEqual(await s.stock(phone), [1, 0])
  await s.adjust(phone, -1)
  assert.equal((await track('serial')).status, 200)
  assert.equal((await turn(s, id, 'returned')).status, 200)
  assert.equal((await turn(s, id, 'in_stock')).status, 200)
  assert.deepEqual(await s.stock(phone), [1, 0])
  await s.sound()
})

test('fulfilment takes the named serials or the oldest, and returns and cancellations bring them back', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const phone = await s.product(0, { tracking_type: 'serial' })
  const serials = ['A', 'B', 'C', 'D', 'E']
  await s.created('POST /api/serials/bulk', { product_id: phone, warehouse_id: s.main, serials })
  const where = async (status: string) =>
    (await s.api(`GET /api/serials?product_id=${phone}&status=${status}`)).body.serials
      .map((x: Record<string, string>) => x.serial_number)
      .sort()
      .join('')
  const order = (await s.order([[phone, 3]])).body.id
  assert.equal((await fulfil(s, order, 1, { serials: ['Z'] })).status, 404)
  assert.equal((await fulfil(s, order, 2, { serials: ['D'] })).status, 400)
  assert.equal((await fulfil(s, order, 2, { serials: ['D', 'D'] })).status, 400)
  assert.equal((await fulfil(s, order, 1, { serials: ['D'] })).status, 200)
  assert.equal((await fulfil(s, order, 1, { serials: ['D'] })).status, 400)
  assert.equal((await fulfil(s, order, 1)).status, 200)
  assert.equal(await where('sold'), 'AD')
  const move = (names: string[] | undefined, quantity = names?.length ?? 1) =>
    s.api('POST /api/inventory/transfer', {
      body: { product_id: phone, from_warehouse_id: s.main, to_warehouse_id: away, quantity, serials: names },
    })
  assert.equal((await move(undefined)).status, 400)
  assert.equal((await move(['A'])).status, 400)
  assert.equal((await move(['B', 'C'], 1)).status, 400)
  assert.equal((await move(['B'])).status, 200)
  assert.deepEqual(
    [await s.stock(phone), await s.stock(phone, away)],
    [
      [2, 1],
      [1, 0],
    ],
  )
  const [item] = (await s.read(order)).items
  const back = await s.api(`POST /api/orders/${order}/returns`, {
    body: { items: [{ order_item_id: item.id, quantity: 1, serials: ['D'] }] },
  })
  assert.equal(back.status, 201, back.text)
  assert.equal(await where('sold'), 'A')
  assert.equal((await s.status(order, 'cancelled')).status, 200)
  assert.equal(await where('in_stock'), 'ABCDE')
  assert.deepEqual(
    [await s.stock(phone), await s.stock(phone, away)],
    [
      [4, 0],
      [1, 0],
    ],
  )
  await s.sound()
  assert.equal((await s.api(`DELETE /api/products/${phone}`)).status, 200)
  assert.equal(await where('scrapped'), 'ABCDE')
  await s.sound()
})

test('10,000 serials are added in one call', async () => {
  const s = await shop(system)
  const phone = await s.product(0, { tracking_type: 'serial' })
  const serials = Array.from({ length: 10_000 }, (_, n) => `N-${n}`)
  const { count } = await s.created('POST /api/serials/bulk', {
    product_id: phone,
    warehouse_id: s.main,
    serials,
  })
  assert.deepEqual([count, await s.stock(phone)], [10_000, [10_000, 0]])
  const body = { product_id: phone, warehouse_id: s.main, serials: [...serials, 'one too many'] }
  assert.equal((await s.api('POST /api/serials/bulk', { body })).status, 400)
})

test('two orders never ship the same serial or the same unit of a batch', async () => {
  const s = await shop(system)
  const phone = await s.product(0, { tracking_type: 'serial' })
  const milk = await s.product(0, { tracking_type: 'batch' })
  const serials = Array.from({ length: 6 }, (_, n) => `S${n}`)
  await s.created('POST /api/serials/bulk', { product_id: phone, warehouse_id: s.main, serials })
  await batch(s, milk, 'B', 6)
  const orders: number[] = []
  for (let n = 0; n < 6; n++)
    orders.push(
      (
        await s.order([
          [phone, 1],
          [milk, 1],
        ])
      ).body.id,
    )
  const done = await Promise.all(
    orders.map(async (id) => {
      const { items } = await s.read(id)
      return (
        await s.fulfil(
          id,
          items.map((i: { id: number }) => [i.id, 1]),
        )
      ).status
    }),
  )
  assert.deepEqual(done, [200, 200, 200, 200, 200, 200])
  assert.deepEqual(
    [await s.stock(phone), await s.stock(milk)],
    [
      [0, 0],
      [0, 0],
    ],
  )
  assert.equal((await s.api(`GET /api/serials?product_id=${phone}&status=sold`)).body.total, 6)
  await s.sound()
})

test('an order takes back only the serials that it shipped', async () => {
  const s = await shop(system)
  const phone = await s.product(0, { tracking_type: 'serial' })
  const serials = ['A', 'B']
  await s.created('POST /api/serials/bulk', { product_id: phone, warehouse_id: s.main, serials })
  const orders: [number, number][] = []
  for (const name of serials) {
    const { id } = (await s.order([[phone, 1]])).body
    assert.equal((await fulfil(s, id, 1, { serials: [name] })).status, 200)
    orders.push([id, (await s.read(id)).items[0].id])
  }
  const [[first, item]] = orders as [[number, number]]
  const giveBack = (name: string) =>
    s.api(`POST /api/orders/${first}/returns`, {
      body: { items: [{ order_item_id: item, quantity: 1, serials: [name] }] },
    })
  const statuses = async () =>
    Object.fromEntries(
      (await s.api(`GET /api/serials?product_id=${phone}`)).body.serials.map(
        ({ serial_number, status }: Record<string, string>) => [serial_number, status],
      ),
    )
  const refused = await giveBack('B')
  assert.ok([400, 404].includes(refused.status), refused.text)
  assert.deepEqual(await statuses(), { A: 'sold', B: 'sold' })
  assert.equal((await giveBack('A')).status, 201)
  const { A, B } = await statuses()
  assert.deepEqual([A === 'sold', B], [false, 'sold'])
  await s.sound()
})
