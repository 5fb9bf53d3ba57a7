import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unreported } from '#platform/progress.ts'
import { inventory } from '#src/inventory/app.ts'
import { demo } from '#src/inventory/demo/demo.ts'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet, openConsole, signIn } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { startInventory } from './support/inventory.ts'

const service = await startInventory()
await demo(inventory.context(service.system.platform!), unreported, 0.2)

const login = { email: 'noor@larkspur.example', password: 'trivet-demo' }
const { body } = await service.system.inventory('POST /api/auth/login', { body: login })
const api = service.system.inventory.bearer(body.token)
const read = async (path: string) => (await api(`GET /api/${path}`)).body
const money = (text: string) =>
  Number(text).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const { page, troubles } = await openConsole(service)
await signIn(page, login.email, login.password)

const open = async (screen: string) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click()
  await page.getByRole('heading', { name: screen, exact: true }).waitFor()
}
/** The numbers of a chart, which is then a chart again. */
const numbersOf = async (title: string) => {
  const chart = page.getByRole('figure', { name: title, exact: true })
  await chart.getByRole('button', { name: 'Show as table' }).click()
  const numbers = await chart.locator('tbody td.end').allInnerTexts()
  await chart.getByRole('button', { name: 'Show as table' }).click()
  await chart.locator('.u-over').waitFor()
  return numbers
}
type Day = { orders: number; revenue: string; cogs: string; gross_margin: string }

test('Today draws the last 30 days of a year', async () => {
  await page.getByRole('heading', { name: 'Newest orders' }).waitFor()
  const { days } = (await read('reports/today')).last_30_days as { days: Day[] }
  assert.deepEqual(
    await numbersOf('Revenue and margin'),
    days.flatMap(({ revenue, gross_margin }) => [money(revenue), money(gross_margin)]),
  )
  assert.deepEqual(
    await numbersOf('Orders'),
    days.map(({ orders }) => String(orders)),
  )
  await inspect(page, 'inventory-year-today')
})

test('Reports draw the whole year by week, and add it up by product', async () => {
  await open('Reports')
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 365 days')
  await page.waitForURL(/from=/)
  const { from, to } = Object.fromEntries(new URL(page.url()).searchParams)
  const year = await read(`reports/financial?from=${from}&to=${to}&group_by=week`)
  assert.ok(year.periods.length >= 52)
  await eventually(async () =>
    assert.deepEqual(
      await numbersOf('Revenue, cost and margin'),
      year.periods.flatMap((p: Day) => [money(p.revenue), money(p.cogs), money(p.gross_margin)]),
    ),
  )
  const area = page.getByRole('application')
  await area.focus()
  await page.keyboard.press('End')
  await area
    .getByRole('status')
    .getByText(`Revenue: ${money(year.periods.at(-1).revenue)}`)
    .waitFor()
  await page.keyboard.press('Tab')
  await inspect(page, 'inventory-year-financial')
  await page.getByRole('tab', { name: 'Sales by product' }).click()
  await page.getByRole('link', { name: 'Wool blanket' }).waitFor()
  await page.locator('.figures').getByText(money(year.summary.revenue)).waitFor()
  await inspect(page, 'inventory-year-sales')
  await page.getByRole('tab', { name: 'Stock valuation' }).click()
  await page.getByRole('figure', { name: 'Stock value' }).waitFor()
  const half = new Date(Date.parse(to as string) - 180 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('As of').fill(half)
  const then = await read(`reports/inventory?as_of=${half}`)
  await page.locator('.figures').getByText(money(then.total_value)).waitFor()
  await eventually(async () => assert.equal((await numbersOf('Stock value')).at(-1), money(then.total_value)))
  await inspect(page, 'inventory-year-valuation')
})

test('Orders and Products of a year have the totals of the API', async () => {
  await open('Orders')
  const { total } = await read('orders?limit=1')
  await page.getByText(`of ${total.toLocaleString('en-US')}`).waitFor()
  const { by_status } = await read('orders/counts')
  const shipped = page.getByRole('tab', { name: 'Shipped' })
  await eventually(async () =>
    assert.equal(await shipped.getAttribute('aria-description'), by_status.shipped.toLocaleString('en-US')),
  )
  await open('Products')
  const { products } = await read('products')
  await page.getByText(`of ${products.length}`).waitFor()
  for (const { name, quantity_on_hand } of products)
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name, exact: true }) })
      .getByRole('cell', { name: quantity_on_hand.toLocaleString('en-US'), exact: true })
      .first()
      .waitFor()
  assertQuiet(troubles)
})
