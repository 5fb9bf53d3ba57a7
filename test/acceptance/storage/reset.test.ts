import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { mails, mailsTo, tokenIn } from '#test/support/mail.ts'

const system = await boot()
const { storage, clock } = system
const newPassword = 'a brand new one'

const mailTo = (email: string, count = 1) => mailsTo(system, email, count)

const forgot = (email: string) => storage('POST /auth/forgot-password', { body: { email } })
const reset = (token: unknown, to: unknown = newPassword) =>
  storage('POST /auth/reset-password', { body: { token, newPassword: to } })
const logIn = (email: string, secret: string) =>
  storage('POST /auth/login', { body: { email, password: secret } })

test("a reset mail's token sets a new password once and ends every session", async () => {
  const { api, email, user } = await storageOwner(system)
  const setup = await api('POST /settings/totp/setup')
  const code = TOTP.generate({
    secret: Secret.fromBase32(setup.body.secret),
    timestamp: clock.now().getTime(),
  })
  assert.equal((await api('POST /settings/totp/verify', { body: { token: code } })).status, 200)

  const [known, unknown] = [await forgot(email.toUpperCase()), await forgot('nobody@example.com')]
  assert.equal(known.status, 200)
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text])
  const [mail = ''] = await mailTo(email)
  const token = tokenIn(mail)
  assert.equal(mail.split(token).length, 3, 'once in the link and once by itself')

  for (const short of ['1234567', 'x'.repeat(129)]) {
    const refused = await reset(token, short)
    assert.equal(refused.status, 400)
    assert.match(refused.body.message, /^newPassword /)
  }
  assert.equal((await reset(token)).status, 200)
  assert.equal((await api('GET /auth/me')).status, 401, 'old sessions end')
  assert.equal((await logIn(email, password)).status, 401)
  const entered = await logIn(email, newPassword)
  assert.equal(entered.status, 200, 'without a code: two-factor login went off')
  assert.equal(entered.body.user.totp_enabled, false)
  const again = await reset(token)
  assert.equal(again.status, 400)
  assert.match(again.body.message, /^token /)

  const audit = await storage.bearer(entered.body.token)('GET /audit-logs?action=auth.password_reset')
  assert.equal(audit.body.total, 1)
  assert.equal(audit.body.rows[0].resource_id, user.id)
  assert.ok(!audit.text.includes(token))
  assert.equal((await mails(system)).filter((text) => text.includes('nobody@example.com')).length, 0)
})

test('a password reset token is valid for one hour', async () => {
  const { email } = await storageOwner(system)
  await forgot(email)
  const [first = ''] = await mailTo(email)
  clock.advance(3600_000 - 5_000)
  await forgot(email)
  const second = (await mailTo(email, 2)).find((mail) => mail !== first) ?? ''
  clock.advance(10_000)
  assert.equal((await reset(tokenIn(first))).status, 400)
  assert.equal((await reset(tokenIn(second))).status, 200)
})

test('a new reset mail invalidates the previous token; a token used three times at once works once', async () => {
  const { email } = await storageOwner(system)
  await forgot(email)
  const [first = ''] = await mailTo(email)
  await forgot(email)
  const second = (await mailTo(email, 2)).find((mail) => mail !== first)
  assert.equal((await reset(tokenIn(first))).status, 400)
  const answers = await Promise.all([1, 2, 3].map(() => reset(tokenIn(second))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
})

test('reset mails are sent for sequential and parallel requests', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => storageOwner(system)))
  const began = Date.now()
  for (const { email } of people.slice(0, 6)) {
    await forgot(email)
    await mailTo(email)
  }
  await Promise.all(people.slice(6).map(({ email }) => forgot(email)))
  for (const { email } of people.slice(6)) await mailTo(email)
  assert.ok(
    Date.now() - began < 20_000,
    'the queue, which looks every five seconds, would have taken a minute',
  )
})

test('password reset with invalid input names the field', async () => {
  for (const email of [undefined, 'nobody', 7, `a@b.c\0`]) {
    const { status, body } = await storage('POST /auth/forgot-password', { body: { email } })
    assert.equal(status, 400)
    assert.match(body.message, /^email /)
  }
  for (const token of [undefined, '', 7, 'x'.repeat(300), 'unknown']) {
    const { status, body } = await reset(token)
    assert.equal(status, 400)
    assert.match(body.message, /^token /)
  }
})
