import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { eventually } from '#test/support/eventually.ts'
import { password } from '#test/support/factories.ts'
import {
  assertQuiet,
  openAsMember,
  openAsOwner,
  openConsole,
  signIn,
  startConsole,
} from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { system } = console
const { page, owner, troubles } = await openAsOwner(console, '/settings')
const me = async () => (await owner.api('GET /auth/me')).body
const toast = (text: string) => page.getByRole('status').getByText(text)

test('a new name is saved, and shown in the frame', async () => {
  await page.getByLabel('Full name').fill('')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await page.getByText('Full name is required').waitFor()
  await page.getByLabel('Full name').fill('Grace <i>Hopper</i>')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await toast('Profile saved').waitFor()
  assert.equal((await me()).user.full_name, 'Grace <i>Hopper</i>')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText('Grace <i>Hopper</i>').waitFor()
  await page.keyboard.press('Escape')
})

test('the owner renames the organization', async () => {
  await page.getByLabel('Organization name').fill('Quay & Co')
  await page.getByRole('button', { name: 'Save organization' }).click()
  await toast('Organization saved').waitFor()
  assert.equal((await me()).organization.name, 'Quay & Co')
})

test('two-factor is set up with a QR code, and asked for at the next sign-in', async () => {
  await page.getByRole('button', { name: 'Set up two-factor' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await inspect(page, 'settings-two-factor')
  const secret = (await page.locator('.two-factor .secret code').textContent()) as string
  const code = () => new TOTP({ secret }).generate({ timestamp: system.clock.now().getTime() })
  await page.getByLabel('Code').fill('12345')
  await page.getByRole('button', { name: 'Turn on two-factor' }).click()
  await page.locator('.field-error').waitFor()
  assert.equal((await me()).user.totp_enabled, false)
  await page.getByLabel('Code').fill(code())
  await page.getByRole('button', { name: 'Turn on two-factor' }).click()
  await toast('Two-factor sign-in is on').waitFor()
  assert.equal((await me()).user.totp_enabled, true)

  const other = await openConsole(console)
  await other.page.getByLabel('Email').fill(owner.email)
  await other.page.getByLabel('Password').fill(password)
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByLabel('Code').fill(code())
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByRole('navigation', { name: 'Main' }).waitFor()

  system.clock.advance(60_000)
  await page.getByRole('button', { name: 'Turn off two-factor' }).click()
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Turn off two-factor' }).click()
  await page.locator('.field-error').waitFor()
  await page.getByLabel('Code').fill(code())
  await page.getByRole('button', { name: 'Turn off two-factor' }).click()
  await toast('Two-factor sign-in is off').waitFor()
  assert.equal((await me()).user.totp_enabled, false)
  await other.page.context().close()
})

test('a wrong current password is shown at its field, and does not end the session', async () => {
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('another horse')
  await page.getByRole('button', { name: 'Change password' }).click()
  const field = page.getByLabel('Current password')
  await page.locator('#main .field-error, .field-error').getByText('Is wrong').waitFor()
  await eventually(async () => assert.equal(await field.getAttribute('aria-invalid'), 'true'))
  await eventually(async () => assert.equal(await field.inputValue(), 'not this one', 'what was typed stays'))
  await eventually(async () =>
    assert.equal(await page.getByRole('dialog').count(), 0, 'nobody is asked to sign in again'),
  )
  await inspect(page, 'settings-wrong-password')
})

test('a changed password ends other sessions, and keeps this one', async () => {
  const other = await openConsole(console)
  await signIn(other.page, owner.email)
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await toast('Password changed').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Current password').inputValue(), ''))
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await other.page.reload()
  await other.page.getByRole('button', { name: 'Sign in' }).waitFor()
  const { status } = await system.storage('POST /auth/login', {
    body: { email: owner.email, password: 'another horse' },
  })
  assert.equal(status, 200)
  assertQuiet(troubles, [400, 401])
})

test('members change their own settings, and only see the organization', async () => {
  const other = await openAsOwner(console)
  const opened = await openAsMember(console, other.owner, 'member', '/settings')
  await opened.page.getByText(other.owner.organization.slug).waitFor()
  assert.equal(await opened.page.getByLabel('Organization name').count(), 0)
  assert.equal(await opened.page.getByRole('button', { name: 'Save organization' }).count(), 0)
  await inspect(opened.page, 'settings-member')
  assertQuiet(opened.troubles)
})
