import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'

const system = await boot()
const { storage, clock } = system

const codeOf = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() })
/** Moves the clock to the beginning of a later time step, so that no code expires during the test. */
const nextCodes = () => clock.advance(60_000 - (clock.now().getTime() % 30_000))
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('changing the password needs the current one and ends every session', async () => {
  const { api, email } = await storageOwner(system)
  const change = (currentPassword: unknown, newPassword: unknown) =>
    api('PATCH /settings/password', { body: { currentPassword, newPassword } })
  assert.equal((await change('wrong horse', 'another one')).status, 401)
  for (const [current, next, field] of [
    [undefined, 'another one', 'currentPassword'],
    [password, undefined, 'newPassword'],
    [password, '1234567', 'newPassword'],
    [password, 'x'.repeat(129), 'newPassword'],
    [7, 'another one', 'currentPassword'],
  ]) {
    const { status, body } = await change(current, next)
    assert.equal(status, 400)
    assert.ok(body.message.startsWith(`${field} `), body.message)
  }
  const { body: key } = await api('POST /auth/api-keys', { body: { label: 'stays' } })
  const changed = await change(password, '12345678')
  assert.deepEqual([changed.status, changed.body], [200, { ok: true }])
  assert.equal((await api('GET /auth/me')).status, 401)
  assert.equal((await storage.with({ 'x-api-key': key.key })('GET /auth/me')).status, 200, 'keys stay')
  assert.equal((await storage('POST /auth/login', { body: { email, password } })).status, 401)
  const again = await storage('POST /auth/login', { body: { email, password: '12345678' } })
  assert.equal(again.status, 200)
  const audit = await storage.bearer(again.body.token)('GET /audit-logs?action=auth.password_changed')
  assert.equal(audit.body.total, 1)
})

test('of two parallel password changes one succeeds', async () => {
  const { api, email } = await storageOwner(system)
  const answers = await Promise.all(
    ['first choice', 'other choice'].map(async (newPassword) => ({
      newPassword,
      ...(await api('PATCH /settings/password', { body: { currentPassword: password, newPassword } })),
    })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
  for (const { newPassword, status } of answers)
    assert.equal(
      (await storage('POST /auth/login', { body: { email, password: newPassword } })).status,
      status,
    )
})

test('two-factor login: set up, verify, sign in with a code once, switch off', async () => {
  const { api, email } = await storageOwner(system)
  nextCodes()
  const logIn = (totpToken?: string) => storage('POST /auth/login', { body: { email, password, totpToken } })
  assert.deepEqual((await api('GET /settings/totp')).body, { enabled: false })
  assert.equal((await api('POST /settings/totp/verify', { body: { token: '123456' } })).status, 400)
  assert.equal((await api('DELETE /settings/totp', { body: { token: '123456' } })).status, 400)

  const discarded = (await api('POST /settings/totp/setup')).body.secret
  const setup = await api('POST /settings/totp/setup')
  assert.equal(setup.status, 200)
  const { secret, otpauth_url } = setup.body
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.equal(new URL(otpauth_url).searchParams.get('secret'), secret)
  assert.equal((await logIn()).status, 200, 'nothing changes before a code was verified')
  for (const token of [undefined, '', '12345', '1234567', 'abcdef', 123456, codeOf(discarded)]) {
    const { status, body } = await api('POST /settings/totp/verify', { body: { token } })
    assert.equal(status, 400)
    assert.match(body.message, /^token /)
  }
  const verified = await api('POST /settings/totp/verify', { body: { token: codeOf(secret) } })
  assert.deepEqual([verified.status, verified.body], [200, { ok: true }])
  assert.deepEqual((await api('GET /settings/totp')).body, { enabled: true })
  assert.equal((await api('POST /settings/totp/setup')).status, 409, 'the secret in use is not replaced')

  const missing = await logIn()
  assert.equal(missing.status, 401)
  assert.match(missing.body.reason, /totpToken is required/)
  assert.equal(
    (await logIn(codeOf(secret))).status,
    200,
    'the code that was verified is still the current one',
  )
  nextCodes()
  const wrong = await logIn(otherThan(codeOf(secret)))
  assert.equal(wrong.status, 401)
  assert.match(wrong.body.reason, /totpToken is wrong/)
  const code = codeOf(secret)
  const both = await Promise.all([logIn(code), logIn(code)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  assert.equal(both.find(({ status }) => status === 200)?.body.user.totp_enabled, true)

  nextCodes()
  assert.equal((await api('DELETE /settings/totp')).status, 400)
  assert.equal(
    (await api('DELETE /settings/totp', { body: { token: otherThan(codeOf(secret)) } })).status,
    400,
  )
  const off = await api('DELETE /settings/totp', { body: { token: codeOf(secret) } })
  assert.deepEqual([off.status, off.body], [200, { ok: true }])
  assert.equal((await logIn()).status, 200)
  const audit = await api('GET /audit-logs')
  const actions = audit.body.rows.map((row: { action: string }) => row.action)
  for (const action of ['auth.totp_enabled', 'auth.totp_disabled'])
    assert.ok(actions.includes(action), action)
  assert.ok(!audit.text.includes(secret))
})

const withTotp = async () => {
  const owner = await storageOwner(system)
  const { secret } = (await owner.api('POST /settings/totp/setup')).body as { secret: string }
  assert.equal(
    (await owner.api('POST /settings/totp/verify', { body: { token: codeOf(secret) } })).status,
    200,
  )
  nextCodes()
  return { ...owner, secret }
}

test('a code that was used to sign in cannot switch two-factor login off; the next one can', async () => {
  const { api, email, secret } = await withTotp()
  const token = codeOf(secret)
  const entered = await storage('POST /auth/login', { body: { email, password, totpToken: token } })
  assert.equal(entered.status, 200)
  const refused = await api('DELETE /settings/totp', { body: { token } })
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^token is wrong/)
  assert.deepEqual((await api('GET /settings/totp')).body, { enabled: true })
  nextCodes()
  assert.equal((await api('DELETE /settings/totp', { body: { token: codeOf(secret) } })).status, 200)
})

test('one code cannot sign in and switch two-factor login off at the same time', async () => {
  const { api, email, user, secret } = await withTotp()
  const held = await hold(system, (tx) => tx`select from storage.users where id = ${user.id} for update`)
  const token = codeOf(secret)
  const login = storage('POST /auth/login', { body: { email, password, totpToken: token } })
  await waitingForLocks(system, 1)
  const off = api('DELETE /settings/totp', { body: { token } })
  await waitingForLocks(system, 2)
  await held.release()
  assert.deepEqual([(await login).status, (await off).status], [200, 400])
})

test('a code of a replaced secret does not enable two-factor login', async () => {
  const { api, user } = await storageOwner(system)
  const { secret } = (await api('POST /settings/totp/setup')).body
  const held = await hold(system, (tx) => tx`select from storage.users where id = ${user.id} for update`)
  const replacing = api('POST /settings/totp/setup')
  await waitingForLocks(system, 1)
  const verifying = api('POST /settings/totp/verify', { body: { token: codeOf(secret) } })
  await waitingForLocks(system, 2)
  await held.release()
  const later = (await replacing).body.secret
  assert.equal((await verifying).status, 400)
  assert.deepEqual((await api('GET /settings/totp')).body, { enabled: false })
  assert.equal((await api('POST /settings/totp/verify', { body: { token: codeOf(later) } })).status, 200)
})
