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
  startInventory,
  until,
  untilFocused,
} from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service)
const { api, created } = company

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabel(name, { exact: true })
const list = async (query = '') => (await api(`GET /api/suppliers/purchase-orders/all?${query}`)).body
const read = async (id: number) => (await api(`GET /api/suppliers/purchase-orders/${id}`)).body

const mug = await company.product(2, {
  name: 'Blue mug',
  sku: 'MUG-1',
  cost_price: '1.50',
  barcode: '4006381333931',
})
const milk = await company.product(0, {
  name: 'Oat <b>milk</b>',
  sku: 'MILK-1',
  cost_price: '0.80',
  barcode: '5012345678900',
  tracking_type: 'batch',
})
const phone = await company.product(0, { name: 'Phone', sku: 'PHONE-1', tracking_type: 'serial' })

test('without purchase orders and suppliers the screens say how to begin', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Purchasing' }).click()
  await page.getByRole('heading', { name: 'No purchase orders yet' }).waitFor()
  await inspect(page, 'inventory-purchasing-empty')
  await button('New purchase order').click()
  await page.getByRole('heading', { name: 'No suppliers yet' }).waitFor()
  await open('/purchasing/reorder')
  await page.getByRole('heading', { name: 'Nothing to reorder' }).waitFor()
})

test('a purchase order is entered with the keyboard alone, and what is wrong is said at its field', async () => {
  await created('POST /api/suppliers', { name: 'Alder & Sons', lead_time_days: 7 })
  await open('/purchasing/new')
  await until(page, `document.activeElement?.getAttribute('placeholder') === 'Name or email'`)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Supplier is required').waitFor()
  const productFocused = () =>
    until(page, `document.activeElement?.getAttribute('placeholder')?.startsWith('Name, SKU')`)
  await page.keyboard.type('ald')
  await page.getByRole('option', { name: /Alder & Sons.*7 days/ }).waitFor()
  await page.keyboard.press('Enter')
  await productFocused()
  await eventually(async () => assert.match(await field('Expected date').inputValue(), /^\d{4}-\d\d-\d\d$/))
  for (const [sku, name, quantity] of [
    ['MUG-1', 'Blue mug', '99999999999'],
    ['milk-1', 'Oat <b>milk</b>', '20'],
    ['PHONE-1', 'Phone', '3'],
  ] as const) {
    await page.keyboard.type(sku, { delay: 50 })
    await page.keyboard.press('Enter')
    await untilFocused(page, `Quantity of ${name}`)
    await page.keyboard.type(quantity)
    await page.keyboard.press('Enter')
    await productFocused()
  }
  await field('Unit cost of Phone').fill('200,5')
  await button('Create purchase order').click()
  await page.getByText(/Quantity must be/).waitFor()
  await untilFocused(page, 'Quantity of Blue mug')
  await inspect(page, 'inventory-new-purchase-order')
  await field('Quantity of Blue mug').fill('10')
  await eventually(async () => assert.equal(await field('Total').innerText(), '632.50'))
  await button('Create purchase order').dblclick()
  await page.getByRole('heading', { name: 'PO-000001' }).waitFor()
  const { purchase_orders, total } = await list()
  assert.deepEqual([total, purchase_orders[0].total_amount, purchase_orders[0].units], [1, '632.50', 33])
})

test('a purchase order is marked as ordered, and leads to its paper', async () => {
  await button('Mark as ordered').click()
  await button('Mark as ordered').waitFor({ state: 'detached' })
  const [{ id }] = (await list()).purchase_orders
  assert.equal((await read(id)).status, 'ordered')
  const paper = page.getByRole('link', { name: 'Purchase order', exact: true })
  await eventually(async () =>
    assert.equal(await paper.getAttribute('href'), `/console/purchasing/${id}/paper`),
  )
  await inspect(page, 'inventory-purchase-order')
})

