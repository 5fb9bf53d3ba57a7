import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListBucketsCommand } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'

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
  const { s3 } = await s3Owner(await boot({ t, env: { RATE_LIMITS: 'on' } }))
  const list = () => s3.send(new ListBucketsCommand({}))
  for (let sent = 0; sent < 1_300; sent += 50) await Promise.all(Array.from({ length: 50 }, list))
})
