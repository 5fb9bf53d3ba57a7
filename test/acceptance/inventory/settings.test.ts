import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)
const { api } = s

test('a company tells its name and until when it is paid for, and an Admin renames it', async () => {
  const staff = await s.colleague('Staff')
  const { body } = await staff.api('GET /api/company')
  assert.deepEqual(Object.keys(body).sort(), ['created_at', 'id', 'name', 'subscription_expires_at'])
  assert.deepEqual([body.id, body.name], [s.tenant.id, s.tenant.name])
  assert.equal(Date.parse(body.subscription_expires_at) - Date.parse(body.created_at), 30 * 86_400_000)
  const renamed = await api('PATCH /api/company', { body: { name: 'Larkspur & Daughters' } })
  assert.deepEqual([renamed.status, renamed.body], [200, { ...body, name: 'Larkspur & Daughters' }])
  assert.equal((await api('GET /api/auth/me')).body.tenant.name, 'Larkspur & Daughters')
  assert.equal((await api('PATCH /api/company', { body: { name: ' ' } })).body.details[0].field, 'name')
})

test('people change their own name, whatever their role', async () => {
  const staff = await s.colleague('Staff')
  const { body } = await staff.api('PATCH /api/auth/me', { body: { name: 'Renamed' } })
  assert.deepEqual([body.user.id, body.user.name, body.user.role], [staff.id, 'Renamed', 'Staff'])
  const { users } = (await api('GET /api/users')).body
  assert.equal(users.find(({ id }: { id: number }) => id === staff.id).name, 'Renamed')
  assert.equal((await staff.api('PATCH /api/auth/me', { body: { name: '' } })).status, 400)
})

test('a warehouse is changed field by field, and one of them is always the default', async () => {
  const own = await shop(system)
  await own.product(3, { cost_price: '2.00' })
  const other = await own.warehouse({ name: 'Shed', code: 'SHED', city: 'Leeds' })
  const change = (id: number, body: object) => own.api(`PATCH /api/warehouses/${id}`, { body })
  const renamed = await change(own.main, { name: 'Depot', address: '14 Canal Street' })
  assert.equal(renamed.status, 200)
  assert.deepEqual(
    [renamed.body.name, renamed.body.code, renamed.body.address, renamed.body.total_skus],
    ['Depot', 'MAIN', '14 Canal Street', 1],
  )
  assert.equal(renamed.body.total_value, '6.00')
  assert.equal((await change(other, { city: null })).body.city, null)
  assert.equal((await change(other, { code: 'MAIN' })).status, 409)
  const ended = await change(own.main, { is_default: false })
  assert.deepEqual([ended.status, ended.body.details[0].field], [400, 'is_default'])
  assert.equal((await change(other, { is_default: true })).body.is_default, true)
  const { warehouses } = (await own.api('GET /api/warehouses')).body
  assert.deepEqual(
    warehouses.map((w: { name: string; is_default: boolean }) => [w.name, w.is_default]),
    [
      ['Depot', false],
      ['Shed', true],
    ],
  )
})

test('keys tell how many requests they made, and the log lists only failures if asked', async () => {
  const { id, key } = await s.created('POST /api/api-keys', { name: 'Shop' })
  const other = await s.created('POST /api/api-keys', { name: 'Other' })
  const asShop = system.inventory.with({ 'x-api-key': key })
  await asShop('GET /api/external/products')
  await asShop('GET /api/external/products/nothing')
  await asShop('POST /api/external/orders', { body: {} })
  await system.inventory.with({ 'x-api-key': other.key })('GET /api/external/products/nothing')
  const { api_keys } = (await api('GET /api/api-keys')).body
  assert.deepEqual(
    api_keys.map((one: { name: string; requests: number }) => [one.name, one.requests]),
    [
      ['Shop', 3],
      ['Other', 1],
    ],
  )
  const logs = async (query: string) => {
    const { body } = await api(`GET /api/api-keys/logs/all?${query}`)
    return [body.total, body.logs.map((one: { status_code: number }) => one.status_code)]
  }
  assert.deepEqual(await logs('failed=true'), [3, [404, 403, 404]])
  assert.deepEqual(await logs(`failed=true&api_key_id=${id}`), [2, [403, 404]])
  assert.deepEqual(await logs(`failed=true&api_key_id=${id}&limit=1&page=2`), [2, [404]])
  assert.deepEqual(await logs(`failed=false&api_key_id=${id}`), [3, [403, 404, 200]])
})

test('a key tells why it does not work', async () => {
  const own = await shop(system)
  const manager = await own.colleague('Manager')
  const make = (name: string, more: object = {}) => own.created('POST /api/api-keys', { name, ...more })
  await make('Good', { expires_at: '2999-12-31' })
  await make('Late', { expires_at: '2020-01-31' })
  await own.api(`DELETE /api/api-keys/${(await make('Revoked')).id}`)
  await manager.api('POST /api/api-keys', { body: { name: 'Theirs' } })
  await own.api(`PATCH /api/users/${manager.id}`, { body: { is_banned: true } })
  const { api_keys } = (await own.api('GET /api/api-keys')).body
  assert.deepEqual(
    api_keys.map((key: { status: string; is_active: boolean }) => [key.status, key.is_active]),
    [
      ['active', true],
      ['expired', false],
      ['revoked', false],
      ['banned', false],
    ],
  )
})

test('a finding names the product, warehouse or order that it is about', async () => {
  const own = await shop(system)
  const product = await own.product(5)
  const { id } = (await own.order([[product, 2]])).body
  await system.sql`update inventory.products set total_stock = 4 where id = ${product}`
  await system.sql`update inventory.stock set reserved_quantity = 1 where product_id = ${product}`
  await system.sql`update inventory.orders set total_amount = 1 where tenant_id = ${own.tenant.id}`
  const { ok, findings } = (await own.api('GET /api/inventory/verify')).body
  assert.equal(ok, false)
  const ids = (words: RegExp) => {
    const { invariant, subject, detail, ...rest } = findings.find((one: { invariant: string }) =>
      words.test(one.invariant),
    )
    assert.ok(invariant && subject && detail)
    return rest
  }
  assert.deepEqual(ids(/what is reserved/), { product_id: product, warehouse_id: own.main })
  assert.deepEqual(ids(/total stock of a product/), { product_id: product })
  assert.deepEqual(ids(/total of an order/), { order_id: id })
})
