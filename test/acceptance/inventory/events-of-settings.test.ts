import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const s = await shop(system)

type Event = { type: string; subject: string; data: Record<string, unknown> }

/** What one call made happen, as somebody reads it. */
const effects = async (act: () => Promise<unknown>, { api }: Pick<Shop, 'api'> = s) => {
  const before = (await api('GET /api/events?limit=500')).body.next
  await act()
  const { body } = await api(`GET /api/events?limit=500&after=${before}`)
  return body.events as Event[]
}
const change = (call: string, body: object) => effects(() => s.created(call, body, 200))
const listed = async (call: string, list: string, id: unknown) =>
  (await s.api(call)).body[list].find((one: { id: unknown }) => one.id === id)

/** Exactly one event, of this subject, with what a GET returns now. */
const assertOne = (events: Event[], type: string, subject: string, data: unknown) =>
  assert.deepEqual(
    events.map((event) => [event.type, event.subject, event.data]),
    [[type, subject, data]],
  )

test('a new tenant has no events, although it has a user and a warehouse', async () => {
  const { api } = await shop(system)
  assert.deepEqual((await api('GET /api/events')).body.events, [])
})

test('suppliers: created, updated, not changed, deleted as they were', async () => {
  const body = { name: 'Alder', email: 'alder@example.com', lead_time_days: 5 }
  let id = 0
  const created = await effects(async () => {
    id = (await s.created('POST /api/suppliers', body)).id
  })
  const get = async () => (await s.api(`GET /api/suppliers/${id}`)).body
  assertOne(created, 'supplier.created', `supplier/${id}`, await get())
  const product = await s.product()
  const order = {
    supplier_id: id,
    warehouse_id: s.main,
    items: [{ product_id: product, quantity: 2, unit_cost: '1.15' }],
  }
  const placed = await s.created('POST /api/suppliers/purchase-orders', order)
  await s.created(`PATCH /api/suppliers/purchase-orders/${placed.id}/status`, { status: 'ordered' }, 200)
  const updated = await change(`PUT /api/suppliers/${id}`, { ...body, name: 'Birch' })
  assertOne(updated, 'supplier.updated', `supplier/${id}`, await get())
  assert.equal(updated[0]!.data.total_spent, '2.30')
  assert.deepEqual(await change(`PUT /api/suppliers/${id}`, { ...body, name: 'Birch' }), [])
  assert.deepEqual(await change(`PATCH /api/suppliers/${id}`, { name: 'Birch' }), [])
  const changed = await change(`PATCH /api/suppliers/${id}`, { phone: '1' })
  assertOne(changed, 'supplier.updated', `supplier/${id}`, await get())

  const other = await s.created('POST /api/suppliers', { name: 'Cedar' })
  const before = (await s.api(`GET /api/suppliers/${other.id}`)).body
  const deleted = await effects(() => s.api(`DELETE /api/suppliers/${other.id}`))
  assertOne(deleted, 'supplier.deleted', `supplier/${other.id}`, before)
})

test('warehouses: created, updated, and both when another one becomes the default', async () => {
  let id = 0
  const created = await effects(async () => {
    id = await s.warehouse({ city: 'Leeds' })
  })
  const get = (one: number) => listed('GET /api/warehouses', 'warehouses', one)
  assertOne(created, 'warehouse.created', `warehouse/${id}`, await get(id))
  await s.adjust(await s.product(0, { cost_price: '2.00' }), 3, id)
  assertOne(
    await change(`PATCH /api/warehouses/${id}`, { city: 'York' }),
    'warehouse.updated',
    `warehouse/${id}`,
    await get(id),
  )
  assert.deepEqual(await change(`PATCH /api/warehouses/${id}`, { city: 'York' }), [])
  const taken = await change(`PATCH /api/warehouses/${id}`, { is_default: true })
  assert.deepEqual(
    taken.map(({ type, data }) => [type, data]),
    [
      ['warehouse.updated', await get(s.main)],
      ['warehouse.updated', await get(id)],
    ],
  )
  await s.created(`PATCH /api/warehouses/${s.main}`, { is_default: true }, 200)
})

test('categories: created, moved, and deleted as they were, before what was in them changes', async () => {
  const path = '/api/products/categories'
  const get = (id: number) => listed(`GET ${path}`, 'categories', id)
  const top = (await s.created(`POST ${path}`, { name: 'Kitchen' })).id
  let id = 0
  const created = await effects(async () => {
    id = (await s.created(`POST ${path}`, { name: 'Mugs', parent_id: top })).id
  })
  assertOne(created, 'category.created', `category/${id}`, await get(id))
  const product = await s.product(0, { category_id: top })
  assertOne(
    await change(`PUT ${path}/${top}`, { name: 'Kitchens' }),
    'category.updated',
    `category/${top}`,
    await get(top),
  )
  assert.deepEqual(await change(`PUT ${path}/${top}`, { name: 'Kitchens' }), [])
  const before = await get(top)
  assert.equal(before.product_count, 1)
  const deleted = await effects(() => s.api(`DELETE ${path}/${top}`))
  assertOne(deleted.slice(0, 1), 'category.deleted', `category/${top}`, before)
  assert.deepEqual(
    deleted
      .slice(1)
      .map(({ type, subject }) => `${type} ${subject}`)
      .sort(),
    [`category.updated category/${id}`, `product.updated product/${product}`],
  )
})

