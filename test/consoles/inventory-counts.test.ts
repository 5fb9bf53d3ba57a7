import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openColleague, openShop, row, slowly, startInventory, until } from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service, '/stock')
const { api, created } = company

const { id: kitchen } = await created('POST /api/products/categories', { name: 'Kitchen' })
const mug = await company.product(10, {
  name: 'Blue mug',
  sku: 'MUG-1',
  barcode: '4006381333931',
  category_id: kitchen,
})
const plate = await company.product(7, { name: 'Plate <b>"big"</b>', sku: 'PLATE-1', category_id: kitchen })
const bowl = await company.product(5, { name: 'Bowl', sku: 'BOWL-1', category_id: kitchen })
const spoon = await company.product(3, { name: 'Spoon', sku: 'SPOON-1', category_id: kitchen })
const oil = await company.product(0, {
  name: 'Olive oil',
  sku: 'OIL-1',
  barcode: '012345678905',
  tracking_type: 'batch',
  category_id: kitchen,
})
await created('POST /api/batches', { product_id: oil, batch_number: 'OIL-7', quantity: 12 })
const lamp = await company.product(0, {
  name: 'Lamp',
  sku: 'LAMP-1',
  tracking_type: 'serial',
  category_id: kitchen,
})
await created('POST /api/serials/bulk', {
  product_id: lamp,
  warehouse_id: company.main,
  serials: ['L1', 'L2'],
})
await company.product(9, { name: 'Sofa', sku: 'SOFA-1' })

type Line = Record<string, unknown>
const button = (name: string) => page.getByRole('button', { name, exact: true })
const lines = async () => (await api('GET /api/counts/1/lines')).body.lines as Line[]
const countedOf = async () =>
  Object.fromEntries((await lines()).map((line) => [line.sku, line.counted_quantity]))
const status = async () => (await api('GET /api/counts/1')).body.status
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
const productFocused = () =>
  until(page, `document.activeElement?.getAttribute('placeholder')?.startsWith('Name, SKU')`)
