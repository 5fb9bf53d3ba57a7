import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)

test('an invalid order is refused and uses up no order number', async () => {
  const a = await s.product(5)
  const first = (await s.order([[a, 1]])).body.order_number
  const line = { product_id: a, quantity: 1, unit_price: 1 }
  const bad: object[] = [
    {},
    { items: [] },
    { items: {} },
    { items: [{ ...line, quantity: 0 }] },
    { items: [{ ...line, quantity: -1 }] },
    { items: [{ ...line, quantity: 1.5 }] },
    { items: [{ ...line, quantity: '1' }] },
    { items: [{ ...line, quantity: 2_147_483_648 }] },
    { items: [{ ...line, unit_price: -0.01 }] },
    { items: [{ ...line, unit_price: '1.001' }] },
    { items: [{ ...line, unit_price: 0.125 }] },
    { items: [{ ...line, unit_price: null }] },
    { items: [{ ...line, unit_price: undefined }] },
    { items: [{ ...line, product_id: 'x' }] },
    { items: [{ quantity: 1, unit_price: 1 }] },
    { items: [line], channel: 'fax' },
    { items: [line], shipping_address: 'home' },
    { items: [line], shipping_address: { line1: 'a\0' } },
    { items: [line], customer_id: 'x' },
    { items: Array.from({ length: 501 }, () => line) },
  ]
  for (const body of bad)
    assert.equal((await s.api('POST /api/orders', { body })).status, 400, JSON.stringify(body).slice(0, 100))
  for (const body of [
    { items: [{ ...line, product_id: 999_999 }] },
    { items: [line, { ...line, product_id: 999_999 }] },
  ])
    assert.equal((await s.api('POST /api/orders', { body })).status, 404)
  assert.deepEqual(await s.stock(a), [5, 1])
  const next = (await s.order([[a, 1]])).body.order_number
  assert.equal(Number(next.slice(4)), Number(first.slice(4)) + 1)
  await s.sound()
})

test('order totals are exact to the cent', async () => {
  const a = await s.product()
  const totals: [[number, string | number][], string][] = [
    [[[3, 0.1]], '0.30'],
    [
      [
        [3, '0.10'],
        [7, 19.99],
      ],
      '140.23',
    ],
    [[[2_147_483_647, '999999999999.99']], '2147483646999978525163.53'],
    [[[1, 0]], '0.00'],
    [[[1, '007.5']], '7.50'],
  ]
  for (const [lines, total] of totals) {
    const placed = await s.order(lines.map(([quantity, price]) => [a, quantity, price]))
    assert.equal(placed.body.total_amount, total, placed.text)
    await s.status(placed.body.id, 'cancelled')
  }
})

test('two order lines of one product are one demand: under the reject policy they are refused together', async () => {
  const r = await shop(system)
  await r.settings({ oversell_policy: 'reject' })
  const a = await r.product(5)
  const refused = await r.order([
    [a, 3],
    [a, 3],
  ])
  assert.equal(refused.status, 400)
  assert.match(refused.body.error, /Insufficient stock/)
  assert.deepEqual(await r.stock(a), [5, 0])
  assert.equal(
    (
      await r.order([
        [a, 3],
        [a, 2],
      ])
    ).body.order_number,
    'ORD-000001',
  )
  assert.deepEqual(await r.stock(a), [5, 5])
  await r.sound()
})

test('an order allows every status change that the contract names, and no other', async () => {
  const allowed: Record<string, string[]> = {
    pending: ['paid', 'fulfilling', 'cancelled'],
    paid: ['fulfilling', 'cancelled'],
    fulfilling: ['fulfilled', 'cancelled'],
    fulfilled: ['shipped'],
    shipped: [],
    cancelled: [],
  }
  const way: Record<string, string[]> = {
    pending: [],
    paid: ['paid'],
    fulfilling: ['fulfilling'],
    fulfilled: ['fulfilling', 'fulfilled'],
    shipped: ['fulfilling', 'fulfilled', 'shipped'],
    cancelled: ['cancelled'],
  }
  const a = await s.product(1000)
  for (const [from, steps] of Object.entries(way))
    for (const to of Object.keys(allowed)) {
      const { id } = (await s.order([[a, 1]])).body
      for (const step of steps) assert.equal((await s.status(id, step)).status, 200)
      const answer = await s.status(id, to)
      if (allowed[from]?.includes(to)) assert.deepEqual([answer.status, answer.body.status], [200, to])
      else
        assert.deepEqual(
          [answer.status, answer.body.error],
          [400, `Cannot change status from ${from} to ${to}`],
        )
    }
  assert.equal((await s.status((await s.order([[a, 1]])).body.id, 'lost')).status, 400)
  await s.sound()
})

