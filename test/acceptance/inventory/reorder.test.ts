import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventory } from '#inventory/app.ts'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()

test('reorder suggestions explain themselves, and become one draft purchase order per supplier', async () => {
  const s = await shop(system)
  const level = (product: number, reorder_level: number) =>
    s.api(`PATCH /api/inventory/${product}/${s.main}`, { body: { reorder_level } })
  const slow = (await s.created('POST /api/suppliers', { name: 'Slow', lead_time_days: 15 })).id
  const quick = (await s.created('POST /api/suppliers', { name: 'Quick', lead_time_days: 1 })).id
  const [low, busy, waiting, fine, unknown] = [
    await s.product(3), await s.product(30), await s.product(), await s.product(50), await s.product(1),
  ] as [number, number, number, number, number] // biome-ignore format: one list
  const order = (supplier_id: number, product_id: number, unit_cost: string) =>
    s.created('POST /api/suppliers/purchase-orders', {
      supplier_id,
      warehouse_id: s.main,
      items: [{ product_id, quantity: 1, unit_cost }],
    })
  for (const [supplier, product, cost] of [
    [slow, low, '9.00'],
    [quick, low, '2.00'],
    [slow, busy, '3.00'],
    [slow, waiting, '1.00'],
  ] as const) {
    const { id } = await order(supplier, product, cost)
    await s.api(`PATCH /api/suppliers/purchase-orders/${id}/status`, { body: { status: 'cancelled' } })
    system.clock.advance(5)
  }
  for (const product of [low, fine, unknown]) await level(product, 5)
  const sale = (await s.order([[busy, 20]])).body.id
  await s.fulfil(sale, [[(await s.read(sale)).items[0].id, 20]])
  await s.order([[waiting, 4]])

  const { suggestions, total } = (await s.api('GET /api/inventory/reorder-suggestions')).body
  assert.equal(total, 4)
  const facts = suggestions.map((x: Record<string, unknown>) => [
    x.product_id, x.supplier_id, x.available, x.recent_demand, x.lead_time_demand, x.suggested_quantity,
  ]) // biome-ignore format: one list
  assert.deepEqual(facts, [
    [low, quick, 3, 0, 0, 3],
    [busy, slow, 10, 20, 10, 20],
    [waiting, slow, -4, 0, 0, 5],
    [unknown, null, 1, 0, 0, 5],
  ])
  assert.match(suggestions[0].reason, /^3 available .* the reorder level of 5$/)
  assert.match(suggestions[1].reason, /the 10 that are expected to go out in the 15 days/)
  assert.equal((await s.api(`GET /api/inventory/reorder-suggestions?supplier_id=${slow}`)).body.total, 2)

  const staff = await s.colleague('Staff')
  assert.equal((await staff.api('GET /api/inventory/reorder-suggestions')).status, 200)
  assert.equal(
    (await staff.api('POST /api/suppliers/purchase-orders/from-suggestions', { body: {} })).status,
    403,
  )
  const both = await Promise.all(
    [1, 2].map(() => s.api('POST /api/suppliers/purchase-orders/from-suggestions')),
  )
  assert.deepEqual(
    both.map((x) => x.status),
    [201, 201],
  )
  const drafts = both.flatMap((x) => x.body.purchase_orders)
  assert.deepEqual(drafts.map((d) => [d.supplier_id, d.status, d.item_count, d.total_amount]).sort(), [
    [slow, 'draft', 2, '65.00'],
    [quick, 'draft', 1, '6.00'],
  ])
  assert.deepEqual(
    both[0]?.body.skipped.map((x: { product_id: number }) => x.product_id),
    [unknown],
  )
  const left = (await s.api('GET /api/inventory/reorder-suggestions')).body
  assert.deepEqual(
    left.suggestions.map((x: { product_id: number }) => x.product_id),
    [unknown],
  )
  assert.equal((await (await shop(system)).api('GET /api/inventory/reorder-suggestions')).body.total, 0)
  await s.sound()
})

test('a page of suggestions beyond the last has the same total, and drafting for an unknown supplier is 404', async () => {
  const s = await shop(system)
  const stranger = await shop(system)
  const theirs = (await stranger.created('POST /api/suppliers', { name: 'Theirs' })).id
  for (const product of [await s.product(), await s.product()])
    await s.api(`PATCH /api/inventory/${product}/${s.main}`, { body: { reorder_level: 5 } })
  const { suggestions, ...rest } = (await s.api('GET /api/inventory/reorder-suggestions?limit=1&page=3')).body
  assert.deepEqual([suggestions, rest], [[], { total: 2, page: 3, limit: 1 }])
  for (const body of [
    { warehouse_id: 999_999 },
    { warehouse_id: stranger.main },
    { supplier_id: 999_999 },
    { supplier_id: theirs },
  ])
    assert.equal(
      (await s.api('POST /api/suppliers/purchase-orders/from-suggestions', { body })).status,
      404,
      JSON.stringify(body),
    )
})

