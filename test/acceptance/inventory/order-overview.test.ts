import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

type Row = Record<string, unknown>

const buy = async (s: Shop, product_id: number, quantity: number, expected_date?: string) => {
  const { id: supplier_id } = await s.created('POST /api/suppliers', { name: 'Alder' })
  const body = { supplier_id, warehouse_id: s.main, items: [{ product_id, quantity }], expected_date }
  const { id } = await s.created('POST /api/suppliers/purchase-orders', body)
  await s.created(`PATCH /api/suppliers/purchase-orders/${id}/status`, { status: 'ordered' }, 200)
  return id as number
}

test('orders are counted by status under the same filters as the list', async () => {
  const s = await shop(system)
  const a = await s.product(6)
  const { id: ada } = await s.created('POST /api/customers', { name: 'Ada Lovelace' })
  const ids: number[] = []
  for (const more of [{}, { customer_id: ada }, { channel: 'pos' }, { customer_id: ada, channel: 'b2b' }])
    ids.push((await s.order([[a, 2]], more)).body.id)
  await s.status(ids[0] as number, 'paid')
  await s.status(ids[1] as number, 'fulfilling')
  await s.status(ids[2] as number, 'cancelled')
  const counts = async (query = '', api = s.api) => (await api(`GET /api/orders/counts?${query}`)).body
  const none = { pending: 0, paid: 0, fulfilling: 0, fulfilled: 0, shipped: 0, cancelled: 0 }
  const by_status = { ...none, pending: 1, paid: 1, fulfilling: 1, cancelled: 1 }
  assert.deepEqual(await counts(), { total: 4, by_status, to_ship: 2, backordered: 0 })
  await s.order([[a, 1]])
  assert.deepEqual(
    [
      (await counts()).backordered,
      (await counts('channel=manual')).backordered,
      (await counts('channel=pos')).backordered,
    ],
    [1, 1, 0],
  )
  assert.deepEqual(await counts(`customer_id=${ada}`), {
    total: 2,
    by_status: { ...none, pending: 1, fulfilling: 1 },
    to_ship: 1,
    backordered: 0,
  })
  assert.deepEqual((await counts('channel=pos')).by_status, { ...none, cancelled: 1 })
  assert.equal((await counts('search=lovelace')).total, 2)
  assert.equal((await counts('search=ORD-000003')).by_status.cancelled, 1)
  const today = system.clock.now().toISOString().slice(0, 10)
  assert.equal((await counts(`from=${today}&to=${today}`)).total, 5)
  assert.equal((await counts('to=2020-01-01')).total, 0)
  for (const query of ['', 'channel=manual', `customer_id=${ada}`, 'search=00000', 'search=ada'])
    for (const [status, count] of Object.entries((await counts(query)).by_status))
      assert.equal(
        (await s.api(`GET /api/orders?status=${status}&${query}`)).body.total,
        count,
        `${status} with ${query}`,
      )
  assert.equal((await counts('', (await shop(system)).api)).total, 0)
  for (const wrong of ['from=x', 'channel=fax', 'customer_id=0'])
    assert.equal((await s.api(`GET /api/orders/counts?${wrong}`)).status, 400, wrong)
  const done = (await s.order([[a, 1]])).body.id
  await s.adjust(a, 10)
  await s.fulfil(done, [[(await s.read(done)).items[0].id, 1]])
  await s.status(done, 'shipped')
  assert.equal((await counts()).by_status.shipped, 1)
})

test('a list without its total is the same list', async () => {
  const s = await shop(system)
  const a = await s.product()
  for (let n = 0; n < 3; n++) await s.order([[a, 1]])
  for (const query of ['limit=2', 'limit=2&page=2', 'status=pending', 'search=ORD-000002', 'status=paid']) {
    const { total, ...counted } = (await s.api(`GET /api/orders?${query}`)).body
    assert.equal(typeof total, 'number')
    assert.deepEqual((await s.api(`GET /api/orders?${query}&count=true`)).body, { total, ...counted })
    assert.deepEqual((await s.api(`GET /api/orders?${query}&count=false`)).body, counted)
  }
  const link = async (page: number) =>
    (await s.api(`GET /api/orders?limit=2&count=false&page=${page}`)).headers.get('link')
  assert.equal(await link(1), '<?limit=2&count=false&page=2>; rel="next"')
  assert.equal(await link(2), null)
  assert.equal((await s.api('GET /api/orders?count=perhaps')).status, 400)
})

