import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const dayMs = 86_400_000
const day = (offset = 0) => new Date(system.clock.now().getTime() + offset * dayMs).toISOString().slice(0, 10)

const buy = async (
  s: Shop,
  product_id: number,
  quantity: number,
  unit_cost: string,
  warehouse_id = s.main,
) => {
  const supplier_id = (await s.created('POST /api/suppliers', { name: 'Any' })).id
  const items = [{ product_id, quantity, unit_cost }]
  const { id } = await s.created('POST /api/suppliers/purchase-orders', { supplier_id, warehouse_id, items })
  const received = [{ product_id, quantity_received: quantity }]
  await s.created(`POST /api/suppliers/purchase-orders/${id}/receive`, { items: received }, 200)
}

const sell = async (s: Shop, product: number, quantity: number, price: string) => {
  const order = (await s.order([[product, quantity, price]])).body.id as number
  const item = (await s.read(order)).items[0].id as number
  assert.equal((await s.fulfil(order, [[item, quantity]])).status, 200)
  return { order, item }
}

/** The same people after the tokens of yesterday have run out. */
const nextDay = async (s: Shop, days = 1): Promise<Shop> => {
  system.clock.advance(days * dayMs)
  const login = await system.inventory('POST /api/auth/login', {
    body: { email: s.email, password: 'correct horse' },
  })
  const api = system.inventory.bearer(login.body.token)
  return { ...s, ...rebound(api) }
}
const rebound = (api: Shop['api']) => ({
  api,
  created: async (call: string, body: object, status = 201) => {
    const answer = await api(call, { body })
    assert.equal(answer.status, status, answer.text)
    return answer.body
  },
  order: (items: [number, number, (string | number)?][]) =>
    api('POST /api/orders', {
      body: {
        items: items.map(([product_id, quantity, unit_price = '10.00']) => ({
          product_id,
          quantity,
          unit_price,
        })),
      },
    }),
  read: async (id: number) => (await api(`GET /api/orders/${id}`)).body,
  fulfil: (id: number, items: [number, number][]) =>
    api(`POST /api/orders/${id}/fulfill`, {
      body: {
        items: items.map(([order_item_id, quantity_fulfilled]) => ({ order_item_id, quantity_fulfilled })),
      },
    }),
  giveBack: (id: number, items: [number, number][]) =>
    api(`POST /api/orders/${id}/returns`, {
      body: { items: items.map(([order_item_id, quantity]) => ({ order_item_id, quantity })) },
    }),
  sound: async () =>
    assert.deepEqual((await api('GET /api/inventory/verify')).body, { ok: true, findings: [] }),
})

const value = async (s: Shop, query = '') => (await s.api(`GET /api/reports/inventory${query}`)).body

test('the moving average cost is as computed by hand: every cent that comes in goes out again', async () => {
  const s = await shop(system)
  const a = await s.product()
  await buy(s, a, 3, '10.00')
  await buy(s, a, 4, '11.00')
  const now = await value(s)
  assert.deepEqual([now.valuation_date, now.total_value, now.total], [day(), '74.00', 1])
  const { sku: _, product_name: __, warehouse_name: ___, ...row } = now.items[0]
  assert.deepEqual(row, {
    product_id: a, warehouse_id: s.main, quantity: 7, unit_cost: '10.571429', total_value: '74.00',
  }) // biome-ignore format: one list
  const { order, item } = await sell(s, a, 2, '20.00')
  assert.equal((await value(s)).total_value, '52.86')
  await s.giveBack(order, [[item, 1]])
  assert.equal((await value(s)).total_value, '63.43')
  await sell(s, a, 6, '15.00')
  const empty = await value(s)
  assert.deepEqual([empty.total_value, empty.items, empty.total], ['0.00', [], 0])
  const { summary } = (await s.api('GET /api/reports/financial')).body
  // 40.00 - 20.00 + 90.00 of revenue; 21.14 - 10.57 + 63.43 of cost.
  assert.deepEqual(summary, {
    revenue: '110.00',
    cogs: '74.00',
    gross_margin: '36.00',
    gross_margin_pct: '32.73',
  })
  await buy(s, a, 1, '3.00')
  assert.equal((await value(s)).items[0].unit_cost, '3.000000')
  await s.sound()
})