const scan = async (text: string) => {
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

test('a count of a category is started from Stock', async () => {
  await button('Count stock').click()
  await page.getByRole('heading', { name: 'No counts yet' }).waitFor()
  await inspect(page, 'inventory-counts-empty')
  await button('New count').click()
  const form = dialog(page, 'New count')
  await form.getByLabel('Category').selectOption({ label: 'Kitchen' })
  await form.getByLabel('Notes').fill('November')
  await inspect(page, 'inventory-new-count')
  await form.getByRole('button', { name: 'Start count' }).dblclick()
  await page.getByRole('heading', { name: 'CNT-000001' }).waitFor()
  await page.getByText('Main warehouse · Kitchen · November').waitFor()
  assert.equal((await api('GET /api/counts')).body.total, 1)
})

test('by scanner each scan counts one more, and by name a quantity is asked for, all by the keyboard', async () => {
  await productFocused()
  for (let n = 1; n <= 2; n++) {
    await scan('4006381333931')
    await said(`Blue mug: ${n} counted`)
  }
  await page.keyboard.type('plate')
  const option = page.getByRole('option', { name: /Plate/ })
  await option.waitFor()
  await eventually(async () =>
    assert.doesNotMatch(await option.innerText(), /available|7/, 'counting is blind'),
  )
  await page.keyboard.press('Enter')
  await until(page, `document.activeElement?.getAttribute('name') === 'quantity'`)
  await page.keyboard.type('6')
  await page.keyboard.press('Enter')
  await said('Plate <b>"big"</b>: 6 counted')
  await productFocused()
  await scan('(01)00012345678905(10)OIL-7')
  await said('Olive oil, batch OIL-7: 1 counted')
  await scan('L1')
  await said('Lamp: 1 counted')
  await scan('012345678905')
  await page.getByLabel('Batch number').fill('OIL-8')
  await page.getByLabel('Quantity', { exact: true }).fill('2')
  await inspect(page, 'inventory-count')
  await page.keyboard.press('Enter')
  await said('Olive oil, batch OIL-8: 2 counted')
  await productFocused()
  await scan('SOFA-1')
  await said('SOFA-1 does not belong to the category that is counted')
  assert.deepEqual(
    (await lines()).map((line) => [line.sku, line.batch_number, line.counted_quantity]),
    [
      ['MUG-1', null, 2],
      ['PLATE-1', null, 6],
      ['OIL-1', 'OIL-7', 1],
      ['LAMP-1', null, 1],
      ['OIL-1', 'OIL-8', 2],
    ],
  )
})

test('two people count at once, by list and by scanner, while an order goes out', async () => {
  const { page: theirs } = await openColleague(service, company, 'Staff', '/counts/1/uncounted')
  await eventually(async () =>
    assert.equal(await theirs.getByRole('button', { name: 'Review count' }).count(), 0),
  )
  await theirs.getByLabel('Counted of Bowl').fill('4')
  await scan('4006381333931')
  await said('Blue mug: 3 counted')
  await theirs.keyboard.press('Enter')
  await theirs.getByLabel('Counted of Bowl').waitFor({ state: 'detached' })
  await row(page, 'BOWL-1').getByText('The Staff').waitFor()
  await eventually(async () => assert.doesNotMatch(await theirs.getByRole('table').innerText(), /On hand/))
  await inspect(theirs, 'inventory-uncounted')
  await theirs.close()

  const order = (await company.order([[mug, 4]])).body.id
  await company.fulfil(order, [[(await company.read(order)).items[0].id, 4]])
  assert.deepEqual(await countedOf(), { 'MUG-1': 3, 'PLATE-1': 6, 'OIL-1': 2, 'LAMP-1': 1, 'BOWL-1': 4 })
})

test('a line is counted again or removed', async () => {
  await button('Actions for Olive oil, batch OIL-7').click()
  await page.getByRole('menuitem', { name: 'Count again' }).click()
  await until(page, `document.querySelector('[name=mode]')?.value === 'replace'`)
  await until(page, `document.activeElement?.getAttribute('name') === 'quantity'`)
  await scan('12')
  await said('Olive oil, batch OIL-7: 12 counted')
  await button('Actions for Olive oil, batch OIL-8').click()
  await page.getByRole('menuitem', { name: 'Remove line' }).click()
  await dialog(page, /Remove Olive oil, batch OIL-8/)
    .getByRole('button', { name: 'Remove line' })
    .click()
  await row(page, 'OIL-8').waitFor({ state: 'detached' })
  assert.deepEqual(await countedOf(), { 'MUG-1': 3, 'PLATE-1': 6, 'OIL-1': 12, 'LAMP-1': 1, 'BOWL-1': 4 })
})

test('the review shows differences against the moment of each line, and what was not counted', async () => {
  await button('Review count').click()
  await tab('Differences').waitFor()
  await row(page, 'MUG-1').waitFor()
  const cells = async (text: string) => (await row(page, text).getByRole('cell').allInnerTexts()).slice(2, 5)
  await eventually(async () => {
    assert.deepEqual(await cells('MUG-1'), ['10', '3', '−7'], 'before the order went out')
    assert.deepEqual(await cells('LAMP-1'), ['2', '1', '−1'])
  })
  await row(page, 'LAMP-1').getByText('Missing: L2').waitFor()
  await eventually(async () => assert.equal(await row(page, 'OIL-1').count(), 0))
  await page.getByText(/^\d+ units missing, worth [\d.,]+/).waitFor()
  await inspect(page, 'inventory-count-review')
  await tab('All lines').click()
  await row(page, 'OIL-1').waitFor()
  await tab('Not counted').click()
  await eventually(async () => assert.match(await row(page, 'SPOON-1').innerText(), /3/))
})

test('what cannot be true is refused with its reason, counted again, and posted with what it changes', async () => {
  await button('Post count').click()
  const ask = dialog(page, 'Post CNT-000001?')
  await ask.getByText('The stock of 4 lines changes').waitFor()
  await ask.getByText(/This cannot be undone\. \d+ units missing, worth [\d.,]+/).waitFor()
  await ask.getByText('1 product was not counted and stays as it is').waitFor()
  await inspect(page, 'inventory-count-post')
  await slowly(page, /\/api\/counts\/\d+$/, async () => {
    await ask.getByRole('button', { name: 'Post count' }).click()
    await page
      .getByRole('alert')
      .getByText('MUG-1: 3 of 10 were counted, and only 6 are left by now')
      .waitFor()
    assert.deepEqual(await company.stock(plate), [7, 0], 'nothing is posted')
    await tab('Differences').click()
    await button('Actions for Blue mug').click()
    await page.getByRole('menuitem', { name: 'Count again' }).click()
    await until(page, `document.activeElement?.getAttribute('name') === 'quantity'`)
  })
  assert.equal(await status(), 'open')
  await scan('5')
  await said('Blue mug: 5 counted')
  await button('Review count').click()
  await button('Actions for Lamp').click()
  await page.getByRole('menuitem', { name: 'Remove line' }).click()
  await dialog(page, 'Remove Lamp?').getByRole('button', { name: 'Remove line' }).click()
  await row(page, 'LAMP-1').waitFor({ state: 'detached' })
  await button('Post count').click()
  await ask.getByText('The stock of 3 lines changes').waitFor()
  await ask.getByRole('button', { name: 'Post count' }).dblclick()
  await page.getByText('Posted', { exact: true }).waitFor()
  assert.deepEqual(
    [
      await company.stock(mug),
      await company.stock(plate),
      await company.stock(bowl),
      await company.stock(spoon),
    ],
    [
      [5, 0],
      [6, 0],
      [4, 0],
      [3, 0],
    ],
  )
  await inspect(page, 'inventory-count-posted')
  await company.sound()
})

test('what was posted leads to the movements, and they lead back', async () => {
  await page.getByRole('link', { name: 'Blue mug' }).click()
  await page.getByRole('link', { name: 'Stock count CNT-000001' }).click()
  await page.getByRole('heading', { name: 'CNT-000001' }).waitFor()
})

test('a count is cancelled after a question, and the list filters by status', async () => {
  await created('POST /api/counts', {})
  await page.getByRole('link', { name: 'Count stock' }).click()
  await page.getByRole('link', { name: 'CNT-000002' }).click()
  await page.getByRole('heading', { name: 'Nothing counted yet' }).waitFor()
  await button('Cancel count').click()
  await dialog(page, 'Cancel CNT-000002?').getByRole('button', { name: 'Cancel count' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Count stock' }).click()
  await row(page, 'CNT-000001').waitFor()
  await inspect(page, 'inventory-counts')
  await page.getByLabel('Status').selectOption('posted')
  await row(page, 'CNT-000002').waitFor({ state: 'detached' })
  assert.match(page.url(), /status=posted/)
  await page.goto(service.address('/counts/999'))
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})

test('the console of the browser stayed empty but for what was refused', () =>
  assertQuiet(troubles, [400, 404]))