test('cancelling a partly shipped order releases the rest and returns the shipped units to stock', async () => {
  const a = await s.product(10)
  const { id } = (await s.order([[a, 6]])).body
  const item = (await s.read(id)).items[0].id
  await s.fulfil(id, [[item, 4]])
  assert.deepEqual(await s.stock(a), [6, 2])
  assert.equal((await s.status(id, 'cancelled')).status, 200)
  assert.deepEqual(await s.stock(a), [10, 0])
  const { movements } = (await s.api(`GET /api/inventory/movements?product_id=${a}&type=return`)).body
  assert.deepEqual([movements.length, movements[0].quantity, movements[0].reference_id], [1, 4, id])
  assert.equal((await s.giveBack(id, [[item, 1]])).status, 400)
  await s.sound()
})

test('fulfilling more than is open or in stock, or a line of another order, is refused and changes nothing', async () => {
  const a = await s.product(3)
  const { id } = (await s.order([[a, 5]])).body
  const other = (await s.order([[a, 1]])).body.id
  const [item, foreign] = [(await s.read(id)).items[0].id, (await s.read(other)).items[0].id]
  assert.equal((await s.fulfil(id, [[item, 4]])).status, 400)
  assert.equal(
    (
      await s.fulfil(id, [
        [item, 2],
        [item, 2],
      ])
    ).status,
    400,
  )
  assert.equal((await s.fulfil(id, [[item, 6]])).status, 400)
  assert.equal((await s.fulfil(id, [[foreign, 1]])).status, 404)
  assert.equal(
    (
      await s.fulfil(id, [
        [item, 1],
        [foreign, 1],
      ])
    ).status,
    404,
  )
  assert.equal((await s.fulfil(id, [[item, 0]])).status, 400)
  assert.equal((await s.fulfil(id, [])).status, 400)
  await s.status(id, 'fulfilling')
  assert.equal((await s.status(id, 'fulfilled')).status, 400)
  assert.equal((await s.read(id)).status, 'fulfilling')
  assert.deepEqual(await s.stock(a), [3, 3])
  const both = await s.fulfil(id, [
    [item, 1],
    [item, 2],
  ])
  assert.deepEqual([both.body.fulfilled_items, both.body.order_status], [2, 'fulfilling'])
  await s.adjust(a, 2)
  assert.equal((await s.fulfil(id, [[item, 2]])).body.order_status, 'fulfilled')
  assert.equal((await s.fulfil(id, [[item, 1]])).status, 400)
  assert.equal((await s.giveBack(other, [[foreign, 1]])).status, 400)
  await s.sound()
})

test('orders are listed newest first, with every filter, and paged', async () => {
  const l = await shop(system)
  const a = await l.product(100)
  const ada = (await l.created('POST /api/customers', { name: 'Ada Lovelace' })).id
  const ids: number[] = []
  for (let n = 0; n < 7; n++)
    ids.unshift(
      (await l.order([[a, 1]], { ...(n % 2 ? { customer_id: ada } : {}), channel: n === 3 ? 'pos' : 'b2b' }))
        .body.id,
    )
  await l.status(ids[0] as number, 'paid')
  const list = async (query: string) => {
    const { body } = await l.api(`GET /api/orders?${query}`)
    return [body.orders.map((o: { id: number }) => ids.indexOf(o.id)), body.total, body.page, body.limit]
  }
  assert.deepEqual(await list(''), [[0, 1, 2, 3, 4, 5, 6], 7, 1, 50])
  assert.deepEqual(await list('limit=3&page=2'), [[3, 4, 5], 7, 2, 3])
  assert.deepEqual(await list('limit=3&page=9'), [[], 7, 9, 3])
  assert.deepEqual(await list('status=paid'), [[0], 1, 1, 50])
  assert.deepEqual(await list(`customer_id=${ada}`), [[1, 3, 5], 3, 1, 50])
  assert.deepEqual(await list('channel=pos'), [[3], 1, 1, 50])
  assert.deepEqual(await list('search=lovel'), [[1, 3, 5], 3, 1, 50])
  assert.deepEqual(await list('search=ord-000007'), [[0], 1, 1, 50])
  assert.deepEqual(await list('search=%25'), [[], 0, 1, 50])
  const today = system.clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await list(`from=${today}&to=${today}&limit=1`), [[0], 7, 1, 1])
  assert.deepEqual(await list('to=2020-01-01'), [[], 0, 1, 50])
  for (const wrong of ['status=lost', 'from=x', 'to=2026-13-01', 'customer_id=x', 'page=0', 'channel=fax'])
    assert.equal((await l.api(`GET /api/orders?${wrong}`)).status, 400, wrong)
  const order = (await l.api('GET /api/orders?status=paid')).body.orders[0]
  assert.deepEqual(Object.keys(order).sort(), [
    'channel',
    'created_at',
    'customer_id',
    'customer_name',
    'id',
    'item_count',
    'order_number',
    'shipping_address',
    'status',
    'total_amount',
    'warehouse_id',
  ])

  await l.status(ids[1] as number, 'cancelled')
  const { period, ...stats } = (await l.api('GET /api/orders/stats')).body
  assert.deepEqual(stats, {
    total_orders: 6,
    total_revenue: '60.00',
    avg_order_value: '10.00',
    by_status: { pending: 5, paid: 1, fulfilling: 0, fulfilled: 0, shipped: 0, cancelled: 1 },
  })
  assert.equal(period.to, today)
  assert.equal((Date.parse(period.to) - Date.parse(period.from)) / 86_400_000, 29)
  const backwards = await l.api('GET /api/orders/stats?from=2020-01-31&to=2020-01-01')
  assert.deepEqual([backwards.status, backwards.body.error], [400, 'from must not be after to'])
  const none = (await l.api('GET /api/orders/stats?from=2020-01-01&to=2020-01-31')).body
  assert.deepEqual([none.total_orders, none.total_revenue, none.avg_order_value], [0, '0.00', '0.00'])

  const file = await l.api('GET /api/orders/export')
  assert.match(file.headers.get('content-disposition') ?? '', /attachment; filename="orders.csv"/)
  assert.equal(file.text.trim().split('\r\n').length, 8)
  assert.equal((await l.api('GET /api/orders/export?status=paid')).text.trim().split('\r\n').length, 2)
})