test('Receive refuses what is over at the line, scans batches and serials, and says which backorders it filled', async () => {
  const [{ id }] = (await list()).purchase_orders
  const { body: waiting } = await company.order([[mug, 5]])
  await button('Receive').click()
  const receive = dialog(page, 'Receive')
  await eventually(async () =>
    assert.equal(await receive.getByLabel('Quantity of Blue mug').inputValue(), '10'),
  )
  await receive.getByLabel('Quantity of Blue mug').fill('11')
  const scan = async (code: string) => {
    await receive.getByLabel('Scan').fill(code)
    await page.keyboard.press('Enter')
  }
  const has = (label: string, value: string) =>
    until(
      page,
      `document.querySelector(${JSON.stringify(`[aria-label="${label}"]`)})?.value === ${JSON.stringify(value)}`,
    )
  await scan('nonsense')
  await receive.getByText('Nothing to receive for “nonsense”').waitFor()
  await scan('(01)05012345678900(17)301231(10)OAT-7')
  await has('Batch number of Oat <b>milk</b>', 'OAT-7')
  await has('Expiry date of Oat <b>milk</b>', '2030-12-31')
  await scan('(01)05012345678900(17)310131(10)OAT-8')
  await has('Quantity of Oat <b>milk</b>, batch 2', '1')
  await receive.getByLabel('Quantity of Oat <b>milk</b>', { exact: true }).fill('12')
  await scan('PHONE-1')
  await receive.getByText('Scan the serial numbers of Phone.').waitFor()
  await scan('S-1')
  await scan('S-2')
  await has('Quantity of Phone', '2')
  await receive.getByLabel('Batch number of Oat <b>milk</b>', { exact: true }).press('Enter')
  await untilFocused(page, 'Expiry date of Oat <b>milk</b>')
  const send = receive.getByRole('button', { name: 'Receive items' })
  await send.click()
  await receive.getByText('1 more of MUG-1 than were ordered').waitFor()
  await untilFocused(page, 'Quantity of Blue mug')
  assert.equal((await read(id)).status, 'ordered')
  await inspect(page, 'inventory-receive')
  await receive.getByLabel('Quantity of Blue mug').fill('8')
  await send.dblclick()
  const filled = dialog(page, 'Backorders filled')
  await filled.getByText('3 × Blue mug').waitFor()
  await inspect(page, 'inventory-receive-filled')
  const link = filled.getByRole('link', { name: waiting.order_number })
  await eventually(async () => assert.equal(await link.getAttribute('href'), `/console/orders/${waiting.id}`))
  await filled.getByRole('button', { name: 'Done' }).click()
  assert.deepEqual(
    (await read(id)).items.map((item: { quantity_received: number }) => item.quantity_received),
    [8, 13, 2],
  )
  assert.deepEqual(await company.stock(mug), [10, 5])
  const { batches } = (await api(`GET /api/batches?product_id=${milk}`)).body
  assert.deepEqual(
    batches.map((b: Record<string, unknown>) => [b.batch_number, b.expiry_date, b.quantity]).sort(),
    [
      ['OAT-7', '2030-12-31', 12],
      ['OAT-8', '2031-01-31', 1],
    ],
  )
  await row(page, 'MUG-1').getByRole('cell', { name: '8', exact: true }).waitFor()
})

test('a serial that exists is refused at its line, and the rest is received when it is put right', async () => {
  const [{ id }] = (await list()).purchase_orders
  await button('Receive').click()
  const receive = dialog(page, 'Receive')
  await receive.getByLabel('Serial numbers of Phone').fill('S-1')
  await receive.getByRole('button', { name: 'Receive items' }).click()
  await receive.getByText('Serial S-1 already exists').waitFor()
  await receive.getByLabel('Serial numbers of Phone').fill('S-3')
  await receive.getByRole('button', { name: 'Receive items' }).click()
  await receive.waitFor({ state: 'detached' })
  await button('Receive').waitFor({ state: 'detached' })
  assert.equal((await read(id)).status, 'received')
  await eventually(async () => assert.equal(await button('Cancel').count(), 0))
})

