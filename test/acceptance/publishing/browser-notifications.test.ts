import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { until } from '#test/support/eventually.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { unreadOf } from './support/notifications.ts'

const system = await boot()
const { publishing } = system
const browser = await openBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Somebody with a notification of each type, and a browser that is signed in. */
const somebodyTold = async (options: BrowserContextOptions = {}) => {
  const mira = await publisher(system, { username: 'Mira' })
  const long = await publisher(system, { username: 'W'.repeat(50) })
  const post = await writePost(mira, 'x'.repeat(280))
  for (const fan of [long, await publisher(system), await publisher(system)]) {
    await fan.api(`POST /api/posts/${post.id}/like`)
    await fan.api(`POST /api/posts/${post.id}/repost`)
  }
  await writePost(long, 'y'.repeat(280), { type: 'reply', parentId: post.id })
  await writePost(long, 'שלום', { type: 'quote', quoteOfId: post.id })
  await writePost(long, `Hello @${mira.handle}, see https://example.com/${'z'.repeat(200)}`)
  await long.api(`POST /api/users/${mira.handle}/follow`)
  await long.api('PATCH /api/users/me', { body: { is_protected: true } })
  await mira.api(`POST /api/users/${long.handle}/follow`)
  await long.api(`POST /api/follow-requests/${mira.handle}/accept`)
  await mira.api('PATCH /api/users/me', { body: { is_protected: true } })
  await (await publisher(system)).api(`POST /api/users/${mira.handle}/follow`)
  const opened = await openPage(browser, options)
  const { page } = opened
  await page.goto(`${publishing.base}/sign-in`)
  await page.fill('[name=email]', mira.email)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(`${publishing.base}/home`)
  return { mira, ...opened }
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`notifications of every type are accessible and fit phone and desktop screens (${colorScheme})`, async () => {
    const { page, troubles } = await somebodyTold({ colorScheme, reducedMotion: 'reduce' })
    await page.goto(`${publishing.base}/notifications`)
    assert.equal(await page.locator('.told').count(), 8)
    for (const width of [320, 360, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      assert.equal(overflow, false, `at ${width}`)
      if (width < 640)
        assert.equal(await page.isVisible('.bar .bell span'), true, 'the bar at the bottom names it')
      await page.evaluate(axe)
      const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] }
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
        `at ${width}`,
      )
    }
    assert.deepEqual(troubles, [])
  })

test('what a page shows is read once it is seen, which the header shows at once', async () => {
  const { mira, page, troubles } = await somebodyTold()
  const unread = await unreadOf(mira)
  assert.equal(unread > 5, true)
  assert.equal(await page.getAttribute('.bell', 'aria-label'), `Notifications, ${unread} unread`)
  await page.click('.bell')
  await page.waitForSelector('.bell[aria-label="Notifications"]')
  assert.equal(await unreadOf(mira), 0)
  assert.equal(await page.isVisible('.seen button'), false)
  assert.equal(
    (await page.locator('.told.new').count()) > 0,
    true,
    'what is new stays marked until the next visit',
  )
  assert.equal(await page.title(), 'Notifications · Trivet')
  await page.reload()
  assert.equal(await page.locator('.told.new').count(), 0)
  assert.deepEqual(troubles, [])
})

test('a page in a tab that nobody looks at marks nothing until it is looked at', async () => {
  const { mira, page } = await somebodyTold()
  await page.addInitScript(`
    let state = 'hidden'
    Object.defineProperty(document, 'visibilityState', { get: () => state })
    window.look = () => { state = 'visible'; document.dispatchEvent(new Event('visibilitychange')) }`)
  await page.goto(`${publishing.base}/notifications`, { waitUntil: 'networkidle' })
  assert.notEqual(await unreadOf(mira), 0)
  await page.evaluate('window.look()')
  await until('it is marked', async () => (await unreadOf(mira)) === 0)
})

test('without script a button marks all as read, and requests are approved in place', async () => {
  const { mira, page } = await somebodyTold({ javaScriptEnabled: false })
  await page.goto(`${publishing.base}/notifications`)
  await page.click('button[value=accept]')
  await page.waitForURL(/\/notifications#n-\d+$/)
  assert.equal(await page.locator('button[value=accept]').count(), 0)
  assert.notEqual(await unreadOf(mira), 0)
  await page.click('text=Mark all as read')
  await page.waitForURL(`${publishing.base}/notifications`)
  assert.equal(await unreadOf(mira), 0)
  assert.equal(await page.getAttribute('.bell', 'aria-label'), 'Notifications')
})
