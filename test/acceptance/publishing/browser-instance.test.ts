import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { eventually } from '#test/support/eventually.ts'
import { password, publisher } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { operatorOf } from '#test/support/operator.ts'

const system = await boot()
const { publishing } = system
const browser = await openBrowser()

test('with a long name, a wide logo and all legal pages no page scrolls sideways on a phone', async () => {
  const folder = await temporaryFolder('instance')
  const [text, logo] = [join(folder, 'text.md'), join(folder, 'logo.png')]
  await writeFile(text, '# Title\n\nText.')
  await sharp({ create: { width: 600, height: 200, channels: 3, background: '#c2410c' } })
    .png()
    .toFile(logo)
  const pages = ['rules', 'privacy', 'imprint'].flatMap((name) => [`--${name}`, text])
  const set = ['set', '--name', 'Notes from the Harbour of Whitby', '--logo', logo, ...pages]
  const { code } = await operatorOf(system)('publishing', 'instance', ...set)
  assert.equal(code, 0)
  await eventually(async () => assert.equal((await publishing('GET /imprint')).status, 200))

  const { email } = await publisher(system)
  const { page } = await openPage(browser, { viewport: { width: 360, height: 740 } })
  const assertFits = async (path: string) => {
    await page.goto(publishing.base + path)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path)
  }
  for (const path of ['/', '/about', '/rules', '/search', '/sign-in', '/sign-up']) await assertFits(path)
  await page.goto(`${publishing.base}/sign-in?next=%2Fhome`)
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(`${publishing.base}/home`)
  for (const path of ['/home', '/compose', '/settings', '/settings/account', '/keys']) await assertFits(path)
})

test('what cannot be published looks like it', async () => {
  const { email } = await publisher(system)
  const { page } = await openPage(browser)
  await page.goto(`${publishing.base}/sign-in?next=%2Fcompose`)
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(`${publishing.base}/compose`)
  const publish = page.getByRole('button', { name: 'Publish' })
  await page.fill('textarea', 'x'.repeat(281))
  assert.equal(await publish.isDisabled(), true)
  const faint = await page.evaluate('getComputedStyle(document.querySelector("button:disabled")).opacity')
  assert.ok(Number(faint) < 1, `its opacity is ${faint}`)
})
