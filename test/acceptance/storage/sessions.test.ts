import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { mailsTo, tokenIn } from '#test/support/mail.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { storage, clock } = system

const day = 86_400_000

const fromConsole = { 'x-trivet-console': '1' }
const openSession = (email: string, more: object = {}) =>
  storage('POST /auth/session', { body: { email, password, ...more } })
const cookieIn = (answer: { headers: Headers }) => String(answer.headers.get('set-cookie'))
const cookieOf = (answer: { headers: Headers }) => cookieIn(answer).split(';')[0]!

/** A client that has a session and sends what the console sends. */
const signedIn = async (email: string, on = storage) => {
  const answer = await openSession(email)
  assert.equal(answer.status, 201, answer.text)
  const cookie = cookieOf(answer)
  return { cookie, console: on.with({ cookie, ...fromConsole }) }
}

test('a session is opened with email and password, and kept in a cookie that scripts cannot read', async () => {
  const { api, email } = await storageOwner(system)
  const answer = await openSession(email)
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body, (await api('GET /auth/me')).body)
  assert.ok(!answer.text.includes('token'))
  const attributes = cookieIn(answer).split('; ')
  assert.match(attributes[0]!, /^trivet_storage=[\w-]{43}$/)
  assert.deepEqual(attributes.slice(1).sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
  const { console } = await signedIn(email)
  assert.equal((await console('GET /auth/me')).body.user.email, email)
  assert.equal((await console('POST /buckets', { body: { name: 'from-the-console' } })).status, 201)
})