test('stock without a cost is valued at cost_price, and a later change of cost_price changes no stock', async () => {
  const s = await shop(system)
  const a = await s.product(4, { cost_price: '2.50' })
  assert.equal((await value(s)).total_value, '10.00')
  const body = { name: 'New', sku: 'NEW', base_price: '1.00', cost_price: '9.00' }
  assert.equal((await s.api(`PUT /api/products/${a}`, { body })).status, 200)
  assert.equal((await value(s)).total_value, '10.00')
  await s.adjust(a, 1)
  assert.equal((await value(s)).total_value, '19.00')
  const away = await s.warehouse()
  const move = { product_id: a, from_warehouse_id: s.main, to_warehouse_id: away, quantity: 2 }
  await s.created('POST /api/inventory/transfer', move, 200)
  const moved = await value(s)
  assert.deepEqual(
    [moved.total_value, moved.items.map((i: { total_value: string }) => i.total_value)],
    ['19.00', ['11.40', '7.60']],
  )
  const warehouses = (await s.api('GET /api/warehouses')).body.warehouses
  assert.deepEqual(
    warehouses.map((w: Record<string, unknown>) => [w.total_skus, w.total_value]),
    [
      [1, '11.40'],
      [1, '7.60'],
    ],
  )
  await s.sound()
})

test('the financial report groups by day, ISO week and month, with zeros where nothing was sold', async () => {
  let s = await shop(system)
  const a = await s.product(20, { cost_price: '4.00' })
  const first = day()
  const { order, item } = await sell(s, a, 2, '10.00')
  s = await nextDay(s, 2)
  await s.giveBack(order, [[item, 1]])
  const report = (await s.api(`GET /api/reports/financial?from=${first}&to=${day()}`)).body
  assert.deepEqual(report.periods, [
    { period: first, revenue: '20.00', cogs: '8.00', gross_margin: '12.00', gross_margin_pct: '60.00' },
    { period: day(-1), revenue: '0.00', cogs: '0.00', gross_margin: '0.00', gross_margin_pct: '0.00' },
    { period: day(), revenue: '-10.00', cogs: '-4.00', gross_margin: '-6.00', gross_margin_pct: '60.00' },
  ])
  assert.equal(report.summary.revenue, '10.00')
  const weeks = (await s.api('GET /api/reports/financial?from=2026-01-01&to=2026-01-12&group_by=week')).body
    .periods
  assert.deepEqual(
    weeks.map((p: { period: string }) => p.period),
    ['2025-12-29', '2026-01-05', '2026-01-12'],
  )
  const months = (await s.api('GET /api/reports/financial?from=2025-11-30&to=2026-02-01&group_by=month')).body
    .periods
  assert.deepEqual(
    months.map((p: { period: string }) => p.period),
    ['2025-11', '2025-12', '2026-01', '2026-02'],
  )
  const usual = (await s.api('GET /api/reports/financial')).body
  assert.deepEqual([usual.from, usual.to, usual.periods.length], [day(-29), day(), 30])
  for (const query of [
    'from=2026-02-01&to=2026-01-01',
    'from=nonsense',
    'group_by=year',
    'from=1963-02-08&to=2099-12-31',
    'from=0001-01-01&to=9999-12-31',
  ])
    assert.equal((await s.api(`GET /api/reports/financial?${query}`)).status, 400, query)
  const ages = (await s.api('GET /api/reports/financial?from=1963-02-09&to=2099-12-31')).body
  assert.deepEqual([ages.periods.length, ages.summary.revenue], [50_000, '10.00'])
  const years = (await s.api('GET /api/reports/financial?from=1900-01-01&to=2099-12-31&group_by=month')).body
  assert.deepEqual([years.periods.length, years.summary.revenue], [2400, '10.00'])
  assert.equal(
    (await s.api('GET /api/reports/cogs?from=1900-01-01&to=2099-12-31')).body.total_cogs,
    years.summary.cogs,
  )
  assert.equal((await s.api('GET /api/reports/financial?to=0001-01-10')).body.from, '0001-01-01')
  await s.sound()
})

