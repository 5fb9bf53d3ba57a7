import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket, objectPath } from '#test/support/storage.ts'
import { effects, typesOf } from './event-scene.ts'
import { planEnds } from './plan.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const bucketId = await createBucket(api, 'batches')

type Item = { key: string; data: string } & Record<string, unknown>
const base64 = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64')
const item = (key: string, bytes: string | Buffer = key, more: object = {}): Item => ({
  key,
  data: base64(bytes),
  ...more,
})
const batch = (objects: unknown, id = bucketId, as = api) =>
  as(`POST /buckets/${id}/objects/batch`, { body: { objects } })
const hash = (algorithm: string, bytes: string | Buffer) => createHash(algorithm).update(bytes)
const download = async (key: string, id = bucketId) => {
  const response = await fetch(system.urls.storage + objectPath(id, key), {
    headers: { authorization: `Bearer ${token}` },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const count = async (id = bucketId) => (await api(`GET /buckets/${id}`)).body.object_count as number
const keysOf = (list: { key: string }[]) => list.map(({ key }) => key)

test('each object of a batch is stored with its bytes, type, metadata, headers and checksum', async () => {
  const large = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251))
  const { status, body } = await batch([
    item('notes/a b.txt', 'Boats at dawn', {
      contentType: 'text/plain',
      metadata: { author: 'Ada' },
      cacheControl: 'max-age=60',
      contentDigest: `sha-256=:${hash('sha256', 'Boats at dawn').digest('base64')}:`,
    }),
    item('empty', ''),
    item('large.bin', large),
  ])
  assert.equal(status, 200)
  assert.deepEqual(body, {
    uploaded: [
      { key: 'notes/a b.txt', sizeBytes: 13, etag: hash('md5', 'Boats at dawn').digest('hex') },
      { key: 'empty', sizeBytes: 0, etag: hash('md5', '').digest('hex') },
      { key: 'large.bin', sizeBytes: 100_000, etag: hash('md5', large).digest('hex') },
    ],
    errors: [],
  })
  const { response, bytes } = await download('notes/a%20b.txt')
  assert.equal(bytes.toString(), 'Boats at dawn')
  assert.equal(response.headers.get('content-type'), 'text/plain')
  assert.equal(response.headers.get('x-meta-author'), 'Ada')
  assert.equal(response.headers.get('cache-control'), 'max-age=60')
  const versions = (await api(`GET /buckets/${bucketId}/versions?objectKey=notes%2Fa%20b.txt`)).body
  assert.equal(versions[0].checksum.value, hash('sha256', 'Boats at dawn').digest('base64'))
  const empty = await download('empty')
  assert.equal(empty.response.headers.get('content-type'), 'application/octet-stream')
  assert.equal(empty.bytes.length, 0)
  assert.deepEqual((await download('large.bin')).bytes, large)
})

test('what is refused is listed with its status and reason, and does not affect the others', async () => {
  await batch([item('taken')])
  const before = await count()
  const { status, body } = await batch([
    item('fine'),
    item('taken', 'other', { ifNoneMatch: '*' }),
    item('absent', 'x', { ifMatch: '"0"' }),
    item('damaged', 'x', { contentDigest: `md5=:${hash('md5', 'y').digest('base64')}:` }),
    item('line\nbreak'),
    item('odd', 'x', { metadata: { 'not a name': '1' } }),
    item('language', 'x', { contentLanguage: 'not a language!' }),
    item(''),
    item('x'.repeat(1025)),
    item('y'.repeat(1024), 'y', { contentType: 'é' }),
  ])
  assert.equal(status, 200)
  assert.deepEqual(keysOf(body.uploaded), ['fine', 'y'.repeat(1024)])
  assert.deepEqual(
    body.errors.map(({ key, status }: { key: string; status: number }) => [key, status]),
    [
      ['taken', 412],
      ['absent', 412],
      ['damaged', 400],
      ['line\nbreak', 400],
      ['odd', 400],
      ['language', 400],
      ['', 400],
      ['x'.repeat(1025), 400],
    ],
  )
  assert.equal(body.errors[2].message, 'Content-Digest does not match the content')
  assert.equal((await download('taken')).bytes.toString(), 'taken')
  assert.equal(await count(), before + 2)
})

test('a batch has 1 to 100 objects of different keys in at most 1 MiB; otherwise nothing is stored', async () => {
  const id = await createBucket(api, 'edges')
  const many = (n: number) => Array.from({ length: n }, (_, k) => item(`key ${k}`))
  assert.equal((await batch(many(100), id)).body.uploaded.length, 100)
  for (const objects of [
    many(101),
    [],
    null,
    undefined,
    'text',
    [item('same', 'a'), item('same', 'b')],
    [item('new'), { key: 'no data' }],
    [item('new'), { key: 'not Base64', data: 'a?==' }],
    [item('new'), { key: 'not whole', data: 'abc' }],
    [item('new'), { key: 'number', data: 1 }],
    [item('new'), item('metadata', 'x', { metadata: { depth: { too: 'much' } } })],
    [item('new'), null],
  ])
    assert.equal((await batch(objects, id)).status, 400, JSON.stringify(objects))
  const sent = (length: number) => {
    const text = JSON.stringify({ objects: [item('body', Buffer.alloc(700_000))] }).padEnd(length)
    return api(`POST /buckets/${id}/objects/batch`, {
      raw: text,
      headers: { 'content-type': 'application/json' },
    })
  }
  assert.equal((await sent(1024 * 1024)).status, 200)
  assert.equal((await sent(1024 * 1024 + 1)).status, 413)
  assert.equal(await count(id), 101)
})

test('a batch is refused to who may not write, and lists what a policy denies', async () => {
  const id = await createBucket(api, 'denied')
  const member = await addMember(system, api, 'member')
  const denied = { action: 'object.write', resourceType: 'object', resourceId: 'secret', conditions: null }
  const statement = { effect: 'deny', subjectType: 'user', subjectId: member.id, ...denied }
  const put = await api(`PUT /buckets/${id}/policy`, { body: { statements: [statement] } })
  assert.equal(put.status, 200, put.text)
  const { body } = await batch([item('open'), item('secret')], id, member.api)
  assert.deepEqual(
    [keysOf(body.uploaded), keysOf(body.errors), body.errors[0].status],
    [['open'], ['secret'], 403],
  )

  const other = await storageOwner(system)
  assert.equal((await batch([item('theirs')], id, other.api)).status, 404)
  assert.equal((await system.storage(`POST /buckets/${id}/objects/batch`, { body: {} })).status, 401)
})

test('quotas are exact within a batch and between batches', async () => {
  const id = await createBucket(api, 'small', { storageQuotaBytes: 1000 })
  const batches = Array.from({ length: 4 }, (_, b) =>
    Array.from({ length: 10 }, (_, n) => item(`${b}/${n}`, Buffer.alloc(100))),
  )
  const answers = await Promise.all(batches.map((objects) => batch(objects, id)))
  const uploaded = answers.flatMap(({ body }) => body.uploaded)
  const errors = answers.flatMap(({ body }) => body.errors)
  assert.equal(uploaded.length, 10)
  assert.equal(errors.length, 30)
  for (const { status } of errors) assert.equal(status, 403)
  assert.equal((await api(`GET /buckets/${id}`)).body.total_size_bytes, 1000)
})

test('two batches with the same keys leave one content of each, and versions of both', async () => {
  const id = await createBucket(api, 'raced', { versioningEnabled: true })
  const keys = Array.from({ length: 50 }, (_, n) => `key-${n}`)
  await Promise.all(
    ['a', 'b'].map((bytes) =>
      batch(
        keys.map((key) => item(key, bytes)),
        id,
      ),
    ),
  )
  assert.equal(await count(id), 50)
  for (const key of ['key-0', 'key-49'])
    assert.equal((await api(`GET /buckets/${id}/versions?objectKey=${key}`)).body.length, 2)
})

test('each object of a batch is an event and an entry of the audit log', async () => {
  const id = await createBucket(api, 'audited')
  const events = await effects(api, () => batch([item('one'), item('two')], id))
  assert.deepEqual(typesOf(events), ['object.created', 'object.created'])
  const { rows } = (await api('GET /audit-logs?action=object.uploaded&limit=2')).body
  const logged = rows.map(({ payload }: { payload: { objectKey: string } }) => payload.objectKey)
  assert.deepEqual(logged.sort(), ['one', 'two'])
})

test('a batch with an Idempotency-Key takes effect once, as a whole', async () => {
  const id = await createBucket(api, 'repeated', { versioningEnabled: true, storageQuotaBytes: 9_550 })
  const objects = Array.from({ length: 100 }, (_, n) => item(`key-${n}`, Buffer.alloc(100)))
  const send = (body: object, key = 'once') =>
    api(`POST /buckets/${id}/objects/batch`, { body, headers: { 'idempotency-key': key } })
  const together = await Promise.all(Array.from({ length: 3 }, () => send({ objects })))
  for (const { status } of together) assert.ok(status === 200 || status === 409, `${status}`)
  const first = together.find(({ status }) => status === 200)
  assert.deepEqual([first?.body.uploaded.length, first?.body.errors.length], [95, 5])
  assert.equal(first?.body.errors[0].status, 403)
  const again = await send({ objects })
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(again.body.uploaded, first?.body.uploaded)
  const { key } = again.body.uploaded[0]
  assert.equal((await api(`GET /buckets/${id}/versions?objectKey=${key}`)).body.length, 1)
  assert.equal(await count(id), 95)
  assert.equal((await send({ objects: [item('other')] })).status, 409)

  const refused = await send({ objects: [item(key, 'x', { ifNoneMatch: '*' }), item('new', 'y')] }, 'part')
  assert.deepEqual([keysOf(refused.body.uploaded), keysOf(refused.body.errors)], [['new'], [key]])
})

test('in Form R the result is the same, with the id of the request', async () => {
  const headers = { 'x-api-form': 'R' }
  const { body } = await api(`POST /buckets/${bucketId}/objects/batch`, {
    body: { objects: [item('form R')] },
    headers,
  })
  assert.deepEqual(keysOf(body.uploaded), ['form R'])
  assert.ok(body.requestId)
})

test('without an active plan nothing of a batch is stored', async () => {
  const owner = await storageOwner(system)
  const id = await createBucket(owner.api, 'ended')
  await planEnds(system, owner.organization.id, new Date())
  const { body } = await batch([item('a'), item('b')], id, owner.api)
  assert.deepEqual(keysOf(body.uploaded), [])
  assert.deepEqual([...new Set(body.errors.map(({ status }: { status: number }) => status))], [403])
})

test('each object counts towards the rate limit; a batch that exceeds it is refused as a whole', async (t) => {
  const limited = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const owner = await storageOwner(limited)
  const id = await createBucket(owner.api, 'limited')
  const many = Array.from({ length: 100 }, (_, n) => item(`${n}`))
  const first = await batch(many, id, owner.api)
  const left = Number(first.headers.get('ratelimit-remaining'))
  for (let n = Math.floor(left / 100); n > 0; n--)
    assert.equal((await batch(many, id, owner.api)).status, 200)
  const refused = await batch(many, id, owner.api)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await batch([item('last')], id, owner.api)).status, 200, 'there is room for one')
})
