import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const [owner, writer, admin] = await Promise.all([
  storageOwner(system),
  publisher(system),
  inventoryAdmin(system),
])

type Answer = Awaited<ReturnType<typeof owner.api>>

/** The field that a refusal names, in the words of its service. */
const fieldIn = ({ body }: Answer) => (body.details ?? body.errors)?.[0]?.field

const conflicts = (api: typeof owner.api, call: string, body: object, field: string) => async () => {
  const answer = await api(call, { body })
  assert.equal(answer.status, 409, answer.text)
  assert.equal(fieldIn(answer), field, answer.text)
}

test('storage: a value that is taken is refused at its field', async (t) => {
  const { email } = owner
  const person = { fullName: 'Second One', password }
  const organization = { ...person, organizationName: 'Second', organizationSlug: 'second-one' }
  const { slug } = owner.organization
  await owner.api('POST /buckets', { body: { name: 'taken' } })
  for (const [api, call, body, field] of [
    [system.storage, 'POST /auth/register', { ...organization, email }, 'email'],
    [
      system.storage,
      'POST /auth/register',
      { ...organization, email: 'second@example.com', organizationSlug: slug },
      'organizationSlug',
    ],
    [owner.api, 'POST /members', { ...person, email }, 'email'],
    [owner.api, 'POST /buckets', { name: 'taken' }, 'name'],
  ] as const)
    await t.test(`${call}: ${field}`, conflicts(api, call, body, field))
})

test('publishing: a value that is taken is refused at its field', async (t) => {
  const { email, handle } = writer
  const account = { email: 'second@example.com', handle: 'second_one', username: 'Second', password }
  const register = 'POST /api/auth/register'
  await t.test('handle', conflicts(system.publishing, register, { ...account, handle }, 'handle'))
  await t.test('email', conflicts(system.publishing, register, { ...account, email }, 'email'))
})

test('inventory: a value that is taken is refused at its field', async (t) => {
  const { api, email } = admin
  const created = async (call: string, body: object) => {
    const { status, body: result, text } = await api(call, { body })
    assert.equal(status, 201, text)
    return result.id as number
  }
  const product = (sku: string, more: object = {}) =>
    created('POST /api/products', { name: sku, sku, base_price: 1, ...more })
  await product('TAKEN')
  const other = await product('OTHER')
  const tracked = await product('BATCHED', { tracking_type: 'batch' })
  const units = await product('SERIALS', { tracking_type: 'serial' })
  await created('POST /api/batches', { product_id: tracked, batch_number: 'B-1', quantity: 1 })
  const batch = await created('POST /api/batches', { product_id: tracked, batch_number: 'B-2', quantity: 1 })
  await created('POST /api/serials', { product_id: units, serial_number: 'S-1' })
  await created('POST /api/products/categories', { name: 'Mugs' })
  await created('POST /api/customers', { name: 'One', email: 'one@example.com' })
  const customer = await created('POST /api/customers', { name: 'Two', email: 'two@example.com' })
  const warehouse = await created('POST /api/warehouses', { name: 'North', code: 'NORTH' })
  const register = { company_name: 'Second', name: 'Second', email, password }
  for (const [call, body, field] of [
    ['POST /api/auth/register', register, 'email'],
    ['POST /api/users', { name: 'Second', email, password, role: 'Staff' }, 'email'],
    ['POST /api/products', { name: 'Again', sku: 'TAKEN', base_price: 1 }, 'sku'],
    [`PUT /api/products/${other}`, { name: 'Again', sku: 'TAKEN', base_price: 1 }, 'sku'],
    [`PATCH /api/products/${other}`, { sku: 'TAKEN' }, 'sku'],
    ['POST /api/batches', { product_id: tracked, batch_number: 'B-1', quantity: 1 }, 'batch_number'],
    [`PATCH /api/batches/${batch}`, { batch_number: 'B-1' }, 'batch_number'],
    ['POST /api/serials', { product_id: units, serial_number: 'S-1' }, 'serial_number'],
    ['POST /api/products/categories', { name: 'Mugs' }, 'name'],
    ['POST /api/customers', { name: 'Three', email: 'one@example.com' }, 'email'],
    [`PUT /api/customers/${customer}`, { name: 'Two', email: 'one@example.com' }, 'email'],
    ['POST /api/warehouses', { name: 'Main', code: 'MAIN' }, 'code'],
    [`PATCH /api/warehouses/${warehouse}`, { code: 'MAIN' }, 'code'],
  ] as const)
    await t.test(`${call}: ${field}`, conflicts(api, call, body, field))
})
