import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openColleague, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service, '/tracking')
const { api, main } = company
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const act = async (name: string, action: string) => {
  await button(`Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const pick = async (form: Locator, name: string) => {
  await form.getByLabel('Product', { exact: true }).fill(name)
  await form.getByRole('option', { name }).click()
}
const firstCells = () => page.getByRole('row').locator('td:first-child').allInnerTexts()

const away = await company.warehouse({ name: 'Harbour' })
const oil = await company.product(0, {
  name: 'Olive oil',
  sku: 'OIL-1',
  tracking_type: 'batch',
  barcode: '012345678905',
})
const kettle = await company.product(0, {
  name: 'Kettle',
  sku: 'KET-1',
  tracking_type: 'serial',
  barcode: '4006381333931',
})
await company.product(0, { name: 'Mug', sku: 'MUG-1' })
const ada = await company.created('POST /api/customers', { name: 'Ada', email: 'ada@example.com' })

test('a batch is created from the empty list; what is wrong is said at the field', async () => {
  await page.getByRole('heading', { name: 'No batches on hand' }).waitFor()
  await button('New batch').click()
  const form = dialog(page, 'New batch')
  await pick(form, 'Mug')
  await form.getByText(/Mug is not tracked by batch/).waitFor()
  await pick(form, 'Olive oil')
  await form.getByRole('button', { name: 'Create batch' }).click()
  await form.getByText('Batch number is required').waitFor()
  await form.getByLabel('Batch number').fill('OIL-1')
  await form.getByLabel('Manufacture date').fill(day(0))
  await form.getByLabel('Expiry date').fill(day(-3))
  await form.getByLabel('Quantity').fill('4')
  await form.getByRole('button', { name: 'Create batch' }).click()
  await form.locator('.field', { hasText: 'Expiry date' }).locator('.field-error').waitFor()
  await inspect(page, 'inventory-new-batch')
  await form.getByLabel('Manufacture date').fill('')
  await form.getByRole('button', { name: 'Create batch' }).click()
  await page.getByRole('heading', { name: 'Batch OIL-1' }).waitFor()
  const { batches } = (await api('GET /api/batches')).body
  assert.deepEqual([batches.length, batches[0].quantity, batches[0].expiry_date], [1, 4, day(-3)])
})

test('a scanned GS1 code fills in the product and the unit of a new batch, and of new serials', async () => {
  const scan = async (form: Locator, code: string) => {
    await form.getByLabel('Product', { exact: true }).fill(code)
    await page.keyboard.press('Enter')
  }
  const discard = async () => {
    await page.keyboard.press('Escape')
    await dialog(page, 'Discard your changes?').getByRole('button', { name: 'Discard changes' }).click()
  }
  await open('/tracking')
  await button('New batch').click()
  const batch = dialog(page, 'New batch')
  await scan(batch, '(01)00012345678905(17)300331(10)OIL-9')
  await eventually(async () => {
    assert.equal(await batch.getByLabel('Product', { exact: true }).inputValue(), 'Olive oil')
    assert.equal(await batch.getByLabel('Batch number').inputValue(), 'OIL-9')
    assert.equal(await batch.getByLabel('Expiry date').inputValue(), '2030-03-31')
  })
  await discard()
  await open('/tracking/serials')
  await button('Add serials').click()
  const serials = dialog(page, 'Add serials')
  await scan(serials, '(01)04006381333931(21)K-1')
  await eventually(async () => {
    assert.equal(await serials.getByLabel('Product', { exact: true }).inputValue(), 'Kettle')
    assert.equal(await serials.getByLabel('Serial numbers').inputValue(), 'K-1')
  })
  await discard()
})

test('batches are listed by expiry, found by number, and filtered; Today leads to those that expire', async () => {
  const batch = (batch_number: string, quantity: number, more: object) =>
    company.created('POST /api/batches', { product_id: oil, batch_number, quantity, ...more })
  await batch('LATE', 5, { expiry_date: day(200), lot_number: 'North' })
  await batch('NEVER', 5, {})
  await batch('SOON', 5, { expiry_date: day(9), warehouse_id: away })
  await batch('EMPTY', 0, { expiry_date: day(2) })
  await open('/today')
  await page.getByRole('link', { name: /^Batches expiring/ }).click()
  await row(page, 'SOON').waitFor()
  const { batches_expiring } = (await api('GET /api/reports/today')).body
  assert.deepEqual([await firstCells(), batches_expiring], [['OIL-1', 'SOON'], 2])
  await page.getByLabel('Expiry', { exact: true }).selectOption('')
  await row(page, 'NEVER').waitFor()
  assert.deepEqual(await firstCells(), ['OIL-1', 'SOON', 'LATE', 'NEVER'])
  await inspect(page, 'inventory-batches')
  await page.getByLabel('Shown').selectOption('all')
  await row(page, 'EMPTY').waitFor()
  await page.getByLabel('Search batches').fill('north')
  await row(page, 'NEVER').waitFor({ state: 'detached' })
  assert.deepEqual(await firstCells(), ['LATE'])
  await open(`/tracking?warehouse=${away}&product=${oil}`)
  await row(page, 'SOON').waitFor()
  assert.deepEqual(await firstCells(), ['SOON'])
  await eventually(async () =>
    assert.equal(await page.getByLabel('Product', { exact: true }).inputValue(), 'Olive oil'),
  )
  await button('All products').click()
  await page.waitForURL((url) => !url.searchParams.has('product'))
  await act('SOON', 'Edit')
  const form = dialog(page, 'Edit batch')
  await form.getByLabel('Batch number').fill('LATE')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.getByText('Batch LATE already exists').waitFor()
  await form.getByLabel('Batch number').fill('SOONER')
  await form.getByLabel('Lot number').fill('L-9')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await row(page, 'SOONER').waitFor()
  assert.equal((await api('GET /api/batches?search=sooner')).body.batches[0].lot_number, 'L-9')
})

test('a batch is traced from its supplier to the customers who have it, on the screen and on paper', async () => {
  const supplier_id = (await company.created('POST /api/suppliers', { name: 'Mill & Sons' })).id
  const po = await company.created('POST /api/suppliers/purchase-orders', {
    supplier_id,
    warehouse_id: main,
    items: [{ product_id: oil, quantity: 10 }],
  })
  const items = [{ product_id: oil, quantity_received: 10, batch_number: 'TRACED', expiry_date: day(4) }]
  await company.created(`POST /api/suppliers/purchase-orders/${po.id}/receive`, { items }, 200)
  const order = (await company.order([[oil, 6]], { customer_id: ada.id })).body
  const [line] = (await company.read(order.id)).items
  await company.fulfil(order.id, [[line.id, 6]])
  await company.giveBack(order.id, [[line.id, 2]])
  await open('/tracking')
  await act('TRACED', 'Trace')
  await page.getByRole('heading', { name: 'Batch TRACED' }).waitFor()
  const table = (name: string) => page.getByRole('table', { name })
  assert.match(
    await table('Received from').innerText(),
    /Mill & Sons[\s\S]*PO-000001[\s\S]*Main warehouse[\s\S]*10/,
  )
  assert.match(
    await table('Shipped to').innerText(),
    /Ada[\s\S]*ada@example\.com[\s\S]*ORD-000001[\s\S]*6[\s\S]*2[\s\S]*4/,
  )
  await eventually(async () =>
    assert.match(await page.locator('.figures').innerText(), /10[\s\S]*4[\s\S]*0[\s\S]*6/),
  )
  await inspect(page, 'inventory-trace')
  await page.emulateMedia({ media: 'print' })
  await eventually(async () =>
    assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false),
  )
  await eventually(async () => assert.equal(await button('Print').isVisible(), false))
  await eventually(async () => assert.equal(await page.getByText(/^Printed/).isVisible(), true))
  await page.screenshot({ path: 'test/shots/inventory-trace-print.png', fullPage: true })
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('link', { name: 'ORD-000001' }).click()
  await page.getByRole('heading', { name: 'ORD-000001' }).waitFor()
})

test('serials are scanned in, and a number that is known is refused at the field', async () => {
  await open('/tracking')
  await page.getByRole('tab', { name: 'Serials' }).click()
  await page.getByRole('heading', { name: 'No serials yet' }).waitFor()
  await button('Add serials').click()
  const form = dialog(page, 'Add serials')
  await pick(form, 'Kettle')
  const numbers = form.getByLabel('Serial numbers')
  await numbers.focus()
  for (const scan of ['K-1', '(01)04006381333931(21)K-2', 'K-1', 'K-3']) {
    await page.keyboard.type(scan)
    await page.keyboard.press('Enter')
  }
  await form.getByText('3 units').waitFor()
  await inspect(page, 'inventory-add-serials')
  await form.getByRole('button', { name: 'Add serials' }).click()
  await row(page, 'K-3').waitFor()
  assert.deepEqual(await firstCells(), ['K-3', 'K-2', 'K-1'])
  await button('Add serials').click()
  await pick(form, 'Kettle')
  await numbers.fill('K-4\nK-1')
  await form.getByRole('button', { name: 'Add serials' }).click()
  await form.locator('.field', { hasText: 'Serial numbers' }).getByText('Serial K-1 already exists').waitFor()
  await numbers.fill('K-4')
  await form.getByRole('button', { name: 'Add serials' }).click()
  await row(page, 'K-4').waitFor()
  assert.deepEqual(await company.stock(kettle), [4, 0])
})

test('a serial is taken along its life, and its page tells it', async () => {
  await act('K-1', 'Reserve')
  await row(page, 'K-1').getByText('Reserved').waitFor()
  await button('Undo').click()
  await row(page, 'K-1').getByText('In stock').waitFor()
  assert.deepEqual(await company.stock(kettle), [4, 0])
  const order = (await company.order([[kettle, 1]], { customer_id: ada.id })).body
  const [line] = (await company.read(order.id)).items
  await company.created(
    `POST /api/orders/${order.id}/fulfill`,
    { items: [{ order_item_id: line.id, quantity_fulfilled: 1, serials: ['K-1'] }] },
    200,
  )
  await row(page, 'K-1').getByText('Sold').waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('sold')
  await row(page, 'K-2').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'K-1' }).click()
  await page.getByRole('heading', { name: 'K-1' }).waitFor()
  await button('Mark as returned').click()
  await button('Scrap').click()
  const question = dialog(page, 'Scrap K-1?')
  await question.getByLabel('Reason').fill('Leaks')
  await question.getByRole('button', { name: 'Scrap serial' }).click()
  await page.locator('.page-text').getByText('Scrapped').waitFor()
  const life = page.getByRole('list', { name: 'Life' }).getByRole('listitem')
  const titles = async () => (await life.allInnerTexts()).map((text) => text.split('\n')[0])
  await eventually(async () =>
    assert.deepEqual(await titles(), [
      'Scrapped',
      'Returned by Ada',
      'Shipped to Ada',
      'Released',
      'Reserved',
      'Added in Main warehouse',
    ]),
  )
  await page.getByText('Leaks').waitFor()
  await inspect(page, 'inventory-serial')
  const { serials } = (await api('GET /api/serials?status=scrapped')).body
  assert.deepEqual([serials.length, serials[0].serial_number], [1, 'K-1'])
})

test('stock is adjusted and transferred by batch and by serials', async () => {
  await open('/stock')
  const adjust = dialog(page, 'Adjust')
  await act('Olive oil, Main warehouse', 'Adjust')
  await adjust.getByLabel('Set to').check()
  const late = (await api('GET /api/batches?search=LATE')).body.batches[0]
  await adjust.getByLabel('Batch').selectOption(String(late.id))
  await adjust.getByLabel('Quantity').fill('3')
  await adjust.getByText('Then 3 of this batch.').waitFor()
  await inspect(page, 'inventory-adjust-batch')
  await adjust.getByRole('button', { name: 'Adjust stock' }).click()
  await adjust.waitFor({ state: 'detached' })
  assert.equal((await api(`GET /api/batches/${late.id}`)).body.quantity, 3)
  const transfer = dialog(page, 'Transfer')
  await act('Olive oil, Main warehouse', 'Transfer')
  await transfer.getByLabel('To warehouse').selectOption(String(away))
  await transfer.getByLabel('Batch').selectOption(String(late.id))
  await transfer.getByLabel('Quantity').fill('2')
  await transfer.getByRole('button', { name: 'Transfer stock' }).click()
  await transfer.waitFor({ state: 'detached' })
  const { stock } = (await api(`GET /api/batches/${late.id}`)).body
  assert.deepEqual(
    stock.map(({ quantity }: { quantity: number }) => quantity),
    [1, 2],
  )
  await act('Kettle, Main warehouse', 'Adjust')
  await adjust.getByLabel('Remove').check()
  await adjust.getByLabel('Serial numbers').fill('K-9')
  await adjust.getByRole('button', { name: 'Adjust stock' }).click()
  await adjust.getByText('Serial K-9 not found').waitFor()
  await adjust.getByLabel('Serial numbers').fill('K-2')
  await adjust.getByRole('button', { name: 'Adjust stock' }).click()
  await adjust.waitFor({ state: 'detached' })
  await act('Kettle, Main warehouse', 'Transfer')
  await transfer.getByLabel('To warehouse').selectOption(String(away))
  await transfer.getByLabel('Serial numbers').fill('K-3')
  await transfer.getByRole('button', { name: 'Transfer stock' }).click()
  await transfer.waitFor({ state: 'detached' })
  assert.deepEqual(
    [await company.stock(kettle), await company.stock(kettle, away)],
    [
      [1, 0],
      [1, 0],
    ],
  )
})

test('a product shows its orders, its batches and its serials', async () => {
  await open(`/products/${oil}`)
  await page.getByRole('tab', { name: 'Orders' }).click()
  await row(page, 'ORD-000001').waitFor()
  await eventually(async () => assert.equal(await row(page, 'ORD-000002').count(), 0))
  await inspect(page, 'inventory-product-orders')
  await page.getByLabel('Status', { exact: true }).selectOption('pending')
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('tab', { name: 'Batches and serials' }).click()
  await row(page, 'TRACED').waitFor()
  await open(`/products/${kettle}/tracking`)
  await row(page, 'K-4').waitFor()
})

test('Staff may trace and look, and change nothing', async () => {
  const { page: theirs } = await openColleague(service, company, 'Staff', '/tracking/serials')
  await theirs.getByRole('row').filter({ hasText: 'K-4' }).waitFor()
  await eventually(async () =>
    assert.equal(await theirs.getByRole('button', { name: /^(Actions for|Add serials)/ }).count(), 0),
  )
  await theirs.getByRole('tab', { name: 'Batches' }).click()
  await theirs.getByRole('button', { name: 'Actions for TRACED' }).click()
  await eventually(async () =>
    assert.deepEqual(await theirs.getByRole('menuitem').allInnerTexts(), ['Trace']),
  )
  await theirs.close()
})

test('the console of the browser stayed empty but for what was refused', () =>
  assertQuiet(troubles, [400, 404, 409]))
