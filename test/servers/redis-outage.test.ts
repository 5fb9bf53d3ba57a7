import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'
import { startRedis } from '#test/support/redis.ts'

const redis = await startRedis()
after(() => redis.stop())
const system = await boot({ env: { RATE_LIMITS: 'on', REDIS_URL: redis.url } })

test('while Redis does not respond, sign-in gets 503 and everything else works', async (t) => {
  const owner = await storageOwner(system)
  const writer = await publisher(system)
  const admin = await inventoryAdmin(system)
  redis.freeze()
  t.after(() => redis.thaw())

  const refused = await Promise.all([
    system.storage('POST /auth/login', { body: { email: owner.email, password } }),
    system.publishing('POST /api/auth/login', { body: { email: writer.email, password } }),
    system.inventory('POST /api/auth/login', { body: { email: admin.email, password } }),
    system.storage('POST /auth/forgot-password', { body: { email: owner.email } }),
  ])
  for (const answer of refused) {
    assert.equal(answer.status, 503, answer.text)
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    assert.match(answer.text, /Requests cannot be counted right now/)
  }
  assert.equal((await owner.api('GET /buckets')).status, 200)
  assert.equal((await admin.api('GET /api/products')).status, 200)
  assert.equal((await system.publishing(`GET /api/users/${writer.handle}`)).status, 200)

  redis.thaw()
  const again = await system.storage('POST /auth/login', { body: { email: owner.email, password } })
  assert.equal(again.status, 200, again.text)
})
