import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

const hour = 3_600_000

test('setting the clock back locks no account out; a clock that is slightly behind does not bypass the burst limit', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const { api } = await publisher(system)
  const { key } = (await api('POST /api/developer/keys', { body: { name: 'clock', daily_post_limit: 1000 } }))
    .body.data
  // A token from the future is none; a key has no date.
  const script = system.publishing.with({ 'x-api-key': key })
  const post = () => script('POST /api/posts', { body: { content: 'tick' } })
  for (let n = 0; n < 30; n++) assert.equal((await post()).status, 201)
  assert.equal((await post()).status, 429)

  system.clock.advance(-9_000)
  const refused = await post()
  assert.equal(refused.status, 429)
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait <= 70, String(wait))

  system.clock.advance(-hour)
  const accepted = await post()
  assert.equal(accepted.status, 201)
  assert.equal(accepted.headers.get('ratelimit-remaining'), '29')
})
