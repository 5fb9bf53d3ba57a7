import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { storage } = system
const [owner, stranger] = [await storageOwner(system), await storageOwner(system)]
const formR = { 'x-api-form': 'R' }

test('a new key is shown in both presentations, and only once', async () => {
  const { status, body } = await owner.api('POST /auth/api-keys', { body: { label: 'ci' } })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body).sort(), [
    'accessKey', 'created_at', 'id', 'key', 'key_prefix', 'label', 'parent_id', 'secretKey',
  ]) // biome-ignore format: one list
  assert.match(body.accessKey, /^obj_[A-Za-z0-9]{20}$/)
  assert.equal(body.key, `${body.accessKey}.${body.secretKey}`)
  assert.equal(body.key_prefix, body.key.slice(0, 12))
  const pair = { 'x-api-key': body.accessKey, 'x-api-secret': body.secretKey }
  for (const headers of [{ 'x-api-key': body.key }, pair])
    assert.equal((await storage.with(headers)('GET /auth/me')).body.user.id, owner.user.id)
  const list = await owner.api('GET /auth/api-keys')
  const { key, accessKey, secretKey, ...shown } = body
  assert.deepEqual({ ...list.body[0], last_used_at: null }, { ...shown, last_used_at: null })
  for (const secret of [key, secretKey, accessKey]) assert.ok(!list.text.includes(secret))
})

test('a label is optional in Form S and required in Form R', async () => {
  assert.equal((await owner.api('POST /auth/api-keys')).status, 201)
  assert.equal((await owner.api('POST /auth/api-keys', { body: {} })).status, 201)
  for (const body of [undefined, {}, { label: null }]) {
    const { status, body: answer } = await owner.api('POST /auth/api-keys', { body, headers: formR })
    assert.equal(status, 400)
    assert.equal(answer.error, 'label is required')
    assert.deepEqual(answer.details, [{ field: 'label', reason: 'is required' }])
  }
  for (const label of ['', 'x'.repeat(256), 7, 'a\0'])
    assert.equal((await owner.api('POST /auth/api-keys', { body: { label } })).status, 400)
  const made = await owner.api('POST /auth/api-keys', { body: { label: 'r' }, headers: formR })
  assert.equal(made.status, 201)
  assert.deepEqual(Object.keys(made.body).sort(), [
    'accessKey',
    'id',
    'label',
    'parentId',
    'requestId',
    'secretKey',
  ])
})

test('altered, incomplete and mixed API keys are refused', async () => {
  const [one, other] = [
    (await owner.api('POST /auth/api-keys')).body,
    (await owner.api('POST /auth/api-keys')).body,
  ]
  for (const headers of [
    { 'x-api-key': one.accessKey },
    { 'x-api-key': one.secretKey },
    { 'x-api-key': `${one.key}x` },
    { 'x-api-key': one.accessKey, 'x-api-secret': other.secretKey },
    { 'x-api-key': one.accessKey, 'x-api-secret': '' },
    { 'x-api-secret': one.secretKey },
    { 'x-api-key': '' },
  ] as Record<string, string>[])
    assert.equal((await storage.with(headers)('GET /auth/me')).status, 401, JSON.stringify(headers))
})

test('a revoked key is refused at once, on another node within a second', async (t) => {
  const second = await boot({ database: { url: system.databaseUrl }, t })
  const { id, key } = (await owner.api('POST /auth/api-keys')).body
  const [here, there] = [storage, second.storage].map((node) => node.with({ 'x-api-key': key }))
  for (const api of [here!, there!]) assert.equal((await api('GET /auth/me')).status, 200)
  const revoked = await owner.api(`DELETE /auth/api-keys/${id}`)
  assert.deepEqual([revoked.status, revoked.body], [200, { revoked: true }])
  assert.equal((await here!('GET /auth/me')).status, 401)
  const deadline = Date.now() + 1_000
  while ((await there!('GET /auth/me')).status !== 401) assert.ok(Date.now() < deadline)
  assert.equal((await owner.api(`DELETE /auth/api-keys/${id}`)).status, 404)
  const list = await owner.api('GET /auth/api-keys')
  assert.ok(!list.body.some((listed: { id: string }) => listed.id === id))
})

