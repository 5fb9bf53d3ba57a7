import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { openBrowser } from '#test/support/browser.ts'
import { inventoryAdmin } from '#test/support/factories.ts'
import { mailsTo } from '#test/support/mail.ts'
import { accountsOf } from '#test/support/services.ts'

const system = await boot()
const { inventory } = system
const service = accountsOf.inventory

test('the link in a recovery mail opens a page that changes the password and can revoke API keys', async () => {
  const { email, api } = await inventoryAdmin(system)
  const key = await service.makeKey(api)
  await service.forgot(inventory, email)
  const link = /http\S+#token=\S+/.exec((await mailsTo(system, email))[0] ?? '')?.[0] as string
  const page = await (await openBrowser()).newPage()
  await page.goto(link)
  assert.ok(!page.url().includes('token'), 'the token does not stay in the address bar')
  await page.getByLabel('New password').fill('a brand new one')
  await page.getByLabel('Also revoke my API keys').check()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password was changed').waitFor()
  assert.equal((await service.logIn(inventory, email, 'a brand new one')).status, 200)
  assert.equal(await service.useKey(inventory, key), 401)

  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel('New password').fill('yet another one')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This link has expired or was already used').waitFor()
})
