import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

const batch = (s: Shop, product_id: number, batch_number: string, quantity: number, more: object = {}) =>
  s.created('POST /api/batches', { product_id, batch_number, quantity, ...more })

test('batches are listed by expiry, by warehouse, while some is left, and found by part of a number', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const milk = await s.product(0, { tracking_type: 'batch' })
  const oil = await s.product(0, { tracking_type: 'batch' })
  await batch(s, milk, 'MILK-2', 2, { expiry_date: day(20), lot_number: 'North 7' })
  await batch(s, milk, 'MILK-1', 1, { expiry_date: day(3), warehouse_id: away })
  await batch(s, oil, 'OIL_1', 5)
  const gone = await batch(s, milk, 'MILK-0', 1, { expiry_date: day(1) })
  const list = async (query: string) => {
    const { body } = await s.api(`GET /api/batches?${query}`)
    assert.equal(body.total, body.batches.length, query)
    return body.batches.map((b: { batch_number: string }) => b.batch_number).join(' ')
  }
  assert.equal(await list('sort=expiry_date'), 'MILK-0 MILK-1 MILK-2 OIL_1')
  const take = { product_id: milk, warehouse_id: s.main, quantity: -1, batch_id: gone.id }
  await s.created('POST /api/inventory/adjust', take, 200)
  assert.equal(await list('sort=expiry_date&on_hand=true'), 'MILK-1 MILK-2 OIL_1')
  assert.equal(await list('sort=expiry_date&expiring_days=5'), 'MILK-1')
  assert.equal(await list(`warehouse_id=${away}`), 'MILK-1')
  assert.equal(await list(`on_hand=true&product_id=${oil}`), 'OIL_1')
  for (const [search, found] of [
    ['lk-1', 'MILK-1'],
    ['north', 'MILK-2'],
    ['l_1', 'OIL_1'],
    ['%25', ''],
  ] as const)
    assert.equal(await list(`search=${search}`), found, search)
  assert.equal((await s.api('GET /api/batches?sort=name')).status, 400)
  await s.created('POST /api/inventory/adjust', { ...take, quantity: 4 }, 200)
  assert.equal(await list('sort=expiry_date&on_hand=true'), 'MILK-0 MILK-1 MILK-2 OIL_1')
  await s.sound()
})

test('a batch is corrected, but gets no number of another one and no impossible dates', async () => {
  const s = await shop(system)
  const milk = await s.product(0, { tracking_type: 'batch' })
  const { id, ...made } = await batch(s, milk, 'B1', 2, { expiry_date: day(20), lot_number: 'L1' })
  await batch(s, milk, 'B2', 0)
  const change = (body: object, api = s.api) => api(`PATCH /api/batches/${id}`, { body })
  const changed = await change({ batch_number: 'B-1', expiry_date: day(40), lot_number: null })
  assert.deepEqual(changed.body, {
    ...made,
    id,
    batch_number: 'B-1',
    expiry_date: day(40),
    lot_number: null,
  })
  assert.equal((await change({ batch_number: 'B2' })).status, 409)
  assert.equal((await change({ manufacture_date: day(41) })).status, 400)
  assert.equal((await change({ batch_number: '' })).status, 400)
  assert.equal((await change({}, (await s.colleague('Staff')).api)).status, 403)
  assert.equal((await change({}, (await shop(system)).api)).status, 404)
  assert.deepEqual((await s.api(`GET /api/batches/${id}`)).body, changed.body)
})

test('the life of a serial is told from its supplier to its customer and back', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const phone = await s.product(0, { tracking_type: 'serial' })
  const supplier_id = (await s.created('POST /api/suppliers', { name: 'Factory' })).id
  const po = await s.created('POST /api/suppliers/purchase-orders', {
    supplier_id,
    warehouse_id: away,
    items: [{ product_id: phone, quantity: 1 }],
  })
  const items = [{ product_id: phone, quantity_received: 1, serials: ['A1'] }]
  await s.created(`POST /api/suppliers/purchase-orders/${po.id}/receive`, { items }, 200)
  const { id } = (await s.api('GET /api/serials?search=a1')).body.serials[0]
  const move = {
    product_id: phone,
    from_warehouse_id: away,
    to_warehouse_id: s.main,
    quantity: 1,
    serials: ['A1'],
  }
  await s.created('POST /api/inventory/transfer', move, 200)
  const customer_id = (await s.created('POST /api/customers', { name: 'Ada' })).id
  const order = (await s.order([[phone, 1]], { customer_id })).body.id
  const line = (await s.read(order)).items[0].id
  await s.fulfil(order, [[line, 1]])
  await s.giveBack(order, [[line, 1]])
  const turn = (status: string, notes?: string) =>
    s.created(`PATCH /api/serials/${id}`, { status, notes }, 200)
  for (const status of ['reserved', 'in_stock', 'reserved', 'sold', 'returned', 'in_stock'])
    await turn(status)
  await turn('scrapped', 'Dropped')
  const { body } = await s.api(`GET /api/serials/${id}/timeline`)
  assert.equal(body.total, 11)
  assert.deepEqual(
    body.timeline.map((e: Record<string, string>) => `${e.type} ${e.status} ${e.warehouse_name}`),
    [
      'received in_stock Other',
      'transferred in_stock Main warehouse',
      'shipped sold Main warehouse',
      'returned in_stock Main warehouse',
      'reserved reserved Main warehouse',
      'released in_stock Main warehouse',
      'reserved reserved Main warehouse',
      'sold sold Main warehouse',
      'returned returned Main warehouse',
      'restocked in_stock Main warehouse',
      'scrapped scrapped Main warehouse',
    ],
  )
  const [received, , shipped] = body.timeline
  assert.deepEqual([received.po_number, received.supplier_name], ['PO-000001', 'Factory'])
  assert.deepEqual([shipped.order_number, shipped.customer_name], ['ORD-000001', 'Ada'])
  assert.deepEqual([body.timeline[8].notes, body.timeline[10].notes], [null, 'Dropped'])
  assert.equal((await (await shop(system)).api(`GET /api/serials/${id}/timeline`)).status, 404)
  await s.sound()
})

