import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet, type Page } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { openColleague, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()
const money = (text: string) =>
  Number(text).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })

/** The cells of a file that the page downloads, without the byte order mark. */
const download = async (page: Page) => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  const [, ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n')
  return { name: file.suggestedFilename(), rows: lines.map((line) => line.split(',')) }
}

const numbersOf = (page: Page, name: string) =>
  page.getByRole('table', { name, exact: true }).locator('tbody td.end').allInnerTexts()

test('a company without sales or stock is told what the reports are for', async () => {
  const { page, troubles } = await openShop(service, '/reports')
  await page.getByRole('heading', { name: 'Nothing sold in the last 30 days' }).waitFor()
  await inspect(page, 'inventory-reports-empty')
  assert.equal((await download(page)).rows.length, 30)
  await tab(page, 'Sales by product').click()
  await page.getByRole('heading', { name: 'Nothing sold in the last 30 days' }).waitFor()
  assert.deepEqual((await download(page)).rows, [])
  await tab(page, 'Stock valuation').click()
  await page.getByRole('heading', { name: 'No stock yet' }).waitFor()
  await page.goto(service.address('/reports/nonsense'))
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
  assertQuiet(troubles)
})

test('each report shows the numbers of the API in its chart, its table and its file', async () => {
  const { company, page, troubles } = await openShop(service)
  const { api } = company
  const mug = await company.product(50, { name: 'Mug', sku: 'MUG-1', cost_price: '4.10' })
  const bowl = await company.product(9, { name: '<b>Bowl</b>', sku: 'BOWL-1', cost_price: '7.00' })
  const sell = async (product: number, quantity: number, price: string) => {
    const { body } = await company.order([[product, quantity, price]])
    const item = (await company.read(body.id)).items[0].id
    await company.fulfil(body.id, [[item, quantity]])
    return { order: body.id as number, item: item as number }
  }
  await sell(mug, 3, '1200.00')
  const { order, item } = await sell(bowl, 2, '5.00')
  const report = async (path: string) => (await api(`GET /api/reports/${path}`)).body

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports' }).click()
  const { summary, periods } = await report('financial')
  await page.locator('.figures').getByText(money(summary.revenue)).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  type Figures = Record<'period' | 'revenue' | 'cogs' | 'gross_margin' | 'gross_margin_pct', string>
  const drawn = (rows: Figures[]) =>
    rows.flatMap((period) => [period.revenue, period.cogs, period.gross_margin].map(money))
  assert.deepEqual(await numbersOf(page, 'Revenue, cost and margin'), drawn(periods))
  assert.deepEqual((await numbersOf(page, 'Financial')).slice(0, 4), [
    ...drawn(periods.slice(-1)),
    `${summary.gross_margin_pct}%`,
  ])
  const { rows, name } = await download(page)
  assert.equal(name, 'financial.csv')
  assert.deepEqual(
    rows,
    periods.map((p: Figures) => [p.period, p.revenue, p.cogs, p.gross_margin, p.gross_margin_pct]),
  )
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('By month')
  await page.waitForURL(/group_by=month/)
  const months = (await report('financial?group_by=month')).periods
  await eventually(async () =>
    assert.deepEqual(await numbersOf(page, 'Revenue, cost and margin'), drawn(months)),
  )
  await company.giveBack(order, [[item, 1]])
  await page.locator('.figures').getByText(money('3605.00')).waitFor()

  await tab(page, 'Sales by product').click()
  await row(page, 'Mug').waitFor()
  const ranked = (await report('cogs?sort=-revenue')).items as (Figures & { quantity: number; sku: string })[]
  const shown = ranked.flatMap((sold) => [
    String(sold.quantity),
    ...drawn([sold]),
    `${sold.gross_margin_pct}%`,
  ])
  assert.deepEqual(await numbersOf(page, 'Sales by product'), shown)
  await page.getByRole('button', { name: 'Margin', exact: true }).click()
  await page.waitForURL(/sort=gross_margin/)
  await eventually(async () =>
    assert.deepEqual(await numbersOf(page, 'Sales by product'), [...shown.slice(5), ...shown.slice(0, 5)]),
  )
  const sales = await download(page)
  assert.deepEqual(
    sales.rows.map(([sku, , units, revenue]) => [sku, units, revenue]),
    ranked.toReversed().map((sold) => [sold.sku, String(sold.quantity), sold.revenue]),
  )
  assert.equal(sales.rows[0]?.[5], '-2.00')
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last month')
  await page.getByRole('heading', { name: 'Nothing sold in these days' }).waitFor()
  await page.getByRole('button', { name: 'Show the last 30 days' }).click()
  await row(page, 'Mug').waitFor()

  await tab(page, 'Stock valuation').click()
  await row(page, 'Mug').waitFor()
  const valuation = await report('inventory')
  await page.locator('.figures').getByText(money(valuation.total_value)).waitFor()
  await page.getByRole('button', { name: 'Show as table' }).click()
  assert.equal((await numbersOf(page, 'Stock value')).at(-1), money(valuation.total_value))
  const valued = await download(page)
  assert.deepEqual(
    valued.rows.map((cells) => cells.at(-1)),
    valuation.items.map((item: { total_value: string }) => item.total_value),
  )
  await page.getByLabel('As of').fill('2020-02-29')
  await page.getByRole('heading', { name: 'Nothing on hand on that day' }).waitFor()
  assert.deepEqual((await download(page)).rows, [])
  await page.reload()
  await page.getByRole('heading', { name: 'Nothing on hand on that day' }).waitFor()
  await page.getByRole('button', { name: 'Show today' }).click()
  await row(page, 'Mug').getByRole('link').click()
  await page.getByRole('heading', { name: 'Mug' }).waitFor()
  assertQuiet(troubles)
  const staff = await openColleague(service, company, 'Staff', '/reports/sales-by-product')
  await row(staff.page, 'Mug').waitFor()
  assertQuiet(staff.troubles)
})

test('days that cannot be are refused, and what went wrong is shown', async () => {
  const { page } = await openShop(service, '/reports?from=2026-02-01&to=2026-01-01')
  await page.getByRole('alert').getByText('from must not be after to').waitFor()
  await page.getByLabel('To').fill('2026-02-03')
  await page.getByRole('heading', { name: 'Nothing sold in these days' }).waitFor()
})
