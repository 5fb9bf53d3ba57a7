import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'

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