test('adjustments of a serial-tracked product name the serials that they add or scrap', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const phone = await s.product(0, { tracking_type: 'serial' })
  const adjust = (quantity: number, serials: string[] | null, warehouse_id = s.main, product_id = phone) =>
    s.api('POST /api/inventory/adjust', {
      body: { product_id, warehouse_id, quantity, serials, notes: 'Found: shelf' },
    })
  assert.equal((await adjust(2, ['A', 'B'], away)).body.new_quantity, 2)
  assert.equal((await adjust(1, ['C'])).body.new_quantity, 1)
  for (const [status, quantity, serials] of [
    [400, 1, null],
    [400, 2, ['D']],
    [400, -1, ['A', 'B']],
    [400, -1, ['C']],
    [404, -1, ['Z']],
    [409, 1, ['C']],
  ] as const)
    assert.equal((await adjust(quantity, serials as string[] | null, away)).status, status)
  assert.equal((await adjust(1, ['A'], s.main, await s.product(3))).status, 400)
  assert.equal((await adjust(-1, ['A'], away)).body.new_quantity, 1)
  const { serials } = (await s.api('GET /api/serials?status=scrapped')).body
  assert.deepEqual([serials.length, serials[0].serial_number], [1, 'A'])
  const { timeline } = (await s.api(`GET /api/serials/${serials[0].id}/timeline`)).body
  assert.deepEqual(
    timeline.map((e: Record<string, string>) => [e.type, e.notes]),
    [
      ['received', 'Found: shelf'],
      ['scrapped', 'Found: shelf'],
    ],
  )
  await s.sound()
})

test('serials are searched by the beginning of their numbers, whatever the case', async () => {
  const s = await shop(system)
  const product_id = await s.product(0, { tracking_type: 'serial' })
  const serials = ['kt-2', 'KT-1', 'KT_1', 'Ä-1']
  await s.created('POST /api/serials/bulk', { product_id, warehouse_id: s.main, serials })
  const found = async (search: string) => {
    const { body } = await s.api(`GET /api/serials?search=${encodeURIComponent(search)}`)
    assert.equal(body.total, body.serials.length)
    return body.serials.map((x: Record<string, string>) => x.serial_number)
  }
  assert.deepEqual(await found('kt-'), ['KT-1', 'kt-2'])
  assert.deepEqual(await found('KT_'), ['KT_1'])
  assert.deepEqual(await found('ä'), ['Ä-1'])
  assert.deepEqual(await found('t-1'), [])
})

test('orders are listed and counted by product', async () => {
  const s = await shop(system)
  const [cup, pot] = [await s.product(5), await s.product(5)]
  await s.order([[cup, 1]])
  const both = (
    await s.order([
      [cup, 1],
      [pot, 1],
      [pot, 2],
    ])
  ).body
  const { orders, total } = (await s.api(`GET /api/orders?product_id=${pot}`)).body
  assert.deepEqual([total, orders.length, orders[0].id], [1, 1, both.id])
  assert.equal((await s.api(`GET /api/orders?product_id=${cup}&status=pending&limit=1`)).body.total, 2)
  const counts = (await s.api(`GET /api/orders/counts?product_id=${pot}`)).body
  assert.deepEqual([counts.total, counts.by_status.pending, counts.by_status.paid], [1, 1, 0])
  const lines = (await s.api(`GET /api/orders/export?product_id=${pot}`)).text.trim().split('\n')
  assert.equal(lines.length, 2)
  assert.equal((await (await shop(system)).api(`GET /api/orders?product_id=${pot}`)).body.total, 0)
  assert.equal((await s.api('GET /api/orders?product_id=x')).status, 400)
})
