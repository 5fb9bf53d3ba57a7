import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { storageOwner } from '#test/support/factories.ts'
import { mailsTo } from '#test/support/mail.ts'

const system = await boot()
const browser = await openBrowser()

test('the link in a password mail opens a page that changes the password', async () => {
  const { email } = await storageOwner(system)
  await system.storage('POST /auth/forgot-password', { body: { email } })
  const [mail = ''] = await mailsTo(system, email)
  const link = /http\S+#token=\S+/.exec(mail)?.[0] as string
  const { page, troubles } = await openPage(browser)
  await page.goto(link)
  assert.ok(!page.url().includes('token'), 'the token does not stay in the address bar')
  const password = 'a brand new one'
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password was changed').waitFor()
  assert.equal((await system.storage('POST /auth/login', { body: { email, password } })).status, 200)
  assert.deepEqual(troubles, [])
})
