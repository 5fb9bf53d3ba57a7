import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeOldEvents } from '#events/retention.ts'
import { events } from '#storage/events/events.ts'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { openEventStream } from '#test/support/event-stream.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket, objectsIn, putObject } from '#test/support/storage.ts'
import { effects, now, since, typesOf } from './event-scene.ts'

const system = await boot()

const deny = (action: string, more: object = {}) => ({
  effect: 'deny',
  action,
  resourceType: 'object',
  resourceId: 'secret/*',
  subjectType: 'role',
  subjectId: 'member',
  ...more,
})
const setPolicy = async (api: Client, bucketId: string, statements: object[]) =>
  assert.equal((await api(`PUT /buckets/${bucketId}/policy`, { body: { statements } })).status, 200)
const keysOf = async (api: Client, after: string) =>
  (await since(api, after, '&types=object.*')).map(({ data }) => data.object_key as string)

test('members read events of buckets, objects and their own keys; owner and admin read all', async () => {
  const owner = await storageOwner(system)
  const [admin, member] = [
    await addMember(system, owner.api, 'admin'),
    await addMember(system, owner.api, 'member'),
  ]
  const start = await now(owner.api)
  const bucketId = await createBucket(owner.api, 'shared')
  await putObject(member.api, `/buckets/${bucketId}/objects/x`, 'x')
  await setPolicy(owner.api, bucketId, [deny('object.delete')])
  const { id: own } = (await member.api('POST /auth/api-keys', { body: {} })).body
  await owner.api('POST /auth/api-keys', { body: {} })
  await owner.api(`PATCH /members/${admin.id}`, { body: { role: 'member' } })
  await owner.api(`PATCH /members/${admin.id}`, { body: { role: 'admin' } })
  const all = [
    'bucket.created', 'object.created', 'policy.updated', 'api_key.created', 'api_key.created',
    'member.updated', 'member.updated',
  ] // biome-ignore format: one list
  assert.deepEqual(typesOf(await since(owner.api, start)), all)
  assert.deepEqual(typesOf(await since(admin.api, start)), all)
  const seen = await since(member.api, start)
  assert.deepEqual(typesOf(seen), ['bucket.created', 'object.created', 'api_key.created'])
  assert.equal(seen[2]!.subject, `api_key/${own}`)
  assert.deepEqual(await since(member.api, start, '&types=member.*,policy.updated,plan.*,quota.*'), [])
})

test('a key reads what its creator may read', async () => {
  const owner = await storageOwner(system)
  const member = await addMember(system, owner.api, 'member')
  const start = await now(owner.api)
  const { key } = (await member.api('POST /auth/api-keys', { body: {} })).body
  const api = system.storage.with({ 'x-api-key': key })
  await owner.api('POST /auth/api-keys', { body: {} })
  await createBucket(owner.api, 'seen')
  assert.deepEqual(typesOf(await since(api, start)), ['api_key.created', 'bucket.created'])
  assert.equal((await system.storage('GET /events')).status, 401)
})

test('another organization reads nothing, whatever it asks for', async () => {
  const [owner, other] = [await storageOwner(system), await storageOwner(system)]
  const start = await now(other.api)
  const bucketId = await createBucket(owner.api, 'private')
  const object = await putObject(owner.api, `/buckets/${bucketId}/objects/x`, 'x')
  for (const query of ['', `&subject=bucket/${bucketId}`, `&subject=object/${object.id}`, '&types=object.*'])
    assert.deepEqual(await since(other.api, start, query), [])
})

test('events of keys that a policy denies to list or read are left out, also earlier ones and after the bucket has gone', async () => {
  for (const action of ['object.read', 'object.*', 'object.list']) {
    const owner = await storageOwner(system)
    const member = await addMember(system, owner.api, 'member')
    const bucketId = await createBucket(owner.api, 'guarded')
    const at = objectsIn(bucketId)
    const start = await now(owner.api)
    await putObject(owner.api, at('secret/plan'), 'x')
    await putObject(owner.api, at('open/plan'), 'x')
    assert.deepEqual(await keysOf(member.api, start), ['secret/plan', 'open/plan'])
    const rule =
      action === 'object.list'
        ? deny(action, { resourceType: 'bucket', resourceId: '*', conditions: { prefix: 'secret/' } })
        : deny(action)
    await setPolicy(owner.api, bucketId, [rule])
    assert.deepEqual(await keysOf(member.api, start), ['open/plan'], action)
    assert.deepEqual(await keysOf(owner.api, start), ['secret/plan', 'open/plan'])
    for (const key of ['secret/plan', 'open/plan']) await owner.api(`DELETE ${at(key)}`)
    assert.deepEqual(await keysOf(member.api, start), ['open/plan', 'open/plan'])
    assert.equal((await owner.api(`DELETE /buckets/${bucketId}`)).status, 200)
    assert.deepEqual(await keysOf(member.api, start), Array(3).fill('open/plan'), 'without its bucket')
    assert.equal((await keysOf(owner.api, start)).length, 6)
  }
})

