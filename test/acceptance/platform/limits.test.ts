import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher, storageOwner } from '#test/support/factories.ts'

const wrong = { email: 'nobody@example.com', password: 'wrong password' }
/** Failures are counted by account too, so each of these is another one. */
const another = (n: number) => ({ ...wrong, email: `nobody-${n}@example.com` })

test('responses report the remaining rate limit, and a request beyond it gets 429 with Retry-After', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  for (let left = 9; left >= 0; left--) {
    const answer = await system.inventory('POST /api/auth/login', { body: another(left) })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('ratelimit-limit'), '10')
    assert.equal(answer.headers.get('ratelimit-remaining'), String(left))
    assert.ok(Number(answer.headers.get('ratelimit-reset')) <= 60)
  }
  const refused = await system.inventory('POST /api/auth/login', { body: wrong })
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.body, {
    error: 'Too many requests',
    code: 'rate_limited',
    request_id: refused.headers.get('x-request-id'),
  })
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60)
  assert.equal(refused.headers.get('ratelimit-reset'), String(wait))
  system.clock.advance(20_000)
  const later = await system.inventory('POST /api/auth/login', { body: wrong })
  // The clock goes on while requests are sent.
  const reset = Number(later.headers.get('ratelimit-reset'))
  assert.ok(reset <= wait - 20 && reset > wait - 40, 'the time until the first one expires')
  assert.equal((await system.inventory('GET /healthz')).status, 200)
  system.clock.advance(wait * 1000)
  assert.equal((await system.inventory('POST /api/auth/login', { body: wrong })).status, 401)
})

test('parallel requests do not exceed a rate limit', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => system.storage('POST /auth/login', { body: another(n) })),
  )
  assert.equal(answers.filter(({ status }) => status === 401).length, 10)
  assert.equal(answers.filter(({ status }) => status === 429).length, 20)
})

test('behind a trusted proxy, rate limits use the address that the proxy reports and ignore what the client claims', async (t) => {
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

test('rate limits count an IPv6 /64, or an IPv4 address in either notation, as one client', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
  const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })
  const signIns = [
    (headers: Record<string, string>) => system.storage('POST /auth/login', { body: wrong, headers }),
    (headers: Record<string, string>) => system.publishing('POST /api/auth/login', { body: wrong, headers }),
    (headers: Record<string, string>) => system.inventory('POST /api/auth/login', { body: wrong, headers }),
  ]
  for (const signIn of signIns) {
    const limitOf = async (address: string) =>
      (await signIn(from(address))).headers.get('ratelimit-remaining')
    assert.equal(await limitOf('2001:db8:0:1::1'), '9')
    assert.equal(await limitOf('2001:db8:0:1:ffff:ffff:ffff:ffff'), '8')
    assert.equal(await limitOf('2001:db8:0:2::1'), '9')
    assert.equal(await limitOf('203.0.113.9'), '9')
    assert.equal(await limitOf('::ffff:203.0.113.9'), '8')
  }
})

test('responses from memory count against the rate limit of the same client', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
  const { handle } = await publisher({
    publishing: system.publishing.with({ 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https' }),
  })
  // The first is drawn, what follows is in memory; with a token nothing is answered from there.
  const left = async (address: string, more = {}) => {
    const headers = { 'x-forwarded-for': address, 'x-forwarded-proto': 'https', ...more }
    return (await system.publishing(`GET /api/users/${handle}`, { headers })).headers.get(
      'ratelimit-remaining',
    )
  }
  assert.equal(await left('2001:db8:0:1::1'), '499')
  assert.equal(await left('2001:db8:0:1::2'), '498')
  assert.equal(await left('2001:db8:0:1::3', { authorization: 'Bearer none' }), '497')
  assert.equal(await left('2001:db8:0:1:ffff::'), '496')
  assert.equal(await left('2001:db8:0:2::1'), '499')
  assert.equal(await left('::ffff:203.0.113.9'), '499')
  assert.equal(await left('203.0.113.9'), '498')
  assert.equal(await left('203.0.113.9, 2001:db8:0:1::4'), '495')
})

test('a request that a trusted proxy received over plain http is refused, unless ALLOW_HTTP is on', async (t) => {
  const strict = await boot({ t, env: { TRUST_PROXY: '1' } })
  const plain = { headers: { 'x-forwarded-proto': 'http' } }
  const refused = await strict.storage('GET /buckets', plain)
  assert.equal(refused.status, 403)
  assert.match(refused.body.reason, /HTTPS/)
  assert.equal(
    (await strict.storage('GET /buckets', { headers: { 'x-forwarded-proto': 'https' } })).status,
    401,
  )
  assert.equal((await strict.storage('GET /healthz', plain)).status, 200)
  const lenient = await boot({ t, env: { TRUST_PROXY: '1', ALLOW_HTTP: 'on' } })
  assert.equal((await lenient.storage('GET /buckets', plain)).status, 401)
})

test('with CORS_ORIGINS only the configured origins get CORS headers', async (t) => {
  const system = await boot({ t, env: { CORS_ORIGINS: 'https://a.example,https://b.example' } })
  const from = async (origin: string) =>
    (await system.storage('GET /no/such', { headers: { origin } })).headers.get('access-control-allow-origin')
  assert.equal(await from('https://b.example'), 'https://b.example')
  assert.equal(await from('https://c.example'), null)
})

test('with RATE_LIMITS=off no request is limited', async (t) => {
  const system = await boot({ t })
  const { api } = await storageOwner(system)
  const answers = await Promise.all(Array.from({ length: 40 }, () => api('GET /buckets')))
  assert.ok(answers.every(({ status, headers }) => status === 200 && headers.get('ratelimit-limit') === null))
})
