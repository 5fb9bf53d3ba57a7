import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'

test('payment events are limited to 600 a minute per address', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
  const send = (ip: string) =>
    system.storage('POST /billing/webhook', {
      body: { invented: true },
      headers: { 'x-forwarded-for': ip, 'x-forwarded-proto': 'https' },
    })
  for (let n = 0; n < 600; n += 20)
    for (const { status } of await Promise.all(Array.from({ length: 20 }, () => send('203.0.113.1'))))
      assert.equal(status, 400)
  const refused = await send('203.0.113.1')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  assert.equal(refused.body.message, 'Too many requests')
  assert.equal((await send('203.0.113.2')).status, 400)
})