test('over HTTPS the cookie is secure and bound to this host', async (t) => {
  const { storage: plain } = await boot({ t, env: { TRUST_PROXY: '1' } })
  const proxied = plain.with({ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' })
  const { email } = await storageOwner({ storage: proxied })
  const answer = await proxied('POST /auth/session', { body: { email, password } })
  assert.match(cookieIn(answer), /^__Host-trivet_storage=[\w-]{43}; Path=\/; .*; Secure$/)
  const cookie = cookieOf(answer)
  const me = (value: string) => proxied('GET /auth/me', { headers: { cookie: value, ...fromConsole } })
  assert.equal((await me(cookie)).status, 200)
  assert.equal((await me(cookie.replace('__Host-', ''))).status, 401, 'no other cookie is taken for it')
})

test('the cookie counts only on requests of the console itself', async () => {
  const { email } = await storageOwner(system)
  const { cookie } = await signedIn(email)
  const me = async (headers: Record<string, string>) =>
    (await storage('GET /auth/me', { headers: { cookie, ...headers } })).status
  assert.equal(await me({}), 401)
  assert.equal(await me({ 'x-trivet-console': '' }), 401)
  assert.equal(await me({ 'x-trivet-console': '0' }), 401)
  assert.equal(await me({ 'x-trivet-console': '1' }), 200)
  for (const site of ['cross-site', 'same-site', 'none', ''])
    assert.equal(await me({ ...fromConsole, 'sec-fetch-site': site }), 401, site)
  assert.equal(await me({ ...fromConsole, 'sec-fetch-site': 'same-origin' }), 200)
})

test('a page of another site is not allowed to send the header with the cookie', async () => {
  const { headers } = await storage('OPTIONS /buckets', {
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-trivet-console, content-type',
    },
  })
  assert.equal(headers.get('access-control-allow-credentials'), null)
})

test('a page finds out who is signed in, and is not refused if nobody is', async () => {
  const { email } = await storageOwner(system)
  const { cookie, console } = await signedIn(email)
  const found = await console('GET /auth/session')
  assert.equal(found.status, 200)
  assert.deepEqual(found.body, (await console('GET /auth/me')).body)
  for (const headers of [{}, { cookie }, fromConsole, { cookie: 'trivet_storage=x', ...fromConsole }]) {
    const nobody = await storage('GET /auth/session', { headers })
    assert.deepEqual([nobody.status, nobody.text], [204, ''])
  }
  await console('DELETE /auth/session')
  assert.equal((await console('GET /auth/session')).status, 204)
})

test('a stored file that is opened in the browser cannot be read with the session', async () => {
  const { api, email } = await storageOwner(system)
  const bucket = await createBucket(api, 'private')
  const path = `/buckets/${bucket}/objects/page.html`
  await api(`PUT ${path}`, { raw: '<script>1</script>', headers: { 'content-type': 'text/html' } })
  const { cookie, console } = await signedIn(email)
  assert.equal((await storage(`GET ${path}`, { headers: { cookie, 'sec-fetch-site': 'none' } })).status, 401)
  assert.equal((await console(`GET ${path}`)).status, 200)
})

test('what is no session is refused like missing credentials, and never with a server error', async () => {
  for (const cookie of [
    'trivet_storage=',
    'trivet_storage=x',
    `trivet_storage=${'a'.repeat(43)}`,
    `trivet_storage=${'a'.repeat(5000)}`,
    'trivet_storage=%00%ff',
    ';;;=;trivet_storage',
    'trivet_inventory=abc',
  ])
    for (const call of ['GET /auth/me', 'DELETE /auth/session', 'GET /buckets'])
      assert.equal((await storage(call, { headers: { cookie, ...fromConsole } })).status, 401, cookie)
})

test('credentials that a request states itself go before the session', async () => {
  const [one, other] = [await storageOwner(system), await storageOwner(system)]
  const { console } = await signedIn(one.email)
  const authorization = `Bearer ${other.token}`
  const { body } = await console('GET /auth/me', { headers: { authorization } })
  assert.equal(body.user.email, other.email)
  assert.equal((await console('GET /auth/me', { headers: { authorization: 'Bearer x' } })).status, 401)
})

test('signing out ends the session on every node, and no other', async (t) => {
  const { email, api } = await storageOwner(system)
  const other = await boot({ t, database: { url: system.databaseUrl } })
  const [first, second] = [await signedIn(email), await signedIn(email)]
  const elsewhere = other.storage.with({ cookie: first.cookie, ...fromConsole })
  assert.equal((await elsewhere('GET /auth/me')).status, 200)
  assert.equal(
    (await storage('DELETE /auth/session', { headers: { cookie: first.cookie } })).status,
    401,
    'another page cannot do it',
  )
  assert.equal((await first.console('GET /auth/me')).status, 200)
  const answer = await first.console('DELETE /auth/session')
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.match(cookieIn(answer), /^trivet_storage=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/)
  const { status, body } = await first.console('GET /auth/me')
  assert.deepEqual([status, body.reason], [401, 'Your session has ended: sign in again'])
  await until('the other node refuses it', async () => (await elsewhere('GET /auth/me')).status === 401, {
    withinMs: 1_000,
  })
  assert.equal((await first.console('DELETE /auth/session')).status, 401)
  assert.equal((await second.console('GET /auth/me')).status, 200)
  assert.equal((await api('GET /auth/me')).status, 200, 'tokens stay')
  assert.equal((await api('DELETE /auth/session')).status, 401, 'a token is no session')
})

test('a session lasts thirty days', async () => {
  const { email } = await storageOwner(system)
  const { console } = await signedIn(email)
  clock.advance(30 * day - 1000)
  assert.equal((await console('GET /auth/me')).status, 200)
  clock.advance(1000)
  assert.equal((await console('GET /auth/me')).status, 401)
})

test('whoever changes the password stays signed in there; every other session and token ends', async () => {
  const { email, api } = await storageOwner(system)
  const [here, there] = [await signedIn(email), await signedIn(email)]
  const change = (currentPassword: string) =>
    here.console('PATCH /settings/password', { body: { currentPassword, newPassword: 'another horse' } })
  const wrong = await change('wrong horse')
  assert.equal(wrong.status, 401)
  assert.deepEqual(wrong.body.details, [{ field: 'currentPassword', reason: 'is wrong' }])
  assert.equal((await here.console('GET /auth/me')).status, 200, 'a wrong password does not end the session')
  assert.equal((await change(password)).status, 200)
  assert.equal((await here.console('GET /auth/me')).status, 200)
  assert.equal((await there.console('GET /auth/me')).status, 401)
  assert.equal((await api('GET /auth/me')).status, 401)
})

test('a reset password ends every session', async () => {
  const { email } = await storageOwner(system)
  const { console } = await signedIn(email)
  await storage('POST /auth/forgot-password', { body: { email } })
  const [mail = ''] = await mailsTo(system, email, 1)
  const body = { token: tokenIn(mail), newPassword: 'a brand new one' }
  assert.equal((await storage('POST /auth/reset-password', { body })).status, 200)
  assert.equal((await console('GET /auth/me')).status, 401)
})

test('the session of a removed member ends at once, and a new role counts at once', async () => {
  const { api } = await storageOwner(system)
  const email = `member-${Date.now()}@example.com`
  const { body: member } = await api('POST /members', {
    body: { fullName: 'Tom Reed', email, password, role: 'member' },
  })
  const { console } = await signedIn(email)
  assert.equal((await console('POST /buckets', { body: { name: 'not-yet' } })).status, 403)
  assert.equal((await api(`PATCH /members/${member.id}`, { body: { role: 'admin' } })).status, 200)
  assert.equal((await console('POST /buckets', { body: { name: 'now-it-may' } })).status, 201)
  await api(`DELETE /members/${member.id}`)
  assert.equal((await console('GET /auth/me')).status, 401)
})

test('with two-factor login a session needs a code, which works once', async () => {
  const { api, email } = await storageOwner(system)
  const { secret } = (await api('POST /settings/totp/setup')).body as { secret: string }
  const codeNow = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() })
  await api('POST /settings/totp/verify', { body: { token: codeNow() } })
  clock.advance(60_000 - (clock.now().getTime() % 30_000))
  const missing = await openSession(email)
  assert.equal(missing.status, 401)
  assert.deepEqual(missing.body.details, [{ field: 'code', reason: 'is required: two-factor login is on' }])
  assert.equal(missing.headers.get('set-cookie'), null)
  const code = codeNow()
  const wrong = await openSession(email, { code: code === '000000' ? '000001' : '000000' })
  assert.deepEqual([wrong.status, wrong.body.reason], [401, 'code is wrong'])
  const both = await Promise.all([openSession(email, { code }), openSession(email, { code })])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 401])
  for (const invalid of ['12345', 'abcdef', 123456, ''])
    assert.equal((await openSession(email, { code: invalid })).status, 400)
})

