import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
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
