import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)

test('a customer is created, read, replaced and deleted; the email is unique', async () => {
  const made = await s.created('POST /api/customers', {
    name: 'Ada',
    email: 'ada@example.com',
    phone: '1',
    company: 'AE',
    customer_type: 'b2b',
  })
  const { id, created_at, ...rest } = made
  assert.deepEqual(rest, {
    name: 'Ada',
    email: 'ada@example.com',
    phone: '1',
    company: 'AE',
    customer_type: 'b2b',
    total_orders: 0,
    total_spent: '0.00',
    last_order_at: null,
    addresses: [],
  })
  assert.deepEqual((await s.api(`GET /api/customers/${id}`)).body, made)
  assert.equal(
    (await s.api('POST /api/customers', { body: { name: 'Other', email: 'ADA@example.com' } })).status,
    409,
  )
  const second = await s.created('POST /api/customers', { name: 'Bob' })
  assert.deepEqual([second.customer_type, second.email], ['retail', null])
  assert.equal(
    (await s.api(`PUT /api/customers/${second.id}`, { body: { name: 'Bob', email: 'ada@example.com' } }))
      .status,
    409,
  )
  const replaced = await s.api(`PUT /api/customers/${id}`, { body: { name: 'Ada L' } })
  assert.deepEqual(replaced.body, {
    ...made,
    name: 'Ada L',
    email: null,
    phone: null,
    company: null,
    customer_type: 'retail',
  })
  for (const body of [
    {},
    { name: '' },
    { name: 'x', email: 'no' },
    { name: 'x', customer_type: 'vip' },
    { name: 5 },
    { name: 'a\0' },
    { name: 'x'.repeat(256) },
  ])
    assert.equal((await s.api('POST /api/customers', { body })).status, 400, JSON.stringify(body))
  const product = await s.product(1)
  const order = (await s.order([[product, 1]], { customer_id: id })).body.id
  assert.equal((await s.api(`DELETE /api/customers/${id}`)).status, 200)
  assert.equal((await s.api(`GET /api/customers/${id}`)).status, 404)
  assert.equal((await s.read(order)).customer_name, 'Ada L')
  assert.equal((await s.order([[product, 1]], { customer_id: id })).status, 404)
  assert.equal((await s.status(order, 'cancelled')).status, 200)
  await s.sound()
})

test('a customer has one default address of each type', async () => {
  const { id } = await s.created('POST /api/customers', { name: 'Grace' })
  const base = { type: 'shipping', line1: '1 St', city: 'Rome', country: 'IT' }
  const add = (more: object) => s.api(`POST /api/customers/${id}/addresses`, { body: { ...base, ...more } })
  const one = (await add({ is_default: true, state: 'RM', postcode: '00100' })).body
  assert.deepEqual(one, {
    id: one.id,
    customer_id: id,
    ...base,
    state: 'RM',
    postcode: '00100',
    is_default: true,
  })
  const two = (await add({ is_default: true })).body
  const three = (await add({ type: 'billing', is_default: true })).body
  const { addresses } = (await s.api(`GET /api/customers/${id}`)).body
  assert.deepEqual(addresses, [{ ...one, is_default: false }, two, three])
  for (const wrong of [
    { type: 'home' },
    { line1: undefined },
    { city: '' },
    { country: undefined },
    { is_default: 'yes' },
  ])
    assert.equal((await add(wrong)).status, 400, JSON.stringify(wrong))
})

test('an address is replaced and deleted; a default takes over from the earlier one', async () => {
  const { id } = await s.created('POST /api/customers', { name: 'Moves often' })
  const base = { type: 'shipping', line1: '1 St', city: 'Rome', country: 'IT' }
  const all = `/api/customers/${id}/addresses`
  const one = await s.created(`POST ${all}`, { ...base, is_default: true, state: 'RM' })
  const two = await s.created(`POST ${all}`, { ...base, postcode: '2' })
  const addresses = async () => (await s.api(`GET /api/customers/${id}`)).body.addresses
  const put = (address: number, body: object) => s.api(`PUT ${all}/${address}`, { body })
  const changed = await put(two.id, { ...base, line1: '2 St', is_default: true })
  const second = { ...two, line1: '2 St', postcode: null, is_default: true }
  assert.deepEqual([changed.status, changed.body], [200, second])
  assert.deepEqual(await addresses(), [{ ...one, is_default: false }, second])
  assert.equal((await put(one.id, { ...base, city: '' })).status, 400)
  const stranger = await shop(system)
  const other = await s.created('POST /api/customers', { name: 'Somebody else' })
  for (const wrong of [`${all}/999999`, `/api/customers/${other.id}/addresses/${one.id}`]) {
    assert.equal((await s.api(`PUT ${wrong}`, { body: { ...base, is_default: true } })).status, 404)
    assert.equal((await s.api(`DELETE ${wrong}`)).status, 404)
  }
  assert.equal((await stranger.api(`DELETE ${all}/${one.id}`)).status, 404)
  assert.deepEqual(await addresses(), [{ ...one, is_default: false }, second], 'nothing was changed halfway')
  const staff = await s.colleague('Staff')
  assert.equal((await staff.api(`DELETE ${all}/${one.id}`)).body.message, 'Address deleted')
  assert.deepEqual(await addresses(), [second])
})