test('keys of other organizations cannot be seen or revoked', async () => {
  const { id, key } = (await owner.api('POST /auth/api-keys')).body
  assert.deepEqual((await stranger.api('GET /auth/api-keys')).body, [])
  for (const wrong of [id, crypto.randomUUID(), 'x'])
    assert.equal((await stranger.api(`DELETE /auth/api-keys/${wrong}`)).status, 404)
  const email = `colleague-${crypto.randomUUID()}@example.com`
  await owner.api('POST /members', { body: { fullName: 'A Colleague', email, password, role: 'admin' } })
  const { token } = (await storage('POST /auth/login', { body: { email, password } })).body
  const colleague = storage.bearer(token)
  assert.deepEqual((await colleague('GET /auth/api-keys')).body, [], 'nor those of a colleague')
  assert.equal((await colleague(`DELETE /auth/api-keys/${id}`)).status, 404)
  assert.equal((await storage.with({ 'x-api-key': key })('GET /auth/me')).status, 200)
})

test('colleagues in one organization neither see nor revoke each other’s keys, whatever their roles', async () => {
  const { id, key } = (await owner.api('POST /auth/api-keys', { body: { label: 'mine' } })).body
  for (const role of ['admin', 'member']) {
    const email = `${role}-${crypto.randomUUID()}@example.com`
    const body = { fullName: 'A colleague', email, password, role }
    assert.equal((await owner.api('POST /members', { body })).status, 201)
    const { token } = (await storage('POST /auth/login', { body: { email, password } })).body
    const colleague = storage.bearer(token)
    const own = (await colleague('POST /auth/api-keys', { body: { label: 'theirs' } })).body
    const listed = (await colleague('GET /auth/api-keys')).body.map((each: { id: string }) => each.id)
    assert.deepEqual(listed, [own.id])
    const ofOwner = (await owner.api('GET /auth/api-keys')).body.map((each: { id: string }) => each.id)
    assert.ok(ofOwner.includes(id) && !ofOwner.includes(own.id))
    assert.equal((await colleague(`DELETE /auth/api-keys/${id}`)).status, 404)
    assert.equal((await owner.api(`DELETE /auth/api-keys/${own.id}`)).status, 404)
    for (const each of [key, own.key])
      assert.equal((await storage.with({ 'x-api-key': each })('GET /buckets')).status, 200)
  }
})

test('the key list shows the last use, also after a restart', async (t) => {
  const node = await boot({ database: { url: system.databaseUrl }, t })
  const { id, key } = (await stranger.api('POST /auth/api-keys')).body
  const lastUse = async () =>
    (await stranger.api('GET /auth/api-keys')).body.find((k: { id: string }) => k.id === id).last_used_at
  assert.equal(await lastUse(), null)
  const before = Date.now()
  await node.storage.with({ 'x-api-key': key })('GET /auth/me')
  await node.close()
  assert.ok(Date.parse(await lastUse()) >= before)
})

test('creating and revoking keys is audited without the key', async () => {
  const { id, key_prefix, secretKey } = (await owner.api('POST /auth/api-keys', { body: { label: 'seen' } }))
    .body
  await owner.api(`DELETE /auth/api-keys/${id}`)
  const { body, text } = await owner.api('GET /audit-logs?limit=2')
  assert.deepEqual(
    body.rows.map((row: { action: string; resource_id: string }) => [row.action, row.resource_id]),
    [
      ['api_key.revoked', id],
      ['api_key.created', id],
    ],
  )
  assert.deepEqual(body.rows[0].payload, { label: 'seen', key_prefix })
  assert.ok(!text.includes(secretKey))
})
