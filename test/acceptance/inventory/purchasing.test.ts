import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

const supplierOf = async (s: Shop, more: object = {}) =>
  (await s.created('POST /api/suppliers', { name: 'Alder & Sons', ...more })).id as number

const order = (s: Shop, supplier_id: number, items: object[], more: object = {}) =>
  s.api('POST /api/suppliers/purchase-orders', {
    body: { supplier_id, warehouse_id: s.main, items, ...more },
  })

const receive = (s: Shop, id: number, items: object[]) =>
  s.api(`POST /api/suppliers/purchase-orders/${id}/receive`, { body: { items } })

const read = async (s: Shop, id: number) => (await s.api(`GET /api/suppliers/purchase-orders/${id}`)).body

const move = (s: Shop, id: number, status: string) =>
  s.api(`PATCH /api/suppliers/purchase-orders/${id}/status`, { body: { status } })

test('a supplier is added, listed, replaced, and counts the products ordered from them', async () => {
  const s = await shop(system)
  const body = {
    name: 'Alder',
    email: 'a@alder.example',
    payment_terms: 'net 30',
    lead_time_days: 7,
    phone: '1',
  }
  const made = await s.created('POST /api/suppliers', body)
  const { id, created_at, ...rest } = made
  assert.deepEqual(rest, { ...body, product_count: 0, open_orders: 0 })
  assert.match(created_at, /Z$/)
  await order(s, id, [
    { product_id: await s.product(), quantity: 1 },
    { product_id: await s.product(), quantity: 1 },
  ])
  const { suppliers, total } = (await s.api('GET /api/suppliers')).body
  assert.deepEqual([suppliers.length, total, suppliers[0].product_count], [1, 1, 2])
  const put = await s.api(`PUT /api/suppliers/${id}`, { body: { name: 'Alder Ltd' } })
  assert.deepEqual([put.body.name, put.body.email, put.body.product_count], ['Alder Ltd', null, 2])
  for (const bad of [
    {},
    { name: '' },
    { name: 'x', email: 'no' },
    { name: 'x', lead_time_days: -1 },
    { name: 'a\0' },
  ])
    assert.equal((await s.api('POST /api/suppliers', { body: bad })).status, 400)
  const stranger = await shop(system)
  assert.equal((await stranger.api(`GET /api/suppliers/${id}`)).status, 404)
  assert.equal((await stranger.api(`PUT /api/suppliers/${id}`, { body: { name: 'x' } })).status, 404)
  const staff = await s.colleague('Staff')
  assert.equal((await staff.api('GET /api/suppliers')).status, 200)
  assert.equal((await staff.api('POST /api/suppliers', { body: { name: 'x' } })).status, 403)
})

test('suppliers are searched by name and email, sorted, and paged', async () => {
  const s = await shop(system)
  const ids: number[] = []
  for (const [n, body] of [
    { name: 'birch' },
    { name: 'Alder', email: 'zed@alder.example' },
    { name: 'Zed & Co' },
  ].entries())
    ids[n] = await supplierOf(s, body)
  const list = async (query: string) => {
    const { suppliers, total } = (await s.api(`GET /api/suppliers?${query}`)).body
    return [suppliers.map(({ id }: { id: number }) => ids.indexOf(id)), total]
  }
  assert.deepEqual(await list(''), [[0, 1, 2], 3])
  assert.deepEqual(await list('search=ZED'), [[1, 2], 2])
  assert.deepEqual(await list('sort=name'), [[1, 0, 2], 3])
  assert.deepEqual(await list('sort=-name&limit=2&page=2'), [[1], 3])
  assert.deepEqual(await list('search=zed&sort=-created_at'), [[2, 1], 2])
  assert.equal((await s.api('GET /api/suppliers?sort=email')).status, 400)
})

test('a supplier tells what was ordered in all, and what is on its way', async () => {
  const s = await shop(system)
  const [supplier, product] = [await supplierOf(s), await s.product()]
  const draft = async () =>
    (await order(s, supplier, [{ product_id: product, quantity: 2, unit_cost: '1.05' }])).body.id as number
  const totals = async () => {
    const { open_orders, total_orders, total_spent } = (await s.api(`GET /api/suppliers/${supplier}`)).body
    return [open_orders, total_orders, total_spent]
  }
  const [one, two] = [await draft(), await draft()]
  assert.deepEqual(await totals(), [0, 0, '0.00'], 'a draft has not been ordered yet')
  await move(s, one, 'ordered')
  await receive(s, two, [{ product_id: product, quantity_received: 1 }])
  assert.deepEqual(await totals(), [2, 2, '4.20'])
  await receive(s, two, [{ product_id: product, quantity_received: 1 }])
  assert.deepEqual(await totals(), [1, 2, '4.20'])
  await move(s, one, 'cancelled')
  assert.deepEqual(await totals(), [0, 1, '2.10'])
})

