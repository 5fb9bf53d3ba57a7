import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)

test('a name of blanks alone is 400 wherever a name is required', async () => {
  const product_id = await s.product()
  const milk = await s.product(0, { tracking_type: 'batch' })
  const phone = await s.product(0, { tracking_type: 'serial' })
  const customer = (await s.created('POST /api/customers', { name: 'Ada' })).id
  const bodies: [string, object, string][] = [
    ['POST /api/products', { name: 'x', sku: 'x', base_price: 1 }, 'name'],
    ['POST /api/products', { name: 'x', sku: 'x', base_price: 1 }, 'sku'],
    [`PUT /api/products/${product_id}`, { name: 'x', sku: 'x', base_price: 1 }, 'name'],
    ['POST /api/products/categories', { name: 'x' }, 'name'],
    ['POST /api/customers', { name: 'x' }, 'name'],
    [`PUT /api/customers/${customer}`, { name: 'x' }, 'name'],
    ...['line1', 'city', 'country'].map((field): [string, object, string] => [
      `POST /api/customers/${customer}/addresses`,
      { type: 'billing', line1: 'x', city: 'x', country: 'x' },
      field,
    ]),
    ['POST /api/suppliers', { name: 'x' }, 'name'],
    ['POST /api/warehouses', { name: 'x', code: 'x' }, 'name'],
    ['POST /api/warehouses', { name: 'x', code: 'x' }, 'code'],
    [
      'POST /api/users',
      { name: 'x', email: 'x@example.com', password: 'correct horse', role: 'Staff' },
      'name',
    ],
    ['POST /api/batches', { product_id: milk, batch_number: 'x' }, 'batch_number'],
    ['POST /api/serials', { product_id: phone, serial_number: 'x', warehouse_id: s.main }, 'serial_number'],
    ['POST /api/api-keys', { name: 'x' }, 'name'],
  ]
  for (const [call, body, field] of bodies)
    for (const blank of ['', ' ', '\t\n', '\u00a0\u2003']) {
      const answer = await s.api(call, { body: { ...body, [field]: blank } })
      assert.equal(answer.status, 400, `${call} ${field} ${answer.text}`)
      assert.match(answer.body.error, new RegExp(`^${field} `))
    }
  const named = await s.created('POST /api/customers', { name: ' Ada ' })
  assert.equal(named.name, ' Ada ')
})

test('validation errors are worded without regular expressions', async () => {
  const product = { name: 'x', sku: 'words', base_price: 1 }
  const amount = 'must be an amount of at least 0 with at most 2 decimals'
  for (const [call, body, error] of [
    ['POST /api/products', { ...product, name: ' ' }, 'name must not be blank'],
    ['POST /api/products', { ...product, name: '' }, 'name must not be empty'],
    ['POST /api/products', { ...product, base_price: '1.234' }, `base_price ${amount}`],
    ['POST /api/products', { ...product, base_price: 1.234 }, `base_price ${amount}`],
    ['POST /api/products', { ...product, cost_price: 'free' }, `cost_price ${amount}`],
    [
      'POST /api/orders',
      { items: [{ product_id: 1, quantity: 1, unit_price: '1,5' }] },
      `items[0].unit_price ${amount}`,
    ],
    [
      `POST /api/products/${await s.product()}/images`,
      { url: 'ftp://example.com/a.png' },
      'url must be a web address that begins with http:// or https://',
    ],
    [
      'POST /api/api-keys',
      { name: 'x', expires_at: '0000-01-01' },
      'expires_at must be a date, such as 2026-11-30',
    ],
  ] as const)
    assert.equal((await s.api(call, { body })).body.error, error)
})

test('null for an optional field is the same as leaving it out', async () => {
  const product = await s.product(1, {
    tracking_type: null, cost_price: null, taxable: null, requires_shipping: null, is_active: null, weight: null,
  }) // biome-ignore format: one list
  const read = (await s.api(`GET /api/products/${product}`)).body
  assert.deepEqual(
    [read.tracking_type, read.taxable, read.requires_shipping, read.is_active],
    ['none', true, true, true],
  )
  const customer = await s.created('POST /api/customers', { name: 'Nil', customer_type: null, email: null })
  assert.equal(customer.customer_type, 'retail')
  const order = await s.order([[product, 1]], {
    channel: null, customer_id: null, warehouse_id: null, shipping_address: null,
  }) // biome-ignore format: one list
  assert.equal(order.status, 201, order.text)
  assert.equal((await s.read(order.body.id)).channel, 'manual')
  const bad = await s.order([[product, 1]], { channel: 'fax' })
  assert.equal(bad.status, 400)
})

test('an adjustment by nothing is refused in plain words', async () => {
  const answer = await s.adjust(await s.product(), 0)
  assert.deepEqual([answer.status, answer.body.error], [400, 'quantity must not be 0'])
})

test('every list has its default page size and its largest, and refuses invalid pages', async () => {
  const short = ['products', 'orders', 'customers']
  const long = [
    'inventory', 'inventory/alerts', 'inventory/movements', 'suppliers', 'suppliers/purchase-orders/all', 'batches',
    'serials', 'reports/inventory', 'reports/cogs',
  ] // biome-ignore format: one list
  const sizes = [
    ...short.map((path) => [path, 50, 200] as const),
    ...long.map((path) => [path, 200, 1000] as const),
    ['api-keys/logs/all', 50, 1000] as const,
  ]
  for (const [path, byDefault, most] of sizes) {
    const read = async (query: string) => (await s.api(`GET /api/${path}?${query}`)).body
    const { page, limit } = await read('')
    assert.deepEqual([page, limit], [1, byDefault], path)
    assert.equal((await read(`limit=${most}`)).limit, most, path)
    assert.equal((await read(`limit=${most + 1}`)).limit, most, path)
    assert.equal((await read('page=1000000&limit=1')).page, 1_000_000, path)
    for (const wrong of ['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'page=0', 'page=-1', 'page=x'])
      assert.equal((await s.api(`GET /api/${path}?${wrong}`)).status, 400, `${path}?${wrong}`)
  }
})

test('Staff may change the status of an order, even to fulfilled, but may neither fulfil nor return items', async () => {
  const staff = await s.colleague('Staff')
  const product = await s.product(3)
  const items = [{ product_id: product, quantity: 2, unit_price: 1 }]
  const { id } = (await staff.api('POST /api/orders', { body: { items } })).body
  const line = (await s.read(id)).items[0].id
  const fulfil = { items: [{ order_item_id: line, quantity_fulfilled: 1 }] }
  assert.equal((await staff.api(`POST /api/orders/${id}/fulfill`, { body: fulfil })).status, 403)
  for (const status of ['paid', 'fulfilling', 'fulfilled', 'shipped'])
    assert.equal((await staff.api(`PATCH /api/orders/${id}/status`, { body: { status } })).status, 200)
  assert.deepEqual(await s.stock(product), [1, 0])
  const back = { items: [{ order_item_id: line, quantity: 1 }] }
  assert.equal((await staff.api(`POST /api/orders/${id}/returns`, { body: back })).status, 403)
  await s.sound()
})
