import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

const wrong = { email: 'nobody@example.com', password: 'wrong password' }
/** Storage also counts failures by account, so each of these is another one. */
const another = (n: number) => ({ ...wrong, email: `nobody-${n}@example.com` })

test('limited answers tell what is left, and the one too many is 429 with Retry-After', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  for (let left = 9; left >= 0; left--) {
    const answer = await system.inventory('POST /api/auth/login', { body: wrong })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('ratelimit-limit'), '10')
    assert.equal(answer.headers.get('ratelimit-remaining'), String(left))
    assert.ok(Number(answer.headers.get('ratelimit-reset')) <= 60)
  }
  const refused = await system.inventory('POST /api/auth/login', { body: wrong })
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.body, { error: 'Too many requests' })
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60)
  assert.equal((await system.inventory('GET /healthz')).status, 200)
  system.clock.advance(wait * 1000)
  assert.equal((await system.inventory('POST /api/auth/login', { body: wrong })).status, 401)
})

test('parallel requests never get more than the limit', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => system.storage('POST /auth/login', { body: another(n) })),
  )
  assert.equal(answers.filter(({ status }) => status === 401).length, 10)
  assert.equal(answers.filter(({ status }) => status === 429).length, 20)
})

test('behind a trusted proxy the client address counts, and nothing the client says of itself', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
  let n = 0
  const from = (chain: string) =>
    system.storage('POST /auth/login', {
      body: another(++n),
      headers: { 'x-forwarded-for': chain, 'x-forwarded-proto': 'https' },
    })
  for (let n = 0; n < 10; n++) assert.equal((await from(`10.0.0.${n}, 203.0.113.7`)).status, 401)
  assert.equal((await from('10.9.9.9, 203.0.113.7')).status, 429)
  assert.equal((await from('203.0.113.8')).status, 401)
})

test('what a trusted proxy received over plain http is refused, unless that is allowed', async (t) => {
  const strict = await boot({ t, env: { TRUST_PROXY: '1' } })
  const plain = { headers: { 'x-forwarded-proto': 'http' } }
  const refused = await strict.storage('GET /buckets', plain)
  assert.equal(refused.status, 403)
  assert.match(refused.body.message, /HTTPS/)
  assert.equal(
    (await strict.storage('GET /buckets', { headers: { 'x-forwarded-proto': 'https' } })).status,
    401,
  )
  assert.equal((await strict.storage('GET /healthz', plain)).status, 200)
  const lenient = await boot({ t, env: { TRUST_PROXY: '1', ALLOW_HTTP: 'on' } })
  assert.equal((await lenient.storage('GET /buckets', plain)).status, 401)
})

test('only configured origins may call when they are configured', async (t) => {
  const system = await boot({ t, env: { CORS_ORIGINS: 'https://a.example,https://b.example' } })
  const from = async (origin: string) =>
    (await system.storage('GET /no/such', { headers: { origin } })).headers.get('access-control-allow-origin')
  assert.equal(await from('https://b.example'), 'https://b.example')
  assert.equal(await from('https://c.example'), null)
})

test('with RATE_LIMITS=off nothing is limited', async (t) => {
  const system = await boot({ t })
  const { api } = await storageOwner(system)
  const answers = await Promise.all(Array.from({ length: 40 }, () => api('GET /buckets')))
  assert.ok(answers.every(({ status, headers }) => status === 200 && headers.get('ratelimit-limit') === null))
})
