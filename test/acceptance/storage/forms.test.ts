import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { storage } = system
const owner = await storageOwner(system)
const credential = (await owner.api('POST /auth/api-keys')).body
await owner.api('POST /buckets', { body: { name: 'first' } })

const S = owner.api
const R = owner.api.with({ 'x-api-form': 'R' })
const pair = storage.with({ 'x-api-key': credential.accessKey, 'x-api-secret': credential.secretKey })
const wholeKey = storage.with({ 'x-api-key': credential.key })
const keysOf = (value: object) => Object.keys(value).sort()

const usageS = [
  'bandwidth_used_bytes',
  'bucket_count',
  'object_count',
  'object_quota',
  'retained_objects',
  'storage_quota_bytes',
  'storage_used_bytes',
]
const usageR = [
  'bandwidthQuotaBytes', 'bandwidthUsedBytes', 'bucketCount', 'objectCount', 'objectQuota', 'requestId',
  'retainedObjects', 'storageQuotaBytes', 'storageUsedBytes',
] // biome-ignore format: one list

test('the dialect is that of the header, else of the credentials, else Form S', async () => {
  for (const [name, api, expected] of [
    ['bearer', S, usageS],
    ['whole key', wholeKey, usageS],
    ['pair', pair, usageR],
    ['asked for R', R, usageR],
    ['asked for r', S.with({ 'x-api-form': 'r' }), usageR],
    ['pair that asks for S', pair.with({ 'x-api-form': 'S' }), usageS],
    ['whole key that asks for R', wholeKey.with({ 'x-api-form': 'R' }), usageR],
    ['an unknown form', S.with({ 'x-api-form': 'Q' }), usageS],
  ] as const)
    assert.deepEqual(keysOf((await api('GET /usage/summary')).body), expected, name)
})

test('usage is the same in both dialects, and Form R includes the bandwidth quota', async () => {
  const [s, r] = [(await S('GET /usage/summary')).body, (await R('GET /usage/summary')).body]
  assert.deepEqual(s, {
    storage_used_bytes: 0,
    storage_quota_bytes: 5 * 2 ** 30,
    retained_objects: 0,
    object_quota: 5 * 2 ** 17,
    bandwidth_used_bytes: 0,
    object_count: 0,
    bucket_count: 1,
  })
  const { requestId: _, ...usage } = r
  assert.deepEqual(usage, {
    storageUsedBytes: 0,
    storageQuotaBytes: 5 * 2 ** 30,
    retainedObjects: 0,
    objectQuota: 5 * 2 ** 17,
    bandwidthUsedBytes: 0,
    bandwidthQuotaBytes: 10 * 2 ** 30,
    objectCount: 0,
    bucketCount: 1,
  })
})

test('buckets have their own fields in each dialect; a list is an array in both', async () => {
  const s = (await S('POST /buckets', { body: { name: 'in-s' } })).body
  const r = (await R('POST /buckets', { body: { name: 'in-r', visibility: 'public' } })).body
  assert.equal('requestId' in s, false)
  assert.deepEqual(keysOf(r), ['createdAt', 'id', 'name', 'requestId', 'storageUsedBytes', 'visibility'])
  assert.equal(r.visibility, 'public')
  const list = (await R('GET /buckets')).body
  assert.deepEqual(keysOf(list[0]), ['createdAt', 'id', 'name', 'storageUsedBytes', 'visibility'])
  assert.equal(list[0].id, r.id)
  assert.equal((await S('GET /buckets')).body[0].total_size_bytes, 0)
})

test('every response has its request id in a header, Form R objects in the body too', async () => {
  for (const path of ['/auth/me', '/usage/summary', '/audit-logs', '/billing/plan', '/settings/totp']) {
    const headers = { 'x-request-id': 'my-own.id_1' }
    const [s, r] = [await S(`GET ${path}`, { headers }), await R(`GET ${path}`, { headers })]
    for (const answer of [s, r]) assert.equal(answer.headers.get('x-request-id'), 'my-own.id_1')
    assert.equal(r.body.requestId, 'my-own.id_1')
    assert.equal('requestId' in s.body, false)
    const made = await R(`GET ${path}`)
    assert.equal(made.body.requestId, made.headers.get('x-request-id'))
  }
  const odd = await R('GET /auth/me', { headers: { 'x-request-id': 'not allowed!' } })
  assert.match(odd.body.requestId, /^[0-9a-f-]{36}$/)
})

test('resources with one spelling have it in both dialects', async () => {
  for (const path of ['/auth/me', '/audit-logs', '/billing/plan', '/billing/tiers', '/settings/totp']) {
    const [s, { requestId: _, ...r }] = [(await S(`GET ${path}`)).body, (await R(`GET ${path}`)).body]
    assert.deepEqual(r, s)
  }
  for (const path of ['/members', '/billing/charges', '/auth/api-keys'])
    assert.deepEqual((await R(`GET ${path}`)).body, (await S(`GET ${path}`)).body)
})

test('errors have the fields of both dialects', async () => {
  for (const api of [S, R]) {
    for (const [call, body, status, details] of [
      ['GET /no/such/path', undefined, 404, null],
      ['DELETE /auth/me', undefined, 405, null],
      [`DELETE /members/${crypto.randomUUID()}`, undefined, 404, null],
      ['POST /buckets', { name: 'first' }, 409, [{ field: 'name', reason: 'is already in use' }]],
      [
        'POST /buckets',
        { name: 'UPPER' },
        400,
        [{ field: 'name', reason: 'can only have lowercase letters, digits, dots and hyphens' }],
      ],
    ] as const) {
      const answer = await api(call, body === undefined ? {} : { body })
      assert.equal(answer.status, status, call)
      assert.deepEqual(keysOf(answer.body), ['code', 'details', 'error', 'message', 'reason', 'requestId'])
      assert.equal(answer.body.error, answer.body.message)
      assert.deepEqual(answer.body.details, details)
      assert.equal(answer.body.requestId, answer.headers.get('x-request-id'))
      if (details) assert.equal(answer.body.message, `name ${details[0].reason}`)
    }
  }
  for (const [headers, reason] of [
    [{}, 'Credentials are missing: send an API key as X-API-Key, or a token as Authorization: Bearer'],
    [{ 'x-api-key': credential.accessKey, 'x-api-secret': 'wrong' }, 'This API key is unknown or revoked'],
  ] as const) {
    const answer = await storage('GET /auth/me', { headers })
    const { message, error } = answer.body
    assert.deepEqual(
      { status: answer.status, message, error, reason: answer.body.reason },
      { status: 401, message: 'Unauthorized', error: 'Unauthorized', reason },
    )
  }
})

test('a repeat with an Idempotency-Key gets the response in the dialect it asks for', async () => {
  const headers = { 'idempotency-key': 'both-forms' }
  const body = { name: 'repeated' }
  const [s, r] = [await S('POST /buckets', { body, headers }), await R('POST /buckets', { body, headers })]
  assert.deepEqual([s.status, r.status], [201, 201])
  assert.equal(r.body.id, s.body.id)
  assert.ok('createdAt' in r.body && 'created_at' in s.body)
})
