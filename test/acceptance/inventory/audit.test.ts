import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { actions, operations } from '#inventory/audit/operations.ts'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, password } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'
import { shop } from './scene.ts'

type Entry = {
  id: number
  action: string
  user_id: number | null
  ip_address: string
  resource_id: string
  details: object
}

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })

const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi/inventory.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, { operationId: string }>> }
const writes = Object.values(document.paths).flatMap((methods) =>
  Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
)

test('every operation that changes something is recorded, or listed with why it is not', () => {
  assert.deepEqual(Object.keys(operations).sort(), writes.sort())
})

test('the console offers every action as a filter', () => {
  const screen = readFileSync(new URL('../../../web/inventory/audit/queries.ts', import.meta.url), 'utf8')
  assert.deepEqual(
    [...screen.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action),
    actions,
  )
})

test('every operation that is recorded writes one entry, by whoever did it, and from where', async () => {
  const s = await shop(system)
  const { api, main } = s
  const entries = async () => (await api('GET /api/audit-logs?limit=200')).body.audit_logs as Entry[]
  const performed = new Set(['register'])
  const perform = async (operationId: string, call: string, options: Parameters<typeof api>[1] = {}) => {
    const before = await entries()
    const answer = await api(call, options)
    assert.ok(answer.status < 300, `${call}: ${answer.text}`)
    const added = (await entries()).slice(0, -before.length)
    assert.deepEqual(
      added.map(({ action }) => action),
      [operations[operationId]],
      call,
    )
    assert.deepEqual([added[0]?.user_id, added[0]?.ip_address], [s.user.id, '127.0.0.1'], call)
    performed.add(operationId)
    return answer.body
  }
  const body = (value: object) => ({ body: value })
  assert.deepEqual(
    (await entries()).map(({ action }) => action),
    ['tenant.created'],
  )

  await perform('changeProfile', 'PATCH /api/auth/me', body({ name: 'Mira' }))
  const user = { name: 'Sam', email: `sam-${crypto.randomUUID()}@example.com`, password, role: 'Staff' }
  const { id: userId } = await perform('createUser', 'POST /api/users', body(user))
  await perform('changeUser', `PATCH /api/users/${userId}`, body({ role: 'Manager' }))
  await perform('changeSettings', 'PATCH /api/settings', body({ oversell_policy: 'reject' }))
  await perform('changeCompany', 'PATCH /api/company', body({ name: 'Lighthouse' }))
  const { id: warehouse } = await perform(
    'createWarehouse',
    'POST /api/warehouses',
    body({ name: 'B', code: 'B' }),
  )
  await perform('changeWarehouse', `PATCH /api/warehouses/${warehouse}`, body({ city: 'Leeds' }))
  const { id: category } = await perform(
    'createCategory',
    'POST /api/products/categories',
    body({ name: 'Mugs' }),
  )
  await perform('updateCategory', `PUT /api/products/categories/${category}`, body({ name: 'Cups' }))
  await perform('deleteCategory', `DELETE /api/products/categories/${category}`)
  const fields = { name: 'Mug', sku: 'MUG', base_price: '1.00', tracking_type: 'batch' }
  const { id: product } = await perform('createProduct', 'POST /api/products', body(fields))
  await perform('replaceProduct', `PUT /api/products/${product}`, body(fields))
  await perform('changeProduct', `PATCH /api/products/${product}`, body({ is_active: true }))
  const { id: image } = await perform(
    'addProductImage',
    `POST /api/products/${product}/images`,
    body({ url: 'https://example.com/mug.png' }),
  )
  await perform('deleteProductImage', `DELETE /api/products/${product}/images/${image}`)
  const csv = { raw: 'sku,name,base_price\nCUP,Cup,2.00', headers: { 'content-type': 'text/csv' } }
  await api('POST /api/products/import?dry_run=true', csv)
  await perform('importProducts', 'POST /api/products/import', csv)
  await perform('setReorderLevel', `PATCH /api/inventory/${product}/${main}`, body({ reorder_level: 3 }))
  const { id: batch } = await perform(
    'createBatch',
    'POST /api/batches',
    body({ product_id: product, batch_number: 'B-1', quantity: 5 }),
  )
  await perform('changeBatch', `PATCH /api/batches/${batch}`, body({ notes: 'Fragile' }))
  const { id: customer } = await perform('createCustomer', 'POST /api/customers', body({ name: 'Ada' }))
  await perform('replaceCustomer', `PUT /api/customers/${customer}`, body({ name: 'Ada L' }))
  await perform('changeCustomer', `PATCH /api/customers/${customer}`, body({ phone: '1' }))
  const address = { type: 'billing', line1: '1 Quay', city: 'Leeds', country: 'GB' }
  const at = `/api/customers/${customer}/addresses`
  const { id: addressId } = await perform('addAddress', `POST ${at}`, body(address))
  await perform('replaceAddress', `PUT ${at}/${addressId}`, body(address))
  await perform('changeAddress', `PATCH ${at}/${addressId}`, body({ city: 'York' }))
  await perform('deleteAddress', `DELETE ${at}/${addressId}`)
  await perform('deleteCustomer', `DELETE /api/customers/${customer}`)
  const { id: supplier } = await perform('createSupplier', 'POST /api/suppliers', body({ name: 'Clay' }))
  await perform('replaceSupplier', `PUT /api/suppliers/${supplier}`, body({ name: 'Clay Co' }))
  await perform('changeSupplier', `PATCH /api/suppliers/${supplier}`, body({ lead_time_days: 3 }))
  const orders = '/api/suppliers/purchase-orders'
  const cup = (await api('GET /api/products?search=CUP')).body.products[0].id
  const lines = { supplier_id: supplier, warehouse_id: main, items: [{ product_id: cup, quantity: 2 }] }
  const { id: purchase } = await perform('createPurchaseOrder', `POST ${orders}`, body(lines))
  await perform(
    'changePurchaseOrderStatus',
    `PATCH ${orders}/${purchase}/status`,
    body({ status: 'ordered' }),
  )
  const received = { items: [{ product_id: cup, quantity_received: 2 }] }
  await perform('receivePurchaseOrder', `POST ${orders}/${purchase}/receive`, body(received))
  const suggestion = { items: [{ product_id: cup, warehouse_id: main, quantity: 1 }] }
  await perform('draftFromSuggestions', `POST ${orders}/from-suggestions`, body(suggestion))
  const { id: count } = await perform('openCount', 'POST /api/counts', body({ warehouse_id: main }))
  await api(`POST /api/counts/${count}/entries`, body({ entries: [{ product_id: cup, quantity: 2 }] }))
  const line = (await api(`GET /api/counts/${count}/lines`)).body.lines?.[0]?.id
  await perform('deleteCountLine', `DELETE /api/counts/${count}/lines/${line}`)
  await perform('changeCountStatus', `PATCH /api/counts/${count}/status`, body({ status: 'cancelled' }))
  const { id: key } = await perform('createApiKey', 'POST /api/api-keys', body({ name: 'Till' }))
  await perform('revokeApiKey', `DELETE /api/api-keys/${key}`)
  await perform(
    'deleteSupplier',
    `DELETE /api/suppliers/${(await s.created('POST /api/suppliers', { name: 'X' })).id}`,
  )
  await perform('deleteProduct', `DELETE /api/products/${await s.product()}`)

  const recorded = Object.keys(operations).filter((name) => typeof operations[name] === 'string')
  assert.deepEqual([...performed].sort(), recorded.sort())
  const text = JSON.stringify(await entries())
  for (const secret of [password, 'inv_live_']) assert.ok(!text.includes(secret))
})

