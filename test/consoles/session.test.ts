import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { openPage, untrustedHost } from '#test/support/browser.ts'
import { eventually } from '#test/support/eventually.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import {
  assertQuiet,
  openAs,
  openAsMember,
  openAsOwner,
  openConsole,
  openTab,
  signIn,
  startConsole,
} from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { system, address } = console
const main = { name: 'Main' }

/** The session as the browser holds it. */
const cookieOf = async (page: Awaited<ReturnType<typeof openConsole>>['page']) =>
  (await page.context().cookies()).find(({ name }) => name.includes('trivet_storage'))

test('a visitor signs in by email and password, at the address they came to, and nothing is left in the page', async () => {
  const { email } = await storageOwner(system)
  const { page, troubles } = await openConsole(console, '/usage')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assertQuiet(troubles)
  await inspect(page, 'sign-in')

  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Invalid email or password').waitFor()
  await eventually(async () =>
    assert.equal(await page.getByLabel('Email').inputValue(), email, 'what was typed stays'),
  )

  await signIn(page, email)
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  assert.equal(page.url(), address('/usage'))
  const cookie = await cookieOf(page)
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
  const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
  assert.ok(!stored.includes(cookie?.value ?? ''), 'the session is not in the storage of the page')
  assert.equal(stored, '[{},{}]')
  assertQuiet(troubles, [401])
})

test('a password that is too short for one is a wrong one', async () => {
  const { email } = await storageOwner(system)
  const { page } = await openConsole(console)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Invalid email or password').waitFor()
})

test('a reload and another tab keep the session, and signing out ends it on the server for all of them', async () => {
  const { page, troubles } = await openAsOwner(console)
  await page.reload()
  await page.getByRole('navigation', main).waitFor()
  const tab = await openTab(page, address('/keys'))
  await tab.getByRole('navigation', main).waitFor()
  await tab.close()
  const { name, value } = (await cookieOf(page))!

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const headers = { cookie: `${name}=${value}`, 'x-trivet-console': '1' }
  assert.equal((await system.storage('GET /auth/me', { headers })).status, 401)
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assertQuiet(troubles)
})

test('a visitor creates an organization and is signed in', async () => {
  const { page, troubles } = await openConsole(console)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await inspect(page, 'create-account')
  const fields = {
    'Organization name': 'Harbour Studio',
    'Organization slug': 'Harbour!',
    'Full name': 'Ada Marlow',
    Email: 'ada@harbour.example',
    Password: password,
  }
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('can only have lowercase letters, digits and hyphens').waitFor()
  const slug = page.getByLabel('Organization slug')
  await eventually(async () => assert.equal(await slug.getAttribute('aria-invalid'), 'true'))
  await eventually(async () =>
    assert.equal(await page.evaluate('document.activeElement.name'), 'organizationSlug'),
  )

  const { email, organization } = await storageOwner(system)
  await slug.fill(organization.slug)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Organization slug is already in use').waitFor()
  assert.equal(await slug.getAttribute('aria-invalid'), 'true')

  await slug.fill('harbour')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Email is already in use').waitFor()
  assert.equal(await page.getByLabel('Email').getAttribute('aria-invalid'), 'true')

  await page.getByLabel('Email').fill(fields.Email)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('navigation', main).waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  for (const text of ['Ada Marlow', 'ada@harbour.example', 'owner · Harbour Studio'])
    await page.getByText(text, { exact: true }).waitFor()
  await inspect(page, 'account-menu')
  assertQuiet(troubles, [400, 409])
})

test('without HTTPS in a local network, everything that needs no secure page works', async () => {
  const { api, email } = await storageOwner(system)
  const { page, troubles } = await openPage(console.browser)
  await page.goto(address('/keys').replace('127.0.0.1', untrustedHost))
  await eventually(async () => assert.equal(await page.evaluate('isSecureContext'), false))
  await signIn(page, email)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Label').fill('By hand')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Copied').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await api('POST /auth/api-keys', { body: { label: 'By another client' } })
  await page.getByRole('row', { name: 'By another client' }).waitFor()
  assertQuiet(troubles)
})

const forgotOn = async (of: typeof console) => {
  const opened = await openConsole(of)
  await opened.page.getByRole('link', { name: 'Forgot password?' }).click()
  await opened.page.getByLabel('Email').fill('nobody@example.com')
  return opened
}