test('an order keeps its address, customer and warehouse', async () => {
  const away = await s.warehouse()
  const a = await s.product()
  const shipping_address = { line1: '1 Main St', city: 'Leeds', state: 'WY', postcode: 'LS1', country: 'GB' }
  const { id } = (await s.order([[a, 1]], { shipping_address, warehouse_id: away, channel: 'api' })).body
  const order = await s.read(id)
  assert.deepEqual(
    [order.shipping_address, order.warehouse_id, order.channel, order.customer_name],
    [shipping_address, away, 'api', null],
  )
  assert.deepEqual(await s.stock(a, away), [0, 0])
})

test('units of a partly shipped order that is cancelled come back at the cost at which they left', async () => {
  const s = await shop(system)
  const a = await s.product(0, { cost_price: '5.00' })
  const { id: supplier_id } = await s.created('POST /api/suppliers', { name: 'Alder' })
  const items = [{ product_id: a, quantity: 4, unit_cost: '10.00' }]
  const body = { supplier_id, warehouse_id: s.main, items }
  const purchase = (await s.created('POST /api/suppliers/purchase-orders', body)).id
  const received = { items: [{ product_id: a, quantity_received: 4 }] }
  await s.created(`POST /api/suppliers/purchase-orders/${purchase}/receive`, received, 200)
  const { id } = (await s.order([[a, 4]])).body
  assert.equal((await s.fulfil(id, [[(await s.read(id)).items[0].id, 2]])).status, 200)
  const value = async () => (await s.api('GET /api/reports/inventory')).body.total_value
  assert.equal(await value(), '20.00')
  assert.equal((await s.status(id, 'cancelled')).status, 200)
  assert.deepEqual([await s.stock(a), await value()], [[4, 0], '40.00'])
  await s.sound()
})

test('a product cannot be deleted while units of a partly shipped order wait for it', async () => {
  const s = await shop(system)
  const a = await s.product(3)
  const { id } = (await s.order([[a, 5]])).body
  assert.equal((await s.fulfil(id, [[(await s.read(id)).items[0].id, 3]])).status, 200)
  assert.equal((await s.api(`DELETE /api/products/${a}`)).status, 409)
  assert.equal((await s.status(id, 'cancelled')).status, 200)
  assert.equal((await s.api(`DELETE /api/products/${a}`)).status, 200)
})

test('statistics count the orders of the company’s own day, on both sides of the date line', async () => {
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const s = await shop(system)
    await s.settings({ timezone })
    const { id } = (await s.order([[await s.product(1), 1]])).body
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(system.clock.now())
    const ordersOf = async (path: string) =>
      (await s.api(`GET /api/orders${path}?from=${day}&to=${day}`)).body
    assert.equal((await ordersOf('/stats')).total_orders, 1, timezone)
    assert.equal((await ordersOf('')).total, 1, timezone)
    assert.equal((await s.api('GET /api/reports/dashboard')).body.today.orders, 1, timezone)
    await s.status(id, 'cancelled')
    assert.equal((await ordersOf('/stats')).total_orders, 0, timezone)
    assert.equal((await s.api('GET /api/reports/dashboard')).body.today.orders, 0, timezone)
  }
})
