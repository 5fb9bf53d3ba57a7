import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { planChanged } from '#storage/billing/plans.ts'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'

// Small objects that were read before are in memory, and are sent from there.
const system = await boot()
const owner = await s3Owner(system)
const { s3, credentials } = owner
const Bucket = 'hot'
await s3.send(new CreateBucketCommand({ Bucket }))
const put = (Key: string, Body: string) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'text/plain', Metadata: { a: 'ü' } }))
const get = (key: string, headers: Record<string, string> = {}) =>
  signedRequest(system, credentials, `GET /hot/${key}`, { headers })

const changing = ['date', 'x-amz-request-id', 'x-request-id', 'connection', 'keep-alive']
const lasting = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)))

test('an object has the same headers and bytes when it is read again', async () => {
  await put('a', 'hot')
  for (const headers of [{}, { 'X-Amz-Checksum-Mode': 'ENABLED' }]) {
    const first = await get('a', { ...headers, 'If-Modified-Since': 'Wed, 21 Oct 2015 07:28:00 GMT' })
    const second = await get('a', headers)
    const third = await get('a?x-id=GetObject', headers)
    for (const { status, text, headers: found } of [second, third]) {
      assert.deepEqual([status, text], [200, 'hot'])
      assert.deepEqual(lasting(found), lasting(first.headers))
      assert.equal(found['x-amz-request-id'], found['x-request-id'])
    }
    assert.notEqual(second.headers['x-amz-request-id'], third.headers['x-amz-request-id'])
  }
})

test('what changes is seen at once', async () => {
  await put('b', 'one')
  for (let n = 0; n < 2; n++) assert.equal((await get('b')).text, 'one')
  await put('b', 'two')
  assert.equal((await get('b')).text, 'two')
  assert.equal((await signedRequest(system, credentials, 'DELETE /hot/b')).status, 204)
  assert.equal((await get('b')).status, 404)
})

test('a wrong signature, a header that is not signed and a revoked key are refused', async () => {
  for (let n = 0; n < 2; n++) assert.equal((await get('a')).status, 200)
  const changed = await signedRequest(system, credentials, 'GET /hot/a', {
    tamper: ({ headers }) => {
      headers.Authorization = (headers.Authorization as string).replace(/.$/, (c) => (c === '0' ? '1' : '0'))
    },
  })
  assert.deepEqual([changed.status, changed.code], [403, 'SignatureDoesNotMatch'])
  const added = await signedRequest(system, credentials, 'GET /hot/a', {
    tamper: ({ headers }) => {
      headers['X-Amz-Checksum-Mode'] = 'ENABLED'
    },
  })
  assert.deepEqual([added.status, added.code], [403, 'AccessDenied'])
  const range = await s3.send(new GetObjectCommand({ Bucket, Key: 'a', Range: 'bytes=1-1' }))
  assert.equal(await range.Body?.transformToString(), 'o')
  assert.equal((await owner.api(`DELETE /auth/api-keys/${credentials.id}`)).status, 200)
  assert.equal((await get('a')).status, 403)
})

test('a key that a policy denies is refused, though others have just read what it asks for', async () => {
  const reader = await s3Owner(system)
  await reader.s3.send(new CreateBucketCommand({ Bucket: 'denied' }))
  await reader.s3.send(new PutObjectCommand({ Bucket: 'denied', Key: 'a', Body: 'kept' }))
  const made = await reader.api('POST /auth/api-keys', { body: { label: 'other' } })
  const other = made.body as typeof reader.credentials
  const read = async (who: typeof other) => (await signedRequest(system, who, 'GET /denied/a')).status
  for (const who of [other, reader.credentials, other, reader.credentials, other, reader.credentials])
    assert.equal(await read(who), 200)
  const { id } = (await reader.api('GET /buckets')).body.find(
    ({ name }: { name: string }) => name === 'denied',
  )
  const deny = { effect: 'deny', action: 'object.read', subjectType: 'api_key', subjectId: other.id, resourceType: 'object', resourceId: '*' } // biome-ignore format: one line
  assert.equal((await reader.api(`PUT /buckets/${id}/policy`, { body: { statements: [deny] } })).status, 200)
  for (let n = 0; n < 3; n++) assert.equal(await read(reader.credentials), 200)
  for (let n = 0; n < 2; n++) assert.equal(await read(other), 403)
})

test('downloads from memory end with the bandwidth of the plan', async () => {
  const poor = await s3Owner(system)
  await poor.s3.send(new CreateBucketCommand({ Bucket: 'metered' }))
  await poor.s3.send(new PutObjectCommand({ Bucket: 'metered', Key: 'k', Body: 'x'.repeat(1000) }))
  await system.sql`
    update storage.organizations set bandwidth_quota_bytes = 5000 where id = ${poor.organization.id}`
  await system.platform.db.transaction((tx) => planChanged(system.platform, tx, poor.organization.id))
  const statuses: number[] = []
  for (let n = 0; n < 12; n++)
    statuses.push((await signedRequest(system, poor.credentials, 'GET /metered/k')).status)
  assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(7).fill(403)])
})