test('customers are searched by name, company and email, filtered by type, and paged', async () => {
  const l = await shop(system)
  const ids: number[] = []
  for (const [n, c] of [
    { name: 'Zoë' },
    { name: 'B', company: 'Zoo & Co' },
    { name: 'C', email: 'zo@example.com', customer_type: 'b2b' },
    { name: '100%' },
  ].entries())
    ids[n] = (await l.created('POST /api/customers', c)).id
  const list = async (query: string) => {
    const { body } = await l.api(`GET /api/customers?${query}`)
    return [body.customers.map((c: { id: number }) => ids.indexOf(c.id)), body.total, body.page, body.limit]
  }
  assert.deepEqual(await list(''), [[3, 2, 1, 0], 4, 1, 50])
  assert.deepEqual(await list('search=ZO'), [[2, 1, 0], 3, 1, 50])
  assert.deepEqual(await list('search=zoo'), [[1], 1, 1, 50])
  assert.deepEqual(await list('search=%25'), [[3], 1, 1, 50])
  assert.deepEqual(await list('type=b2b'), [[2], 1, 1, 50])
  assert.deepEqual(await list('limit=3&page=2'), [[0], 4, 2, 3])
  assert.deepEqual(await list('limit=500'), [[3, 2, 1, 0], 4, 1, 200])
  assert.equal((await l.api('GET /api/customers?type=vip')).status, 400)
  assert.deepEqual(await list('sort=name'), [[3, 1, 2, 0], 4, 1, 50])
  assert.deepEqual(await list('sort=-name&limit=2&page=2'), [[1, 3], 4, 2, 2])
  assert.deepEqual(await list('sort=created_at&search=zo'), [[0, 1, 2], 3, 1, 50])
  assert.equal((await l.api('GET /api/customers?sort=email')).status, 400)
})

test('the totals of a customer count orders that are not cancelled, less returns', async () => {
  const { id } = await s.created('POST /api/customers', { name: 'Sum' })
  const totals = async () => {
    const { total_orders, total_spent } = (await s.api(`GET /api/customers/${id}`)).body
    return [total_orders, total_spent]
  }
  const a = await s.product(10)
  const one = (await s.order([[a, 2, '1.10']], { customer_id: id })).body.id
  const two = (await s.order([[a, 1, '5.05']], { customer_id: id })).body.id
  assert.deepEqual(await totals(), [2, '7.25'])
  const { last_order_at } = (await s.api(`GET /api/customers/${id}`)).body
  assert.equal(last_order_at, (await s.read(two)).created_at)
  const item = (await s.read(one)).items[0].id
  await s.fulfil(one, [[item, 1]])
  await s.giveBack(one, [[item, 1]])
  assert.deepEqual(await totals(), [2, '6.15'])
  await s.status(two, 'cancelled')
  assert.deepEqual(await totals(), [1, '1.10'])
  await s.status(one, 'cancelled')
  assert.deepEqual(await totals(), [0, '0.00'])
  await s.sound()
})

test('every write of customers takes an Idempotency-Key', async () => {
  const calls: [string, object][] = [
    ['POST /api/customers', { name: 'Once', email: 'once@example.com' }],
    ['POST /api/products', { name: 'Once', sku: 'ONCE', base_price: 1 }],
    ['POST /api/products/categories', { name: 'Once' }],
    ['POST /api/warehouses', { name: 'Once', code: 'ONCE' }],
  ]
  for (const [call, body] of calls) {
    const headers = { 'idempotency-key': call.replaceAll(' ', '-') }
    const [first, again] = [await s.api(call, { body, headers }), await s.api(call, { body, headers })]
    assert.equal(first.status, 201, first.text)
    assert.deepEqual(
      [again.status, again.body, again.headers.get('idempotency-replayed')],
      [201, first.body, 'true'],
    )
  }
  const a = await s.product(5)
  const adjust = () =>
    s.api('POST /api/inventory/adjust', {
      body: { product_id: a, warehouse_id: s.main, quantity: 1 },
      headers: { 'idempotency-key': 'adjust' },
    })
  await adjust()
  assert.equal((await adjust()).body.new_quantity, 6)
  const { id } = (await s.order([[a, 2]])).body
  const pay = () =>
    s.api(`PATCH /api/orders/${id}/status`, {
      body: { status: 'paid' },
      headers: { 'idempotency-key': 'pay' },
    })
  assert.deepEqual([(await pay()).status, (await pay()).status], [200, 200])
  assert.deepEqual(await s.stock(a), [6, 2])
})