test('a supplier is deleted unless something was ordered from them; a new order waits for a deletion', async () => {
  const s = await shop(system)
  const [used, unused] = [await supplierOf(s), await supplierOf(s)]
  const items = [{ product_id: await s.product(), quantity: 1 }]
  await order(s, used, items)
  const remove = (id: number, api = s.api) => api(`DELETE /api/suppliers/${id}`)
  const refused = await remove(used)
  assert.deepEqual(
    [refused.status, refused.body.error],
    [409, 'This supplier has purchase orders, which would lose their supplier'],
  )
  const staff = await s.colleague('Staff')
  assert.equal((await remove(unused, staff.api)).status, 403)
  assert.equal((await remove(unused)).status, 200)
  assert.equal((await s.api(`GET /api/suppliers/${unused}`)).status, 404)
  assert.equal((await remove(unused)).status, 404)
  assert.equal((await order(s, unused, items)).status, 404)
  for (let n = 0; n < 5; n++) {
    const id = await supplierOf(s)
    const [deleted, ordered] = await Promise.all([remove(id), order(s, id, items)])
    assert.ok(
      ['200 404', '409 201'].includes(`${deleted.status} ${ordered.status}`),
      `${deleted.status} ${ordered.status}: ${ordered.text}`,
    )
  }
  await s.sound()
})

test('a purchase order is drafted with exact totals, and takes cost_price where no cost is given', async () => {
  const s = await shop(system)
  const supplier = await supplierOf(s)
  const [a, b] = [await s.product(0, { cost_price: '0.10' }), await s.product()]
  const items = [
    { product_id: a, quantity: 3 },
    { product_id: b, quantity: 7, unit_cost: 1.15 },
    { product_id: b, quantity: 1, unit_cost: '0.01' },
  ]
  const made = await order(s, supplier, items, { expected_date: '2030-02-28', notes: 'By the side door' })
  assert.equal(made.status, 201, made.text)
  const { created_at: _, ...answer } = made.body
  assert.deepEqual(answer, { id: answer.id, po_number: 'PO-000001', status: 'draft', total_amount: '8.36' })
  const whole = await read(s, answer.id)
  assert.deepEqual(
    [whole.supplier_name, whole.expected_date, whole.notes],
    ['Alder & Sons', '2030-02-28', 'By the side door'],
  )
  assert.deepEqual(
    whole.items.map((i: Record<string, unknown>) => [
      i.product_id,
      i.quantity,
      i.quantity_received,
      i.unit_cost,
      i.line_total,
    ]),
    [
      [a, 3, 0, '0.10', '0.30'],
      [b, 7, 0, '1.15', '8.05'],
      [b, 1, 0, '0.01', '0.01'],
    ],
  )
  const good = { product_id: a, quantity: 1 }
  for (const [status, body] of [
    [404, { supplier_id: 999_999, items: [good] }],
    [404, { supplier_id: supplier, warehouse_id: 999_999, items: [good] }],
    [404, { supplier_id: supplier, items: [{ product_id: 999_999, quantity: 1 }] }],
    [400, { supplier_id: supplier, items: [] }],
    [400, { supplier_id: supplier }],
    [400, { supplier_id: supplier, items: [{ ...good, quantity: 0 }] }],
    [400, { supplier_id: supplier, items: [{ ...good, unit_cost: '1.001' }] }],
    [400, { supplier_id: supplier, items: [{ ...good, unit_cost: -1 }] }],
    [400, { supplier_id: supplier, items: [good], expected_date: '2030-02-30' }],
  ] as const)
    assert.equal(
      (await s.api('POST /api/suppliers/purchase-orders', { body })).status,
      status,
      JSON.stringify(body),
    )
  assert.equal((await order(s, supplier, [good])).body.po_number, 'PO-000002')
  const list = (await s.api(`GET /api/suppliers/purchase-orders/all?status=draft&supplier_id=${supplier}`))
    .body
  assert.deepEqual([list.total, list.purchase_orders[0].po_number], [2, 'PO-000002'])
  assert.equal((await s.api('GET /api/suppliers/purchase-orders/all?status=ordered')).body.total, 0)
  const stranger = await shop(system)
  assert.equal((await stranger.api(`GET /api/suppliers/purchase-orders/${answer.id}`)).status, 404)
  assert.equal((await receive(stranger, answer.id, [{ product_id: a, quantity_received: 1 }])).status, 404)
  assert.equal((await move(stranger, answer.id, 'ordered')).status, 404)
})

