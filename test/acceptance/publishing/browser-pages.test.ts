import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_sees', username: 'Mira' })
const write = (content: string, more: object = {}) => writePost(mira, content, more)
const root = await write('A **first** post with [a link](https://example.com) and #tags')
await write('An answer', { type: 'reply', parentId: root.id })
await write('A quote', { type: 'quote', quoteOfId: root.id })
await mira.api('PATCH /api/users/me', {
  body: { bio: 'מילים בעברית\nand English', website: 'https://example.com/x' },
})
// Protected at the end, so that somebody has to wait.
const shy = await publisher(system, { handle: 'shy_sees', username: 'Shy' })
const fan = await publisher(system, { handle: 'fan_sees', username: 'a'.repeat(50) })
await fan.api('PATCH /api/users/me', { body: { bio: 'x'.repeat(500) } })
await fan.api(`POST /api/posts/${root.id}/like`)
await fan.api('POST /api/users/mira_sees/follow')
await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
await fan.api('POST /api/users/shy_sees/follow')
const gone = await publisher(system, { handle: 'gone_sees' })
for (const { handle } of [gone, fan]) await shy.api(`POST /api/users/${handle}/follow`)
const judge = await publisher(system)
await system.sql`update publishing.users set is_admin = true where id = ${judge.user.id}`
await judge.api('POST /api/admin/users/gone_sees/suspend')
await shy.api('POST /api/users/mira_sees/block')
await shy.api('POST /api/users/fan_sees/mute')
await mira.api(`PATCH /api/posts/${root.id}`, {
  body: { content: 'A **first** post, edited, with [a link](https://example.com) and #tags' },
})
const browser = await openBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const thread = new URL(root.url).pathname
const open = [
  '/',
  '/@mira_sees',
  thread,
  `${thread}/history`,
  `${thread}/likes`,
  '/@mira_sees/followers',
  '/tags/tags',
  '/search?q=post',
  '/search?q=mira&type=user',
  '/search',
  '/sign-in',
  '/sign-up',
  '/@nobody_here',
  '/widget/embed/mira_sees',
]
const members = [
  '/home',
  '/@shy_sees',
  '/@shy_sees/following',
  '/@mira_sees',
  '/@fan_sees',
  `/compose?reply=${root.id}`,
  '/keys',
  '/requests',
  '/notifications',
  '/blocked',
  '/settings',
  '/settings/account',
  '/settings/sessions',
  '/settings/delete',
]

// Themes differ in colours alone, and these pages show every colour.
const inDark = [
  thread,
  '/@fan_sees',
  '/@shy_sees/following',
  '/sign-in',
  '/@nobody_here',
  '/widget/embed/mira_sees',
  '/keys',
  '/notifications',
  '/settings/delete',
]
const options = (rules: string) => `{ resultTypes: ['violations'], preload: false${rules} }`
const rules = { light: options(''), dark: options(`, runOnly: ['color-contrast']`) }

for (const colorScheme of ['light', 'dark'] as const)
  test(`pages are accessible and fit phone and desktop screens (${colorScheme})`, async () => {
    const { page, troubles } = await openPage(browser, { colorScheme })
    const isWanted = (path: string) => colorScheme === 'light' || inDark.includes(path)
    const check = async (path: string) => {
      await page.goto(publishing.base + path)
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        assert.equal(overflow, false, `${path} at ${width}`)
      }
      // Evaluated by the debugger, so the policy of the page stays as it is.
      await page.evaluate(axe)
      const { violations } = (await page.evaluate(`axe.run(${rules[colorScheme]})`)) as {
        violations: { id: string; help: string }[]
      }
      assert.deepEqual(
        violations.map(({ id, help }) => `${path}: ${id}, ${help}`),
        [],
      )
    }
    for (const path of open.filter(isWanted)) await check(path)
    await page.goto(`${publishing.base}/sign-in?next=/home`)
    await page.fill('[name=email]', shy.email)
    await page.fill('[name=password]', password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(`${publishing.base}/home`)
    for (const path of members.filter(isWanted)) await check(path)
    assert.deepEqual(
      troubles.filter((text) => !text.includes('404')),
      [],
    )
  })

