import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)
const manager = await s.colleague('Manager')
const staff = await s.colleague('Staff')
const stranger = await shop(system)

const day = 86_400_000
const missing = 999_999_999

const adminOnly = [
  'GET /api/users',
  'POST /api/users',
  'PATCH /api/users/1',
  'DELETE /api/products/1',
  'POST /api/warehouses',
  'PATCH /api/warehouses/1',
  'PATCH /api/company',
  'PATCH /api/settings',
  'GET /api/inventory/verify',
]
const managers = [
  'POST /api/products',
  'PUT /api/products/1',
  'PATCH /api/products/1',
  'POST /api/products/1/images',
  'POST /api/products/import',
  'POST /api/products/categories',
  'PUT /api/products/categories/1',
  'DELETE /api/products/categories/1',
  'POST /api/inventory/adjust',
  'POST /api/inventory/transfer',
  'PATCH /api/inventory/1/1',
  'POST /api/orders/1/fulfill',
  'POST /api/orders/1/returns',
]
const everybody = [
  'GET /api/products',
  'GET /api/products/export',
  'GET /api/products/categories',
  'GET /api/inventory',
  'GET /api/inventory/summary',
  'GET /api/inventory/alerts',
  'GET /api/inventory/movements',
  'GET /api/orders',
  'GET /api/orders/stats',
  'GET /api/orders/export',
  'GET /api/customers',
  'GET /api/warehouses',
  'GET /api/settings',
  'GET /api/company',
]

test('without a valid token every endpoint responds 401 before it looks at anything else', async () => {
  for (const call of [...adminOnly, ...managers, ...everybody]) {
    assert.equal((await system.inventory(call)).status, 401, call)
    assert.equal((await system.inventory.bearer('nonsense')(call)).status, 401, call)
  }
})

test('a role that may not write gets 403 before the body is read, and every role may read', async () => {
  for (const call of adminOnly) {
    assert.equal((await staff.api(call)).status, 403, call)
    assert.equal((await manager.api(call)).status, 403, call)
  }
  for (const call of managers) {
    assert.equal((await staff.api(call)).status, 403, call)
    assert.ok([400, 404].includes((await manager.api(call)).status), call)
  }
  for (const call of everybody) assert.equal((await staff.api(call)).status, 200, call)
  assert.equal((await staff.api('POST /api/customers', { body: { name: 'By staff' } })).status, 201)
})

