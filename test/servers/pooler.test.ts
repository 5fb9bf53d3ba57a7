import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { type Address, urlOf } from '#test/support/cluster.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, storageOwner } from '#test/support/factories.ts'
import { startPgbouncer } from '#test/support/pgbouncer.ts'
import { openSql } from '#test/support/sql.ts'

const server = JSON.parse(process.env.TRIVET_TEST_DATABASE ?? '{}') as Address
const name = `pooled_${process.pid}`
const admin = await openSql({ ...server, database: 'postgres' })
await admin.unsafe(`create database ${name}`)
const pooler = await startPgbouncer(server)
after(async () => {
  await pooler.stop()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

const url = urlOf({ ...pooler.address, database: name })
const nodes = await Promise.all([boot({ database: { url } }), boot({ database: { url } })])
const [one, other] = nodes

test('two nodes migrate an empty database through a pooler in transaction mode and serve', async () => {
  for (const node of nodes) {
    assert.equal(node.platform.db.pooled, true)
    assert.equal((await node.storage('GET /readyz')).status, 200)
  }
})

test('through a pooler, a revoked key is refused at once by this node and within a second by another', async () => {
  const { api } = await storageOwner(one)
  for (let round = 0; round < 3; round++) {
    const { body: key } = await api('POST /auth/api-keys', { body: {} })
    const [here, there] = nodes.map((node) => node.storage.with({ 'x-api-key': key.key }))
    assert.equal((await here!('GET /buckets')).status, 200)
    assert.equal((await there!('GET /buckets')).status, 200)
    await api(`DELETE /auth/api-keys/${key.id}`)
    assert.equal((await here!('GET /buckets')).status, 401)
    await until('the other node refuses the key', async () => (await there!('GET /buckets')).status === 401, {
      withinMs: 1_000,
    })
  }
})

test('through a pooler, a revocation that waited long for a lock reaches another node within a second of its commit', async () => {
  const { api } = await storageOwner(one)
  const { body: key } = await api('POST /auth/api-keys', { body: {} })
  const there = other.storage.with({ 'x-api-key': key.key })
  assert.equal((await there('GET /buckets')).status, 200)
  const inTheWay = await openSql({ ...server, database: name })
  await inTheWay`begin`
  await inTheWay`select from storage.api_keys where id = ${key.id} for update`
  const revoking = api(`DELETE /auth/api-keys/${key.id}`)
  // Longer than any transaction ahead of it: its signal gets an older id than those the other node has read meanwhile.
  await sleep(11_000)
  await inTheWay`rollback`
  await inTheWay.end()
  assert.equal((await revoking).status, 200)
  await until('the other node refuses the key', async () => (await there('GET /buckets')).status === 401, {
    withinMs: 1_000,
  })
})

test('through a pooler, parallel requests with one Idempotency-Key on two nodes take effect once', async () => {
  const { api, token } = await inventoryAdmin(one)
  const there = other.inventory.bearer(token)
  const repeat = { body: { name: 'Depot', code: 'D' }, headers: { 'idempotency-key': 'k' } }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? api : there)('POST /api/warehouses', repeat)),
  )
  assert.equal(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size, 1)
  assert.equal((await there('GET /api/warehouses')).body.warehouses.length, 2)
})

test('many concurrent requests share the few connections of a pooler', async () => {
  const { api } = await storageOwner(one)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => api('POST /buckets', { body: { name: `bucket-${n}` } })),
  )
  assert.ok(answers.every(({ status }) => status === 201))
  assert.equal((await api('GET /buckets')).body.length, 100)
})