test('the cost of goods by product adds up to the financial report, over whole months and single days', async () => {
  const s = await shop(system)
  const [a, b] = [await s.product(9, { cost_price: '1.10' }), await s.product(9, { cost_price: '2.00' })]
  await sell(s, a, 3, '5.00')
  await sell(s, b, 4, '5.00')
  const report = (await s.api('GET /api/reports/cogs')).body
  assert.deepEqual([report.from, report.to, report.total_cogs, report.total], [day(-29), day(), '11.30', 2])
  assert.deepEqual(
    report.items.map((i: Record<string, unknown>) => [
      i.product_id,
      i.quantity,
      i.cogs,
      i.revenue,
      i.gross_margin_pct,
    ]),
    [
      [b, 4, '8.00', '20.00', '60.00'],
      [a, 3, '3.30', '15.00', '78.00'],
    ],
  )
  for (const [from, to] of [
    [day(), day()],
    [day(-70), day(70)],
    [`${day().slice(0, 7)}-01`, day()],
    [day(), day(65)],
  ])
    assert.equal(
      (await s.api(`GET /api/reports/cogs?from=${from}&to=${to}`)).body.items.length,
      2,
      `${from} ${to}`,
    )
  const gone = (await s.api(`GET /api/reports/cogs?from=${day(1)}&to=${day(90)}&group_by=month`)).body
  assert.deepEqual([gone.total_cogs, gone.items, gone.periods.length >= 3], ['0.00', [], true])
})

test('a valuation as of a past day is what it was at the end of that day, including products deleted since', async () => {
  let s = await shop(system)
  const start = day()
  const a = await s.product()
  await buy(s, a, 10, '2.00')
  const away = await s.warehouse()
  const gone = await s.product()
  await buy(s, gone, 1, '7.00')
  s = await nextDay(s)
  await buy(s, a, 10, '4.00', away)
  await sell(s, a, 5, '9.00')
  assert.equal((await s.api(`DELETE /api/products/${gone}`)).status, 200)
  const then = await value(s, `?as_of=${start}`)
  assert.deepEqual([then.valuation_date, then.total_value, then.total], [start, '27.00', 2])
  assert.deepEqual(
    then.items.map((i: Record<string, unknown>) => [i.quantity, i.unit_cost]),
    [
      [10, '2.000000'],
      [1, '7.000000'],
    ],
  )
  assert.equal((await value(s)).total_value, '45.00')
  assert.deepEqual(await value(s, `?as_of=${day()}`), await value(s))
  const before = await value(s, '?as_of=2020-01-01')
  assert.deepEqual([before.total_value, before.items, before.total], ['0.00', [], 0])
  s = await nextDay(s)
  assert.equal((await value(s, `?as_of=${day(-1)}`)).total_value, '45.00')
  assert.equal((await s.api('GET /api/reports/inventory?as_of=yesterday')).status, 400)
  await s.sound()
})

