import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { cleanUp } from '#test/support/cleanup.ts'
import { password, publisher } from '#test/support/factories.ts'
import { mailsTo, tokenIn } from '#test/support/mail.ts'
import { startSmtp } from '#test/support/smtp.ts'
import { browserOf, form } from './support/forms.ts'

const smtp = await startSmtp()
cleanUp(smtp.close)
const system = await boot({ env: { SMTP_URL: smtp.url } })
const { publishing, clock } = system
/** Without a mail server, and on a database of its own, because nodes share their jobs. */
const bare = await boot()

type Writer = Awaited<ReturnType<typeof publisher>>
let count = 0
const fresh = () => `new-${process.pid}-${++count}@example.com`

const change = ({ api }: Pick<Writer, 'api'>, email: string, secret = password) =>
  api('PATCH /api/users/me/email', { body: { email, password: secret } })
const confirm = (token: string) => publishing('POST /api/auth/confirm-email', { body: { token } })
const own = async ({ api }: Pick<Writer, 'api'>) => {
  const { email, unconfirmed_email } = (await api('GET /api/users/me')).body.data
  return [email, unconfirmed_email]
}
const logIn = async (email: string, at = publishing) =>
  (await at('POST /api/auth/login', { body: { email, password } })).status

test('an address changes once its link is opened, and the old one is told', async () => {
  const writer = await publisher(system)
  const email = fresh()
  assert.deepEqual(await own(writer), [writer.email, null])
  const { status, body } = await change(writer, email)
  assert.deepEqual([status, body.data], [200, { email: writer.email, unconfirmed_email: email }])
  assert.deepEqual(await own(writer), [writer.email, email])
  const [mail = ''] = await smtp.mailsTo(email)
  const [notice = ''] = await smtp.mailsTo(writer.email)
  assert.ok(
    !mail.includes(writer.handle) && !mail.includes(writer.email),
    'it may be a stranger who reads it',
  )
  assert.ok(!notice.includes(email))
  assert.match(notice, /\/settings\/password/)
  assert.deepEqual([await logIn(writer.email), await logIn(email)], [200, 401])

  const token = tokenIn(mail)
  assert.equal((await confirm(token)).status, 200)
  assert.deepEqual(await own(writer), [email, null])
  assert.deepEqual([await logIn(writer.email), await logIn(email)], [401, 200])
  const again = await confirm(token)
  assert.equal(again.status, 422)
  assert.match(again.body.message, /invalid, expired or already used/)
  const profile = await publishing(`GET /api/users/${writer.handle}`)
  assert.ok(!profile.text.includes(email) && !('email' in profile.body.data), 'nobody else sees it')
})

test('the password is needed, and an address in use is refused as at registration', async () => {
  const [writer, neighbour] = [await publisher(system), await publisher(system)]
  const wrong = await change(writer, fresh(), 'wrong horse')
  assert.equal(wrong.status, 401)
  assert.equal((await publishing('PATCH /api/users/me/email', { body: {} })).status, 401)
  const { email: used } = neighbour
  const taken = await change(writer, used.toUpperCase())
  const registered = await publishing('POST /api/auth/register', {
    body: { email: used, password, handle: `other_${process.pid}`, username: 'x' },
  })
  assert.deepEqual([taken.status, taken.body.message], [registered.status, registered.body.message])
  for (const email of ['', 'x', 'a@b@c', `${'x'.repeat(250)}@example.com`, null])
    assert.equal((await change(writer, email as string)).status, 422)
  assert.deepEqual(await own(writer), [writer.email, null])
})

test('of two accounts that confirm the same address at the same time, one gets it', async () => {
  for (let round = 0; round < 3; round++) {
    const writers = [await publisher(system), await publisher(system)]
    const email = fresh()
    for (const writer of writers) assert.equal((await change(writer, email)).status, 200)
    const tokens = (await smtp.mailsTo(email, 2)).map(tokenIn)
    const statuses = (await Promise.all(tokens.map(confirm))).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, 409])
    assert.equal(await logIn(email), 200)
  }
})

