import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const owner = await storageOwner(system)

let count = 0
const member = async () => {
  const email = `colleague-${++count}@example.com`
  await owner.api('POST /members', { body: { fullName: 'Some Body', email, password, role: 'member' } })
  const { body } = await system.storage('POST /auth/login', { body: { email, password } })
  return { api: system.storage.bearer(body.token), id: body.user.id as string }
}
const bucket = async () => {
  const id = await createBucket(owner.api, `repeats-${++count}`)
  await owner.api(`PUT /buckets/${id}/objects/a`, { raw: 'secret' })
  return id as string
}
const deny = async (bucketId: string, subjectId: string, action: string) => {
  const named = { resourceType: 'bucket', resourceId: '*', subjectType: 'user', subjectId }
  const statements = [{ effect: 'deny', action, ...named }]
  const { status, text } = await owner.api(`PUT /buckets/${bucketId}/policy`, { body: { statements } })
  assert.equal(status, 200, text)
}
const allowAgain = (bucketId: string) =>
  owner.api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [] } })

const form = (key: string) => {
  const raw = new FormData()
  raw.append('objectKey', 'form')
  raw.append('file', new Blob(['bytes']), 'name')
  return { raw: raw as never, headers: { 'idempotency-key': key } }
}
const keyed = (key: string, body: object) => ({ body, headers: { 'idempotency-key': key } })

type Write = (api: Client, bucketId: string, key: string) => ReturnType<Client>
/** Every write that honours an Idempotency-Key, and what a policy must allow for it. */
const writes: Record<string, { act: Write; needs: string[]; status: number }> = {
  copy: {
    act: (api, id, key) => api(`POST /buckets/${id}/objects/a/copy`, keyed(key, { destinationKey: 'b' })),
    needs: ['object.read', 'object.write'],
    status: 201,
  },
  move: {
    act: (api, id, key) => api(`POST /buckets/${id}/objects/a/move`, keyed(key, { destinationKey: 'x/c' })),
    needs: ['object.read', 'object.write', 'object.delete'],
    status: 201,
  },
  'an upload by form': {
    act: (api, id, key) => api(`POST /buckets/${id}/objects/upload`, form(key)),
    needs: ['object.write'],
    status: 201,
  },
  'the start of a multipart upload': {
    act: (api, id, key) => api(`POST /buckets/${id}/multipart/initiate`, keyed(key, { objectKey: 'large' })),
    needs: ['object.write'],
    status: 201,
  },
}

for (const [name, { act, needs, status }] of Object.entries(writes))
  test(`${name}: a repeat gets the stored response only while everything it needed is still allowed`, async () => {
    const [one, id] = [await member(), await bucket()]
    const first = await act(one.api, id, 'k')
    assert.equal(first.status, status, first.text)
    for (const action of needs) {
      await deny(id, one.id, action)
      const refused = await act(one.api, id, 'k')
      assert.deepEqual([refused.status, refused.headers.get('idempotency-replayed')], [403, null], action)
      assert.deepEqual(refused.body.details, [{ field: 'statements[0]', reason: 'denied by statements[0]' }])
    }
    await allowAgain(id)
    const again = await act(one.api, id, 'k')
    assert.deepEqual([again.status, again.body], [status, first.body])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })

test('a user who is denied the bucket does not get the stored response of a colleague', async () => {
  const [one, other, id] = [await member(), await member(), await bucket()]
  await deny(id, other.id, '*')
  const copy = writes.copy!.act
  assert.equal((await copy(one.api, id, 'shared')).status, 201)
  const refused = await copy(other.api, id, 'shared')
  assert.deepEqual([refused.status, refused.headers.get('idempotency-replayed')], [403, null])
})

test('a key and its owner do not share an Idempotency-Key, nor do two people', async () => {
  const [one, other, id] = [await member(), await member(), await bucket()]
  const { key } = (await one.api('POST /auth/api-keys', { body: {} })).body
  const start = writes['the start of a multipart upload']!.act
  const sessions = []
  for (const api of [one.api, other.api, system.storage.with({ 'x-api-key': key })]) {
    const answer = await start(api, id, 'same')
    assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [201, null])
    sessions.push(answer.body.uploadId)
  }
  assert.equal(new Set(sessions).size, 3)
})
