import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteExpiredAnswers } from '#platform/http/contract/idempotency.ts'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const day = 24 * 3_600_000
const keyed = (key: string, body: object) => ({ body, headers: { 'idempotency-key': key } })

test('repeating a request with the same Idempotency-Key returns the stored response and changes nothing', async () => {
  const { api } = await storageOwner(system)
  const first = await api('POST /buckets', keyed('k1', { name: 'once', visibility: 'public' }))
  const again = await api('POST /buckets', keyed('k1', { visibility: 'public', name: 'once' }))
  assert.equal(first.status, 201)
  assert.equal(again.status, 201)
  assert.equal(again.text, first.text)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal((await api('GET /buckets')).body.length, 1)
})

test('the same Idempotency-Key with another body gets 409', async () => {
  const { api } = await storageOwner(system)
  await api('POST /buckets', keyed('k2', { name: 'first' }))
  const other = await api('POST /buckets', keyed('k2', { name: 'second' }))
  assert.equal(other.status, 409)
  assert.equal((await api('GET /buckets')).body.length, 1)
})

test('parallel requests with one Idempotency-Key take effect once; the others get the stored response or 409', async () => {
  const { api } = await inventoryAdmin(system)
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      api('POST /api/warehouses', keyed('same', { name: 'Depot', code: 'D1' })),
    ),
  )
  const created = answers.filter(({ status }) => status === 201)
  assert.ok(created.length >= 1)
  assert.equal(new Set(created.map(({ body }) => body.id)).size, 1)
  assert.ok(
    answers.every(
      ({ status, body }) => status === 201 || (status === 409 && /still running/.test(body.error)),
    ),
  )
  assert.equal((await api('GET /api/warehouses')).body.warehouses.length, 2)
})

test('parallel requests with one Idempotency-Key on two nodes take effect once', async (t) => {
  const other = await boot({ t, database: { url: system.databaseUrl } })
  const { api, token } = await inventoryAdmin(system)
  const there = other.inventory.bearer(token)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? api : there)('POST /api/warehouses', keyed('both', { name: 'Depot', code: 'D2' })),
    ),
  )
  assert.equal(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size, 1)
  assert.equal((await api('GET /api/warehouses')).body.warehouses.length, 2)
})

test('a refused request does not use up its Idempotency-Key', async () => {
  const { api } = await storageOwner(system)
  assert.equal((await api('POST /buckets', keyed('k3', { name: 'X' }))).status, 400)
  assert.equal((await api('POST /buckets', keyed('k3', { name: 'valid' }))).status, 201)
  assert.equal((await api('POST /buckets', keyed('k4', { name: 'valid' }))).status, 409)
  assert.equal((await api('POST /buckets', keyed('k4', { name: 'other' }))).status, 201)
})

test('two tenants may use the same Idempotency-Key', async () => {
  const [one, other] = [await storageOwner(system), await storageOwner(system)]
  const first = await one.api('POST /buckets', keyed('shared', { name: 'mine' }))
  const second = await other.api('POST /buckets', keyed('shared', { name: 'mine' }))
  assert.equal(second.status, 201)
  assert.notEqual(first.body.id, second.body.id)
})

test('an Idempotency-Key that is used again with the same body on another URL is refused', async () => {
  const storage = await storageOwner(system)
  assert.equal((await storage.api('POST /buckets', keyed('r', { name: 'first' }))).status, 201)
  const reused = await storage.api('POST /members', {
    ...keyed('r', { name: 'first', fullName: 'A B', email: 'r@example.com', password: 'correct horse' }),
  })
  assert.equal(reused.status, 409)

  const inventory = await inventoryAdmin(system)
  const category = { name: 'Same' }
  assert.equal((await inventory.api('POST /api/products/categories', keyed('r', category))).status, 201)
  const supplier = await inventory.api('POST /api/suppliers', keyed('r', category))
  assert.equal(supplier.status, 409)
  assert.match(supplier.body.error, /used with a different request/)

  const writer = await publisher(system)
  const ids = []
  for (const content of ['one', 'two'])
    ids.push(
      (await publisher(system).then(({ api }) => api('POST /api/posts', { body: { content } }))).body.data
        .post.id,
    )
  const headers = { 'idempotency-key': 'r' }
  assert.equal((await writer.api(`POST /api/posts/${ids[0]}/repost`, { headers })).status, 201)
  assert.equal((await writer.api(`POST /api/posts/${ids[1]}/repost`, { headers })).status, 422)
})