test('ids of another tenant are 404 on every endpoint and change nothing', async () => {
  const product = await s.product(5)
  const { id } = (await s.order([[product, 1]])).body
  const item = (await s.read(id)).items[0].id
  const customer = (await s.created('POST /api/customers', { name: 'Mine' })).id
  const category = (await s.created('POST /api/products/categories', { name: 'Mine' })).id
  const theirs = await stranger.product(5)
  const fields = { name: 'x', sku: 'x', base_price: 1 }
  const address = { type: 'billing', line1: 'x', city: 'x', country: 'x' }
  const line = (product_id: number) => ({ items: [{ product_id, quantity: 1, unit_price: 1 }] })
  for (const n of [0, missing]) {
    const at = (mine: number) => (n === 0 ? mine : n)
    const calls: [string, object?][] = [
      [`GET /api/products/${at(product)}`],
      [`PUT /api/products/${at(product)}`, fields],
      [`PATCH /api/products/${at(product)}`, { is_active: false }],
      [`DELETE /api/products/${at(product)}`],
      [`POST /api/products/${at(product)}/images`, { url: 'https://example.com/a.png' }],
      [`PUT /api/products/categories/${at(category)}`, { name: 'x' }],
      [`DELETE /api/products/categories/${at(category)}`],
      ['POST /api/products/categories', { name: 'x', parent_id: at(category) }],
      ['POST /api/products', { ...fields, category_id: at(category) }],
      ['POST /api/inventory/adjust', { product_id: at(product), warehouse_id: stranger.main, quantity: 1 }],
      ['POST /api/inventory/adjust', { product_id: theirs, warehouse_id: at(s.main), quantity: 1 }],
      [
        'POST /api/inventory/transfer',
        { product_id: theirs, from_warehouse_id: stranger.main, to_warehouse_id: at(s.main), quantity: 1 },
      ],
      [`PATCH /api/inventory/${at(product)}/${at(s.main)}`, { reorder_level: 1 }],
      [`GET /api/orders/${at(id)}`],
      [`PATCH /api/orders/${at(id)}/status`, { status: 'paid' }],
      [`POST /api/orders/${at(id)}/fulfill`, { items: [{ order_item_id: item, quantity_fulfilled: 1 }] }],
      [`POST /api/orders/${at(id)}/returns`, { items: [{ order_item_id: item, quantity: 1 }] }],
      ['POST /api/orders', line(at(product))],
      ['POST /api/orders', { ...line(theirs), customer_id: at(customer) }],
      ['POST /api/orders', { ...line(theirs), warehouse_id: at(s.main) }],
      [`GET /api/customers/${at(customer)}`],
      [`PUT /api/customers/${at(customer)}`, { name: 'x' }],
      [`DELETE /api/customers/${at(customer)}`],
      [`POST /api/customers/${at(customer)}/addresses`, address],
      [`PATCH /api/users/${at(staff.id)}`, { role: 'Admin' }],
      [`PATCH /api/warehouses/${at(s.main)}`, { name: 'x' }],
    ]
    for (const [call, body] of calls) {
      const answer = await stranger.api(call, body ? { body } : {})
      assert.equal(answer.status, 404, `${call} ${JSON.stringify(body)}: ${answer.text}`)
    }
  }
  const mine = { products: product, orders: id, customers: customer }
  for (const [list, known] of Object.entries(mine))
    for (const x of (await stranger.api(`GET /api/${list}`)).body[list]) assert.notEqual(x.id, known)
  assert.equal((await stranger.api(`GET /api/inventory?warehouse_id=${s.main}`)).body.total, 0)
  assert.equal((await stranger.api(`GET /api/inventory/movements?product_id=${product}`)).body.total, 0)
  assert.equal((await stranger.api('GET /api/orders')).body.total, 0)
  assert.deepEqual(await stranger.stock(theirs), [5, 0])
  await stranger.sound()
  await s.sound()
})

test('malformed ids in paths are 404', async () => {
  for (const id of ['0', '-1', '1.5', 'x', '9007199254740993', '99999999999999999999'])
    for (const path of ['products', 'orders', 'customers'])
      assert.equal((await s.api(`GET /api/${path}/${id}`)).status, 404, `${path}/${id}`)
})

test('an Admin adds, lists and changes users, but cannot remove the last Admin', async () => {
  const admin = await shop(system)
  const added = await admin.colleague('Staff')
  const { users, total } = (await admin.api('GET /api/users')).body
  assert.equal(total, 2)
  assert.deepEqual(
    users.map((u: { role: string }) => u.role),
    ['Admin', 'Staff'],
  )
  assert.ok(!JSON.stringify(users).includes('password'))
  const duplicate = { name: 'x', email: added.email.toUpperCase(), password: 'long enough', role: 'Staff' }
  assert.equal((await admin.api('POST /api/users', { body: duplicate })).status, 409)
  for (const change of [{ role: 'Staff' }, { is_banned: true }]) {
    const answer = await admin.api(`PATCH /api/users/${admin.user.id}`, { body: change })
    assert.equal(answer.status, 400)
  }
  assert.equal(
    (await admin.api('POST /api/users', { body: { ...duplicate, email: 'new@x.example', role: 'Owner' } }))
      .status,
    400,
  )
  assert.equal(
    (
      await admin.api('POST /api/users', {
        body: { ...duplicate, email: 'new@x.example', password: 'short' },
      })
    ).status,
    400,
  )

  assert.equal((await added.api('GET /api/products')).status, 200)
  const banned = await admin.api(`PATCH /api/users/${added.id}`, { body: { is_banned: true } })
  assert.equal(banned.body.is_banned, true)
  assert.equal((await added.api('GET /api/products')).status, 403)
  const login = { email: added.email, password: 'correct horse' }
  assert.equal((await system.inventory('POST /api/auth/login', { body: login })).status, 403)
  assert.equal(
    (await system.inventory('POST /api/auth/login', { body: { ...login, password: 'wrong' } })).status,
    401,
  )
  await admin.api(`PATCH /api/users/${added.id}`, { body: { is_banned: false, role: 'Manager' } })
  assert.equal((await added.api('POST /api/inventory/adjust', { body: {} })).status, 400)
})