test('a move tells where the object was only to those who may read there', async () => {
  const owner = await storageOwner(system)
  const member = await addMember(system, owner.api, 'member')
  const bucketId = await createBucket(owner.api, 'moving')
  const at = objectsIn(bucketId)
  await setPolicy(owner.api, bucketId, [deny('object.read')])
  await putObject(owner.api, at('secret/plan'), 'x')
  await putObject(owner.api, at('open'), 'x')
  const start = await now(owner.api)
  await owner.api(`POST ${at('secret/plan')}/move`, { body: { destinationKey: 'published' } })
  await owner.api(`POST ${at('open')}/move`, { body: { destinationKey: 'secret/hidden' } })
  const seen = await since(member.api, start)
  assert.equal(seen.length, 1)
  assert.equal(seen[0]!.data.object_key, 'published')
  assert.ok(!JSON.stringify(seen).includes('secret'))
  assert.equal((await since(owner.api, start))[0]!.data.previous.object_key, 'secret/plan')
})

test('buckets and policies that a policy denies to read are left out', async () => {
  const owner = await storageOwner(system)
  const admin = await addMember(system, owner.api, 'admin')
  const start = await now(owner.api)
  const bucketId = await createBucket(owner.api, 'hidden')
  const rule = { resourceType: 'bucket', resourceId: '*', subjectId: 'admin' }
  await setPolicy(owner.api, bucketId, [deny('policy.read', rule)])
  assert.deepEqual(typesOf(await since(admin.api, start)), ['bucket.created'])
  await setPolicy(owner.api, bucketId, [deny('policy.read', rule), deny('bucket.read', rule)])
  assert.deepEqual(await since(admin.api, start), [])
})

test('events are in Form S, and in Form R for those who ask for it', async () => {
  const { api } = await storageOwner(system)
  const formR = api.with({ 'x-api-form': 'R' })
  const start = await now(api)
  const bucketId = await createBucket(api, 'dialects')
  const at = objectsIn(bucketId)
  await putObject(api, at('x'), 'x')
  await api(`POST ${at('x')}/move`, { body: { destinationKey: 'y' } })
  await setPolicy(api, bucketId, [deny('object.read')])
  const [bucket, created, moved, policy] = await since(formR, start)
  const { requestId: _, ...expected } = (await formR(`GET /buckets/${bucketId}`)).body
  assert.deepEqual(bucket!.data, { ...expected, storageUsedBytes: 0 })
  const [{ updatedAt: __, ...listed }] = (await formR(`GET /buckets/${bucketId}/objects`)).body.objects
  assert.deepEqual(created!.data, { ...listed, objectKey: 'x', bucketId, reason: 'upload' })
  assert.deepEqual(moved!.data, {
    ...listed,
    bucketId,
    reason: 'moved',
    previous: { bucketId, objectKey: 'x' },
  })
  assert.deepEqual(Object.keys(policy!.data), ['bucketId', 'statements'])
  assert.equal((await since(api, start))[1]!.data.bucket_id, bucketId)
  const page = (await formR('GET /events')).body
  assert.deepEqual(Object.keys(page), ['events', 'next', 'requestId'])
  assert.deepEqual(Object.keys((await api('GET /events')).body), ['events', 'next'])
})

test('a stream sends what its reader may see, in their form, and ends when the key is revoked', async () => {
  const owner = await storageOwner(system)
  const { id, accessKey, secretKey } = (await owner.api('POST /auth/api-keys', { body: {} })).body
  const bucketId = await createBucket(owner.api, 'live')
  await setPolicy(owner.api, bucketId, [deny('object.read', { subjectType: 'api_key', subjectId: id })])
  const stream = openEventStream(`${system.storage.base}/events`, {
    'x-api-key': accessKey,
    'x-api-secret': secretKey,
  })
  assert.equal((await stream.opened).status, 200)
  for (const key of ['secret/x', 'open']) await putObject(owner.api, objectsIn(bucketId)(key), 'x')
  const [first] = await stream.until(1)
  assert.equal((first!.data.data as { objectKey: string }).objectKey, 'open')
  await owner.api(`DELETE /auth/api-keys/${id}`)
  await stream.ended
})

test('wrong parameters are refused with 400, each by its name', async () => {
  const { api } = await storageOwner(system)
  for (const [query, field] of [
    ['after=42', 'after'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['types=order.created', 'types'],
    ['subject=42', 'subject'],
  ] as const) {
    const { status, body } = await api(`GET /events?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.message, new RegExp(`^${field} `), query)
  }
  assert.deepEqual(await effects(api, () => api('GET /events')), [])
})

test('a reader is told of removed events only if they could have read some', async () => {
  const owner = await storageOwner(system)
  const member = await addMember(system, owner.api, 'member')
  const hidden = await createBucket(owner.api, 'hidden')
  const anything = { resourceType: 'bucket', resourceId: '*' }
  await setPolicy(owner.api, hidden, [deny('bucket.*', anything)])
  const start = await now(owner.api)
  await owner.api('POST /auth/api-keys', { body: {} })
  await putObject(owner.api, `/buckets/${hidden}/objects/x`, 'x')
  const later = { ...system.platform, clock: { now: () => new Date(Date.now() + 31 * 86_400_000) } }
  const remove = () => removeOldEvents(later, 'storage', events.parts?.of)
  await remove()
  const readOn = (api: Client) => api(`GET /events?after=${start}`)
  const told = await readOn(owner.api)
  assert.deepEqual([told.status, (await since(owner.api, told.body.after)).length], [410, 0])
  assert.equal((await readOn(member.api)).status, 200, 'neither the key nor the bucket was for the member')
  assert.equal((await owner.api(`GET /events?after=${start}&types=plan.*`)).status, 200)
  await member.api('POST /auth/api-keys', { body: {} })
  await remove()
  assert.equal((await readOn(member.api)).status, 410)
})