test('settings, and the company with its name', async () => {
  const { api, created, tenant } = await shop(system)
  const read = (call: string) => api(call).then(({ body }) => body)
  const within = (act: () => Promise<unknown>) => effects(act, { api })
  const policy = await within(() => created('PATCH /api/settings', { oversell_policy: 'reject' }, 200))
  assertOne(policy, 'settings.updated', `settings/${tenant.id}`, await read('GET /api/settings'))
  assert.deepEqual(await within(() => created('PATCH /api/settings', { oversell_policy: 'reject' }, 200)), [])
  const renamed = await within(() => created('PATCH /api/company', { name: 'Boats Ltd' }, 200))
  assertOne(renamed, 'company.updated', `company/${tenant.id}`, await read('GET /api/company'))
})

test('batches: created with the stock that came with them, completed by goods that arrive, corrected', async () => {
  const product_id = await s.product(0, { tracking_type: 'batch' })
  const get = async (id: unknown) => (await s.api(`GET /api/batches/${id}`)).body
  let id = 0
  const made = await effects(async () => {
    id = (await s.created('POST /api/batches', { product_id, batch_number: 'A-1', quantity: 4 })).id
  })
  const ofBatch = (events: Event[]) => events.filter(({ type }) => type.startsWith('batch.'))
  assertOne(ofBatch(made), 'batch.created', `batch/${id}`, await get(id))
  assert.equal(made.find(({ type }) => type === 'batch.created')!.data.quantity, 4)
  assertOne(
    await change(`PATCH /api/batches/${id}`, { notes: 'Dented' }),
    'batch.updated',
    `batch/${id}`,
    await get(id),
  )
  assert.deepEqual(await change(`PATCH /api/batches/${id}`, { notes: 'Dented' }), [])
  const empty = await effects(() => s.created('POST /api/batches', { product_id, batch_number: 'A-2' }))
  assert.deepEqual(
    empty.map(({ type, data }) => [type, data.quantity, data.stock]),
    [['batch.created', 0, []]],
  )
})

test('a serial number that is given another status', async () => {
  const product_id = await s.product(0, { tracking_type: 'serial' })
  const { id } = await s.created('POST /api/serials', { product_id, serial_number: 'SN-1' })
  const reserved = await change(`PATCH /api/serials/${id}`, { status: 'reserved' })
  assertOne(reserved, 'serial.updated', `serial/${id}`, (await s.api(`GET /api/serials/${id}`)).body)
  const sold = await change(`PATCH /api/serials/${id}`, { status: 'sold' })
  assert.deepEqual(sold.map(({ type }) => type).sort(), ['serial.updated', 'stock.changed', 'stock.out'])
})

test('users are for Admins, API keys for Admins and Managers, the rest for all', async () => {
  const manager = await s.colleague('Manager')
  const staff = await s.colleague('Staff')
  let user: { id: number } = { id: 0 }
  let key: { id: number } = { id: 0 }
  const act = async () => {
    user = await s.created('POST /api/users', {
      name: 'New',
      email: `new-${staff.id}@example.com`,
      password: 'correct horse',
      role: 'Staff',
    })
    await s.created(`PATCH /api/users/${user.id}`, { role: 'Manager' }, 200)
    await s.created(`PATCH /api/users/${user.id}`, { role: 'Manager' }, 200)
    key = await s.created('POST /api/api-keys', { name: 'Web shop', permissions: ['read', 'write'] })
    await s.api(`DELETE /api/api-keys/${key.id}`)
    await s.api(`DELETE /api/api-keys/${key.id}`)
    await s.created('POST /api/suppliers', { name: 'Dill' })
  }
  const [after, seen] = [(await staff.api('GET /api/events?limit=500')).body.next, await effects(act)]
  const told = async ({ api }: Pick<Shop, 'api'>) =>
    ((await api(`GET /api/events?limit=500&after=${after}`)).body.events as Event[]).map(({ type }) => type)
  const keys = ['api_key.created', 'api_key.revoked', 'supplier.created']
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['user.created', 'user.updated', ...keys],
  )
  assert.deepEqual(await told(manager), keys)
  assert.deepEqual(await told(staff), ['supplier.created'])
  assert.deepEqual(seen[1]!.data, await listed('GET /api/users', 'users', user.id))
  assert.deepEqual(seen[3]!.data, await listed('GET /api/api-keys', 'api_keys', key.id))
  assert.equal(seen[2]!.data.status, 'active')
  assert.equal(seen[2]!.data.key, undefined, 'the secret is in no event')

  await s.created(`PATCH /api/users/${staff.id}`, { role: 'Admin' }, 200)
  assert.deepEqual(
    (await told(staff)).slice(0, 5),
    seen.map(({ type }) => type),
    'rights are those of the moment',
  )
})
