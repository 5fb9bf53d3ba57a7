import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, publisher } from '#test/support/factories.ts'
import { mailsTo, tokenIn } from '#test/support/mail.ts'
import { browserOf, form } from './support/forms.ts'

const system = await boot()
const { publishing } = system
const newPassword = 'a brand new one'

const noteOn = (text: string) => /class="(?:note|problem)"[^>]*>([^<]*)</.exec(text)?.[1]
const makeKey = async ({ api }: Awaited<ReturnType<typeof publisher>>) =>
  (await api('POST /api/developer/keys', { body: { name: 'x' } })).body.data.key as string
const post = async (key: string) =>
  (await publishing.with({ 'x-api-key': key })('POST /api/posts', { body: { content: 'hi' } })).status
const signIn = async (email: string, secret: string) =>
  (await publishing('POST /sign-in', form({ email, password: secret }))).status

test('a forgotten password is replaced by mail, without JavaScript', async () => {
  const account = await publisher(system)
  const key = await makeKey(account)
  const { browser } = await browserOf(publishing, account.email)
  assert.match((await publishing('GET /sign-in')).text, /href="\/forgot-password"/)
  assert.match((await publishing('GET /forgot-password')).text, /action="\/forgot-password"/)

  const bad = await publishing('POST /forgot-password', form({ email: 'nobody' }))
  assert.equal(bad.status, 422)
  assert.match(noteOn(bad.text)!, /^Email /)
  const known = await publishing('POST /forgot-password', form({ email: account.email }))
  const unknown = await publishing('POST /forgot-password', form({ email: 'nobody@example.com' }))
  assert.deepEqual([known.status, unknown.status], [200, 200])
  for (const { text } of [known, unknown]) assert.match(text, /If the address is registered/)

  const [mail = ''] = await mailsTo(system, account.email)
  const link = /http\S+\?token=\S+/.exec(mail)![0]
  const page = await fetch(link)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const token = /name="token" value="([^"]+)"/.exec(await page.text())![1]!
  assert.equal(token, tokenIn(mail))

  const short = await publishing('POST /reset-password', form({ token, password: '1234567' }))
  assert.equal(short.status, 422)
  assert.match(noteOn(short.text)!, /^Password must have at least 8/)
  assert.ok(short.text.includes(token), 'the form can be sent again')
  const foreign = form({ token, password: newPassword }, { origin: 'https://evil.example' })
  assert.equal((await publishing('POST /reset-password', foreign)).status, 403)
  const done = await publishing(
    'POST /reset-password',
    form({ token, password: newPassword, revoke_keys: 'yes' }),
  )
  assert.equal(done.status, 200)
  assert.match(done.text, /Your password was changed/)
  const again = await publishing('POST /reset-password', form({ token, password: 'yet another one' }))
  assert.equal(again.status, 422)
  assert.equal(noteOn(again.text), 'The link is invalid, expired or already used')

  assert.equal((await browser('GET /home')).status, 401, 'the browser of before is signed out')
  assert.deepEqual(
    [await signIn(account.email, password), await signIn(account.email, newPassword)],
    [401, 303],
  )
  assert.equal(await post(key), 401)
})

test('a password link without its token is explained', async () => {
  const { status, text } = await publishing('GET /reset-password')
  assert.equal(status, 200)
  assert.match(noteOn(text)!, /incomplete/)
  assert.ok(!text.includes('name="password"'))
})

test('changing the password in the settings signs out all other browsers', async () => {
  const account = await publisher(system)
  const key = await makeKey(account)
  const { browser, send, token } = await browserOf(publishing, account.email)
  const other = await browserOf(publishing, account.email)
  assert.match((await browser('GET /settings/account')).text, /href="\/settings\/password"/)
  assert.equal((await publishing('GET /settings/password')).status, 401)

  const fields = { current_password: password, new_password: newPassword }
  const without = await browser('POST /settings/password', form(fields))
  assert.equal(without.status, 403, 'without the token of our own form')
  const elsewhere = form({ token, ...fields }, { 'sec-fetch-site': 'cross-site' })
  assert.equal((await browser('POST /settings/password', elsewhere)).status, 403)
  const wrong = await send('/settings/password', { ...fields, current_password: 'wrong horse' })
  assert.equal(wrong.status, 401)
  assert.match(noteOn(wrong.text)!, /current password is wrong/)
  const short = await send('/settings/password', { ...fields, new_password: '1234567' })
  assert.equal(short.status, 422)
  assert.match(noteOn(short.text)!, /^New password must have at least 8/)
  assert.equal((await other.browser('GET /home')).status, 200)

  const done = await send('/settings/password', fields)
  assert.equal(done.status, 303)
  const cookie = done.headers.get('set-cookie')!.split(';')[0]!
  const renewed = await publishing.with({ cookie })(`GET ${done.headers.get('location')}`)
  assert.equal(renewed.status, 200)
  assert.match(renewed.text, /all other sessions have ended/)
  for (const old of [browser, other.browser]) assert.equal((await old('GET /home')).status, 401)
  assert.equal((await account.api('GET /api/users/me')).status, 401)
  assert.deepEqual(
    [await signIn(account.email, password), await signIn(account.email, newPassword)],
    [401, 303],
  )
  assert.equal(await post(key), 201, 'keys stay unless asked')
})
