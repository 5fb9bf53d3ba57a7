import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { jpeg, paddedTo } from './support/images.ts'

const system = await boot()
const { publishing } = system
const browser = await openBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const signIn = async (page: Page, email: string) => {
  await page.goto(`${publishing.base}/sign-in?next=/settings/pictures`)
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(`${publishing.base}/settings/pictures`)
}

const choose = async (page: Page, kind: string, buffer: Buffer) => {
  await page.setInputFiles(`[name=${kind}]`, { name: 'me.jpg', mimeType: 'image/jpeg', buffer })
  await page.click(`form[action="/settings/${kind}"] button`)
}

/** How wide each image really is; 0 if it could not be loaded. */
const imageWidths = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll(async (images) => {
    const all = images as unknown as { decode(): Promise<void>; naturalWidth: number }[]
    await Promise.all(all.map((image) => image.decode().catch(() => {})))
    return all.map(({ naturalWidth }) => naturalWidth)
  })

for (const javaScriptEnabled of [true, false])
  test(`pictures can be uploaded, seen and removed ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
    const handle = javaScriptEnabled ? 'pia_script' : 'pia_plain'
    const pia = await publisher(system, { handle, username: 'Pia' })
    await writePost(pia, 'A post with a face')
    const { page, troubles } = await openPage(browser, { javaScriptEnabled })
    await signIn(page, pia.email)
    await choose(page, 'avatar', await jpeg())
    await page.getByRole('button', { name: 'Remove picture' }).waitFor()
    await choose(page, 'banner', await jpeg(1500, 500))
    await page.getByRole('button', { name: 'Remove banner' }).waitFor()
    assert.deepEqual(await imageWidths(page, '.picture .avatar'), [400])
    await page.goto(`${publishing.base}/@${handle}`)
    assert.deepEqual(await imageWidths(page, '.profile .avatar'), [400])
    assert.deepEqual(await imageWidths(page, '.post .avatar'), [96])
    assert.ok((await imageWidths(page, '.strip img'))[0]! > 0)
    await page.goto(`${publishing.base}/settings/pictures`)
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await page.locator('.picture span.avatar').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remove picture' }).count(), 0)
    assert.deepEqual(troubles, [])
  })

test('a picture that is too large is refused at its field, which has the focus, and the page is accessible', async () => {
  const max = await publisher(system, { handle: 'max_sees' })
  const { page } = await openPage(browser, { viewport: { width: 375, height: 800 } })
  await signIn(page, max.email)
  await choose(page, 'banner', paddedTo(await jpeg(), 5 * 1024 * 1024))
  await page.locator('#banner-problem').waitFor()
  assert.match((await page.locator('#banner-problem').textContent())!, /at most 2 MiB/)
  await page.locator('[name=banner]:focus').waitFor({ state: 'attached' })
  assert.equal(await page.locator('#avatar-problem').count(), 0)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'fits a phone')
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] }
  assert.deepEqual(
    violations.map(({ id }) => id),
    [],
  )
})
