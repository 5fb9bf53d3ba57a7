import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_stays', username: 'Mira' })
const fan = await publisher(system, { handle: 'fan_stays' })
await fan.api('POST /api/users/mira_stays/follow')
const thread = new URL((await writePost(mira, 'A post to stay with')).url).pathname
const browser = await openBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const signIn = async (page: Page, email: string, path = '/home') => {
  await page.goto(`${publishing.base}/sign-in?next=${encodeURIComponent(path)}`)
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(publishing.base + path)
}

test('liking far down a page keeps the place and the focus with script, and the place without', async () => {
  const many = await publisher(system, { handle: 'many_stays' })
  for (let n = 0; n < 12; n++) await writePost(many, `Number ${n}`)
  for (const javaScriptEnabled of [true, false]) {
    const { page, troubles } = await openPage(browser, { javaScriptEnabled })
    await signIn(page, mira.email, '/@many_stays')
    const card = page.locator('article', { hasText: 'Number 1' }).last()
    const action = javaScriptEnabled ? 'like' : 'unlike'
    await card.locator(`button[value=${action}]`).click()
    await card.locator(`button[value=${javaScriptEnabled ? 'unlike' : 'like'}]`).waitFor()
    const { y } = (await card.boundingBox())!
    assert.ok(y > 0 && y < 700, `the post is seen, ${y} pixels below the top`)
    assert.equal(new URL(page.url()).hash !== '', !javaScriptEnabled)
    if (javaScriptEnabled)
      assert.equal(
        await page.evaluate('document.activeElement.value'),
        'unlike',
        'the button keeps the focus',
      )
    assert.deepEqual(troubles, [])
  }
})

test('following on a profile and in a list changes the button without a new page', async () => {
  const { page } = await openPage(browser)
  await signIn(page, fan.email, '/@mira_stays')
  await page.evaluate('window.stayed = true')
  for (const value of ['unfollow', 'follow']) await page.click(`.profile button[value=${value}]`)
  await page.waitForSelector('.profile button[value=unfollow]')
  assert.equal(await page.evaluate('window.stayed'), true)
  await page.goto(`${publishing.base}/@fan_stays/following`)
  await page.evaluate('window.stayed = true')
  await page.click('button[aria-label="Unfollow @mira_stays"]')
  await page.click('button[aria-label="Follow @mira_stays"]')
  await page.waitForSelector('button[aria-label="Unfollow @mira_stays"]')
  assert.equal(await page.evaluate('window.stayed'), true)
})

test('a button whose session has ended leads to the sign-in, and from there back', async () => {
  const { page } = await openPage(browser)
  await signIn(page, mira.email, thread)
  await page.context().clearCookies()
  await page.locator('article.main button[value=like]').click()
  await page.waitForSelector('[name=password]')
  await page.fill('[name=email]', mira.email)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(publishing.base + thread)
})

test('menus close on Escape, which returns the focus, and on a click outside', async () => {
  const { page } = await openPage(browser)
  await signIn(page, mira.email)
  const isOpen = () => page.evaluate(`document.querySelector('.account').open`)
  await page.click('.account summary')
  await page.keyboard.press('Escape')
  assert.equal(await isOpen(), false)
  assert.equal(await page.evaluate('document.activeElement.localName'), 'summary')
  await page.click('.account summary')
  assert.equal(await isOpen(), true)
  await page.click('h1')
  assert.equal(await isOpen(), false)
})

test('on touch screens of 360 pixels the buttons of a post are at least 44 pixels high and wide', async () => {
  const { page } = await openPage(browser, { viewport: { width: 360, height: 740 }, hasTouch: true })
  await signIn(page, mira.email, thread)
  const small = await page.evaluate(`[...document.querySelectorAll('.actions > a, .actions > button, .bar a')]
    .map((each) => each.getBoundingClientRect())
    .filter(({ width, height }) => width < 44 || height < 44).length`)
  assert.equal(small, 0)
})

test('forms with refused fields are accessible, and the first refused field has the focus', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${publishing.base}/sign-up`)
  await page.evaluate(`document.querySelector('main form').noValidate = true`)
  await page.fill('[name=handle]', 'no good')
  await page.click('main button.primary')
  await page.waitForSelector('[aria-invalid]')
  await page.locator('[name=username]:focus').waitFor()
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run({ resultTypes: ['violations'], preload: false })`,
  )) as { violations: { id: string }[] }
  assert.deepEqual(
    violations.map(({ id }) => id),
    [],
  )
})

test('a preview appears in the form while the text and the cursor stay; without script it is a new page', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, troubles } = await openPage(browser, { javaScriptEnabled })
    await signIn(page, mira.email, '/compose')
    await page.fill('textarea', 'A **bold** claim')
    if (javaScriptEnabled) await page.evaluate('window.stayed = true')
    await page.click('button[name=preview]')
    await page.waitForSelector('.preview strong')
    assert.equal(await page.inputValue('textarea'), 'A **bold** claim')
    if (javaScriptEnabled) {
      assert.equal(await page.evaluate('window.stayed'), true)
      await page.fill('textarea', 'A *slanted* claim')
      await page.click('button[name=preview]')
      await page.waitForSelector('.preview em')
      await page.fill('textarea', 'x'.repeat(281))
      await page.click('button[name=preview]')
      await page.waitForSelector('#content-problem')
      await page.fill('textarea', 'A **bold** claim')
      assert.deepEqual(
        troubles.filter((text) => !text.includes('422')),
        [],
      )
    }
    await page.click('main button.primary')
    await page.waitForURL(/\/@mira_stays\/\d+$/)
  }
})