test('posting, liking and creating an API key work in a browser, with and without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, troubles } = await openPage(browser, { javaScriptEnabled })
    await page.goto(`${publishing.base}/compose`)
    await page.fill('[name=email]', mira.email)
    await page.fill('[name=password]', password)
    await page.click('main button.primary')
    assert.equal(page.url(), `${publishing.base}/compose`)
    await page.fill('textarea', `Written in a browser, ${javaScriptEnabled}`)
    if (javaScriptEnabled) {
      assert.match((await page.textContent('output'))!, /^\d+ left$/)
      await page.fill('textarea', 'x'.repeat(281))
      assert.equal(await page.textContent('output'), '1 too many')
      assert.ok(await page.isDisabled('main button.primary'))
      await page.fill('textarea', `Written in a browser, ${javaScriptEnabled}`)
    }
    await page.click('main button.primary')
    await page.waitForURL(/\/@mira_sees\/\d+$/)
    assert.match((await page.textContent('article.main'))!, /Written in a browser/)
    await page.click('button[value=like]')
    await page.waitForSelector('button[value=unlike]')
    assert.match((await page.textContent('article.main'))!, /1 like/)
    await page.click('summary:has-text("Delete")')
    await page.click('button[value=delete]')
    await page.waitForURL(/\/@mira_sees$/)
    assert.doesNotMatch((await page.textContent('main'))!, /Written in a browser/)
    await page.goto(`${publishing.base}/keys`)
    await page.fill('[name=name]', 'By hand')
    await page.click('main button.primary')
    assert.match((await page.textContent('.note.good code'))!, /^f9k_/)
    await page.click('.account summary')
    await page.click('text=Sign out')
    await page.waitForURL(`${publishing.base}/`)
    assert.equal((await page.goto(`${publishing.base}/keys`))!.status(), 401)
    assert.deepEqual(
      troubles.filter((text) => !text.includes('401')),
      [],
    )
  }
})

test('a form that is being sent is not sent a second time', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${publishing.base}/compose`)
  await page.fill('[name=email]', fan.email)
  await page.fill('[name=password]', password)
  await page.click('main button.primary')
  await page.fill('textarea', 'Said once')
  const clicked = Promise.withResolvers<void>()
  let sent = 0
  await page.route('**/compose', async (route) => {
    sent++
    await clicked.promise
    await route.continue()
  })
  const { x, y } = (await page.locator('main button.primary').boundingBox())!
  const publish = () => page.mouse.click(x + 5, y + 5)
  const first = page.waitForRequest('**/compose')
  await publish()
  await first
  await publish()
  clicked.resolve()
  await page.waitForURL(/\/@fan_sees\/\d+$/)
  assert.equal(sent, 1)
})

test('answering follow requests and blocking work without JavaScript', async () => {
  const { page, troubles } = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(`${publishing.base}/requests`)
  await page.fill('[name=email]', shy.email)
  await page.fill('[name=password]', password)
  await page.click('main button.primary')
  await page.click('text=Approve')
  assert.match((await page.textContent('main'))!, /Nobody is waiting/)
  await page.goto(`${publishing.base}/@fan_sees`)
  await page.click('summary:has-text("More")')
  await page.click('summary:has-text("Block")')
  await page.click('button[value=block]')
  assert.match((await page.textContent('main'))!, /You blocked this account/)
  await page.click('button[value=unblock]')
  await page.click('button[value=follow]')
  assert.match((await page.textContent('.profile'))!, /Unfollow/)
  assert.deepEqual(
    troubles.filter((text) => !text.includes('401')),
    [],
  )
})

test('the theme switch is remembered, and the skip link leads to the content', async () => {
  const { page } = await openPage(browser, { colorScheme: 'light' })
  await page.goto(publishing.base)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  await page.click('.theme')
  await page.reload()
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 20, 19)')
})
