import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { storage, inventory } = system
const { api } = await storageOwner(system)
const objectKey = 'a.txt'
const signing = { body: { objectKey, expiresIn: 1 } }
const { body: link } = await api(`POST /buckets/${await createBucket(api, 'linked')}/signed-url`, signing)
system.clock.advance(2_000)

const browser = await openBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const addresses = [
  `${storage.base}/about`,
  `${inventory.base}/api`,
  `${storage.base}/docs/guides`,
  `${storage.base}/no/such/page`,
  `${storage.base}/auth/reset-password#token=abc`,
  `${inventory.base}/api/auth/reset-password`,
  link.url as string,
]

for (const colorScheme of ['light', 'dark'] as const)
  test(`pages at the addresses of APIs are accessible and fit every width, ${colorScheme}`, async () => {
    const { page, troubles } = await openPage(browser, { colorScheme })
    for (const address of addresses) {
      await page.goto('about:blank')
      await page.goto(address)
      await page.locator('h1').waitFor()
      for (const width of [320, 360, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        assert.equal(overflow, false, `${address} at ${width}`)
      }
      // Evaluated by the debugger, so the policy of the page stays as it is.
      await page.evaluate(axe)
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: { id: string; help: string }[]
      }
      assert.deepEqual(
        violations.map(({ id, help }) => `${address}: ${id}, ${help}`),
        [],
      )
    }
    assert.deepEqual(
      troubles.filter((text) => !/40[34]/.test(text)),
      [],
    )
  })

test('without scripts the pages say the same, and a reset page says that it needs them', async () => {
  const { page, troubles } = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(`${storage.base}/about`)
  assert.equal(await page.locator('.panel pre:visible').count(), 3)
  assert.ok(await page.getByRole('link', { name: 'Readiness' }).isVisible())
  assert.equal(await page.locator('.health output:visible').count(), 0)
  await page.goto(link.url as string)
  assert.ok(await page.getByRole('heading', { name: 'This link has expired' }).isVisible())
  await page.goto(`${inventory.base}/api/auth/reset-password#token=abc`)
  assert.ok(await page.getByText('This page needs JavaScript').isVisible())
  assert.equal(await page.locator('form:visible').count(), 0)
  assert.deepEqual(
    troubles.filter((text) => !/403/.test(text)),
    [],
  )
})

test('the page about a service shows that the service is ready, and its calls can be copied', async () => {
  const { page, troubles } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${storage.base}/about`)
  await page.getByText('Ready', { exact: true }).waitFor()
  const panel = page.locator('.panel').first()
  await panel.getByRole('button', { name: 'Copy Shell' }).click()
  await panel.getByText('Copied').waitFor()
  assert.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    await panel.locator('code').textContent(),
  )
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.locator('#introduction').waitFor()
  assert.deepEqual(troubles, [])
})

test('a reset page whose link was used up sends a new link, or says who has it where no mail is sent', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${storage.base}/auth/reset-password#token=used-up`)
  await page.getByLabel('New password').fill('a brand new one')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This link has expired or was already used').waitFor()
  await page.getByLabel('Your email address').fill('somebody@example.com')
  await page.getByRole('button', { name: 'Ask for a new link' }).click()
  await page.getByText('ask whoever runs this server for the new link').waitFor()
  await page.getByRole('link', { name: 'About this service' }).click()
  await page.getByRole('heading', { name: 'Trivet object storage' }).waitFor()
})