test('a forgotten password is asked for by email', async () => {
  const { page, troubles } = await forgotOn(await startConsole({ SMTP_URL: 'smtp://127.0.0.1:1' }))
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('a link to choose a new password is on its way').waitFor()
  assertQuiet(troubles)
})

test('where no mail is sent, the page promises none and says who can help', async () => {
  const contact = 'hello@harbour.example'
  const { page, troubles } = await forgotOn(await startConsole({ INSTANCE_CONTACT: contact }))
  await page.getByText('This server sends no mail').waitFor()
  await inspect(page, 'forgot-password-without-mail')
  await page.getByRole('button', { name: 'Ask for a link' }).click()
  await page.getByText('If there is an account for nobody@example.com, ask').waitFor()
  const link = page.getByRole('link', { name: contact })
  assert.equal(await link.getAttribute('href'), `mailto:${contact}`)
  assertQuiet(troubles)

  const nameless = await forgotOn(console)
  await nameless.page.getByText('then ask whoever runs this server for the link').waitFor()
})

test('where two-factor sign-in is on, the code is asked for after the password', async () => {
  const { api, email } = await storageOwner(system)
  const { secret } = (await api('POST /settings/totp/setup')).body
  const code = () =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: system.clock.now().getTime() })
  await api('POST /settings/totp/verify', { body: { token: code() } })

  const { page, troubles } = await openConsole(console)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await eventually(async () => assert.equal(await page.getByLabel('Code').count(), 0))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('Code is wrong').waitFor()
  await inspect(page, 'sign-in-code')
  await page.getByLabel('Code').fill(code())
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', main).waitFor()
  assertQuiet(troubles, [401])
})

test('an expired session asks for the password in place, and what was begun goes on', async () => {
  const { page, troubles, owner } = await openAsOwner(console)
  await page.getByRole('button', { name: 'New bucket' }).click()
  await page.getByLabel('Name').fill('kept-while-away')
  await page.request.delete(`${console.root}/auth/session`, { headers: { 'x-trivet-console': '1' } })
  await page.getByRole('button', { name: 'Create bucket' }).click()

  const expired = page.getByRole('dialog', { name: 'Your session has expired' })
  await expired.waitFor()
  await inspect(page, 'session-expired')
  await expired.getByLabel('Password').fill('not the password')
  await expired.getByRole('button', { name: 'Sign in' }).click()
  await expired.getByRole('alert').waitFor()
  await expired.getByLabel('Password').fill(password)
  await expired.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'kept-while-away' }).waitFor()
  const { body } = await owner.api('GET /buckets')
  assert.deepEqual(
    body.map(({ name }: { name: string }) => name),
    ['kept-while-away'],
  )
  assertQuiet(troubles, [401])
})

test('a role sees only what it may do, and an address that it may not open says who may', async () => {
  const owner = await storageOwner(system)
  await owner.api('POST /buckets', { body: { name: 'shared' } })
  const { page, troubles, member } = await openAsMember(console, owner, 'member', '/members')
  await page.getByText('Only an owner can.').waitFor()
  await inspect(page, 'denied')
  const names = await page.getByRole('navigation', main).getByRole('link').allTextContents()
  assert.deepEqual(names, ['Buckets', 'Keys', 'Usage', 'Settings'])
  await page.getByRole('link', { name: 'Buckets' }).click()
  await page.getByRole('link', { name: 'shared' }).waitFor()
  await eventually(async () =>
    assert.equal(await page.getByRole('button', { name: 'New bucket' }).count(), 0),
  )
  await page.getByRole('link', { name: 'shared' }).click()
  await page.getByRole('tab', { name: 'Objects' }).waitFor()
  await eventually(async () =>
    assert.deepEqual(await page.getByRole('tab').allTextContents(), ['Objects', 'Trash']),
  )

  await owner.api(`PATCH /members/${member.id}`, { body: { role: 'admin' } })
  const { page: admin } = await openAs(console, member.email)
  await admin.getByRole('button', { name: 'New bucket' }).waitFor()
  await eventually(async () => assert.equal(await admin.getByRole('link', { name: 'Members' }).count(), 0))
  assertQuiet(troubles)
})