test('a change that is refused leaves no entry, and a repeat leaves no second one', async () => {
  const { api } = await inventoryAdmin(system)
  const total = async () => (await api('GET /api/audit-logs?action=warehouse.created')).body.total
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const body = { name: 'North', code: 'N' }
  for (const status of [201, 201])
    assert.equal((await api('POST /api/warehouses', { body, headers })).status, status)
  assert.equal(await total(), 1)
  assert.equal((await api('POST /api/warehouses', { body })).status, 409)
  assert.equal((await api('POST /api/warehouses', { body: { name: 'x' } })).status, 400)
  assert.equal(await total(), 1)
})

test('signing in, passwords and the operator are in the log; it is paged, filtered, and for Admins alone', async () => {
  const { api, email, user, tenant } = await inventoryAdmin(system)
  await system.inventory('POST /api/auth/login', { body: { email, password } })
  const change = { current_password: password, new_password: 'another one' }
  const { token } = (await api('PATCH /api/auth/password', { body: change })).body
  const admin = system.inventory.bearer(token)
  const operator = operatorOf(system)
  await operator('inventory', 'subscription', 'set', '--tenant', String(tenant.id), '--expires', '2040-01-31')
  const member = { name: 'Sam', email: `sam-${crypto.randomUUID()}@example.com`, password, role: 'Manager' }
  await admin('POST /api/users', { body: member })
  await operator('inventory', 'ban', '--email', member.email)
  await operator('inventory', 'unban', '--email', member.email)

  const all = [
    'user.unbanned', 'user.banned', 'user.created', 'subscription.updated', 'auth.password_changed', 'auth.logged_in',
    'tenant.created',
  ] // biome-ignore format: one list
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await admin(`GET /api/audit-logs?limit=2${cursor && `&cursor=${cursor}`}`)
    found.push(...body.audit_logs.map(({ action }: Entry) => action))
    assert.equal(body.total, all.length)
    if (body.next_cursor === null) break
    cursor = body.next_cursor
  }
  assert.deepEqual(found, all)
  const read = async (query: string) => (await admin(`GET /api/audit-logs?${query}`)).body
  assert.equal((await read(`user_id=${user.id}`)).total, 4)
  assert.equal((await read('action=user.banned')).audit_logs[0].user_id, null)
  const today = new Date(system.clock.now()).toISOString().slice(0, 10)
  assert.equal((await read(`from=${today}&to=${today}`)).total, all.length)
  assert.equal((await read('to=2020-01-01')).total, 0)
  for (const query of ['cursor=x', 'cursor=-1', 'limit=0', 'limit=201', 'from=soon', 'user_id=x'])
    assert.equal((await admin(`GET /api/audit-logs?${query}`)).status, 400, query)

  const manager = (await system.inventory('POST /api/auth/login', { body: member })).body.token
  assert.equal((await system.inventory.bearer(manager)('GET /api/audit-logs')).status, 403)
  assert.equal((await system.inventory('GET /api/audit-logs')).status, 401)
  const stranger = await inventoryAdmin(system)
  assert.equal((await stranger.api('GET /api/audit-logs')).body.total, 1, 'another company has its own log')
})
