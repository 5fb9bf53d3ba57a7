import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '#platform/http/service.ts'
import { uuidv7 } from '#platform/ids.ts'
import { storage as storageService } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

const system = await boot()
type Owner = Awaited<ReturnType<typeof storageOwner>>

/** Audit rows such as uploads and downloads would write. */
const record = ({ organization }: Owner, action: string, objectKey: string) => system.sql`
  insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, ip_address, payload, created_at)
  values (${uuidv7()}, ${organization.id}, ${action}, 'object', ${uuidv7()}, '192.0.2.1',
    ${system.sql.json({ objectKey, sizeBytes: 7 })}, ${system.clock.now()})`
const keysOf = (answer: { body: { rows: { payload: { objectKey?: string } }[] } }) =>
  answer.body.rows.map(({ payload }) => payload.objectKey)

const owner = await storageOwner(system)
const keys = [
  'a/one.jpg',
  'a/two.jpg',
  'b/100%.txt',
  'b/100x.txt',
  'b/a_b',
  'b/axb',
  'B/UPPER',
  'back\\slash',
  'ключ/файл',
]
for (const key of keys) await record(owner, 'object.uploaded', key)
await record(owner, 'object.downloaded', 'a/one.jpg')

test('audit rows name action, resource, actor, address and time, newest first', async () => {
  const { status, body } = await owner.api('GET /audit-logs?limit=1')
  assert.equal(status, 200)
  assert.equal(body.total, keys.length + 2, 'registration is the first')
  const [{ id, resource_id, created_at, ...row }] = body.rows
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.match(resource_id, /^[0-9a-f-]{36}$/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(row, {
    action: 'object.downloaded',
    resource_type: 'object',
    actor_user_id: null,
    ip_address: '192.0.2.1',
    payload: { objectKey: 'a/one.jpg', sizeBytes: 7 },
  })
  const all = await owner.api('GET /audit-logs')
  assert.deepEqual(keysOf(all), ['a/one.jpg', ...keys.toReversed(), undefined])
})

test('audit pages follow one another, and the total counts all of them', async () => {
  const all = (await owner.api('GET /audit-logs')).body.rows
  for (const [limit, offset] of [[1, 0], [3, 2], [200, 0], [200, 5], [1, all.length - 1], [5, all.length], [5, 2 ** 53 - 1]] as const) {
    const { body } = await owner.api(`GET /audit-logs?limit=${limit}&offset=${offset}`)
    assert.deepEqual(body, { total: all.length, rows: all.slice(offset, offset + limit) })
  } // biome-ignore format: one line of cases
})

test('audit pages out of range are refused with the name of the field', async () => {
  for (const [field, value] of [
    ['limit', '0'],
    ['limit', '201'],
    ['limit', '-1'],
    ['limit', 'ten'],
    ['limit', '1.5'],
    ['offset', '-1'],
    ['offset', 'x'],
    ['offset', '99999999999999999999'],
    ['objectKey', 'a%00b'],
    ['objectKey', 'x'.repeat(1025)],
  ] as const) {
    const { status, body } = await owner.api(`GET /audit-logs?${field}=${value}`)
    assert.equal(status, 400, `${field}=${value}`)
    assert.ok(body.message.startsWith(`${field} `), body.message)
  }
})

test('the audit log is filtered by exact action and by a literal part of the object key', async () => {
  const search = async (query: Record<string, string>) => {
    const answer = await owner.api(`GET /audit-logs?${new URLSearchParams(query)}`)
    assert.equal(answer.body.total, answer.body.rows.length)
    return keysOf(answer).sort()
  }
  assert.deepEqual(await search({ action: 'object.downloaded' }), ['a/one.jpg'])
  for (const action of ['object', 'object.', 'object.%', 'OBJECT.DOWNLOADED', 'unknown'])
    assert.deepEqual(await search({ action }), [])
  assert.deepEqual(await search({ objectKey: '.jpg' }), ['a/one.jpg', 'a/one.jpg', 'a/two.jpg'])
  assert.deepEqual(await search({ objectKey: 'one', action: 'object.uploaded' }), ['a/one.jpg'])
  assert.deepEqual(await search({ objectKey: '%' }), ['b/100%.txt'])
  assert.deepEqual(await search({ objectKey: '100%.t' }), ['b/100%.txt'])
  assert.deepEqual(await search({ objectKey: 'a_b' }), ['b/a_b'])
  assert.deepEqual(await search({ objectKey: 'k\\s' }), ['back\\slash'])
  assert.deepEqual(await search({ objectKey: 'back\\slash' }), ['back\\slash'])
  assert.deepEqual(await search({ objectKey: 'upper' }), [])
  assert.deepEqual(await search({ objectKey: 'люч' }), ['ключ/файл'])
  assert.deepEqual(await search({ objectKey: 'ч/ф' }), ['ключ/файл'])
  assert.deepEqual(await search({ objectKey: "'; drop table storage.users; --" }), [])
  assert.equal((await search({ objectKey: '', action: '' })).length, keys.length + 2)
})

test("another organization does not see an organization's audit log", async () => {
  const other = await storageOwner(system)
  const { body } = await other.api('GET /audit-logs?objectKey=jpg')
  assert.deepEqual(body, { total: 0, rows: [] })
  assert.equal((await other.api('GET /audit-logs')).body.total, 1)
})

test('the audit total is exact with parallel writers, and refused requests are not recorded', async () => {
  const { api } = await storageOwner(system)
  await Promise.all([
    ...Array.from({ length: 30 }, (_, n) => api('POST /auth/api-keys', { body: { label: `k${n}` } })),
    ...Array.from({ length: 10 }, () => api('POST /auth/api-keys', { body: { label: '' } })),
    ...Array.from({ length: 10 }, () => api('POST /buckets', { body: { name: 'same' } })),
  ])
  const total = async (query = '') => (await api(`GET /audit-logs?limit=1&${query}`)).body.total
  assert.equal(await total('action=api_key.created'), 30)
  assert.equal(await total('action=bucket.created'), 1)
  assert.equal(await total(), 32)
  const { id } = (await api('GET /auth/me')).body.organization
  const counted = await system.sql`select from storage.audit_logs where org_id = ${id}`
  assert.equal(counted.count, 32)
})

test('a write does not wait for an open transaction that has added audit rows', async () => {
  const { api, organization } = await storageOwner(system)
  const create = (name: string) => api('POST /buckets', { body: { name } })
  await create('first')
  await system.platform.db.transaction(async (tx) => {
    // What adding rows of any action locks.
    await tx`select from storage.audit_counts where org_id = ${organization.id} for update`
    assert.equal((await create('second')).status, 201)
  })
  assert.equal((await api('GET /audit-logs?limit=1&action=bucket.created')).body.total, 2)
})

test('verify reports a wrong audit total, and nothing otherwise', async () => {
  const findings = async () =>
    (await storageService.verify(storageService.context(system.platform))) as Finding[]
  const miscounted = async () =>
    (await findings()).filter(({ invariant }) => invariant === 'audit rows are counted')
  assert.deepEqual(await miscounted(), [])
  const { organization } = await storageOwner(system)
  await system.sql`update storage.audit_counts set rows = rows + 1 where org_id = ${organization.id}`
  assert.match((await miscounted())[0]?.detail ?? '', /1 rows, 2 counted/)
  await system.sql`update storage.audit_counts set rows = rows - 1 where org_id = ${organization.id}`
  await system.sql`delete from storage.audit_logs where org_id = ${organization.id}`
  assert.deepEqual(await miscounted(), [], 'what is deleted is no longer counted')
})
