import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'
import { addMember } from '#test/support/storage.ts'

const one = await boot()
const other = await boot({ database: { url: one.databaseUrl } })

/** The next request here, and within a second those of other nodes, are answered with this status. */
const answersWith = async (
  status: number,
  request: (api: Client) => Promise<{ status: number }>,
  nodes: Client[],
) => {
  const [here, there] = nodes as [Client, Client]
  assert.equal((await request(here)).status, status)
  await until(`${status} on the other node`, async () => (await request(there)).status === status, {
    withinMs: 1_000,
  })
}

test('storage: a key has the present role of whoever created it', async () => {
  const owner = await storageOwner(one)
  const admin = await addMember(one, owner.api, 'admin')
  const { key } = (await admin.api('POST /auth/api-keys', { body: {} })).body
  const child = (await one.storage.with({ 'x-api-key': key })('POST /auth/api-keys', { body: {} })).body.key
  const setRole = (role: string) => owner.api(`PATCH /members/${admin.id}`, { body: { role } })
  for (const held of [key, child]) {
    const nodes = [one, other].map(({ storage }) => storage.with({ 'x-api-key': held }))
    const readsAudit = (api: Client) => api('GET /audit-logs?limit=1')
    await answersWith(200, readsAudit, nodes)
    await setRole('member')
    await answersWith(403, readsAudit, nodes)
    assert.equal((await nodes[0]!('POST /buckets', { body: { name: 'not-mine' } })).status, 403)
    await setRole('admin')
    await answersWith(200, readsAudit, nodes)
  }
  await owner.api(`DELETE /members/${admin.id}`)
  for (const held of [key, child])
    await answersWith(
      401,
      (api) => api('GET /buckets'),
      [one, other].map(({ storage }) => storage.with({ 'x-api-key': held })),
    )
})

test('inventory: a key that writes changes stock only while its creator may', async () => {
  const { api } = await inventoryAdmin(one)
  const email = `manager-${crypto.randomUUID()}@example.com`
  const member = { name: 'Mo', email, password, role: 'Manager' }
  const { id } = (await api('POST /api/users', { body: member })).body
  const { token } = (await one.inventory('POST /api/auth/login', { body: { email, password } })).body
  const manager = one.inventory.bearer(token)
  const { key } = (
    await manager('POST /api/api-keys', { body: { name: 'Till', permissions: ['read', 'write'] } })
  ).body
  const product = (await api('POST /api/products', { body: { name: 'Mug', sku: 'MUG', base_price: '1.00' } }))
    .body.id
  const warehouse_id = (await api('GET /api/warehouses')).body.warehouses[0].id
  const nodes = [one, other].map(({ inventory }) => inventory.with({ 'x-api-key': key }))
  const sync = (quantity: number) => (node: Client) =>
    node('POST /api/external/inventory/sync', { body: [{ sku: 'MUG', warehouse_id, quantity }] })
  const setRole = (role: string) => api(`PATCH /api/users/${id}`, { body: { role } })
  const onHand = async () => (await api(`GET /api/products/${product}`)).body.total_stock

  await answersWith(200, sync(5), nodes)
  await setRole('Staff')
  await answersWith(403, sync(7), nodes)
  assert.match((await sync(7)(nodes[0]!)).body.error, /creator of this API key is Staff/)
  assert.equal(await onHand(), 5)
  // What Staff may do themselves, their keys still do.
  const order = { items: [{ product_id: product, quantity: 1, unit_price: '1.00' }] }
  assert.equal((await manager('POST /api/orders', { body: order })).status, 201)
  assert.equal((await nodes[0]!('POST /api/external/orders', { body: order })).status, 201)
  assert.equal((await nodes[0]!('GET /api/external/products')).status, 200)
  await setRole('Admin')
  await answersWith(200, sync(6), nodes)
})

test('publishing: a key posts only while its account may', async () => {
  const { api, handle } = await publisher(one)
  const { key } = (await api('POST /api/developer/keys', { body: { name: 'Bot' } })).body.data
  const nodes = [one, other].map(({ publishing }) => publishing.with({ 'x-api-key': key }))
  const operator = operatorOf(one)
  const posts = (node: Client) => node('POST /api/posts', { body: { content: crypto.randomUUID() } })
  await answersWith(201, posts, nodes)
  assert.equal((await operator('publishing', 'suspend', '--handle', handle)).code, 0)
  await until('the operator is heard', async () => (await posts(nodes[0]!)).status === 403, {
    withinMs: 1_000,
  })
  await answersWith(403, posts, nodes)
  assert.equal((await operator('publishing', 'unsuspend', '--handle', handle)).code, 0)
  await until('the operator is heard', async () => (await posts(nodes[0]!)).status === 201, {
    withinMs: 1_000,
  })
  await answersWith(201, posts, nodes)
})