test('a purchase order is received in parts or whole, never more than ordered, and fills backorders oldest first', async () => {
  const s = await shop(system)
  const supplier = await supplierOf(s)
  const a = await s.product()
  const first = (await s.order([[a, 4]])).body.id
  const second = (await s.order([[a, 4]])).body.id
  const { id } = (await order(s, supplier, [{ product_id: a, quantity: 10, unit_cost: '2.00' }])).body
  const [line] = (await read(s, id)).items
  const some = await receive(s, id, [{ purchase_order_item_id: line.id, quantity_received: 6 }])
  assert.deepEqual(some.body, {
    message: 'Items received',
    received_lines: 1,
    inventory_updated: 1,
    status: 'partial',
    backorders_filled: 2,
    filled_backorders: some.body.filled_backorders,
  })
  assert.deepEqual(
    some.body.filled_backorders.map((x: Record<string, unknown>) => [
      x.order_id,
      x.product_id,
      x.quantity,
      x.quantity_backordered,
    ]),
    [
      [first, a, 4, 0],
      [second, a, 2, 2],
    ],
  )
  const waiting = async () =>
    Promise.all([first, second].map(async (o) => (await s.read(o)).items[0].quantity_backordered))
  assert.deepEqual(await waiting(), [0, 2])
  assert.deepEqual(await s.stock(a), [6, 6])
  for (const [status, items] of [
    [400, [{ product_id: a, quantity_received: 5 }]],
    [
      400,
      [
        { product_id: a, quantity_received: 3 },
        { purchase_order_item_id: line.id, quantity_received: 2 },
      ],
    ],
    [400, [{ quantity_received: 1 }]],
    [400, [{ product_id: a, quantity_received: 0 }]],
    [400, [{ product_id: a, quantity_received: 1, batch_number: 'B' }]],
    [400, [{ product_id: a, quantity_received: 1, serials: ['S'] }]],
    [404, [{ purchase_order_item_id: 999_999, quantity_received: 1 }]],
    [404, [{ product_id: await s.product(), quantity_received: 1 }]],
    [400, []],
  ] as const) {
    const answer = await receive(s, id, items as never)
    assert.equal(answer.status, status, `${JSON.stringify(items)} ${answer.text}`)
  }
  assert.equal((await receive(s, id, [{ product_id: a, quantity_received: 4 }])).body.status, 'received')
  assert.deepEqual(await waiting(), [0, 0])
  assert.deepEqual(await s.stock(a), [10, 8])
  assert.equal((await receive(s, id, [{ product_id: a, quantity_received: 1 }])).status, 400)
  const { movements } = (await s.api('GET /api/inventory/movements?type=receive')).body
  assert.deepEqual(
    movements.map((m: Record<string, number>) => [m.quantity, m.reference_id]),
    [
      [4, id],
      [6, id],
    ],
  )
  await s.sound()
})

test('a purchase order changes status by receipts and by request, and can be cancelled until it is received', async () => {
  const s = await shop(system)
  const supplier = await supplierOf(s)
  const a = await s.product()
  const make = async () => (await order(s, supplier, [{ product_id: a, quantity: 2 }])).body.id as number
  const [drafted, half] = [await make(), await make()]
  assert.equal((await s.api(`DELETE /api/products/${a}`)).status, 409)
  assert.deepEqual((await move(s, drafted, 'ordered')).body.status, 'ordered')
  const wrong = await move(s, drafted, 'draft')
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'Cannot change status from ordered to draft'])
  for (const to of ['received', 'partial', 'nothing']) assert.equal((await move(s, drafted, to)).status, 400)
  assert.equal((await move(s, drafted, 'cancelled')).status, 200)
  assert.equal((await receive(s, drafted, [{ product_id: a, quantity_received: 1 }])).status, 400)
  await receive(s, half, [{ product_id: a, quantity_received: 1 }])
  assert.equal((await move(s, half, 'cancelled')).status, 200)
  assert.equal((await move(s, half, 'ordered')).status, 400)
  assert.equal((await s.api(`DELETE /api/products/${a}`)).status, 200)
  await s.sound()
})