/** The lines of a file without its quotes and commas; nothing here needs them. */
const csv = async (s: Shop, path: string) => {
  const { status, text, headers } = await s.api(`GET /api/reports/${path}`)
  assert.equal(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  const [header, ...lines] = text.trimEnd().split('\r\n')
  return { header, rows: lines.map((line) => line.split(',')) }
}
const cells = (rows: Record<string, unknown>[], header: string) =>
  rows.map((row) => header.split(',').map((name) => String(row[name])))

test('each report is a file with exactly its numbers, negative ones too, and no formulas', async () => {
  let s = await shop(system)
  const start = day()
  const a = await s.product(20, { name: '=1+1', sku: '-A', cost_price: '4.00' })
  const b = await s.product(9, { name: 'B', sku: 'B', cost_price: '1.10' })
  const gone = await s.product(2, { name: 'Gone', sku: 'GONE', cost_price: '7.00' })
  const away = await s.warehouse()
  await s.adjust(a, 3, away)
  const { order, item } = await sell(s, a, 2, '10.00')
  await sell(s, b, 3, '5.00')
  s = await nextDay(s)
  await s.giveBack(order, [[item, 1]])
  assert.equal((await s.api(`DELETE /api/products/${gone}`)).status, 200)
  const guarded = (rows: string[][]) =>
    rows.map((row) => row.map((cell) => (/^'[=-]/.test(cell) ? cell.slice(1) : cell)))

  const financial = await csv(s, `financial/export?from=${start}&to=${day()}`)
  assert.equal(financial.header, 'period,revenue,cogs,gross_margin,gross_margin_pct')
  assert.deepEqual(financial.rows[1], [day(), '-10.00', '-4.00', '-6.00', '60.00'])
  const { periods } = (await s.api(`GET /api/reports/financial?from=${start}&to=${day()}`)).body
  assert.deepEqual(financial.rows, cells(periods, financial.header))

  for (const sort of ['-revenue', 'quantity', '-cogs']) {
    const report = (await s.api(`GET /api/reports/cogs?sort=${sort}`)).body
    const sales = await csv(s, `cogs/export?sort=${sort}`)
    assert.deepEqual(guarded(sales.rows), cells(report.items, sales.header as string), sort)
    assert.deepEqual(report.summary, (await s.api('GET /api/reports/financial')).body.summary)
  }
  const today = await csv(s, `cogs/export?from=${day()}`)
  assert.deepEqual(today.rows, [["'-A", "'=1+1", '-1', '-10.00', '-4.00', '-6.00', '60.00']])

  for (const query of ['', `as_of=${start}`, 'as_of=2020-01-01']) {
    const valued = await csv(s, `inventory/export?${query}`)
    const report = await value(s, `?${query}`)
    assert.deepEqual(guarded(valued.rows), cells(report.items, valued.header as string), query)
    assert.equal(valued.rows.length, report.total)
  }
  for (const path of [
    'financial/export?from=nonsense',
    'cogs/export?sort=name',
    'inventory/export?as_of=now',
  ])
    assert.equal((await s.api(`GET /api/reports/${path}`)).status, 400, path)
})

test('the value of the stock over time is the valuation of each day', async () => {
  let s = await shop(system)
  const first = day()
  const a = await s.product()
  await buy(s, a, 3, '10.00')
  s = await nextDay(s, 2)
  await buy(s, a, 4, '11.00')
  await sell(s, a, 2, '20.00')
  s = await nextDay(s)
  const history = (query: string) => s.api(`GET /api/reports/inventory/history?${query}`)
  const { periods } = (await history(`from=${day(-5)}&to=${day(1)}`)).body
  assert.equal(periods.length, 7)
  for (const { period, total_value, items } of periods) {
    const then = await value(s, `?as_of=${period}`)
    assert.deepEqual([total_value, items], [then.total_value, then.total], period)
  }
  const months = (await history(`from=${first}&to=${day()}&group_by=month`)).body.periods
  assert.deepEqual(
    [months.at(-1).period, months.at(-1).total_value],
    [day().slice(0, 7), (await value(s)).total_value],
  )
  const usual = (await history('')).body
  assert.deepEqual([usual.from, usual.to, usual.periods.length], [day(-29), day(), 30])
  assert.equal((await history('from=2026-02-01&to=2026-01-01')).status, 400)
})

test('reports use the days of the tenant, and follow a change of the time zone', async () => {
  const s = await shop(system)
  const a = await s.product(5, { cost_price: '1.00' })
  await sell(s, a, 1, '3.00')
  const find = async () =>
    (await s.api(`GET /api/reports/financial?from=${day(-2)}&to=${day(2)}`)).body.periods.find(
      (p: { revenue: string }) => p.revenue === '3.00',
    ).period
  const local = (timeZone: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone }).format(system.clock.now())
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    await s.settings({ timezone })
    assert.equal(await find(), local(timezone))
    assert.equal((await value(s)).valuation_date, local(timezone))
    await s.sound()
  }
})

test('the dashboard counts the orders of today, open orders and what runs low', async () => {
  const s = await shop(system)
  const a = await s.product(5)
  await s.product()
  await s.order([[a, 2, '10.00']])
  const cancelled = (await s.order([[a, 1, '99.00']])).body.id
  await s.status(cancelled, 'cancelled')
  await sell(s, a, 1, '2.50')
  const board = (await s.api('GET /api/reports/dashboard')).body
  const { recent_orders, ...rest } = board
  assert.deepEqual(rest, {
    today: { revenue: '22.50', orders: 2, units_sold: 3 }, open_orders: 1, low_stock_count: 1, out_of_stock_count: 1,
  }) // biome-ignore format: one list
  assert.deepEqual(
    recent_orders.map((o: { order_number: string }) => o.order_number),
    ['ORD-000003', 'ORD-000002', 'ORD-000001'],
  )
  const staff = await s.colleague('Staff')
  for (const path of ['dashboard', 'financial', 'inventory', 'cogs', 'inventory/history', 'cogs/export'])
    assert.equal((await staff.api(`GET /api/reports/${path}`)).status, 200)
})
