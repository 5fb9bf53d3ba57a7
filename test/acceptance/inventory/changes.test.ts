import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)
const stranger = await shop(system)

const person = { name: 'Ada', email: 'ada@example.com', phone: '1', company: 'AE', customer_type: 'b2b' }
const firm = {
  name: 'Alder',
  email: 'alder@example.com',
  phone: '2',
  payment_terms: 'Net 30',
  lead_time_days: 7,
}
const place = {
  type: 'shipping',
  line1: '1 Main St',
  city: 'Ghent',
  state: 'EF',
  postcode: '9000',
  country: 'BE',
}

let count = 0
const mail = () => `someone-${++count}@example.com`
const customer = async () => (await s.created('POST /api/customers', { ...person, email: mail() })).id
const supplier = async () => (await s.created('POST /api/suppliers', firm)).id

/** Each with a new one of its kind, how to read it again, and what would be refused. */
const kinds = [
  {
    what: 'a customer',
    create: async () => `/api/customers/${await customer()}`,
    read: async (path: string) => (await s.api(`GET ${path}`)).body,
    fields: {
      name: 'Bob', email: 'bob@example.com', phone: '3', company: 'BE', customer_type: 'wholesale',
    }, // biome-ignore format: one line
    resets: { email: null, phone: null, company: null },
    refused: [
      { name: '' },
      { name: null },
      { name: 5 },
      { email: 'no' },
      { customer_type: 'vip' },
      { phone: 'x'.repeat(51) },
    ],
  },
  {
    what: 'a supplier',
    create: async () => `/api/suppliers/${await supplier()}`,
    read: async (path: string) => {
      const { total_orders: _, total_spent: __, ...rest } = (await s.api(`GET ${path}`)).body
      return rest
    },
    fields: {
      name: 'Birch',
      email: 'birch@example.com',
      phone: '4',
      payment_terms: 'Net 10',
      lead_time_days: 0,
    },
    resets: { email: null, phone: null, payment_terms: null, lead_time_days: null },
    refused: [
      { name: ' ' },
      { name: null },
      { email: 5 },
      { lead_time_days: -1 },
      { lead_time_days: 3651 },
      { lead_time_days: '7' },
    ],
  },
  {
    what: 'an address',
    create: async () => {
      const owner = `/api/customers/${await customer()}`
      return `${owner}/addresses/${(await s.created(`POST ${owner}/addresses`, place)).id}`
    },
    read: async (path: string) => {
      const [owner, id] = path.split('/addresses/')
      const { addresses } = (await s.api(`GET ${owner}`)).body
      return addresses.find((address: { id: number }) => address.id === Number(id))
    },
    fields: {
      type: 'billing', line1: '2 Side St', city: 'Lyon', state: 'RA', postcode: '69000', country: 'FR', is_default: true,
    }, // biome-ignore format: one line
    resets: { state: null, postcode: null },
    refused: [
      { type: 'home' },
      { line1: '' },
      { city: null },
      { country: 'x'.repeat(101) },
      { is_default: null },
    ],
  },
]

for (const { what, create, read, fields, resets, refused } of kinds) {
  test(`each field of ${what} is changed alone, and reset by null where it may be missing`, async () => {
    const path = await create()
    let known = await read(path)
    for (const [field, value] of Object.entries({ ...fields, ...resets })) {
      const changed = await s.api(`PATCH ${path}`, { body: { [field]: value } })
      assert.equal(changed.status, 200, `${field}: ${changed.text}`)
      known = { ...known, [field]: value }
      assert.deepEqual(changed.body, known, field)
      assert.deepEqual(await read(path), known, field)
    }
    const unchanged = await s.api(`PATCH ${path}`, { body: {} })
    assert.deepEqual([unchanged.status, unchanged.body], [200, known])
  })

  test(`a change of ${what} that is not valid, or by somebody else, changes nothing`, async () => {
    const path = await create()
    const before = await read(path)
    for (const body of [...refused, [], 'x', null]) {
      const answer = await s.api(`PATCH ${path}`, { body: body as object })
      assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`)
    }
    const body = fields
    assert.equal((await stranger.api(`PATCH ${path}`, { body })).status, 404)
    assert.equal((await system.inventory(`PATCH ${path}`, { body })).status, 401)
    assert.deepEqual(await read(path), before)
    const nowhere = path.replace(/\d+$/, '2147483647')
    assert.equal((await s.api(`PATCH ${nowhere}`, { body })).status, 404)
  })

  test(`changes of different fields of ${what} at the same moment are all kept`, async () => {
    const path = await create()
    const before = await read(path)
    const wanted = Object.entries(fields).filter(([field]) => field !== 'email')
    const answers = await Promise.all(
      wanted.map(([field, value]) => s.api(`PATCH ${path}`, { body: { [field]: value } })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    assert.deepEqual(await read(path), { ...before, ...Object.fromEntries(wanted) })
  })
}

test('Staff may change customers, but not suppliers', async () => {
  const staff = await s.colleague('Staff')
  const body = { phone: '5' }
  assert.equal((await staff.api(`PATCH /api/customers/${await customer()}`, { body })).status, 200)
  const id = await supplier()
  assert.equal((await staff.api(`PATCH /api/suppliers/${id}`, { body })).status, 403)
  assert.equal((await s.api(`GET /api/suppliers/${id}`)).body.phone, firm.phone)
})

test('a change to the email of another customer is refused', async () => {
  const [first, second] = [await customer(), await customer()]
  const { email } = (await s.api(`GET /api/customers/${first}`)).body
  const body = { email: email.toUpperCase() }
  assert.equal((await s.api(`PATCH /api/customers/${second}`, { body })).status, 409)
  assert.equal((await s.api(`PATCH /api/customers/${first}`, { body })).status, 200)
})

test('an address that becomes the default of a type takes the place of the one before', async () => {
  const owner = `/api/customers/${await customer()}`
  const add = async (more: object) => (await s.created(`POST ${owner}/addresses`, { ...place, ...more })).id
  const shipping = await add({ is_default: true })
  const billing = await add({ type: 'billing', is_default: true })
  const third = await add({})
  const defaults = async () =>
    (await s.api(`GET ${owner}`)).body.addresses
      .filter((address: { is_default: boolean }) => address.is_default)
      .map(({ id, type }: { id: number; type: string }) => `${type} ${id}`)
      .sort()
  const change = (id: number, body: object) => s.created(`PATCH ${owner}/addresses/${id}`, body, 200)
  await change(third, { is_default: true })
  assert.deepEqual(await defaults(), [`billing ${billing}`, `shipping ${third}`])
  await change(third, { type: 'billing' })
  assert.deepEqual(await defaults(), [`billing ${third}`])
  await change(third, { line1: 'Elsewhere' })
  assert.deepEqual(await defaults(), [`billing ${third}`])
  await change(shipping, { is_default: true })
  await change(third, { is_default: false })
  assert.deepEqual(await defaults(), [`shipping ${shipping}`])
})