test('a link stops working after an hour, with another one, and with a new password', async () => {
  const writer = await publisher(system)
  const [first, second, third] = [fresh(), fresh(), fresh()]
  await change(writer, first)
  const [replaced = ''] = await smtp.mailsTo(first)
  await change(writer, second)
  const [late = ''] = await smtp.mailsTo(second)
  assert.equal((await confirm(tokenIn(replaced))).status, 422)
  clock.advance(61 * 60_000)
  assert.equal((await confirm(tokenIn(late))).status, 422)
  assert.deepEqual(await own({ api: publishing.bearer((await signedIn(writer.email)).accessToken) }), [
    writer.email,
    null,
  ])

  const { api } = { api: publishing.bearer((await signedIn(writer.email)).accessToken) }
  await change({ api }, third)
  const [forgotten = ''] = await smtp.mailsTo(third)
  const changed = await api('PATCH /api/users/me/password', {
    body: { current_password: password, new_password: 'another horse' },
  })
  assert.equal(changed.status, 200)
  assert.equal((await confirm(tokenIn(forgotten))).status, 422)
})

const signedIn = async (email: string) =>
  (await publishing('POST /api/auth/login', { body: { email, password } })).body.data

test('a password link that was mailed to the old address does not work any more', async () => {
  const writer = await publisher(system)
  await publishing('POST /api/auth/forgot-password', { body: { email: writer.email } })
  const [reset = ''] = await smtp.mailsTo(writer.email)
  const email = fresh()
  await change(writer, email)
  await confirm(tokenIn((await smtp.mailsTo(email))[0]))
  const body = { token: tokenIn(reset), password: 'another horse' }
  assert.equal((await publishing('POST /api/auth/reset-password', { body })).status, 422)
  assert.equal(await logIn(email), 200)
})

test('without a mail server an address changes at once, and back again without a link', async () => {
  const writer = await publisher(bare)
  const email = fresh()
  const { status, body } = await change(writer, email)
  assert.deepEqual([status, body.data], [200, { email, unconfirmed_email: null }])
  assert.equal(await logIn(email, bare.publishing), 200)
  const [notice = ''] = await mailsTo(bare, writer.email)
  assert.match(notice, /now has another email address/)
  assert.equal((await change(writer, (await publisher(bare)).email)).status, 409)
})

test('on the pages, an address is changed with a form and confirmed with a button', async () => {
  const writer = await publisher(system)
  const { browser, send } = await browserOf(publishing, writer.email)
  const email = fresh()
  assert.ok((await browser('GET /settings/account')).text.includes(writer.email))
  assert.equal((await browser('POST /settings/email', form({ email, password }))).status, 403)
  const wrong = await send('/settings/email', { email, password: 'wrong horse' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /class="problem"[^>]*>Invalid password/)
  assert.ok(wrong.text.includes(email), 'what was entered is kept')
  const sent = await send('/settings/email', { email, password })
  assert.equal(sent.status, 303)
  const shown = (await browser(`GET ${sent.headers.get('location')}`)).text
  assert.ok(shown.includes('on its way') && shown.includes(email))

  const [mail = ''] = await smtp.mailsTo(email)
  const link = /http\S+\?token=\S+/.exec(mail)![0]
  for (let look = 0; look < 2; look++) {
    const page = await fetch(link)
    assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'no-store'])
  }
  assert.deepEqual(await own(writer), [writer.email, email], 'looking changes nothing')
  const token = tokenIn(mail)
  const elsewhere = form({ token }, { origin: 'https://evil.example' })
  assert.equal((await publishing('POST /confirm-email', elsewhere)).status, 403)
  assert.match((await publishing('POST /confirm-email', form({ token }))).text, /Your address was changed/)
  const again = await publishing('POST /confirm-email', form({ token }))
  assert.equal(again.status, 422)
  assert.match(again.text, /The link is invalid, expired or already used/)
  assert.deepEqual(await own(writer), [email, null])
})

test('an address receives three such mails an hour, and no account sends more of them', async (t) => {
  const limited = await boot({ env: { SMTP_URL: smtp.url, RATE_LIMITS: 'on' }, t })
  const writer = await publisher(limited)
  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push((await change(writer, fresh())).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
  limited.clock.advance(3_601_000)
  const { body } = await limited.publishing('POST /api/auth/login', {
    body: { email: writer.email, password },
  })
  const later = { api: limited.publishing.bearer(body.data.accessToken) }
  assert.equal((await change(later, fresh())).status, 200)
})