test('the list has tabs with counts, a search, the due ones that Today counts, and follows what others do', async () => {
  const birch = (await created('POST /api/suppliers', { name: 'Birch' })).id
  const order = (more: object = {}) =>
    created('POST /api/suppliers/purchase-orders', {
      supplier_id: birch,
      items: [{ product_id: mug, quantity: 1 }],
      ...more,
    })
  const late = await order({ expected_date: '2020-01-01' })
  await api(`PATCH /api/suppliers/purchase-orders/${late.id}/status`, { body: { status: 'ordered' } })
  await order()
  await open('/today')
  await page.getByRole('link', { name: /^Purchase orders due 1$/ }).click()
  await row(page, 'PO-000002').getByText('Late').waitFor()
  await eventually(async () => assert.equal(await page.getByRole('row').count(), 2))
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await eventually(async () => assert.equal(await tab('Due').getAttribute('aria-selected'), 'true'))
  await tab('All').click()
  await row(page, 'PO-000001').waitFor()
  await until(page, `/All\\s*3/.test(document.querySelector('[role=tab]')?.textContent)`)
  await tab('Received').click()
  await row(page, 'PO-000003').waitFor({ state: 'detached' })
  await tab('All').click()
  await field('Supplier').selectOption({ label: 'Birch' })
  await row(page, 'PO-000001').waitFor({ state: 'detached' })
  await eventually(async () => assert.match(await tab('Draft').innerText(), /Draft\s*1/))
  await field('Search purchase orders').fill('PO-000009')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await order()
  await row(page, 'PO-000004').waitFor()
  await inspect(page, 'inventory-purchasing')
  await page.getByRole('link', { name: 'PO-000004' }).click()
  await button('Cancel').click()
  const ask = dialog(page, 'Cancel PO-000004?')
  await ask.getByRole('button', { name: 'Cancel purchase order' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  assert.equal((await list('status=cancelled')).total, 1)
})

test('Reorder says why, takes other quantities and suppliers, and creates purchase orders', async () => {
  for (const [product, reorder_level] of [
    [mug, 40],
    [milk, 20],
  ])
    await api(`PATCH /api/inventory/${product}/${company.main}`, { body: { reorder_level } })
  const tray = await company.product(1, { name: 'Tray', sku: 'TRAY-1', cost_price: '5.00' })
  await api(`PATCH /api/inventory/${tray}/${company.main}`, { body: { reorder_level: 3 } })
  await open('/purchasing')
  await button('Reorder').click()
  await row(page, 'MUG-1')
    .getByText(/reorder level 40/)
    .waitFor()
  await inspect(page, 'inventory-reorder')
  await field('Quantity of Blue mug').fill('99999999999')
  await field('Quantity of Oat <b>milk</b>').fill('0')
  await field('Supplier of Tray').selectOption({ label: 'Alder & Sons' })
  await button('Create purchase orders').click()
  await row(page, 'MUG-1')
    .getByText(/Quantity must be/)
    .waitFor()
  await field('Quantity of Blue mug').fill('50')
  await button('Create purchase orders').dblclick()
  await page.getByRole('heading', { name: '2 purchase orders created' }).waitFor()
  await row(page, 'TRAY-1').waitFor({ state: 'detached' })
  const made = (await list('status=draft')).purchase_orders.slice(0, 2)
  assert.deepEqual(made.map((x: Record<string, unknown>) => [x.supplier_name, x.item_count]).sort(), [
    ['Alder & Sons', 1],
    ['Birch', 1],
  ])
  assert.ok(made.some(({ units }: { units: number }) => units === 50))
  await inspect(page, 'inventory-reorder-created')
  await page.getByRole('checkbox', { name: 'Select Oat <b>milk</b>' }).check()
  await button('Create purchase orders').click()
  await page.getByRole('heading', { name: '1 purchase order created' }).waitFor()
  await page.getByRole('heading', { name: 'Nothing to reorder' }).waitFor()
  await page.getByRole('link', { name: 'PO-000007' }).click()
  await page.getByRole('heading', { name: 'PO-000007' }).waitFor()
})

test('Staff may look, but neither order nor receive', async () => {
  const { page: theirs } = await openColleague(service, company, 'Staff', '/purchasing')
  await theirs.getByRole('link', { name: 'PO-000003' }).click()
  await theirs.getByRole('link', { name: 'Purchase order', exact: true }).waitFor()
  for (const name of ['Receive', 'Cancel', 'Mark as ordered'])
    await eventually(async () =>
      assert.equal(await theirs.getByRole('button', { name, exact: true }).count(), 0, name),
    )
  await theirs.goto(service.address('/purchasing/new'))
  await theirs.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
  await theirs.close()
  assert.ok(phone)
})

test('the console of the browser stayed empty but for what was refused', () =>
  assertQuiet(troubles, [400, 409]))
