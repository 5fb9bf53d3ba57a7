import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet, openAsOwner, type Page, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { page, troubles } = await openAsOwner(console)
// The page of the components is only offered in development, which the page itself says.
await page.route(console.address('/components**'), async (route) => {
  const response = await route.fetch()
  const body = (await response.text()).replace('<html ', '<html data-development ')
  await route.fulfill({ response, body })
})

const open = async (query = '') => {
  await page.goto(console.address(`/components${query}`))
  await page.getByRole('table', { name: 'Examples' }).waitFor()
}
const table = page.getByRole('table', { name: 'Examples' })
const toastOf = (text: string) => page.getByRole('status').getByText(text)
const firstCells = async (of: Page) =>
  (await of.locator('.data-table .row-link').allTextContents()).slice(0, 2)

test('every component in every state passes axe, in both themes, on a phone and on a desk', async () => {
  await open()
  await page.locator('.chart-plot canvas').waitFor()
  await inspect(page, 'components')
})

test('a table is paged, sorted and filtered by its address', async () => {
  await open('?page=2&size=25&sort=-name')
  assert.deepEqual(await firstCells(page), ['2026/harbour-40.jpeg', '2026/harbour-4.jpeg'])
  await page.getByText('26–50 of 60').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('51–60 of 60').waitFor()
  await page.getByLabel('Rows per page').selectOption('50')
  await page.getByText('1–50 of 60').waitFor()
  await table.getByRole('button', { name: 'Name' }).click()
  await eventually(async () =>
    assert.equal(
      await table.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'),
      'ascending',
    ),
  )
  await page.getByLabel('Type').selectOption('image/png')
  await page.getByText('1–20 of 20').waitFor()
  assert.equal(new URL(page.url()).search, '?size=50&type=image%2Fpng')
  await page.goBack()
  await page.getByRole('table', { name: 'Examples' }).waitFor()
})

test('rows are selected one by one and all at once, and a selection has actions of its own', async () => {
  await open()
  await table.getByRole('checkbox', { name: 'Select 2026/harbour-1.jpeg' }).check()
  await page.getByText('1 selected').waitFor()
  await table.getByRole('checkbox', { name: 'Select all rows' }).check()
  await page.getByText('10 selected').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByLabel('Search examples').waitFor()
  await table.getByRole('checkbox', { name: 'Select 2026/harbour-1.jpeg' }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await toastOf('1 deleted').waitFor()
})

test("arrows lead from a table's own header to its rows", async () => {
  await open()
  const heading = table.getByRole('button', { name: 'Name' })
  const boxes = table.getByRole('checkbox')
  for (const above of [boxes.first(), heading]) {
    await above.focus()
    await page.keyboard.press('ArrowUp')
    await above.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /harbour-1\.jpeg/)
    await page.keyboard.press('ArrowDown')
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /harbour-10\.jpeg/)
  }
})

test('the menu of a row is opened and chosen from by keys', async () => {
  await open()
  await page.getByRole('button', { name: 'Actions for 2026/harbour-1.jpeg' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await page.locator('[role=menuitem]:focus', { hasText: 'Delete' }).waitFor()
  await page.keyboard.press('Enter')
  await toastOf('2026/harbour-1.jpeg deleted').waitFor()
})

test('a question names what is lost, and what was done can be undone', async () => {
  await open()
  await page.getByRole('button', { name: 'Question' }).click()
  const question = page.getByRole('dialog', { name: 'Delete the bucket photos?' })
  await question.getByText('Its 12 objects are lost for good.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await toastOf('Kept').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await toastOf('Back again').waitFor()
})

test('a drawer keeps the focus inside and gives it back', async () => {
  await open()
  await page.getByRole('button', { name: 'Drawer' }).click()
  const drawer = page.getByRole('dialog', { name: 'A drawer' })
  await drawer.waitFor()
  await inspect(page, 'drawer')
  for (let n = 0; n < 30; n++) await page.keyboard.press('Tab')
  await eventually(async () =>
    assert.equal(await page.evaluate('document.activeElement.closest("main > *") === null'), false),
  )
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await eventually(async () =>
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Drawer'),
  )
})

test('a chart is read by keys, and its numbers are there as a table', async () => {
  await open()
  const chart = page.getByRole('figure', { name: 'Storage by day' })
  await chart.locator('canvas').waitFor()
  await chart.getByRole('application').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await chart.getByRole('status').getByText('Stored: 77.4 GiB').waitFor()
  await chart.getByRole('button', { name: 'Show as table' }).click()
  const rows = chart.getByRole('table', { name: 'Storage by day' }).getByRole('row')
  await eventually(async () => assert.equal(await rows.count(), 31))
  assert.match((await rows.nth(29).textContent()) ?? '', /77\.4 GiB/)
  assertQuiet(troubles)
})
