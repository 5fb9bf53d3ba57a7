import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()

test('an adjustment adds or removes units, but never below what is reserved', async () => {
  const s = await shop(system)
  const a = await s.product()
  const up = await s.api('POST /api/inventory/adjust', {
    body: { product_id: a, warehouse_id: s.main, quantity: 5, notes: 'Count' },
  })
  assert.deepEqual(
    [up.status, up.body.new_quantity, Object.keys(up.body)],
    [200, 5, ['message', 'new_quantity']],
  )
  await s.order([[a, 3]])
  assert.equal((await s.adjust(a, -3)).status, 400)
  assert.deepEqual(await s.stock(a), [5, 3])
  assert.equal((await s.adjust(a, -2)).body.new_quantity, 3)
  for (const quantity of [0, 1.5, '1', null, 2_147_483_648, -2_147_483_648])
    assert.equal((await s.adjust(a, quantity as number)).status, 400, String(quantity))
  assert.equal((await s.adjust(a, 2_147_483_647)).status, 200)
  const { movements, total } = (await s.api('GET /api/inventory/movements')).body
  assert.equal(total, 3)
  const { id: _, created_at, ...first } = movements[2]
  assert.match(created_at, /Z$/)
  assert.deepEqual(first, {
    product_id: a,
    sku: movements[0].sku,
    movement_type: 'adjustment',
    quantity: 5,
    warehouse_id: s.main,
    warehouse_name: 'Main warehouse',
    reference_id: null,
    notes: 'Count',
    created_by_name: s.user.name,
  })
  await s.sound()
})

test('a transfer moves only free units, and only between two different warehouses', async () => {
  const s = await shop(system)
  const away = await s.warehouse({ name: 'Away' })
  const a = await s.product(10)
  await s.order([[a, 4]])
  const move = (more: object) =>
    s.api('POST /api/inventory/transfer', {
      body: { product_id: a, from_warehouse_id: s.main, to_warehouse_id: away, quantity: 6, ...more },
    })
  assert.equal((await move({ quantity: 7 })).status, 400)
  assert.equal((await move({ to_warehouse_id: s.main })).status, 400)
  assert.equal((await move({ quantity: 0 })).status, 400)
  assert.deepEqual((await move({})).body, { message: 'Stock transferred', quantity: 6 })
  assert.deepEqual(
    [await s.stock(a), await s.stock(a, away)],
    [
      [4, 4],
      [6, 0],
    ],
  )
  const kinds = (await s.api('GET /api/inventory/movements')).body.movements.map(
    (m: Record<string, unknown>) => [m.movement_type, m.quantity],
  )
  assert.deepEqual(kinds.slice(0, 2).sort(), [
    ['transfer_in', 6],
    ['transfer_out', -6],
  ])
  await s.sound()
})

test('everything that raises free stock fills backorders, oldest first', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const a = await s.product()
  const waiting = async () => {
    const all = []
    for (const id of ids) all.push((await s.read(id)).items[0].quantity_backordered)
    return all
  }
  const ids: number[] = []
  for (const units of [3, 2, 4]) ids.push((await s.order([[a, units]])).body.id)
  assert.deepEqual(await waiting(), [3, 2, 4])
  await s.adjust(a, 4)
  assert.deepEqual(await waiting(), [0, 1, 4])
  await s.status(ids[0] as number, 'cancelled')
  assert.deepEqual(await waiting(), [0, 0, 2])
  await s.adjust(a, 5, away)
  await s.api('POST /api/inventory/transfer', {
    body: { product_id: a, from_warehouse_id: away, to_warehouse_id: s.main, quantity: 1 },
  })
  assert.deepEqual(await waiting(), [0, 0, 1])
  const second = (await s.read(ids[1] as number)).items[0].id
  await s.fulfil(ids[1] as number, [[second, 2]])
  await s.giveBack(ids[1] as number, [[second, 1]])
  assert.deepEqual(await waiting(), [0, 0, 0])
  assert.deepEqual(await s.stock(a), [4, 4])
  await s.sound()
})

