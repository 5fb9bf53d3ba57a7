import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

type Event = { id: string; type: string; created_at: string; subject: string; data: Record<string, unknown> }

/** What happened since `after`, without what the scene itself did before. */
const since = async (api: Shop['api'], after: string, query = '') => {
  const { status, body, text } = await api(`GET /api/events?limit=500&after=${after}${query}`)
  assert.equal(status, 200, text)
  return body.events as Event[]
}
const now = async (api: Shop['api']) => (await api('GET /api/events?limit=500')).body.next as string
const typesOf = (events: Event[]) => events.map(({ type }) => type)

/** What one call made happen. */
const effects = async (s: Shop, act: () => Promise<unknown>) => {
  const before = await now(s.api)
  await act()
  return since(s.api, before)
}

test('an event has an id, a type, a time, a subject, and the resource as its own GET returns it', async () => {
  const s = await shop(system)
  const product = await s.product(5)
  const customer = await s.created('POST /api/customers', {
    name: 'Ada',
    email: `ada-${product}@example.com`,
  })
  const [event, ...others] = await effects(s, () =>
    s.order([[product, 2, '9.90']], {
      customer_id: customer.id,
      shipping_address: { line1: '1 Road', city: 'X' },
    }),
  )
  assert.deepEqual(others, [])
  assert.match(event!.id, /^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(event!.type, 'order.created')
  assert.equal(event!.subject, `order/${event!.data.id}`)
  assert.match(event!.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(event!.data, await s.read(event!.data.id as number))
})

test('products: created, updated, not changed, images, deleted as they were', async () => {
  const s = await shop(system)
  const body = { name: 'Mug', sku: 'MUG', base_price: '10.00', cost_price: '4.5', weight: 0.35 }
  let id = 0
  const [created, ...none] = await effects(s, async () => {
    id = (await s.created('POST /api/products', body)).id
  })
  const get = async () => (await s.api(`GET /api/products/${id}`)).body
  assert.deepEqual(none, [])
  assert.equal(created!.type, 'product.created')
  assert.equal(created!.subject, `product/${id}`)
  assert.deepEqual(created!.data, await get())

  const [updated, ...rest] = await effects(s, () =>
    s.api(`PUT /api/products/${id}`, { body: { ...body, name: 'Blue mug' } }),
  )
  assert.deepEqual([updated!.type, rest], ['product.updated', []])
  assert.deepEqual(updated!.data, await get())
  assert.deepEqual(
    await effects(s, () => s.api(`PUT /api/products/${id}`, { body: { ...body, name: 'Blue mug' } })),
    [],
    'a replacement by the same product changes nothing',
  )
  assert.deepEqual(
    typesOf(await effects(s, () => s.api(`PATCH /api/products/${id}`, { body: { is_active: false } }))),
    ['product.updated'],
  )
  const [pictured] = await effects(s, () =>
    s.created(`POST /api/products/${id}/images`, { url: 'https://example.com/mug.png' }),
  )
  assert.deepEqual(pictured!.data, await get())
  await s.adjust(id, 3)
  const before = await get()
  const gone = await effects(s, () => s.api(`DELETE /api/products/${id}`))
  assert.deepEqual(typesOf(gone), ['stock.changed', 'stock.out', 'product.deleted'])
  assert.deepEqual(gone.at(-1)!.data, before)
})

test('an import writes one event for each product that it adds or changes, and a dry run none', async () => {
  const s = await shop(system)
  const csv = 'sku,name,base_price\nA,Apple,1.00\nB,Pear,2.00\n'
  const put = (text: string, query = '') =>
    s.api(`POST /api/products/import${query}`, { raw: text, headers: { 'content-type': 'text/csv' } })
  assert.deepEqual(await effects(s, () => put(csv, '?dry_run=true')), [])
  assert.deepEqual(typesOf(await effects(s, () => put(csv))), ['product.created', 'product.created'])
  const changed = await effects(s, () => put(csv.replace('Pear', 'Plum')))
  assert.deepEqual(typesOf(changed), ['product.updated'])
  assert.equal(changed[0]!.data.name, 'Plum')
})

test('stock: one event for each movement, and one whenever it becomes out, low or fine', async () => {
  const s = await shop(system)
  const id = await s.product()
  const level = (reorder_level: number) =>
    s.api(`PATCH /api/inventory/${id}/${s.main}`, { body: { reorder_level } })
  const [changed, recovered, ...rest] = await effects(s, () => s.adjust(id, 10))
  assert.deepEqual([changed!.type, recovered!.type, rest], ['stock.changed', 'stock.recovered', []])
  const { movement, ...state } = changed!.data
  const { movements } = (await s.api(`GET /api/inventory/movements?product_id=${id}`)).body
  assert.deepEqual(movement, movements[0])
  const row = (await s.api('GET /api/inventory')).body.inventory[0]
  const { product_name: _, available: __, incoming: ___, ...expected } = row
  assert.deepEqual(state, expected)
  assert.deepEqual(recovered!.data, expected)
  assert.equal(changed!.subject, `product/${id}`)

  assert.deepEqual(typesOf(await effects(s, () => level(5))), [], 'still above its level')
  assert.deepEqual(typesOf(await effects(s, () => level(10))), ['stock.low'])
  assert.deepEqual(typesOf(await effects(s, () => level(12))), [], 'low already')
  assert.deepEqual(typesOf(await effects(s, () => s.adjust(id, -3))), ['stock.changed'])
  assert.deepEqual(typesOf(await effects(s, () => s.adjust(id, -7))), ['stock.changed', 'stock.out'])
  assert.deepEqual(typesOf(await effects(s, () => s.adjust(id, 2))), ['stock.changed', 'stock.low'])
  assert.deepEqual(typesOf(await effects(s, () => level(1))), ['stock.recovered'])

  const other = await s.warehouse()
  const moved = await effects(s, () =>
    s.api('POST /api/inventory/transfer', {
      body: { product_id: id, from_warehouse_id: s.main, to_warehouse_id: other, quantity: 2 },
    }),
  )
  assert.deepEqual(typesOf(moved).sort(), ['stock.changed', 'stock.changed', 'stock.out', 'stock.recovered'])
})

test('orders: shipped in part or moved on, shipped whole, returned, cancelled, each by one event', async () => {
  const s = await shop(system)
  const product = await s.product(10)
  const { id } = (await s.order([[product, 3]])).body
  const line = (await s.read(id)).items[0].id
  const ofOrder = async (act: () => Promise<unknown>) => {
    const found = (await effects(s, act)).filter(({ type }) => !type.startsWith('stock.'))
    assert.equal(found.length, 1, typesOf(found).join())
    assert.equal(found[0]!.subject, `order/${id}`)
    assert.deepEqual(found[0]!.data, await s.read(id))
    return found[0]!.type
  }
  assert.equal(await ofOrder(() => s.status(id, 'paid')), 'order.updated')
  assert.equal(await ofOrder(() => s.fulfil(id, [[line, 1]])), 'order.updated')
  assert.equal(await ofOrder(() => s.fulfil(id, [[line, 2]])), 'order.fulfilled')
  assert.equal(await ofOrder(() => s.giveBack(id, [[line, 1]])), 'order.returned')
  assert.equal(await ofOrder(() => s.status(id, 'shipped')), 'order.updated')

  const second = (await s.order([[product, 1]])).body.id
  await s.status(second, 'fulfilling')
  const shipped = await effects(s, () => s.status(second, 'fulfilled'))
  assert.deepEqual(typesOf(shipped), ['stock.changed', 'order.fulfilled'])
  const third = (await s.order([[product, 1]])).body.id
  assert.deepEqual(typesOf(await effects(s, () => s.status(third, 'cancelled'))), ['order.cancelled'])
  assert.deepEqual(await effects(s, () => s.order([[product, 0]])), [], 'what is refused is no event')
})

test('an order whose backorders are filled, or whose reservation is taken away, is updated', async () => {
  const s = await shop(system)
  const product = await s.product(1)
  const { id } = (await s.order([[product, 3]])).body
  const ofOrders = (events: Event[]) => events.filter(({ type }) => type.startsWith('order.'))
  const filled = ofOrders(await effects(s, () => s.adjust(product, 5)))
  assert.deepEqual([typesOf(filled), filled[0]!.subject], [['order.updated'], `order/${id}`])
  assert.deepEqual(filled[0]!.data, await s.read(id))
  const { key } = await s.created('POST /api/api-keys', { name: 'k', permissions: ['read', 'write'] })
  const sku = (await s.api(`GET /api/products/${product}`)).body.sku
  const counted = await effects(s, () =>
    system.inventory.with({ 'x-api-key': key })('POST /api/external/inventory/sync', {
      body: [{ sku, warehouse_id: s.main, quantity: 1 }],
    }),
  )
  assert.deepEqual(typesOf(counted).sort(), ['order.updated', 'stock.changed'])
  assert.deepEqual(ofOrders(counted)[0]!.data, await s.read(id))
  const other = (await s.order([[product, 1]])).body.id
  const cancelled = ofOrders(await effects(s, () => s.status(id, 'cancelled')))
  assert.deepEqual(
    cancelled.map(({ type, subject }) => [type, subject]).sort(),
    [['order.cancelled', `order/${id}`], ['order.updated', `order/${other}`]],
  ) // biome-ignore format: one line
  await s.sound()
})

test('a backorder that is filled while somebody changes its order is told, whether that change succeeds or not', async () => {
  const s = await shop(system)
  const product = await s.product()
  const { id } = (await s.order([[product, 3]])).body
  const changing = await hold(system, (tx) => tx`select inventory.lock_order(${s.tenant.id}, ${id})`)
  const filled = await effects(s, () => s.adjust(product, 2))
  await changing.release()
  const last = filled.filter(({ type }) => type === 'order.updated').at(-1)
  assert.deepEqual(last?.data, await s.read(id))

  const filling = await hold(
    system,
    (tx) =>
      tx`select inventory.adjust_stock(${s.tenant.id}, null, now(), ${tx.json([{ product_id: product, warehouse_id: s.main, quantity: 1, type: 'adjustment' }])})`,
  )
  const changed = effects(s, async () => {
    const moving = s.status(id, 'paid')
    await waitingForLocks(system, 1)
    await filling.release()
    assert.equal((await moving).status, 200)
  })
  const both = (await changed).filter(({ type }) => type === 'order.updated')
  assert.equal(both.length, 2)
  assert.deepEqual(both.at(-1)!.data, await s.read(id))
  assert.equal((await s.read(id)).items[0].quantity_backordered, 0)
})

test('verify finds events that are missing, tell something else, or tell of nothing', async () => {
  const s = await shop(system)
  const product = await s.product(5)
  const { id } = (await s.order([[product, 1]])).body
  await s.status(id, 'paid')
  await s.created('POST /api/customers', { name: 'Ada' })
  await s.sound()
  const found = async (type: string, change: 'delete' | 'repeat' | 'alter' | 'redirect') => {
    const owner = String(s.tenant.id)
    const [event] = await system.sql<{ seq: number }[]>`
      select max(seq) as seq from platform.events where owner = ${owner} and type = ${type}`
    const { seq } = event!
    if (change === 'delete') await system.sql`delete from platform.events where seq = ${seq}`
    if (change === 'repeat')
      await system.sql`
        insert into platform.events (service, owner, type, subject, data)
        select service, owner, type, subject, data from platform.events where seq = ${seq}`
    if (change === 'alter')
      await system.sql`
        update platform.events set data = (data::jsonb || '{"name": "Eve", "quantity": 0}')::json, type = case type
          when 'stock.recovered' then 'stock.out' else type end where seq = ${seq}`
    if (change === 'redirect')
      await system.sql`
        update platform.events set data = (data::jsonb || '{"id": 999999999}')::json where seq = ${seq}`
    const { findings } = (await s.api('GET /api/inventory/verify')).body
    return findings.map(({ subject }: { subject: string }) => subject) as string[]
  }
  assert.deepEqual(await found('order.updated', 'delete'), [`order/${id}`], 'the order says it is pending')
  assert.ok((await found('order.created', 'repeat')).includes(`order ${id}`))
  assert.ok((await found('customer.created', 'alter')).some((subject) => subject.startsWith('customer/')))
  assert.ok((await found('product.created', 'repeat')).includes(`product ${product}`))
  assert.ok((await found('stock.recovered', 'alter')).includes(`product/${product} in warehouse ${s.main}`))
  const { id: second } = (await s.order([[product, 1]])).body
  const redirected = await found('order.created', 'redirect')
  assert.ok(redirected.includes('order 999999999'), 'which does not exist')
  assert.ok(redirected.includes(`order ${second}`), 'which no event tells of')
})

test('purchase orders: created, placed, each receipt', async () => {
  const s = await shop(system)
  const product = await s.product()
  const supplier = await s.created('POST /api/suppliers', { name: 'Supplier' })
  let id = 0
  const created = await effects(s, async () => {
    id = (
      await s.created('POST /api/suppliers/purchase-orders', {
        supplier_id: supplier.id,
        warehouse_id: s.main,
        items: [{ product_id: product, quantity: 4, unit_cost: '2.50' }],
        expected_date: '2030-01-31',
      })
    ).id
  })
  const get = async () => (await s.api(`GET /api/suppliers/purchase-orders/${id}`)).body
  assert.deepEqual(typesOf(created), ['purchase_order.created'])
  assert.equal(created[0]!.subject, `purchase_order/${id}`)
  assert.deepEqual(created[0]!.data, await get())
  const placed = await effects(s, () =>
    s.api(`PATCH /api/suppliers/purchase-orders/${id}/status`, { body: { status: 'ordered' } }),
  )
  assert.deepEqual(typesOf(placed), ['purchase_order.updated'])
  for (const quantity_received of [1, 3]) {
    const received = await effects(s, () =>
      s.api(`POST /api/suppliers/purchase-orders/${id}/receive`, {
        body: { items: [{ product_id: product, quantity_received }] },
      }),
    )
    assert.equal(received.at(-1)!.type, 'purchase_order.received')
    assert.deepEqual(received.at(-1)!.data, await get())
    assert.equal(typesOf(received).filter((type) => type.startsWith('purchase_order.')).length, 1)
  }
})

test('customers: created, updated, with a new address, and only the name after they were deleted', async () => {
  const s = await shop(system)
  let id = 0
  const created = await effects(s, async () => {
    id = (await s.created('POST /api/customers', { name: 'Ada', email: 'ada@example.com' })).id
  })
  const get = async () => (await s.api(`GET /api/customers/${id}`)).body
  assert.deepEqual(typesOf(created), ['customer.created'])
  assert.deepEqual(created[0]!.data, await get())
  const updated = await effects(s, () => s.api(`PUT /api/customers/${id}`, { body: { name: 'Ada L.' } }))
  assert.deepEqual(typesOf(updated), ['customer.updated'])
  const moved = await effects(
    s,
    () =>
    s.created(`POST /api/customers/${id}/addresses`, {
      type: 'billing', line1: '1 Road', city: 'X', country: 'NZ', is_default: true,
    }), // biome-ignore format: one line
  )
  assert.deepEqual(typesOf(moved), ['customer.updated'])
  assert.deepEqual(moved[0]!.data, await get())
  const deleted = await effects(s, () => s.api(`DELETE /api/customers/${id}`))
  assert.deepEqual(typesOf(deleted), ['customer.updated'])
  assert.deepEqual(deleted[0]!.data.addresses, [])
  const { events } = (await s.api(`GET /api/events?subject=customer/${id}`)).body
  assert.equal(events.length, 4)
  for (const { data } of events)
    assert.deepEqual([data.email, data.addresses], [null, []], 'nothing else is kept')
})

test('a batch on hand is announced once, 30 days before it expires where the tenant is', async () => {
  const s = await shop(system)
  const product_id = await s.product(0, { tracking_type: 'batch' })
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const batch = async (batch_number: string, days: number, quantity: number) =>
    (await s.created('POST /api/batches', { product_id, batch_number, expiry_date: day(days), quantity })).id
  const soon = await batch('SOON', 30, 5)
  await batch('LATER', 31, 5)
  await batch('EMPTY', 10, 0)
  const { inventory } = await import('#inventory/app.ts')
  const { announceExpiring } = await import('#inventory/batches/batches.ts')
  const announced = await effects(s, async () => {
    for (let n = 0; n < 2; n++) await announceExpiring(inventory.context(system.platform))
  })
  assert.deepEqual(typesOf(announced), ['batch.expiring'])
  assert.equal(announced[0]!.subject, `batch/${soon}`)
  assert.deepEqual(announced[0]!.data, (await s.api(`GET /api/batches/${soon}`)).body)
})

test('products whose category is deleted are updated', async () => {
  const s = await shop(system)
  const { id } = await s.created('POST /api/products/categories', { name: 'Mugs' })
  const product = await s.product(0, { category_id: id })
  const updated = await effects(s, () => s.api(`DELETE /api/products/categories/${id}`))
  assert.deepEqual(typesOf(updated), ['category.deleted', 'product.updated'])
  assert.deepEqual(updated[1]!.data, (await s.api(`GET /api/products/${product}`)).body)
})

test('events are read in pages, oldest first, and `next` is where to go on, also when nothing is there', async () => {
  const s = await shop(system)
  const empty = (await s.api('GET /api/events')).body
  assert.deepEqual([empty.events, empty.total], [[], 0])
  const ids = [await s.product(), await s.product(), await s.product()]
  const first = (await s.api(`GET /api/events?limit=2&after=${empty.next}`)).body
  assert.deepEqual(
    first.events.map((event: Event) => event.data.id),
    ids.slice(0, 2),
  )
  assert.equal(first.next, first.events[1].id)
  const second = (await s.api(`GET /api/events?limit=2&after=${first.next}`)).body
  assert.deepEqual(
    second.events.map((event: Event) => event.data.id),
    ids.slice(2),
  )
  const third = (await s.api(`GET /api/events?limit=2&after=${second.next}`)).body
  assert.deepEqual(third.events, [])
  const fourth = await s.product()
  const last = (await s.api(`GET /api/events?after=${third.next}`)).body
  assert.deepEqual(
    last.events.map((event: Event) => event.data.id),
    [fourth],
  )
})

test('events are filtered by types, by a wildcard, and by subject', async () => {
  const s = await shop(system)
  const start = await now(s.api)
  const [a] = [await s.product(3), await s.product(3)]
  await s.order([[a!, 1]])
  const of = async (query: string) => typesOf(await since(s.api, start, query))
  assert.deepEqual(await of('&types=order.*'), ['order.created'])
  assert.deepEqual(await of('&types=order.created,stock.low'), ['order.created'])
  assert.deepEqual(await of('&types=product.*,stock.changed'), [
    'product.created', 'stock.changed', 'product.created', 'stock.changed',
  ]) // biome-ignore format: one line
  assert.deepEqual(await of(`&subject=product/${a}`), ['product.created', 'stock.changed', 'stock.recovered'])
  assert.deepEqual(await of(`&subject=product/${a}&types=stock.recovered`), ['stock.recovered'])
  assert.equal((await of('&types=*')).length, 7)
})

test('wrong parameters are refused with 400, each by its name', async () => {
  const s = await shop(system)
  for (const [query, field] of [
    ['after=42', 'after'],
    ['after=evt_01a1e039-6806-4000-ad0f-f002d2322e3d', 'after'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['types=order.shipped', 'types'],
    ['types=', 'types'],
    ['types=webhook.test', 'types'],
    ['subject=42', 'subject'],
  ] as const) {
    const { status, body } = await s.api(`GET /api/events?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.error, new RegExp(`^${field} `), query)
  }
  for (const limit of [1, 500]) assert.equal((await s.api(`GET /api/events?limit=${limit}`)).status, 200)
})

test('nobody reads the events of another tenant, nor without credentials', async () => {
  const [s, other] = [await shop(system), await shop(system)]
  const start = await now(other.api)
  const id = await s.product(1)
  assert.deepEqual(await since(other.api, start), [])
  assert.deepEqual(await since(other.api, start, `&subject=product/${id}`), [])
  assert.equal((await system.inventory('GET /api/events')).status, 401)
  assert.equal((await (await s.colleague('Staff')).api('GET /api/events')).status, 200)
})

test('a key reads its types under /api/external, and needs no more than `read`', async () => {
  const s = await shop(system)
  const { key } = await s.created('POST /api/api-keys', { name: 'reader', permissions: ['read'] })
  const withKey = system.inventory.with({ 'x-api-key': key })
  const product = await s.product(1)
  const supplier = await s.created('POST /api/suppliers', { name: 'Supplier' })
  const items = [{ product_id: product, quantity: 1 }]
  await s.created('POST /api/suppliers/purchase-orders', {
    supplier_id: supplier.id,
    warehouse_id: s.main,
    items,
  })
  const { status, body } = await withKey('GET /api/external/events')
  assert.equal(status, 200)
  assert.deepEqual(typesOf(body.events), ['product.created', 'stock.changed', 'stock.recovered'])
  assert.deepEqual((await withKey('GET /api/external/events?types=purchase_order.*')).body.events, [])
  assert.equal((await withKey('GET /api/events')).status, 401)
  assert.equal((await s.api('GET /api/external/events')).status, 401)
})

test('an address that was erased before anybody read of it is in no event', async () => {
  const s = await shop(system)
  const email = 'erased@example.com'
  const { id } = await s.created('POST /api/customers', { name: 'Ada', email, phone: '+44 1947 600000' })
  await s.created(`PUT /api/customers/${id}`, { name: 'Ada L.', email }, 200)
  assert.equal((await s.api(`DELETE /api/customers/${id}`)).status, 200)
  const { text, body } = await s.api('GET /api/events?limit=500')
  assert.ok(body.events.length > 0)
  assert.ok(!text.includes(email) && !text.includes('600000'), text)
})