test('bad input is refused at its field, as with a login', async () => {
  for (const [body, field] of [
    [{}, 'email'],
    [{ email: 'x', password }, 'email'],
    [{ email: 'a@example.com' }, 'password'],
    [{ email: 'a@example.com', password: 7 }, 'password'],
  ] as const) {
    const { status, body: refusal } = await storage('POST /auth/session', { body })
    assert.equal(status, 400)
    assert.ok(refusal.message.startsWith(`${field} `), refusal.message)
  }
  assert.equal((await storage('POST /auth/session', { raw: 'email=a' })).status, 400)
  assert.equal((await openSession('nobody@example.com')).status, 401)
})

test('sign-ins to the console are in the audit log like logins, with the failed ones', async () => {
  const { api, email } = await storageOwner(system)
  await openSession(email, { password: 'wrong horse' })
  const { console } = await signedIn(email)
  await console('DELETE /auth/session')
  const { body } = await api('GET /audit-logs')
  const actions = body.rows.map(({ action }: { action: string }) => action)
  for (const action of ['auth.login_failed', 'auth.logged_in']) assert.ok(actions.includes(action), action)
})

test('a session reads the stream of events, and the stream ends with it', async () => {
  const { email } = await storageOwner(system)
  const { cookie, console } = await signedIn(email)
  const headers = { cookie, ...fromConsole, accept: 'text/event-stream' }
  const stream = await fetch(`${storage.base}/events`, { headers })
  assert.equal(stream.status, 200)
  assert.match(String(stream.headers.get('content-type')), /^text\/event-stream/)
  await stream.body?.cancel()
  await console('DELETE /auth/session')
  assert.equal((await fetch(`${storage.base}/events`, { headers })).status, 401)
})
