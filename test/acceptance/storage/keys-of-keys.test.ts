import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const second = await boot({ database: { url: system.databaseUrl }, env: { BLOBS_URL: system.blobsUrl } })
const owner = await storageOwner(system)
const bucketId = await createBucket(owner.api, 'lines')
await owner.api(`PUT /buckets/${bucketId}/objects/secret`, { raw: 'secret' })

type Api = typeof owner.api
type Key = { id: string; key: string; parent_id: string | null; api: Api; there: Api }

const makeKey = async (api: Api, label = 'key'): Promise<Key> => {
  const { status, body, text } = await api('POST /auth/api-keys', { body: { label } })
  assert.equal(status, 201, text)
  const headers = { 'x-api-key': body.key }
  return { ...body, api: system.storage.with(headers), there: second.storage.with(headers) }
}
/** A key, its child and its grandchild. */
const makeLine = async (api = owner.api) => {
  const first = await makeKey(api)
  const child = await makeKey(first.api)
  return [first, child, await makeKey(child.api)] as const
}
const setPolicy = async (statements: object[], as: Api = owner.api) =>
  (await as(`PUT /buckets/${bucketId}/policy`, { body: { statements } })).status
const about = (key: { id: string }, more: object = {}) => ({
  effect: 'deny',
  action: '*',
  resourceType: 'bucket',
  resourceId: '*',
  subjectType: 'api_key',
  subjectId: key.id,
  ...more,
})
const read = async (api: Api) => (await api(`GET /buckets/${bucketId}/objects/secret`)).status
const me = async (api: Api) => (await api('GET /auth/me')).status

test('a key shows its parent key in the list and when it is created', async () => {
  const [first, child, grandchild] = await makeLine()
  assert.deepEqual([first.parent_id, child.parent_id, grandchild.parent_id], [null, first.id, child.id])
  const listed = (await grandchild.api('GET /auth/api-keys')).body as Key[]
  const parents = new Map(listed.map(({ id, parent_id }) => [id, parent_id]))
  assert.deepEqual(
    [first, child, grandchild].map(({ id }) => parents.get(id)),
    [null, first.id, child.id],
  )
  const formR = { 'x-api-form': 'R' }
  const pair = (await first.api('POST /auth/api-keys', { body: { label: 'r' }, headers: formR })).body
  assert.equal(pair.parentId, first.id)
  const own = (await owner.api('POST /auth/api-keys', { body: { label: 'r' }, headers: formR })).body
  assert.equal(own.parentId, null)
  const { rows } = (await owner.api('GET /audit-logs?action=api_key.created&limit=200')).body
  const payload = rows.find((row: { resource_id: string }) => row.resource_id === child.id).payload
  assert.equal(payload.parent_id, first.id)
})

test('a deny of a key applies to all its descendants and to no other key', async () => {
  const [first, child, grandchild] = await makeLine()
  const other = await makeKey(owner.api)
  assert.equal(await setPolicy([about(first)]), 200)
  const later = await makeKey(grandchild.api)
  for (const key of [first, child, grandchild, later]) {
    assert.equal(await read(key.api), 403)
    await eventually(async () => assert.equal(await read(key.there), 403), { withinMs: 1_000 })
    assert.equal((await key.api(`DELETE /buckets/${bucketId}/objects/secret`)).status, 403)
  }
  for (const api of [owner.api, other.api]) assert.equal(await read(api), 200)
  assert.equal(await setPolicy([about(child)]), 200)
  assert.deepEqual(
    [await read(first.api), await read(child.api), await read(grandchild.api)],
    [200, 403, 403],
  )
  const question = { action: 'object.read', objectKey: 'secret', subjectType: 'api_key' }
  const simulated = async ({ id }: Key) =>
    (await owner.api(`POST /buckets/${bucketId}/policy/simulate`, { body: { ...question, subjectId: id } }))
      .body.decision
  assert.deepEqual(
    [await simulated(first), await simulated(child), await simulated(grandchild)],
    ['allow', 'deny', 'deny'],
  )
  await setPolicy([])
})

test('an allow of a key applies to all its descendants', async () => {
  const email = `reader-${crypto.randomUUID()}@example.com`
  await owner.api('POST /members', { body: { fullName: 'Some Reader', email, password } })
  const { token } = (await system.storage('POST /auth/login', { body: { email, password } })).body
  const reader = system.storage.bearer(token)
  const [first, child, grandchild] = await makeLine(reader)
  await setPolicy([about(child, { effect: 'allow', action: 'policy.read' })])
  const asked = async (api: Api) => (await api(`GET /buckets/${bucketId}/policy`)).status
  assert.deepEqual(
    [await asked(reader), await asked(first.api), await asked(child.api), await asked(grandchild.api)],
    [403, 403, 200, 200],
  )
  await setPolicy([])
})

