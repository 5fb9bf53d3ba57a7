import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'

const system = await boot()
const browser = await openBrowser()

const openReference = async (options = {}) => {
  const opened = await openPage(browser, { viewport: { width: 1280, height: 900 }, ...options })
  await opened.page.goto(`${system.storage.base}/docs`)
  return opened
}

test('the reference filters operations by words, counts them, and shows all again on Escape', async () => {
  const { page, troubles } = await openReference()
  const shown = () => page.locator('.operation:visible').count()
  const all = await shown()
  await page.keyboard.press('/')
  await page.keyboard.type('post reset-password')
  assert.equal(await page.locator('.filter output').textContent(), `1 of ${all}`)
  assert.equal(await shown(), 1)
  assert.equal(await page.locator('.side > nav .group li:visible').count(), 1)
  assert.ok(!(await page.locator('#introduction').isVisible()))
  await page.keyboard.type(' nothing at all')
  assert.ok(await page.getByText('No operation matches').isVisible())
  await page.keyboard.press('Escape')
  assert.equal(await shown(), all)
  assert.equal(await page.locator('.filter output').textContent(), '')
  assert.deepEqual(troubles, [])
})

test('a link to something that the filter hides shows it again', async () => {
  const { page } = await openReference()
  await page.getByLabel('Filter operations').fill('reset-password')
  await page.evaluate("location.hash = '#schemas'")
  await page.locator('#schemas').waitFor()
  assert.equal(await page.getByLabel('Filter operations').inputValue(), '')
})

test('the reference remembers the chosen theme before its first paint', async () => {
  const { page, troubles } = await openReference({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  assert.equal(await page.locator('.theme').textContent(), 'Light')
  await page.reload({ waitUntil: 'commit' })
  await page.locator('html[data-theme=dark]').waitFor()
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'light')
  assert.deepEqual(troubles, [])
})

test('a copy button copies the code beside it, also where plain http leaves no clipboard API', async () => {
  const { page } = await openReference({ permissions: ['clipboard-read', 'clipboard-write'] })
  const read = () => page.evaluate('navigator.clipboard.readText()')
  const panels = page.locator('[data-copy="Copy curl"]')
  const copied = async (index: number) => {
    const panel = panels.nth(index)
    await panel.getByRole('button', { name: 'Copy curl' }).click()
    await panel.getByText('Copied').waitFor()
    return panel.locator('code').textContent()
  }
  const first = await copied(0)
  assert.equal(await read(), first)
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
  const second = await copied(1)
  assert.notEqual(second, first)
  assert.equal(await read(), second)
})

test('an operation can be tried: the form shows status, headers and body, and keeps the credentials in the page alone', async () => {
  const { page, troubles } = await openReference()
  const bucket = page.locator('#createBucket .try')
  await bucket.getByRole('button', { name: 'Try it' }).click()
  await bucket.getByLabel('Token').fill('not a token')
  await bucket.getByRole('button', { name: 'Send' }).click()
  await bucket.getByText('401', { exact: true }).waitFor()
  assert.match(String(await bucket.locator('.result pre code').textContent()), /"code": "unauthorized"/)
  const list = page.locator('#listObjects .try')
  await list.getByRole('button', { name: 'Try it' }).click()
  assert.equal(await list.getByLabel('Token').inputValue(), 'not a token')
  assert.ok(await list.getByLabel('bucketId').inputValue())
  const health = page.locator('#getHealth .try')
  await health.getByRole('button', { name: 'Try it' }).click()
  await health.getByRole('button', { name: 'Send' }).click()
  await health.getByText('200', { exact: true }).waitFor()
  await health.getByText('Headers').click()
  assert.match(String(await health.locator('details pre').textContent()), /x-request-id: /)
  const stored = await page.evaluate(
    'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])',
  )
  assert.ok(!String(stored).includes('not a token'), String(stored))
  await page.reload()
  await list.getByRole('button', { name: 'Try it' }).click()
  assert.equal(await list.getByLabel('Token').inputValue(), '', 'gone with the page')
  const unexpected = troubles.filter((trouble) => !/401/.test(String(trouble)))
  assert.deepEqual(unexpected, [])
})

test('the reference leads to the guides, whose code can be copied and whose links work', async () => {
  const { page, troubles } = await openReference()
  await page.locator('.side > nav').getByRole('link', { name: 'Storage: buckets and objects' }).click()
  await page.getByRole('heading', { name: 'Upload and download' }).waitFor()
  assert.ok((await page.getByRole('button', { name: 'Copy Shell' }).count()) > 3)
  await page.locator('.side > nav').getByRole('link', { name: 'API reference' }).click()
  await page.locator('#introduction').waitFor()
  assert.deepEqual(troubles, [])
})

test('the sidebar marks what is being read, and the menu of narrow screens closes after a choice', async () => {
  const { page } = await openReference()
  await page.locator('#schemas').scrollIntoViewIfNeeded()
  await page.evaluate("location.hash = '#schemas'")
  await page.locator('.side > nav a[href="#schemas"][aria-current=location]').waitFor()
  const narrow = await openReference({ viewport: { width: 400, height: 800 } })
  const menu = narrow.page.locator('details.menu')
  await menu.locator('summary').click()
  await menu.getByRole('link', { name: 'Errors' }).click()
  assert.equal(await menu.getAttribute('open'), null)
  assert.deepEqual(narrow.troubles, [])
})