test('a search finds every part of an order number, and nothing else', async () => {
  const s = await shop(system)
  const a = await s.product()
  for (let n = 0; n < 21; n++) await s.order([[a, 1]])
  const found = async (search: string) =>
    (await s.api(`GET /api/orders?limit=200&search=${encodeURIComponent(search)}`)).body.orders.map(
      (o: Row) => Number(String(o.order_number).slice(4)),
    )
  const all = Array.from({ length: 21 }, (_, n) => 21 - n)
  const matching = (text: string) =>
    all.filter((n) => `ORD-${String(n).padStart(6, '0')}`.toLowerCase().includes(text.toLowerCase()))
  for (const text of [
    ...[
      '1',
      '12',
      '012',
      '0012',
      '00012',
      '000012',
      '0000012',
      '21',
      '000021',
      '22',
      '0',
      '00',
      '000002',
      '010',
    ],
    ...[
      'ORD',
      'ord-',
      'ORD-0',
      'RD-00002',
      'ORD-000012',
      'ord-000013',
      '-00001',
      'ORD-1',
      'D-',
      '-',
      'ORD-0000121',
    ],
    ...['x', 'OD-1', '1-', '%', '_', 'ORD-00001x', '9007199254740993', '1e3', ' 12'],
  ])
    assert.deepEqual(await found(text), matching(text), text)
})

test('orders to ship are paid or fulfilling with units reserved for them', async () => {
  const s = await shop(system)
  const a = await s.product(3)
  const make = async (quantity: number, status?: string) => {
    const { id } = (await s.order([[a, quantity]])).body
    if (status) await s.status(id, status)
    return id as number
  }
  const [pending, paid, fulfilling, waiting] = [
    await make(1),
    await make(1, 'paid'),
    await make(1, 'fulfilling'),
    await make(1, 'paid'),
  ]
  const list = async (query: string) => {
    const { body } = await s.api(`GET /api/orders?${query}`)
    assert.equal(body.total, body.orders.length)
    return body.orders.map((o: Row) => o.id)
  }
  assert.deepEqual(await list('to_ship=true'), [fulfilling, paid])
  assert.deepEqual(await list('to_ship=true&status=paid'), [paid])
  assert.deepEqual(await list('backordered=true'), [waiting])
  assert.deepEqual((await list('to_ship=false')).length, 4)
  await s.status(fulfilling, 'fulfilled')
  assert.deepEqual(await list('to_ship=true'), [paid])
  await s.status(pending, 'cancelled')
  assert.deepEqual(
    await list('to_ship=true'),
    [waiting, paid],
    'the cancelled unit went to the one that waited',
  )
  assert.deepEqual(await list('backordered=true'), [])
  assert.equal((await s.api('GET /api/orders?to_ship=yes')).status, 400)
  const lines = (await s.api('GET /api/orders/export?to_ship=true')).text.trim().split('\r\n')
  assert.equal(lines.length, 3)
})

test('backorders are the lines that wait, oldest first, with what is on its way to them', async () => {
  const s = await shop(system)
  const [a, b] = [await s.product(1), await s.product()]
  const { id: ada } = await s.created('POST /api/customers', { name: 'Ada' })
  const first = (
    await s.order(
      [
        [a, 3],
        [b, 2],
      ],
      { customer_id: ada },
    )
  ).body
  const second = (await s.order([[a, 4]])).body
  await buy(s, a, 10, '2031-02-01')
  await buy(s, a, 5, '2031-01-15')
  const list = async (query = '', api = s.api) => (await api(`GET /api/orders/backorders?${query}`)).body
  const { backorders, ...rest } = await list()
  assert.deepEqual(rest, { total: 3, units: 8, page: 1, limit: 200 })
  assert.deepEqual(
    backorders.map((l: Row) => [
      l.order_id,
      l.order_number,
      l.customer_name,
      l.status,
      l.product_id,
      l.quantity,
      l.quantity_backordered,
      l.incoming,
      l.expected_date,
    ]),
    [
      [first.id, 'ORD-000001', 'Ada', 'pending', a, 3, 2, 15, '2031-01-15'],
      [first.id, 'ORD-000001', 'Ada', 'pending', b, 2, 2, 0, null],
      [second.id, 'ORD-000002', null, 'pending', a, 4, 4, 15, '2031-01-15'],
    ],
  )
  const ofA = await list(`product_id=${a}&limit=1&page=2`)
  assert.deepEqual([ofA.backorders[0].order_id, ofA.total, ofA.units], [second.id, 2, 6])
  await s.adjust(a, 2)
  assert.deepEqual([(await list()).total, (await list()).units], [2, 6])
  assert.equal((await list('', (await shop(system)).api)).total, 0)
  assert.equal((await s.api('GET /api/orders/backorders?product_id=x')).status, 400)
})