test('a receipt is refused at the entry that is wrong, and says nothing of backorders that others filled', async () => {
  const s = await shop(system)
  const supplier = await supplierOf(s)
  const [a, milk, phone] = [
    await s.product(),
    await s.product(0, { tracking_type: 'batch' }),
    await s.product(0, { tracking_type: 'serial', barcode: '4006381333931' }),
  ]
  const { id } = (
    await order(
      s,
      supplier,
      [a, milk, phone].map((product_id) => ({ product_id, quantity: 5 })),
    )
  ).body
  const lines = (await read(s, id)).items
  assert.deepEqual(
    lines.map((line: Record<string, unknown>) => [line.tracking_type, line.barcode]),
    [
      ['none', null],
      ['batch', null],
      ['serial', '4006381333931'],
    ],
  )
  const good = { product_id: a, quantity_received: 1 }
  const batch = { product_id: milk, quantity_received: 1, batch_number: 'B' }
  await receive(s, id, [
    { ...batch, expiry_date: '2030-01-01' },
    { product_id: phone, quantity_received: 1, serials: ['S'] },
  ])
  for (const [at, wrong] of [
    [1, { product_id: a, quantity_received: 5 }],
    [1, { ...batch, expiry_date: '2031-01-01' }],
    [1, { product_id: milk, quantity_received: 1, expiry_date: '2031-01-01' }],
    [1, { product_id: phone, quantity_received: 1 }],
    [1, { product_id: phone, quantity_received: 1, serials: ['S'] }],
  ] as const) {
    const { status, body } = await receive(s, id, [good, wrong])
    assert.ok([400, 409].includes(status), JSON.stringify(wrong))
    assert.deepEqual(body.details, [{ field: `items[${at}]`, reason: body.error }])
  }
  await s.order([[a, 1]])
  await s.adjust(a, 1)
  const quiet = (await receive(s, id, [good])).body
  assert.deepEqual([quiet.backorders_filled, quiet.filled_backorders], [0, []])
})

test('purchase orders are found by number and supplier, and counted by status under the same filters', async () => {
  const s = await shop(system)
  const [alder, birch] = [await supplierOf(s), await supplierOf(s, { name: 'Birch 12' })]
  const a = await s.product()
  const items = [
    { product_id: a, quantity: 4, unit_cost: '1.00' },
    { product_id: a, quantity: 6, unit_cost: '1.00' },
  ]
  for (let n = 0; n < 12; n++)
    await order(s, n === 0 ? birch : alder, items, n < 2 ? { expected_date: '2020-01-01' } : {})
  const list = async (query: string) => (await s.api(`GET /api/suppliers/purchase-orders/all?${query}`)).body
  const found = async (search: string) =>
    (await list(`search=${encodeURIComponent(search)}`)).purchase_orders.map((o: { po_number: string }) =>
      Number(o.po_number.slice(3)),
    )
  const ids = (await list('')).purchase_orders.map((o: { id: number }) => o.id).reverse()
  for (const id of ids.slice(0, 2)) await move(s, id, 'ordered')
  await receive(s, ids[0], [{ product_id: a, quantity_received: 3 }])
  await move(s, ids[11], 'cancelled')
  for (const [search, numbers] of [
    ['12', [12, 1]],
    ['0012', [12]],
    ['PO-000012', [12]],
    ['po-00001', [12, 11, 10]],
    ['PO-1', []],
    ['birch', [1]],
    ['BO-12', []],
    ['%', []],
  ] as const)
    assert.deepEqual(await found(search), numbers, search)
  assert.equal((await found('po-')).length, 12)
  const [first] = (await list(`supplier_id=${birch}`)).purchase_orders
  assert.deepEqual([first.item_count, first.units, first.units_received], [2, 10, 3])
  const counts = async (query = '') =>
    (await s.api(`GET /api/suppliers/purchase-orders/counts?${query}`)).body
  assert.deepEqual(await counts(), {
    total: 12,
    by_status: { draft: 9, ordered: 1, partial: 1, received: 0, cancelled: 1 },
    due: 2,
  })
  assert.equal((await s.api('GET /api/reports/today')).body.purchase_orders_due, 2)
  assert.equal((await list('due=true')).total, 2)
  assert.deepEqual(
    await Promise.all(
      [`supplier_id=${birch}`, 'search=12'].map(async (query) => (await counts(query)).total),
    ),
    [1, 2],
  )
  assert.equal((await counts('search=Birch')).due, 1)
  assert.equal((await s.api('GET /api/suppliers/purchase-orders/counts?supplier_id=x')).status, 400)
})

test('ten concurrent receipts take in exactly what was ordered', async () => {
  const s = await shop(system)
  const supplier = await supplierOf(s)
  const a = await s.product()
  const { id } = (await order(s, supplier, [{ product_id: a, quantity: 5 }])).body
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => receive(s, id, [{ product_id: a, quantity_received: 1 }])),
  )
  assert.deepEqual(answers.map((x) => x.status).sort(), [200, 200, 200, 200, 200, 400, 400, 400, 400, 400])
  assert.deepEqual(await s.stock(a), [5, 0])
  assert.equal((await read(s, id)).status, 'received')
  await s.sound()
})