test('a signed URL is invalid once a policy denies an ancestor of the key that signed it', async () => {
  const [first, , grandchild] = await makeLine()
  const body = { objectKey: 'secret' }
  const { url } = (await grandchild.api(`POST /buckets/${bucketId}/signed-url`, { body })).body
  const path = new URL(url).pathname + new URL(url).search
  const open = async () => (await fetch(system.urls.storage + path)).status
  assert.equal(await open(), 200)
  await setPolicy([about(first)])
  assert.equal(await open(), 403)
  await setPolicy([])
  assert.equal(await open(), 200)
  await owner.api(`DELETE /auth/api-keys/${first.id}`)
  assert.equal(await open(), 403)
})

test("an owner's key that a statement denies cannot change the policy, but the owner can", async () => {
  const [first, child] = await makeLine()
  assert.equal(await setPolicy([about(first)]), 200)
  for (const key of [first, child]) {
    assert.equal((await key.api(`GET /buckets/${bucketId}/policy`)).status, 403)
    assert.equal(await setPolicy([], key.api), 403)
  }
  assert.equal(await setPolicy([about(first, { subjectType: 'user', subjectId: '*' })]), 200)
  assert.equal(await setPolicy([about(first, { subjectId: '*' })], first.api), 200, 'not named itself')
  assert.equal(await setPolicy([]), 200)
})

test('revoking a key revokes its descendants on every node, and no other key', async () => {
  const [first, child, grandchild] = await makeLine()
  const [sibling, stranger] = [await makeKey(first.api), await makeKey(owner.api)]
  const all = [first, child, grandchild, sibling, stranger]
  for (const key of all) assert.deepEqual([await me(key.api), await me(key.there)], [200, 200])
  assert.equal((await owner.api(`DELETE /auth/api-keys/${child.id}`)).status, 200)
  assert.deepEqual(await Promise.all(all.map((key) => me(key.api))), [200, 401, 401, 200, 200])
  for (const key of [grandchild, child])
    await eventually(async () => assert.equal(await me(key.there), 401), { withinMs: 1_000 })
  assert.equal((await owner.api(`DELETE /auth/api-keys/${grandchild.id}`)).status, 404)
  const listed = ((await owner.api('GET /auth/api-keys')).body as Key[]).map(({ id }) => id)
  assert.deepEqual(
    all.map(({ id }) => listed.includes(id)),
    [true, false, false, true, true],
  )
  const { rows } = (await owner.api('GET /audit-logs?action=api_key.revoked&limit=2')).body
  assert.deepEqual(
    rows.map((row: { resource_id: string }) => row.resource_id).sort(),
    [child.id, grandchild.id].sort(),
  )
  assert.equal((await first.api(`DELETE /auth/api-keys/${first.id}`)).status, 200, 'itself')
  assert.deepEqual(await Promise.all(all.map((key) => me(key.api))), [401, 401, 401, 401, 200])
})

test('a key created while an ancestor is revoked is revoked too', async () => {
  const [first, child] = await makeLine()
  await me(child.api)
  const { release } = await hold(
    system,
    (tx) => tx`select from storage.users where id = ${owner.user.id} for update`,
  )
  const making = child.api('POST /auth/api-keys', { body: { label: 'late' } })
  await waitingForLocks(system, 1)
  const revoking = owner.api(`DELETE /auth/api-keys/${first.id}`)
  await waitingForLocks(system, 2)
  await release()
  const made = await making
  assert.equal(made.status, 201)
  assert.equal((await revoking).status, 200)
  assert.equal(await me(system.storage.with({ 'x-api-key': made.body.key })), 401)
})

test('no key is created with a key whose ancestor is being revoked', async () => {
  const [first, child, grandchild] = await makeLine()
  await me(child.api)
  const { release } = await hold(
    system,
    (tx) => tx`select from storage.api_keys where id = ${grandchild.id} for update`,
  )
  const revoking = owner.api(`DELETE /auth/api-keys/${first.id}`)
  await waitingForLocks(system, 1)
  const making = child.api('POST /auth/api-keys', { body: { label: 'too late' } })
  await waitingForLocks(system, 2)
  await release()
  assert.equal((await revoking).status, 200)
  assert.equal((await making).status, 401)
})

test('keys have at most twenty generations', async () => {
  let last = await makeKey(owner.api)
  const root = last
  for (let generation = 2; generation <= 20; generation++) last = await makeKey(last.api)
  const refused = await last.api('POST /auth/api-keys', { body: { label: 'x' } })
  assert.equal(refused.status, 403)
  assert.match(refused.body.reason, /20th generation/)
  await setPolicy([about(root)])
  assert.equal(await read(last.api), 403)
  await setPolicy([])
  await owner.api(`DELETE /auth/api-keys/${root.id}`)
  assert.equal(await me(last.api), 401)
})

test('removing a member removes their keys and the keys made with them', async () => {
  const email = `leaver-${crypto.randomUUID()}@example.com`
  const { id } = (await owner.api('POST /members', { body: { fullName: 'A Leaver', email, password } })).body
  const { token } = (await system.storage('POST /auth/login', { body: { email, password } })).body
  const line = await makeLine(system.storage.bearer(token))
  assert.equal((await owner.api(`DELETE /members/${id}`)).status, 200)
  for (const key of line) assert.equal(await me(key.api), 401)
})