test('an order shows how much of each line is reserved', async () => {
  const s = await shop(system)
  const a = await s.product(3)
  const { id } = (await s.order([[a, 5]])).body
  const quantities = async () => {
    const [i] = (await s.read(id)).items
    return [i.quantity, i.quantity_reserved, i.quantity_backordered, i.quantity_fulfilled]
  }
  assert.deepEqual(await quantities(), [5, 3, 2, 0])
  await s.fulfil(id, [[(await s.read(id)).items[0].id, 2]])
  assert.deepEqual(await quantities(), [5, 1, 2, 2])
  await s.status(id, 'cancelled')
  assert.deepEqual(await quantities(), [5, 0, 0, 2])
})

test('the timeline of an order tells what happened to it, when and by whom', async () => {
  const s = await shop(system)
  const manager = await s.colleague('Manager')
  const staff = await s.colleague('Staff')
  const [a, b] = [await s.product(3), await s.product(1)]
  const { id } = (
    await s.order([
      [a, 5],
      [b, 1],
    ])
  ).body
  const [lineA, lineB] = (await s.read(id)).items.map((i: Row) => i.id)
  await staff.api(`PATCH /api/orders/${id}/status`, { body: { status: 'paid' } })
  await manager.api('POST /api/inventory/adjust', {
    body: { product_id: a, warehouse_id: s.main, quantity: 2 },
  })
  await manager.api(`POST /api/orders/${id}/fulfill`, {
    body: { items: [{ order_item_id: lineA, quantity_fulfilled: 4 }] },
  })
  await s.status(id, 'fulfilled')
  await s.status(id, 'shipped')
  await s.api(`POST /api/orders/${id}/returns`, {
    body: { items: [{ order_item_id: lineB, quantity: 1, reason: 'Cracked' }] },
  })
  const { timeline, total } = (await s.api(`GET /api/orders/${id}/timeline`)).body
  const me = s.user.name
  assert.deepEqual(
    timeline.map((e: Row) => [
      e.type,
      e.status,
      e.created_by_name,
      (e.items as Row[]).map((i) => [i.order_item_id, i.quantity]),
    ]),
    [
      [
        'created',
        'pending',
        me,
        [
          [lineA, 5],
          [lineB, 1],
        ],
      ],
      [
        'reserved',
        null,
        me,
        [
          [lineA, 3],
          [lineB, 1],
        ],
      ],
      ['backordered', null, me, [[lineA, 2]]],
      ['status_changed', 'paid', staff.name, []],
      ['reserved', null, manager.name, [[lineA, 2]]],
      ['shipped', 'fulfilling', manager.name, [[lineA, 4]]],
      [
        'shipped',
        'fulfilled',
        me,
        [
          [lineA, 1],
          [lineB, 1],
        ],
      ],
      ['status_changed', 'shipped', me, []],
      ['returned', null, me, [[lineB, 1]]],
    ],
  )
  assert.equal(total, timeline.length)
  assert.equal(timeline.at(-1).items[0].reason, 'Cracked')
  assert.ok(timeline.every((e: Row) => /Z$/.test(String(e.created_at))))
  assert.deepEqual(
    [timeline[5].items[0].sku, timeline[5].items[0].product_name],
    [(await s.read(id)).items[0].sku, (await s.read(id)).items[0].product_name],
  )
  const stranger = await shop(system)
  assert.equal((await stranger.api(`GET /api/orders/${id}/timeline`)).status, 404)
  assert.equal((await s.api('GET /api/orders/x/timeline')).status, 404)
})