test('chosen suggestions are drafted with the chosen quantities and suppliers, and what is not suggested any more is skipped', async () => {
  const s = await shop(system)
  const [known, other] = [
    (await s.created('POST /api/suppliers', { name: 'Known', lead_time_days: 3 })).id,
    (await s.created('POST /api/suppliers', { name: 'Other', lead_time_days: 30 })).id,
  ]
  const [a, b, c, fine] = [
    await s.product(0, { cost_price: '2.00' }), await s.product(0, { cost_price: '3.00' }), await s.product(),
    await s.product(9),
  ] as [number, number, number, number] // biome-ignore format: one list
  for (const product of [a, b, c])
    await s.api(`PATCH /api/inventory/${product}/${s.main}`, { body: { reorder_level: 5 } })
  const { id } = await s.created('POST /api/suppliers/purchase-orders', {
    supplier_id: known,
    items: [{ product_id: a, quantity: 1, unit_cost: '1.50' }],
  })
  await s.api(`PATCH /api/suppliers/purchase-orders/${id}/status`, { body: { status: 'cancelled' } })
  const draft = (items: object[]) =>
    s.api('POST /api/suppliers/purchase-orders/from-suggestions', { body: { items } })
  const of = (product_id: number, more: object = {}) => ({ product_id, warehouse_id: s.main, ...more })
  const made = await draft([of(a, { quantity: 40 }), of(b, { supplier_id: other }), of(fine)])
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    made.body.purchase_orders.map((x: Record<string, unknown>) => [x.supplier_name, x.total_amount]),
    [
      ['Known', '60.00'],
      ['Other', '18.00'],
    ],
  )
  const [first, second] = made.body.purchase_orders.map((x: { expected_date: string }) =>
    Date.parse(x.expected_date),
  )
  assert.equal(second - first, 27 * 86_400_000)
  assert.deepEqual(
    made.body.skipped.map((x: Record<string, unknown>) => [x.product_id, x.reason]),
    [[fine, 'It is not suggested any more']],
  )
  const again = (await draft([of(a), of(c)])).body
  assert.deepEqual(
    [again.purchase_orders, again.skipped.map((x: { reason: string }) => x.reason)],
    [[], ['No supplier is known for it', 'It is not suggested any more']],
  )
  for (const [status, items] of [
    [400, []],
    [400, [of(c, { quantity: 0 })]],
    [400, [of(c), of(c, { quantity: 2 })]],
    [404, [of(c, { supplier_id: 999_999 })]],
    [404, [of(999_999)]],
  ] as const)
    assert.equal((await draft([...items])).status, status, JSON.stringify(items))
  await s.sound()
})

const suggestionFor = async (s: Awaited<ReturnType<typeof shop>>, product: number) =>
  (await s.api('GET /api/inventory/reorder-suggestions')).body.suggestions.find(
    ({ product_id }: { product_id: number }) => product_id === product,
  )

test('sales count as demand after they have been summed, as they did before', async () => {
  const s = await shop(system)
  const product = await s.product(30)
  await s.api(`PATCH /api/inventory/${product}/${s.main}`, { body: { reorder_level: 15 } })
  const sale = (await s.order([[product, 20]])).body.id
  await s.fulfil(sale, [[(await s.read(sale)).items[0].id, 20]])
  assert.equal((await suggestionFor(s, product)).recent_demand, 20)
  const ctx = inventory.context(system.platform)
  for (const wanted of ['inventory.fold-sums'])
    await inventory
      .jobs(ctx)
      .find(({ name }) => name === wanted)!
      .run({} as never)
  assert.equal((await suggestionFor(s, product)).recent_demand, 20)
})

test('a suggestion takes the price of the latest purchase order', async () => {
  const s = await shop(system)
  const product = await s.product(1)
  await s.api(`PATCH /api/inventory/${product}/${s.main}`, { body: { reorder_level: 5 } })
  const { id: supplier_id } = await s.created('POST /api/suppliers', { name: 'Alder' })
  for (const unit_cost of ['1.00', '2.00']) {
    const body = {
      supplier_id,
      warehouse_id: s.main,
      items: [{ product_id: product, quantity: 1, unit_cost }],
    }
    const { id } = await s.created('POST /api/suppliers/purchase-orders', body)
    await s.api(`PATCH /api/suppliers/purchase-orders/${id}/status`, { body: { status: 'cancelled' } })
    system.clock.advance(1_000)
  }
  assert.equal((await suggestionFor(s, product)).unit_cost, '2.00')
})
