import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'

// Every client has an address of its own, so that only the limit per account applies.
const system = await boot({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
let address = 0
const storage = () =>
  system.storage.with({
    'x-forwarded-for': `10.0.${address >> 8}.${++address & 255}`,
    'x-forwarded-proto': 'https',
  })
const newOwner = () => storageOwner({ storage: storage() })
const logIn = (email: string, secret = password, totpToken?: string) =>
  storage()('POST /auth/login', { body: { email, password: secret, totpToken } })

test('wrong codes and wrong current passwords count as failed sign-ins; a missing code does not', async () => {
  const { api, email } = await newOwner()
  const { secret } = (await api('POST /settings/totp/setup')).body
  const code = () =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: system.clock.now().getTime() })
  await api('POST /settings/totp/verify', { body: { token: code() } })
  system.clock.advance(90_000 - (system.clock.now().getTime() % 30_000))
  for (let n = 0; n < 6; n++) assert.equal((await logIn(email)).status, 401, 'no code')
  const wrong = code() === '000000' ? '000001' : '000000'
  for (let n = 0; n < 2; n++) assert.equal((await logIn(email, password, wrong)).status, 401)
  const body = { currentPassword: 'wrong horse', newPassword: 'another horse' }
  for (let n = 0; n < 2; n++) assert.equal((await api('PATCH /settings/password', { body })).status, 401)
  assert.equal((await api('DELETE /settings/totp', { body: { token: wrong } })).status, 400)
  assert.equal((await api('DELETE /settings/totp', { body: { token: code() } })).status, 429)
  assert.equal(
    (await api('PATCH /settings/password', { body: { ...body, currentPassword: password } })).status,
    429,
  )
  assert.equal((await logIn(email, password, code())).status, 429)
})

test('registration, login and both steps of a reset share ten a minute per address', async () => {
  const api = storage()
  const calls = [
    ['POST /auth/register', {}, 400],
    ['POST /auth/login', { email: 'a@example.com', password: 'wrong horse' }, 401],
    ['POST /auth/forgot-password', { email: 'a@example.com' }, 200],
    ['POST /auth/reset-password', { token: 'x', newPassword: 'another one' }, 400],
  ] as const
  for (let n = 0; n < 10; n++) {
    const [call, body, status] = calls[n % 4]!
    const answer = await api(call, { body })
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('ratelimit-remaining'), String(9 - n))
  }
  for (const [call, body] of calls) assert.equal((await api(call, { body })).status, 429)
  assert.equal(
    (await storage()('POST /auth/forgot-password', { body: { email: 'a@example.com' } })).status,
    200,
  )
  system.clock.advance(60_000)
  assert.equal((await api('POST /auth/register', { body: {} })).status, 400)
})

test('a credential has 1200 requests a minute', async () => {
  const { api } = await newOwner()
  const first = await api('GET /auth/me')
  assert.equal(first.headers.get('ratelimit-limit'), '1200')
  assert.equal(first.headers.get('ratelimit-remaining'), '1199')
  const { key } = (await api('POST /auth/api-keys')).body
  const byKey = await storage()('GET /auth/me', { headers: { 'x-api-key': key } })
  assert.equal(byKey.headers.get('ratelimit-remaining'), '1199', 'each credential has its own')
})
