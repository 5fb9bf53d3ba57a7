import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import {
  dialog,
  openColleague,
  openShop,
  row,
  slowly,
  startInventory,
  until,
  untilFocused,
} from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service)
const { api, main, created } = company

const mug = await company.product(10, {
  name: 'Blue mug',
  sku: 'MUG-1',
  base_price: '4.50',
  barcode: '4006381333931',
})
const plate = await company.product(2, { name: 'Plate <b>"big"</b>', sku: 'PLATE-1', base_price: '0.10' })
const bowl = await company.product(0, { name: 'Bowl', sku: 'BOWL-1', base_price: '12.00' })
const ada = await created('POST /api/customers', { name: 'Ada Lovelace', email: 'ada@example.com' })
await created(`POST /api/customers/${ada.id}/addresses`, {
  type: 'shipping',
  line1: '12 St James Square',
  city: 'London',
  country: 'GB',
})

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const orders = async () => (await api('GET /api/orders')).body.orders
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('without orders the list says what an order is and how to begin', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
  await inspect(page, 'inventory-orders-empty')
})

test('an order of three lines is entered with the keyboard alone', async () => {
  await button('New order').click()
  await page.getByRole('heading', { name: 'New order' }).waitFor()
  await until(page, `document.activeElement?.getAttribute('placeholder') === 'Name, company or email'`)
  let keys = 0
  const press = async (key: string) => {
    keys++
    await page.keyboard.press(key)
  }
  const product = page.getByLabel('Product', { exact: true })
  const productFocused = () =>
    until(page, `document.activeElement?.getAttribute('placeholder')?.startsWith('Name, SKU')`)
  await page.keyboard.type('Ada')
  await press('Enter')
  await productFocused()
  await page.keyboard.type('blue')
  await page.getByRole('option', { name: /Blue mug.*10 units available/ }).waitFor()
  await press('Enter')
  await untilFocused(page, 'Quantity of Blue mug')
  await press('3')
  await press('Enter')
  await productFocused()
  await page.keyboard.type('PLATE-1', { delay: 50 })
  await press('Enter')
  await untilFocused(page, 'Quantity of Plate <b>"big"</b>')
  await press('3')
  await press('Enter')
  await productFocused()
  await page.keyboard.type('bowl')
  await page.getByRole('option', { name: /Bowl.*Out of stock/ }).waitFor()
  await press('Enter')
  await untilFocused(page, 'Quantity of Bowl')
  await press('Enter')
  await eventually(async () =>
    assert.equal(await page.getByLabel('Total', { exact: true }).innerText(), '25.80'),
  )
  await row(page, 'PLATE-1').getByText('1 backordered').waitFor()
  await inspect(page, 'inventory-new-order')
  await product.focus()
  await press('Control+Enter')
  await page.getByRole('heading', { name: 'ORD-000001' }).waitFor()
  assert.ok(keys < 20, `${keys} keys`)
  const [order] = await orders()
  assert.deepEqual([order.total_amount, order.customer_name, order.item_count], ['25.80', 'Ada Lovelace', 3])
  assert.equal(order.shipping_address.city, 'London')
})

test('an order shows its lines and what happened, and moves on by its buttons', async () => {
  await inspect(page, 'inventory-order')
  const cells = await row(page, 'PLATE-1').getByRole('cell').allInnerTexts()
  assert.deepEqual(cells.slice(2, 7), ['3', '2', '1', '0', '0'])
  await slowly(page, /\/api\/orders\/\d+$/, async () => {
    await button('Mark as paid').click()
    await button('Start fulfilling').click()
    await button('Start fulfilling').waitFor({ state: 'detached' })
  })
  await page.getByText('Marked as paid').waitFor()
  const [{ id }] = await orders()
  assert.equal((await company.read(id)).status, 'fulfilling')
})

test('Ship proposes what is reserved, scanning counts, and too much is refused with what was typed kept', async () => {
  await button('Ship').click()
  const ship = dialog(page, 'Ship')
  await eventually(async () => assert.equal(await ship.getByLabel('Quantity of Blue mug').inputValue(), '3'))
  await inspect(page, 'inventory-ship')
  await ship.getByLabel('Scan').fill('4006381333931')
  await page.keyboard.press('Enter')
  await until(page, `document.querySelector('[aria-label="Quantity of Blue mug"]').value === '1'`)
  await ship.getByLabel('Scan').fill('nonsense')
  await page.keyboard.press('Enter')
  await ship.getByText('Nothing to ship for “nonsense”').waitFor()
  await ship.getByLabel('Quantity of Bowl').fill('1')
  await ship.getByRole('button', { name: 'Ship items' }).click()
  await ship.getByRole('alert').waitFor()
  await eventually(async () => assert.equal(await ship.getByLabel('Quantity of Blue mug').inputValue(), '1'))
  await ship.getByLabel('Quantity of Bowl').fill('0')
  await ship.getByRole('button', { name: 'Ship items' }).dblclick()
  await ship.waitFor({ state: 'detached' })
  const [{ id }] = await orders()
  const { items } = await company.read(id)
  assert.deepEqual(
    items.map((item: { quantity_fulfilled: number }) => item.quantity_fulfilled),
    [1, 2, 0],
  )
  await page.getByText('3 units shipped').waitFor()
})

