import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { addMember, createBucket, objectsIn, putObject } from '#test/support/storage.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })

test('a webhook receives signed events in Form S, and its deliveries are listed like the audit log', async (t) => {
  const { api } = await storageOwner(system)
  const receiver = await startReceiver(t)
  const made = await api('POST /webhooks', { body: { url: receiver.url, types: ['object.*'] } })
  assert.equal(made.status, 201, made.text)
  const { id, secret } = made.body
  const bucketId = await createBucket(api, 'sent')
  await putObject(api, objectsIn(bucketId)('x'), 'x')
  const [message] = await receiver.until(1)
  assert.ok(new Webhook(secret).verify(message!.text, message!.headers))
  assert.deepEqual(message!.body, (await api('GET /events?types=object.*')).body.events[0])
  assert.equal(message!.body.data.bucket_id, bucketId)
  await eventually(async () => {
    const { body } = await api(`GET /webhooks/${id}/deliveries?limit=1&status=succeeded`)
    assert.equal(body.total, 1)
    assert.equal(body.deliveries[0].event_id, message!.body.id)
  })
  const { webhooks } = (await api('GET /webhooks')).body
  assert.deepEqual([webhooks.length, webhooks[0].id, 'secret' in webhooks[0]], [1, id, false])
  assert.equal((await api(`PATCH /webhooks/${id}`, { body: { is_active: false } })).body.is_active, false)
  assert.deepEqual((await api(`DELETE /webhooks/${id}`)).body, { deleted: true })
  assert.equal((await api(`GET /webhooks/${id}`)).status, 404)
})

test('owner and admin manage webhooks; members and other organizations do not', async () => {
  const [owner, other] = [await storageOwner(system), await storageOwner(system)]
  const admin = await addMember(system, owner.api, 'admin')
  const member = await addMember(system, owner.api, 'member')
  const body = { url: 'http://127.0.0.1:65000/hook' }
  const { id } = (await admin.api('POST /webhooks', { body })).body
  assert.equal((await owner.api(`GET /webhooks/${id}`)).status, 200)
  for (const call of ['POST /webhooks', 'GET /webhooks', `GET /webhooks/${id}`, `DELETE /webhooks/${id}`])
    assert.equal((await member.api(call, call.startsWith('POST') ? { body } : {})).status, 403, call)
  for (const call of [`GET /webhooks/${id}`, `DELETE /webhooks/${id}`, `POST /webhooks/${id}/rotate`])
    assert.equal((await other.api(call)).status, 404, call)
  assert.deepEqual((await other.api('GET /webhooks')).body, { webhooks: [] })
})

test('at most 20 webhooks, and an unknown type is refused', async () => {
  const { api } = await storageOwner(system)
  const make = (more: object = {}) =>
    api('POST /webhooks', { body: { url: 'http://127.0.0.1:65000/hook', ...more } })
  const refused = await make({ types: ['order.created'] })
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^types/)
  for (let n = 0; n < 20; n++) assert.equal((await make()).status, 201)
  assert.equal((await make()).status, 409)
})

test('a webhook gets only what everyone may read who could direct it to themselves', async (t) => {
  const owner = await storageOwner(system)
  await addMember(system, owner.api, 'admin')
  const receiver = await startReceiver(t)
  const bucketId = await createBucket(owner.api, 'denied')
  const statement = {
    effect: 'deny', action: 'object.read', resourceType: 'object', resourceId: 'secret/*',
    subjectType: 'role', subjectId: 'admin',
  } // biome-ignore format: one statement
  await owner.api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [statement] } })
  await owner.api('POST /webhooks', { body: { url: receiver.url, types: ['object.*'] } })
  for (const key of ['secret/x', 'open']) await putObject(owner.api, objectsIn(bucketId)(key), 'x')
  const [message] = await receiver.until(1)
  assert.equal(message!.body.data.object_key, 'open')
})

test('an organization tests its webhooks ten times a minute', async (t) => {
  const limited = await boot({ t, env: { WEBHOOKS_ALLOW_PRIVATE: 'on', RATE_LIMITS: 'on' } })
  const [owner, other] = [await storageOwner(limited), await storageOwner(limited)]
  const receiver = await startReceiver(t)
  const make = async ({ api }: typeof owner) =>
    (await api('POST /webhooks', { body: { url: receiver.url } })).body.id as string
  const ids = [await make(owner), await make(owner)]
  for (let n = 0; n < 10; n++)
    assert.equal((await owner.api(`POST /webhooks/${ids[n % 2]}/test`)).body.response_status, 204)
  const refused = await owner.api(`POST /webhooks/${ids[0]}/test`)
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await other.api(`POST /webhooks/${await make(other)}/test`)).status, 200)
  assert.equal(receiver.received.length, 11)
})

test('of sixty webhooks that are created at once, twenty exist', async () => {
  const { api } = await storageOwner(system)
  const body = { url: 'https://example.com/hook', types: ['object.*'] }
  const answers = await Promise.all(Array.from({ length: 60 }, () => api('POST /webhooks', { body })))
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  assert.deepEqual([count(201), count(409)], [20, 40])
  assert.equal((await api('GET /webhooks')).body.webhooks.length, 20)
})