test('every role reads the settings, and only an Admin changes them', async () => {
  assert.deepEqual((await staff.api('GET /api/settings')).body, {
    timezone: 'UTC',
    oversell_policy: 'backorder',
  })
  const changed = await s.settings({ timezone: 'Asia/Kolkata' })
  assert.deepEqual(changed, { timezone: 'Asia/Kolkata', oversell_policy: 'backorder' })
  for (const body of [
    { timezone: 'Mars/Olympus' },
    { timezone: '' },
    { timezone: "UTC'; drop" },
    { oversell_policy: 'maybe' },
    { timezone: 5 },
  ])
    assert.equal((await s.api('PATCH /api/settings', { body })).status, 400, JSON.stringify(body))
  assert.deepEqual(await s.settings({ timezone: 'UTC' }), { timezone: 'UTC', oversell_policy: 'backorder' })
})

test('a token is valid for 8 hours and not a second longer', async () => {
  const node = await boot()
  const { api } = await shop(node)
  node.clock.advance(8 * 3_600_000 - 2000)
  assert.equal((await api('GET /api/products')).status, 200)
  node.clock.advance(2000)
  assert.equal((await api('GET /api/products')).status, 401)
})

test('each user and each API key may make 600 requests a minute', async (t) => {
  const node = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const { api, created, colleague } = await shop(node)
  const { key } = await created('POST /api/api-keys', { name: 'Shop' })
  const clerk = await colleague('Staff')
  for (const [ask, path] of [
    [api, '/api/settings'],
    [node.inventory.with({ 'x-api-key': key }), '/api/external/customers?limit=1'],
  ] as const) {
    const first = await ask(`GET ${path}`)
    assert.deepEqual([first.status, first.headers.get('ratelimit-limit')], [200, '600'])
    const left = Number(first.headers.get('ratelimit-remaining'))
    // In tens: where Redis counts, a crowd on a busy machine would be counted in memory instead of waiting for it.
    const ten = () => Promise.all(Array.from({ length: 10 }, () => ask(`GET ${path}`)))
    for (let asked = 0; asked + 10 <= left; asked += 10)
      for (const { status } of await ten()) assert.equal(status, 200)
    for (let asked = left - (left % 10); asked < left; asked++)
      assert.equal((await ask(`GET ${path}`)).status, 200)
    const refused = await ask(`GET ${path}`)
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.code],
      [429, 'Too many requests', 'rate_limited'],
    )
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal((await clerk.api('GET /api/settings')).status, 200)
  }
  node.clock.advance(60_000)
  assert.equal((await api('GET /api/settings')).status, 200)
})

test('an expired subscription is 402 for everything but login, after 401 and a ban, before the role', async () => {
  const node = await boot()
  const late = await shop(node)
  const [clerk, barred] = [await late.colleague('Staff'), await late.colleague('Staff')]
  await late.api(`PATCH /api/users/${barred.id}`, { body: { is_banned: true } })
  node.clock.advance(30 * day + 1000)
  const login = (email: string) =>
    node.inventory('POST /api/auth/login', { body: { email, password: 'correct horse' } })
  const again = await login(clerk.email)
  assert.equal(again.status, 200)
  const api = node.inventory.bearer(again.body.token)
  for (const call of [...everybody, ...adminOnly, 'GET /api/auth/me'])
    assert.equal((await api(call)).status, 402, call)
  assert.equal((await node.inventory('GET /api/products')).status, 401)
  assert.equal((await login(barred.email)).status, 403)
})