test('reorder levels, alerts, the low-stock filter and the summary agree', async () => {
  const s = await shop(system)
  const away = await s.warehouse({ name: 'Away' })
  const [a, b, c] = [
    await s.product(10, { cost_price: '2.50' }),
    await s.product(3, { cost_price: '0.33' }),
    await s.product(),
  ]
  await s.adjust(a, 4, away)
  const level = (product: number, reorder_level: unknown) =>
    s.api(`PATCH /api/inventory/${product}/${s.main}`, { body: { reorder_level } })
  const set = await level(b, 3)
  assert.deepEqual([set.status, set.body.reorder_level, set.body.quantity], [200, 3, 3])
  for (const wrong of [-1, 1.5, '3', null, 2_147_483_648]) assert.equal((await level(b, wrong)).status, 400)
  const { alerts, total } = (await s.api('GET /api/inventory/alerts')).body
  assert.deepEqual([alerts.map((r: { product_id: number }) => r.product_id), total], [[b, c], 2])
  assert.deepEqual(Object.keys(alerts[0]).sort(), [
    'product_id',
    'product_name',
    'quantity',
    'reorder_level',
    'reserved_quantity',
    'sku',
    'warehouse_id',
    'warehouse_name',
  ])
  const list = async (query: string) => {
    const { body } = await s.api(`GET /api/inventory?${query}`)
    return [body.inventory.length, body.total]
  }
  assert.deepEqual(await list(''), [4, 4])
  assert.deepEqual(await list('low_stock=true'), [2, 2])
  assert.deepEqual(await list('low_stock=false'), [4, 4])
  assert.deepEqual(await list(`warehouse_id=${away}`), [1, 1])
  assert.deepEqual(await list('limit=1&page=4'), [1, 4])
  assert.deepEqual(await list('limit=1&page=5'), [0, 4])
  const summary = {
    total_skus: 3,
    total_stock_value: '35.99',
    low_stock_count: 2,
    out_of_stock_count: 1,
    warehouses: [
      {
        warehouse_id: s.main,
        warehouse_name: 'Main warehouse',
        total_skus: 3,
        total_quantity: 13,
        total_value: '25.99',
      },
      { warehouse_id: away, warehouse_name: 'Away', total_skus: 1, total_quantity: 4, total_value: '10.00' },
    ],
  }
  assert.deepEqual((await s.api('GET /api/inventory/summary')).body, summary)
  await system.sql`select inventory.fold_warehouse_changes()`
  assert.deepEqual((await s.api('GET /api/inventory/summary')).body, summary)
  const { warehouses } = (await s.api('GET /api/warehouses')).body
  assert.deepEqual(
    warehouses.map((w: Record<string, unknown>) => [w.total_skus, w.total_value]),
    [
      [3, '25.99'],
      [1, '10.00'],
    ],
  )
  await s.sound()
})

test('a reorder level can be set before the first unit arrives, and is an alert until then', async () => {
  const s = await shop(system)
  const stranger = await shop(system)
  const away = await s.warehouse()
  const product = await s.product(9)
  const level = (p: number, w: number, api = s.api) =>
    api(`PATCH /api/inventory/${p}/${w}`, { body: { reorder_level: 4 } })
  const { status, body } = await level(product, away)
  assert.deepEqual([status, body.warehouse_id, body.quantity, body.reorder_level], [200, away, 0, 4])
  assert.deepEqual(
    (await s.api('GET /api/inventory/alerts')).body.alerts.map(
      (r: { warehouse_id: number }) => r.warehouse_id,
    ),
    [away],
  )
  for (const [p, w, error] of [
    [999_999, s.main, 'Product not found'],
    [product, 999_999, 'Warehouse not found'],
    [product, stranger.main, 'Warehouse not found'],
    [await stranger.product(), s.main, 'Product not found'],
  ] as const) {
    const refused = await level(p, w)
    assert.deepEqual([refused.status, refused.body.error], [404, error])
  }
  assert.equal((await level(product, away, stranger.api)).status, 404)
  await s.sound()
})

test('the ledger is filtered by product, warehouse, type and the tenant’s own days', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const [a, b] = [await s.product(5), await s.product(6)]
  await s.adjust(a, 2, away)
  const { id } = (await s.order([[b, 1]])).body
  await s.status(id, 'fulfilling')
  await s.status(id, 'fulfilled')
  const total = async (query: string) => {
    const { status, body } = await s.api(`GET /api/inventory/movements?${query}`)
    assert.equal(status, 200)
    assert.equal(body.movements.length, body.total)
    return body.total
  }
  assert.deepEqual(
    [
      await total(''),
      await total(`product_id=${a}`),
      await total(`warehouse_id=${away}`),
      await total('type=shipment'),
      await total(`product_id=${a}&warehouse_id=${s.main}`),
    ],
    [4, 2, 1, 1, 1],
  )
  const iso = (days: number) =>
    new Date(system.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  assert.deepEqual(
    [await total(`from=${iso(0)}&to=${iso(0)}`), await total(`to=${iso(-1)}`), await total(`from=${iso(1)}`)],
    [4, 0, 0],
  )
  await s.settings({ timezone: 'Pacific/Kiritimati' })
  const hour = system.clock.now().getUTCHours()
  assert.equal(await total(`from=${iso(1)}`), hour >= 10 ? 4 : 0)
  assert.deepEqual(
    [await total('from=0001-01-01&to=9999-12-31'), await total('from=9999-12-31&to=0001-01-01')],
    [4, 0],
  )
  for (const wrong of [
    'type=theft',
    'from=2026-02-30',
    'from=yesterday',
    'from=0000-01-01',
    'product_id=x',
    'limit=0',
  ])
    assert.equal((await s.api(`GET /api/inventory/movements?${wrong}`)).status, 400, wrong)
})