test('a receipt repeated with its Idempotency-Key, even on another node, is received once', async () => {
  const s = await shop(system)
  const second = await boot({ database: { url: system.databaseUrl } })
  const supplier = await supplierOf(s)
  const a = await s.product()
  const { id } = (await order(s, supplier, [{ product_id: a, quantity: 10 }])).body
  const body = { items: [{ product_id: a, quantity_received: 4 }] }
  const headers = { 'idempotency-key': 'delivery-1' }
  const call = `POST /api/suppliers/purchase-orders/${id}/receive`
  const first = await s.api(call, { body, headers })
  const again = await second.inventory.bearer(s.token)(call, { body, headers })
  assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body])
  assert.deepEqual(await s.stock(a), [4, 0])
  const other = { items: [{ product_id: a, quantity_received: 5 }] }
  assert.equal((await s.api(call, { body: other, headers })).status, 409)
  await s.sound()
})

test('a receipt adds batches and serials', async () => {
  const s = await shop(system)
  const supplier = await supplierOf(s)
  const milk = await s.product(0, { tracking_type: 'batch' })
  const phone = await s.product(0, { tracking_type: 'serial' })
  const { id } = (
    await order(s, supplier, [
      { product_id: milk, quantity: 10 },
      { product_id: phone, quantity: 2 },
    ])
  ).body
  const batch = {
    batch_number: 'B1',
    lot_number: 'L',
    manufacture_date: '2026-01-01',
    expiry_date: '2099-01-01',
  }
  for (const [status, item] of [
    [400, { product_id: phone, quantity_received: 2 }],
    [400, { product_id: phone, quantity_received: 2, serials: ['S1'] }],
    [409, { product_id: phone, quantity_received: 2, serials: ['S1', 'S1'] }],
    [400, { product_id: milk, quantity_received: 1, expiry_date: '2099-01-01' }],
  ] as const)
    assert.equal((await receive(s, id, [item])).status, status, JSON.stringify(item))
  const done = await receive(s, id, [
    { product_id: milk, quantity_received: 4, ...batch },
    { product_id: milk, quantity_received: 3 },
    { product_id: phone, quantity_received: 2, serials: ['S1', 'S2'] },
  ])
  assert.deepEqual(
    [done.status, done.body.received_lines, done.body.inventory_updated],
    [200, 3, 2],
    done.text,
  )
  assert.equal(
    (await receive(s, id, [{ product_id: milk, quantity_received: 1, ...batch, expiry_date: '2098-01-01' }]))
      .status,
    400,
  )
  assert.equal(
    (await receive(s, id, [{ product_id: milk, quantity_received: 3, batch_number: 'B1' }])).status,
    200,
  )
  const [b] = (await s.api(`GET /api/batches?product_id=${milk}`)).body.batches
  assert.deepEqual([b.batch_number, b.lot_number, b.expiry_date, b.quantity], ['B1', 'L', '2099-01-01', 7])
  const { serials } = (await s.api(`GET /api/serials?product_id=${phone}&status=in_stock`)).body
  assert.deepEqual(serials.map((x: Record<string, string>) => x.serial_number).sort(), ['S1', 'S2'])
  assert.deepEqual(
    [await s.stock(milk), await s.stock(phone)],
    [
      [10, 0],
      [2, 0],
    ],
  )
  await s.sound()
})

test('a batch cannot expire before it was made, even if its dates come from several receipts', async () => {
  const s = await shop(system)
  const milk = await s.product(0, { tracking_type: 'batch' })
  const { id } = (await order(s, await supplierOf(s), [{ product_id: milk, quantity: 10 }])).body
  const come = (batch_number: string, dates: object) =>
    receive(s, id, [{ product_id: milk, quantity_received: 1, batch_number, ...dates }])
  const both = await come('A', { manufacture_date: '2030-01-02', expiry_date: '2030-01-01' })
  assert.deepEqual([both.status, both.body.error], [400, 'Batch A would expire before it was made'])
  assert.equal((await come('A', { manufacture_date: '2030-01-01', expiry_date: '2030-01-01' })).status, 200)
  assert.equal((await come('B', { expiry_date: '2030-01-01' })).status, 200)
  assert.equal((await come('B', { manufacture_date: '2030-01-02' })).status, 400)
  assert.equal((await come('B', { manufacture_date: '2030-01-01' })).status, 200)
  assert.deepEqual(await s.stock(milk), [3, 0])
  await s.sound()
})
