import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { storage } = system
const [owner, stranger] = [await storageOwner(system), await storageOwner(system)]

let count = 0
const newMember = (more: object = {}) => ({
  fullName: 'New Member',
  email: `member-${++count}@example.com`,
  password,
  ...more,
})
const add = async (more: object = {}) => {
  const input = newMember(more)
  const { status, body, text } = await owner.api('POST /members', { body: input })
  assert.equal(status, 201, text)
  const login = await storage('POST /auth/login', { body: { email: input.email, password } })
  return { member: body, api: storage.bearer(login.body.token) }
}

test('a member can be added, listed, given a role and removed', async () => {
  const input = newMember()
  const added = await owner.api('POST /members', { body: input })
  assert.equal(added.status, 201)
  const { id, created_at: _, ...rest } = added.body
  assert.deepEqual(rest, { full_name: input.fullName, email: input.email, role: 'member' })
  const list = await owner.api('GET /members')
  assert.deepEqual(list.body.at(-1), added.body)
  assert.equal(list.body[0].role, 'owner')
  const changed = await owner.api(`PATCH /members/${id}`, { body: { role: 'admin' } })
  assert.deepEqual([changed.status, changed.body], [200, { ...added.body, role: 'admin' }])
  const removed = await owner.api(`DELETE /members/${id}`)
  assert.deepEqual([removed.status, removed.body], [200, { removed: true }])
  assert.equal((await owner.api(`DELETE /members/${id}`)).status, 404)
  assert.equal((await owner.api(`PATCH /members/${id}`, { body: { role: 'admin' } })).status, 404)
  const audit = await owner.api('GET /audit-logs?limit=3')
  assert.deepEqual(
    audit.body.rows.map((row: { action: string }) => row.action),
    ['member.removed', 'member.updated', 'member.added'],
  )
  assert.deepEqual(audit.body.rows[0].payload, { email: input.email, role: 'admin' })
  assert.equal((await owner.api('POST /members', { body: input })).status, 201, 'the address is free again')
})

test('adding a member checks every field, and an address in use is a conflict', async () => {
  const bad: [string, unknown][] = [
    ['fullName', undefined],
    ['fullName', ''],
    ['email', 'nobody'],
    ['email', undefined],
    ['password', 'short'],
    ['password', undefined],
    ['role', 'owner'],
    ['role', 'king'],
    ['role', null],
  ]
  for (const [field, value] of bad) {
    const { status, body } = await owner.api('POST /members', { body: newMember({ [field]: value }) })
    assert.equal(status, 400, `${field} ${value}`)
    assert.ok(body.message.startsWith(`${field} `), body.message)
  }
  for (const email of [owner.email, stranger.email.toUpperCase()])
    assert.equal((await owner.api('POST /members', { body: newMember({ email }) })).status, 409)
  const { member } = await add()
  for (const role of [undefined, 'owner', 7])
    assert.equal((await owner.api(`PATCH /members/${member.id}`, { body: { role } })).status, 400)
})

test('adding a member again with the same Idempotency-Key adds one member', async () => {
  const body = newMember()
  const headers = { 'idempotency-key': 'once' }
  const [first, second] = [
    await owner.api('POST /members', { body, headers }),
    await owner.api('POST /members', { body, headers }),
  ]
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.body, first.body)
  assert.equal((await owner.api('POST /members', { body: newMember(), headers })).status, 409)
})

test('the owner can be neither removed nor given another role', async () => {
  const before = await owner.api('GET /members')
  assert.equal((await owner.api(`DELETE /members/${owner.user.id}`)).status, 403)
  assert.equal((await owner.api(`PATCH /members/${owner.user.id}`, { body: { role: 'member' } })).status, 403)
  assert.deepEqual((await owner.api('GET /members')).body, before.body)
})

test('members of other organizations and invalid ids get 404', async () => {
  for (const id of [stranger.user.id, crypto.randomUUID(), 'x', '1']) {
    assert.equal((await owner.api(`PATCH /members/${id}`, { body: { role: 'admin' } })).status, 404)
    assert.equal((await owner.api(`DELETE /members/${id}`)).status, 404)
  }
  assert.equal((await stranger.api('GET /auth/me')).status, 200)
})

test('admins and members may not manage members; each role gets what it may', async () => {
  const [admin, member] = [await add({ role: 'admin' }), await add()]
  for (const { api } of [admin, member]) {
    assert.equal((await api('GET /members')).status, 403)
    assert.equal((await api('POST /members', { body: newMember() })).status, 403)
    assert.equal((await api(`DELETE /members/${owner.user.id}`)).status, 403)
    assert.equal((await api('GET /usage/summary')).status, 200)
    assert.equal((await api('GET /settings/totp')).status, 200)
  }
  assert.equal((await admin.api('GET /audit-logs')).status, 200)
  assert.equal((await member.api('GET /audit-logs')).status, 403)
})

test('a new role applies from the next request on, for tokens and keys, on every node', async (t) => {
  const second = await boot({ database: { url: system.databaseUrl }, t })
  const { member, api } = await add()
  const { body: key } = await api('POST /auth/api-keys', { body: {} })
  const byKey = storage.with({ 'x-api-key': key.key })
  const elsewhere = second.storage.with({ 'x-api-key': key.key })
  for (const who of [api, byKey, elsewhere]) assert.equal((await who('GET /audit-logs')).status, 403)
  await owner.api(`PATCH /members/${member.id}`, { body: { role: 'admin' } })
  for (const who of [api, byKey]) assert.equal((await who('GET /audit-logs')).status, 200)
  await owner.api(`DELETE /members/${member.id}`)
  for (const who of [api, byKey]) assert.equal((await who('GET /buckets')).status, 401)
  const deadline = Date.now() + 1_000
  while ((await elsewhere('GET /buckets')).status !== 401) assert.ok(Date.now() < deadline, 'within a second')
})

test('a member demoted or removed by an id in capitals loses their rights at once', async () => {
  const { member, api } = await add({ role: 'admin' })
  const { body: key } = await api('POST /auth/api-keys', { body: {} })
  const byKey = storage.with({ 'x-api-key': key.key })
  for (const who of [api, byKey]) assert.equal((await who('GET /audit-logs')).status, 200)
  const id = member.id.toUpperCase()
  const changed = await owner.api(`PATCH /members/${id}`, { body: { role: 'member' } })
  assert.deepEqual([changed.status, changed.body.id], [200, member.id])
  for (const who of [api, byKey]) assert.equal((await who('GET /audit-logs')).status, 403)
  assert.deepEqual((await owner.api(`DELETE /members/${id}`)).body, { removed: true })
  for (const who of [api, byKey]) assert.equal((await who('GET /buckets')).status, 401)
})