test('the timeline tells of cancellations, and of reservations that a lower count took', async () => {
  const s = await shop(system)
  const a = await s.product(5)
  const older = (await s.order([[a, 2]])).body.id
  const newer = (await s.order([[a, 3]])).body.id
  const { key } = await s.created('POST /api/api-keys', { name: 'scanner', permissions: ['read', 'write'] })
  const { sku } = (await s.api(`GET /api/products/${a}`)).body
  const synced = await system.inventory('POST /api/external/inventory/sync', {
    headers: { 'x-api-key': key },
    body: [{ sku, warehouse_id: s.main, quantity: 3 }],
  })
  assert.equal(synced.status, 200, synced.text)
  await s.fulfil(newer, [[(await s.read(newer)).items[0].id, 1]])
  await s.status(newer, 'cancelled')
  const told = async (id: number) =>
    (await s.api(`GET /api/orders/${id}/timeline`)).body.timeline.map((e: Row) => [
      e.type,
      e.status,
      (e.items as Row[]).map((i) => i.quantity),
      e.created_by_name,
    ])
  const me = s.user.name
  assert.deepEqual(await told(newer), [
    ['created', 'pending', [3], me],
    ['reserved', null, [3], me],
    ['backordered', null, [2], null],
    ['shipped', 'fulfilling', [1], me],
    ['returned', null, [1], me],
    ['status_changed', 'cancelled', [], me],
  ])
  assert.deepEqual(await told(older), [
    ['created', 'pending', [2], me],
    ['reserved', null, [2], me],
  ])
  await s.sound()
})

test('today shows what needs a hand, and each number is the total of its list', async () => {
  const s = await shop(system)
  const [a, b] = [await s.product(10, { cost_price: '4.00' }), await s.product()]
  const batched = await s.product(0, { tracking_type: 'batch' })
  await s.created(`PATCH /api/inventory/${a}/${s.main}`, { reorder_level: 20 }, 200)
  const day = (n: number) =>
    new Date(system.clock.now().getTime() + n * 86_400_000).toISOString().slice(0, 10)
  for (const [batch_number, expiry_date] of [
    ['soon', day(5)],
    ['late', day(90)],
  ])
    await s.created('POST /api/batches', { product_id: batched, batch_number, expiry_date, quantity: 2 })
  await buy(s, b, 5, day(-1))
  await buy(s, b, 5, day(0))
  await buy(s, b, 5, day(1))
  await buy(s, b, 5)
  const { id } = (await s.order([[a, 3]])).body
  await s.status(id, 'paid')
  const shipped = (await s.order([[a, 2]])).body.id
  await s.fulfil(shipped, [[(await s.read(shipped)).items[0].id, 2]])
  await s.order([
    [b, 1],
    [b, 1],
  ])

  const today = (await s.api('GET /api/reports/today')).body
  const totals = async (path: string) => (await s.api(`GET /api/${path}`)).body.total
  assert.deepEqual(
    [today.orders_to_ship, today.backorders, today.low_stock, today.out_of_stock],
    [1, 2, 1, 1],
  )
  assert.deepEqual([today.purchase_orders_due, today.batches_expiring], [2, 1])
  for (const [field, list] of [
    ['orders_to_ship', 'orders?to_ship=true'],
    ['backorders', 'orders/backorders'],
    ['low_stock', 'inventory?state=low'],
    ['out_of_stock', 'inventory?state=out'],
    ['purchase_orders_due', 'suppliers/purchase-orders/all?due=true'],
    ['batches_expiring', 'batches/expiring'],
  ] as const)
    assert.equal(await totals(list), today[field], field)

  const { days, ...sums } = today.last_30_days
  assert.deepEqual(sums, {
    from: day(-29),
    to: day(0),
    orders: 3,
    revenue: '20.00',
    gross_margin: '12.00',
    gross_margin_pct: '60.00',
  })
  assert.equal(days.length, 30)
  assert.deepEqual(days.at(-1), {
    date: day(0),
    orders: 3,
    revenue: '20.00',
    gross_margin: '12.00',
    gross_margin_pct: '60.00',
  })
  assert.deepEqual([days[0].date, days[0].orders, days[0].revenue], [day(-29), 0, '0.00'])
  const report = (await s.api('GET /api/reports/financial')).body
  assert.deepEqual(
    days.map((d: Row) => [d.date, d.revenue, d.gross_margin]),
    report.periods.map((p: Row) => [p.period, p.revenue, p.gross_margin]),
  )
  assert.deepEqual(
    today.recent_orders.map((o: Row) => o.order_number),
    ['ORD-000003', 'ORD-000002', 'ORD-000001'],
  )
  const empty = (await (await shop(system)).api('GET /api/reports/today')).body
  assert.deepEqual([empty.orders_to_ship, empty.last_30_days.revenue, empty.recent_orders], [0, '0.00', []])
  assert.equal((await (await s.colleague('Staff')).api('GET /api/reports/today')).status, 200)
})