test('the quantity of a product with serial numbers cannot be adjusted', async () => {
  const s = await shop(system)
  const a = await s.product(0, { tracking_type: 'serial' })
  assert.equal((await s.adjust(a, 1)).status, 400)
})

test('receipts move the average cost, and a return comes back at the cost it left with', async () => {
  const s = await shop(system)
  const a = await s.product(10, { cost_price: '1.00' })
  const value = async () => (await s.api('GET /api/inventory/summary')).body.total_stock_value
  await s.api(`PUT /api/products/${a}`, {
    body: { name: 'x', sku: 'AVG', base_price: 9, cost_price: '4.00' },
  })
  assert.equal(await value(), '10.00')
  await s.adjust(a, 5)
  assert.equal(await value(), '30.00')
  const { id } = (await s.order([[a, 6]])).body
  const item = (await s.read(id)).items[0].id
  await s.fulfil(id, [[item, 6]])
  assert.equal(await value(), '18.00')
  await s.giveBack(id, [[item, 6]])
  assert.equal(await value(), '30.00')
  const [{ average_cost }] =
    (await system.sql`select average_cost from inventory.products where id = ${a}`) as unknown as [
      { average_cost: string },
    ]
  assert.equal(average_cost, '2.000000')
  await s.sound()
})

test('the database refuses statements that would break an invariant of the ledger', async () => {
  const s = await shop(system)
  const a = await s.product(5)
  const refused = (statement: string) => assert.rejects(async () => void (await system.sql.unsafe(statement)))
  await refused(`update inventory.stock set quantity = 6 where product_id = ${a}`)
  await refused(`update inventory.stock set reserved_quantity = 6 where product_id = ${a}`)
  await refused(`update inventory.stock set reserved_quantity = -1 where product_id = ${a}`)
  await refused(`delete from inventory.stock where product_id = ${a}`)
  await refused(`update inventory.movements set quantity = 6 where product_id = ${a}`)
  await refused(`delete from inventory.movements where product_id = ${a}`)
  await refused('truncate inventory.movements')
  await s.order([[a, 1]])
  for (const kept of ['users', 'warehouses', 'products', 'orders', 'order_items'])
    await refused(`delete from inventory.${kept} where tenant_id = ${s.tenant.id}`)
  await s.sound()
})

test('verify reports a broken invariant and the first movement that broke it', async () => {
  const s = await shop(system)
  const a = await s.product(5)
  await s.adjust(a, 1)
  await s.order([[a, 2]])
  const bypass = (statement: string) =>
    system.sql.unsafe(
      `set session_replication_role = replica; ${statement}; set session_replication_role = default`,
    )
  await bypass(
    `update inventory.movements set quantity = 7 where tenant_id = ${s.tenant.id} and quantity = 5`,
  )
  await bypass(`update inventory.stock set reserved_quantity = 1 where product_id = ${a}`)
  await bypass(`update inventory.orders set created_by = 987654 where tenant_id = ${s.tenant.id}`)
  const { ok, findings } = (await s.api('GET /api/inventory/verify')).body
  assert.equal(ok, false)
  const told = findings
    .map((f: { invariant: string; detail: string }) => `${f.invariant}: ${f.detail}`)
    .join('\n')
  const { movements } = (await s.api('GET /api/inventory/movements')).body
  assert.match(told, /6 on hand, but the movements add up to 8/)
  assert.match(told, new RegExp(`movement ${movements[1].id} is the first that is wrong`))
  assert.match(told, /1 reserved, but orders and serials reserve 2/)
  assert.match(told, /whatever is referred to is there: .* user 987654/)
})

test('verify reports at most 1,000 findings of each kind', async () => {
  const s = await shop(system)
  const lines = Array.from({ length: 1100 }, (_, n) => `MANY-${n},x,1`)
  const raw = ['sku,name,base_price', ...lines].join('\n')
  await s.api('POST /api/products/import', { raw, headers: { 'content-type': 'text/csv' } })
  await s.sound()
  await system.sql`update inventory.products set total_stock = 5 where tenant_id = ${s.tenant.id}`
  const { ok, findings } = (await s.api('GET /api/inventory/verify')).body
  assert.deepEqual([ok, findings.length], [false, 1000])
})
