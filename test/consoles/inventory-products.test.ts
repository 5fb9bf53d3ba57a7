import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openColleague, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service, '/products')
const { api, main } = company

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const act = async (name: string, action: string) => {
  await button(`Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const cellsOf = (text: string) => row(page, text).getByRole('cell').allInnerTexts()
let mug = 0

test('a product is created from the empty list; what is wrong is said at the field', async () => {
  await page.getByRole('heading', { name: 'No products yet' }).waitFor()
  await button('New product').click()
  const form = dialog(page, 'New product')
  await inspect(page, 'inventory-new-product')
  await form.getByLabel('Name', { exact: true }).fill('Mug "blue" & <i>large</i>')
  await form.getByRole('button', { name: 'Create product' }).click()
  await form.getByText('SKU is required').waitFor()
  await form.getByLabel('SKU').fill('MUG-1')
  await form.getByLabel('Price', { exact: true }).fill('4.505')
  await form.getByLabel('Barcode').fill('4006381333931')
  await form.getByRole('button', { name: 'Create product' }).click()
  await form.locator('.field', { hasText: 'Price' }).locator('.field-error').first().waitFor()
  await form.getByLabel('Price', { exact: true }).fill('4,50')
  await form.getByRole('button', { name: 'Create product' }).click()
  await page.getByRole('heading', { name: 'Mug "blue" & <i>large</i>' }).waitFor()
  const { products } = (await api('GET /api/products')).body
  assert.deepEqual([products[0].base_price, products[0].barcode], ['4.50', '4006381333931'])
  mug = products[0].id
  await inspect(page, 'inventory-product')
})

test('a product is edited, and another one may not have its SKU', async () => {
  await company.product(3, { name: 'Plate', sku: 'PLATE-1' })
  await button('Edit').click()
  const form = dialog(page, 'Edit product')
  await form.getByLabel('SKU').fill('PLATE-1')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.locator('.field', { hasText: 'SKU' }).locator('.field-error').waitFor()
  await form.getByLabel('SKU').fill('MUG-2')
  await form.getByLabel('Vendor').fill('Potters')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByText('Potters').waitFor()
  const { body } = await api(`GET /api/products/${mug}`)
  assert.deepEqual([body.sku, body.vendor, body.barcode], ['MUG-2', 'Potters', '4006381333931'])
})

test('a value of a product is edited where it stands: Enter saves it, Escape leaves it', async () => {
  const edit = async (label: string, text: string, key: string) => {
    await button(`Change ${label === 'SKU' ? label : label.toLowerCase()}`).click()
    await page.getByLabel(label, { exact: true }).fill(text)
    await page.keyboard.press(key)
  }
  await edit('Vendor', 'Nobody', 'Escape')
  await page.getByText('Potters').waitFor()
  await edit('SKU', 'PLATE-1', 'Enter')
  await page.getByText('SKU PLATE-1 already exists').waitFor()
  await inspect(page, 'inventory-product-in-place')
  await page.keyboard.press('Escape')
  await edit('Price', '5,25', 'Enter')
  await page.getByLabel('Price', { exact: true }).waitFor({ state: 'detached' })
  await page.getByText('5.25').waitFor()
  const { body } = await api(`GET /api/products/${mug}`)
  assert.deepEqual([body.base_price, body.sku, body.vendor], ['5.25', 'MUG-2', 'Potters'])
  await edit('Price', '4.50', 'Enter')
  await page.getByText('4.50').waitFor()
})

test('the list tells on hand, reserved, available and incoming, and finds by name, SKU and barcode', async () => {
  await company.adjust(mug, 10)
  await company.order([[mug, 4]])
  await open('/products')
  await row(page, 'MUG-2').getByText('10', { exact: true }).waitFor()
  assert.deepEqual((await cellsOf('MUG-2')).slice(2), ['4.50', '10', '4', '6', '0', 'Active'])
  assert.deepEqual(await page.getByRole('columnheader').allInnerTexts(), [
    'Name',
    'SKU',
    'Price',
    'On hand',
    'Reserved',
    'Available',
    'Incoming',
    'Status',
  ])
  await inspect(page, 'inventory-products')
  for (const text of ['blue', 'MUG-2', '4006381333931']) {
    await page.getByLabel('Search products').fill(text)
    await row(page, 'PLATE-1').waitFor({ state: 'detached' })
    await row(page, 'MUG-2').waitFor()
    await page.getByLabel('Search products').fill('')
    await row(page, 'PLATE-1').waitFor()
  }
  await page.getByRole('button', { name: 'Price' }).click()
  assert.match(page.url(), /sort=base_price/)
})

test('stock is adjusted by adding, removing and a new count, and "Why?" explains it', async () => {
  await open('/stock')
  const name = 'Plate, Main warehouse'
  const adjust = async (change: string, quantity: string, reason: string) => {
    await act(name, 'Adjust')
    const form = dialog(page, 'Adjust')
    await form.getByLabel(change, { exact: true }).check()
    await form.getByLabel('Quantity').fill(quantity)
    await form.getByLabel('Reason').selectOption(reason)
    await form.getByLabel('Notes').fill('by hand')
    if (change === 'Add') await inspect(page, 'inventory-adjust')
    await form.getByRole('button', { name: 'Adjust stock' }).click()
    await form.waitFor({ state: 'detached' })
  }
  await adjust('Add', '7', 'Found')
  await adjust('Remove', '2', 'Damaged')
  await adjust('Set to', '5', 'Correction')
  const plate = (await api('GET /api/products?search=PLATE-1')).body.products[0]
  assert.equal(plate.quantity_on_hand, 5)
  await row(page, 'PLATE-1').getByText('5', { exact: true }).first().waitFor()
  await inspect(page, 'inventory-stock')
  await row(page, 'PLATE-1').getByRole('button', { name: 'Why?' }).click()
  const why = dialog(page, 'Why 5?')
  await why.getByText('Damaged: by hand').waitFor()
  const balances = await why.getByRole('row').locator('td:last-child').allInnerTexts()
  assert.deepEqual(balances, ['5', '8', '10', '3'])
  await inspect(page, 'inventory-why')
  await why.getByRole('button', { name: 'Close' }).click()
})

test('stock is transferred, gets a reorder level, and is filtered by warehouse and level', async () => {
  const other = await company.warehouse({ name: 'Harbour' })
  await open('/stock')
  await act('Plate, Main warehouse', 'Transfer')
  const transfer = dialog(page, 'Transfer')
  await transfer.getByLabel('To warehouse').selectOption(String(other))
  await transfer.getByLabel('Quantity').fill('99')
  await transfer.getByRole('button', { name: 'Transfer stock' }).click()
  await transfer.locator('[role=alert], .field-error').first().waitFor()
  await transfer.getByLabel('Quantity').fill('2')
  await transfer.getByRole('button', { name: 'Transfer stock' }).click()
  await transfer.waitFor({ state: 'detached' })
  await row(page, 'Harbour').waitFor()
  await act('Plate, Main warehouse', 'Reorder level')
  const level = dialog(page, 'Reorder level')
  await level.getByRole('spinbutton', { name: 'Reorder level' }).fill('4')
  await level.getByRole('button', { name: 'Save changes' }).click()
  await level.waitFor({ state: 'detached' })
  await page.getByLabel('Level', { exact: true }).selectOption('low')
  await row(page, 'MUG-2').waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await row(page, 'PLATE-1').count(), 1))
  await page.getByLabel('Level', { exact: true }).selectOption('')
  await page.getByLabel('Warehouse', { exact: true }).selectOption(String(other))
  await row(page, 'MUG-2').waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await row(page, 'Harbour').count(), 1))
  assert.ok(main)
})

test('CSV is imported by mapping and preview, which changes nothing, and exported', async () => {
  await open('/products')
  await button('Import CSV').click()
  const text =
    'Item number;Title;Price;Colour\nNEW-1;Spoon;1.20;red\nMUG-2;Mug;5.00;blue\nBAD-1;Fork;cheap;grey\n'
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await eventually(async () =>
    assert.equal(await page.getByLabel('Field of Item number').inputValue(), 'sku'),
  )
  await eventually(async () => assert.equal(await page.getByLabel('Field of Colour').inputValue(), ''))
  await button('Preview').click()
  await page.getByRole('heading', { name: 'Preview' }).waitFor()
  await eventually(async () => assert.match(await row(page, 'base_price').innerText(), /^4\s+Refused/))
  await eventually(async () =>
    assert.match(await row(page, 'NEW-1').last().innerText(), /^2\s+Created\s+NEW-1/),
  )
  await eventually(async () =>
    assert.match(await row(page, 'MUG-2').last().innerText(), /^3\s+Changed\s+MUG-2.*Price: [\d.]+ → 5\.00/s),
  )
  await inspect(page, 'inventory-import')
  assert.equal((await api('GET /api/products?search=NEW-1')).body.total, 0)
  await button('Import products').click()
  await page.getByRole('heading', { name: 'Products', exact: true }).waitFor()
  await row(page, 'NEW-1').waitFor()
  assert.equal((await api(`GET /api/products/${mug}`)).body.base_price, '5.00')
  const [download] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()])
  assert.match(await readFile(await download.path(), 'utf8'), /NEW-1,Spoon,1\.20/)
})

test('a product is deactivated with Undo, and deleted after a question that names its stock', async () => {
  await open(`/products/${mug}`)
  const name = 'Mug'
  await act(name, 'Deactivate')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.page-text').getByText('Active', { exact: true }).waitFor()
  assert.equal((await api(`GET /api/products/${mug}`)).body.is_active, true)
  await page.getByRole('tab', { name: 'Movements' }).click()
  await row(page, 'Adjustment').waitFor()
  await page.getByRole('tab', { name: 'Stock' }).click()
  await row(page, 'Main warehouse').waitFor()
  const spare = await company.product(2, { name: 'Spare', sku: 'SPARE-1' })
  await open(`/products/${spare}`)
  await act('Spare', 'Delete')
  await dialog(page, 'Delete Spare?').getByRole('button', { name: 'Delete product' }).click()
  await page.getByRole('heading', { name: 'Products' }).waitFor()
  assert.equal((await api('GET /api/products?search=SPARE-1')).body.total, 0)
})

test('Staff may look at products and stock, and change neither', async () => {
  const { page: theirs } = await openColleague(service, company, 'Staff', '/stock')
  await theirs.getByRole('row').filter({ hasText: 'PLATE-1' }).first().waitFor()
  await eventually(async () =>
    assert.equal(await theirs.getByRole('button', { name: /^Actions for/ }).count(), 0),
  )
  await theirs.goto(service.address('/products/import'))
  await theirs.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
  await theirs.close()
})

test('the console of the browser stayed empty but for what was refused', () =>
  assertQuiet(troubles, [400, 409]))