test('two users of a tenant, and a user and an API key, may use the same Idempotency-Key', async () => {
  const { api } = await inventoryAdmin(system)
  const email = 'second-admin@example.com'
  const second = { name: 'Second', email, password: 'correct horse', role: 'Admin' }
  assert.equal((await api('POST /api/users', { body: second })).status, 201)
  const { body } = await system.inventory('POST /api/auth/login', { body: second })
  const colleague = system.inventory.bearer(body.token)
  assert.equal((await api('POST /api/suppliers', keyed('k', { name: 'One' }))).status, 201)
  assert.equal((await colleague('POST /api/suppliers', keyed('k', { name: 'Two' }))).status, 201)

  const writer = await publisher(system)
  const { key } = (await writer.api('POST /api/developer/keys', { body: { name: 'script' } })).body.data
  const script = system.publishing.with({ 'x-api-key': key })
  assert.equal((await writer.api('POST /api/posts', keyed('k', { content: 'by hand' }))).status, 201)
  assert.equal((await script('POST /api/posts', keyed('k', { content: 'by script' }))).status, 201)
})

test('a body of the maximum depth works with an Idempotency-Key, also when it is repeated', async () => {
  const { api } = await storageOwner(system)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const send = (key: string) =>
    api('POST /buckets', {
      raw: `{"name":"${key}","deep":${deep}}`,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })
  const first = await send('deep')
  assert.ok([201, 400].includes(first.status), first.text)
  assert.equal((await send('deep')).status, first.status)
})

test('an Idempotency-Key expires after 24 hours', async (t) => {
  const own = await boot({ t })
  const { api, email } = await inventoryAdmin(own)
  await api('POST /api/warehouses', keyed('k', { name: 'One', code: 'A' }))
  own.clock.advance(day + 1000)
  const { body } = await own.inventory('POST /api/auth/login', { body: { email, password: 'correct horse' } })
  const later = await own.inventory.bearer(body.token)(
    'POST /api/warehouses',
    keyed('k', { name: 'Two', code: 'B' }),
  )
  assert.equal(later.status, 201)
  assert.equal(later.body.code, 'B')
})

test('all responses that have expired are deleted, and no others, however many they are', async () => {
  const now = new Date('2040-01-02T00:00:00.000Z')
  const save = (service: string, count: number, createdAt: Date) => system.sql`
    insert into platform.answers (service, scope, key, fingerprint, status, body, created_at)
    select ${service}, '', n::text, '', 200, '', ${createdAt}::timestamptz from generate_series(1, ${count}::int) n`
  await save('expired', 20_001, new Date(now.getTime() - day - 1))
  await save('kept', 3, new Date(now.getTime() - day))
  await deleteExpiredAnswers(system.sql, now)
  const left = await system.sql`select service, count(*)::int as count from platform.answers group by service`
  assert.deepEqual([...left], [{ service: 'kept', count: 3 }])
  await system.sql`delete from platform.answers`
})

test('an Idempotency-Key must have 1 to 255 printable characters', async () => {
  const { api } = await storageOwner(system)
  for (const bad of ['', 'a b', 'x'.repeat(256)])
    assert.equal((await api('POST /buckets', keyed(bad, { name: 'abc' }))).status, 400, JSON.stringify(bad))
  assert.equal((await api('POST /buckets', keyed('x'.repeat(255), { name: 'abc' }))).status, 201)
})

test('an Idempotency-Key is ignored where the response shows a secret once', async () => {
  const { api } = await storageOwner(system)
  const first = await api('POST /auth/api-keys', keyed('secret', { label: 'a' }))
  const second = await api('POST /auth/api-keys', keyed('secret', { label: 'a' }))
  assert.notEqual(first.body.id, second.body.id)
  const [row] = await system.sql`select count(*)::int as n from platform.answers where key = 'secret'`
  assert.equal(row?.n, 0)
})
