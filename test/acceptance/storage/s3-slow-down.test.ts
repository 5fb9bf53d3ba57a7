import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

test('requests beyond a rate limit are refused with SlowDown and 503, as clients of S3 expect', async (t) => {
  const { urls } = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const send = () => fetch(`${urls.s3}/nobody.bucket/key`)
  for (let sent = 0; sent < 2_000; sent += 50) {
    const responses = await Promise.all(Array.from({ length: 50 }, send))
    const slow = responses.find(({ status }) => status !== 403)
    if (!slow) continue
    assert.equal(slow.status, 503)
    assert.match(await slow.text(), /<Code>SlowDown<\/Code>/)
    assert.ok(Number(slow.headers.get('retry-after')) >= 1)
    return
  }
  assert.fail('there is no limit')
})

test('a key may send more requests in a row than the native API allows in a minute', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const { api } = await storageOwner(system)
  const { accessKey, secretKey } = (await api('POST /auth/api-keys', { body: {} })).body
  const client = new S3Client({
    endpoint: system.urls.s3,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  })
  t.after(() => client.destroy())
  const list = () => client.send(new ListBucketsCommand({}))
  for (let sent = 0; sent < 1_300; sent += 50) await Promise.all(Array.from({ length: 50 }, list))
})