test('Return takes units back, and a reason that the timeline shows', async () => {
  await button('Return').click()
  const back = dialog(page, 'Return')
  await back.getByLabel('Quantity of Blue mug').fill('1')
  await back.getByLabel('Reason').fill('Chipped')
  await back.getByRole('button', { name: 'Return items' }).click()
  await back.waitFor({ state: 'detached' })
  await page.getByText('1 × Blue mug (Chipped)').waitFor()
  assert.equal((await api(`GET /api/products/${mug}`)).body.total_stock, 10)
})

test('Cancel asks, names what happens, and can be left', async () => {
  const { body } = await company.order([[mug, 1]])
  await open(`/orders/${body.id}`)
  await button('Cancel').click()
  const ask = dialog(page, /Cancel ORD-000002/)
  await ask.getByRole('button', { name: 'Cancel', exact: true }).click()
  assert.equal((await company.read(body.id)).status, 'pending')
  await button('Cancel').click()
  await ask.getByRole('button', { name: 'Cancel order' }).click()
  await page.getByText('Now cancelled').waitFor()
  assert.equal((await company.read(body.id)).status, 'cancelled')
  await eventually(async () => assert.equal(await button('Mark as paid').count(), 0))
})

test('tabs count orders by status under the filters; search, dates and channel are in the address', async () => {
  for (let n = 0; n < 3; n++) await company.order([[mug, 1]], { channel: 'pos' })
  await open('/orders')
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await until(page, `/All\\s*5/.test(document.querySelector('[role=tab]')?.textContent)`)
  await eventually(async () => assert.match(await tab('Pending').innerText(), /Pending\s*3/))
  await tab('Cancelled').click()
  await row(page, 'ORD-000002').waitFor()
  await row(page, 'ORD-000003').waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await tab('Cancelled').getAttribute('aria-selected'), 'true'))
  await tab('All').click()
  await page.getByLabel('Channel').selectOption('pos')
  await row(page, 'ORD-000002').waitFor({ state: 'detached' })
  assert.match(page.url(), /channel=pos/)
  await eventually(async () => assert.match(await tab('Pending').innerText(), /Pending\s*3/))
  await page.reload()
  await row(page, 'ORD-000005').waitFor()
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Search orders').fill('Lovelace')
  await row(page, 'ORD-000005').waitFor({ state: 'detached' })
  await row(page, 'ORD-000001').waitFor()
  await page.getByLabel('Search orders').fill('')
  await row(page, 'ORD-000005').waitFor()
  await inspect(page, 'inventory-orders')
})

test('what waits for stock is listed with what is on its way', async () => {
  await page.getByRole('tab', { name: 'Backorders' }).click()
  await row(page, 'BOWL-1').waitFor()
  await eventually(async () =>
    assert.match(await row(page, 'BOWL-1').innerText(), /ORD-000001[\s\S]*Nothing ordered/),
  )
  await inspect(page, 'inventory-backorders')
})

test('an order that somebody else places appears by itself', async () => {
  await open('/orders')
  await row(page, 'ORD-000005').waitFor()
  await company.order([[plate, 1]])
  await row(page, 'ORD-000006').waitFor()
})

test('an order that is refused stays as it was typed', async () => {
  await api('PATCH /api/settings', { body: { oversell_policy: 'reject' } })
  await open('/orders/new')
  await page.getByLabel('Product', { exact: true }).fill('Bowl')
  await page.getByRole('option', { name: /Bowl/ }).click()
  await button('Create order').click()
  await page.getByRole('alert').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Quantity of Bowl').inputValue(), '1'))
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
  await dialog(page, 'Discard your changes?').getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'Orders' }).waitFor()
  await api('PATCH /api/settings', { body: { oversell_policy: 'backorder' } })
  assert.ok(bowl && main)
})

test('a scanner adds one unit with each scan of a barcode, and the field stays ready', async () => {
  await open('/orders/new')
  const product = page.getByLabel('Product', { exact: true })
  await product.focus()
  for (let n = 1; n <= 2; n++) {
    await page.keyboard.type('4006381333931')
    await page.keyboard.press('Enter')
    await until(page, `document.querySelector('[data-quantity]')?.value === '${n}'`)
  }
  await button('Create order').click()
  await page.getByRole('heading', { name: 'ORD-000007' }).waitFor()
})

test('Staff may sell, but neither ship nor take back', async () => {
  const { page: theirs } = await openColleague(service, company, 'Staff', '/orders')
  await theirs.getByRole('link', { name: 'ORD-000007' }).click()
  await theirs.getByRole('button', { name: 'Mark as paid' }).waitFor()
  await eventually(async () =>
    assert.equal(await theirs.getByRole('button', { name: 'Ship', exact: true }).count(), 0),
  )
  await theirs.getByRole('button', { name: 'Account' }).click()
  await theirs.getByText('Staff · ').waitFor()
  await theirs.close()
})

test('the console of the browser stayed empty but for what was refused', () => assertQuiet(troubles, [400]))
