import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { eventually } from '#test/support/eventually.ts'
import { boxOf, pagesOf, textOf } from '#test/support/pdf.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { openColleague, openShop, row, startInventory, until } from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service)
const { main, created } = company

const wasm = await readFile(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer } })

const hostile = '<img src=x onerror=alert(1)> "quoted" \u202Eback'
const mug = await company.product(20, {
  name: 'Blue mug',
  sku: 'MUG-1',
  base_price: '4.50',
  barcode: '4006381333931',
})
const plate = await company.product(5, { name: hostile, sku: 'PLATE & <b>', tracking_type: 'batch' })
const { id: supplier_id } = await created('POST /api/suppliers', {
  name: 'Alder & Sons',
  email: 'a@example.com',
})
const shipping_address = { line1: '8 Mill Lane', city: hostile, postcode: 'LS1', country: 'GB' }
const first = (
  await company.order(
    [
      [mug, 3],
      [plate, 7],
    ],
    { shipping_address },
  )
).body.id as number
const second = (await company.order([[mug, 2]])).body.id as number

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('button', { name: 'Print', exact: true }).waitFor()
}
const link = (name: string) => page.getByRole('link', { name, exact: true })
const paper = (name: string) => page.getByRole('article', { name })
const wordsOf = async (name: string) => (await paper(name).innerText()).replace(/[\s\u2066-\u2069]/g, '')

/** Checks what the browser prints, once what was chosen is shown: the number of pages, and their size in points. */
const printed = (check: (pages: number, box?: number[]) => void) =>
  eventually(async () => {
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    check(pagesOf(pdf), boxOf(pdf))
  })
const printedAs = (...expected: [number, readonly number[]]) =>
  printed((pages, box) => assert.deepEqual([pages, box], expected))

const downloaded = async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF' }).click(),
  ])
  return {
    name: download.suggestedFilename(),
    pdf: (await readFile(await download.path())).toString('latin1'),
  }
}

/** What a scanner reads on the paper. */
const scanned = async (name: string) => {
  await paper(name).first().getByRole('img').waitFor()
  await page.emulateMedia({ media: 'print' })
  const picture = await paper(name).first().screenshot()
  await page.emulateMedia({ media: null })
  const [code] = await readBarcodes(picture)
  return code && [code.format, code.text]
}

test('a packing slip is printed as it is shown, and says what its PDF says', async () => {
  await page.goto(service.address(`/orders/${first}`))
  await link('Packing slip').click()
  const name = 'Packing slip ORD-000001'
  await paper(name).waitFor()
  await inspect(page, 'inventory-packing-slip')
  assert.deepEqual(await scanned(name), ['Code128', 'ORD-000001'])
  await printedAs(1, [595, 842])
  const file = await downloaded()
  assert.equal(file.name, 'packing-slip-ORD-000001.pdf')
  assert.equal(await wordsOf(name), textOf(file.pdf))

  await page.getByLabel('Paper size').selectOption('Letter')
  await printedAs(1, [612, 792])
  assert.deepEqual(boxOf((await downloaded()).pdf), [612, 792])
  await page.reload()
  await paper(name).waitFor()
  await eventually(async () =>
    assert.equal(await page.getByLabel('Paper size').inputValue(), 'letter', 'a printer keeps its paper'),
  )
  await page.getByLabel('Paper size').selectOption('A4')

  await page.evaluate('window.print = () => { window.wasPrinted = true }')
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await until(page, 'window.wasPrinted')

  await company.fulfil(first, [[(await company.read(first)).items[0].id, 1]])
  await paper(name).getByRole('row', { name: 'MUG-1 Blue mug 3 1 2' }).waitFor()
})

test('a pick list is made for one order or for some of one warehouse', async () => {
  await link('ORD-000001').click()
  await link('Pick list').click()
  await paper('Pick list ORD-000001').getByRole('row', { name: 'MUG-1 Blue mug 2 ORD-000001 (2)' }).waitFor()
  await link('Orders').first().click()
  await row(page, 'ORD-000001').getByRole('checkbox').check()
  await row(page, 'ORD-000002').getByRole('checkbox').check()
  await link('Pick list').click()
  await page.getByRole('row', { name: 'MUG-1 Blue mug 4 ORD-000002 (2), ORD-000001 (2)' }).waitFor()
  await inspect(page, 'inventory-pick-list')
  const file = await downloaded()
  assert.match(file.name, /^pick-list-\d{4}-\d\d-\d\d\.pdf$/)
  assert.equal(await wordsOf('Pick list'), textOf(file.pdf))

  const away = await company.warehouse()
  const { body } = await company.order([[mug, 1]], { warehouse_id: away })
  await page.goto(service.address(`/orders/pick-list?order_ids=${first},${body.id}`))
  await page.getByText('These orders ship from different warehouses: print a list for each').waitFor()
})

test('a purchase order of many lines has its head on every page', async () => {
  const items = Array.from({ length: 60 }, (_, n) => ({
    product_id: n % 2 ? mug : plate,
    quantity: n + 1,
    unit_cost: '1.15',
  }))
  const order = { supplier_id, warehouse_id: main, items, notes: `By the side door ${hostile}` }
  const { id } = await created('POST /api/suppliers/purchase-orders', order)
  await open(`/purchasing/${id}/paper`)
  await inspect(page, 'inventory-purchase-order-paper')
  await printed((pages, box) => {
    assert.ok(pages >= 2 && pages <= 3, `${pages} pages`)
    assert.deepEqual(box, [595, 842])
  })
  const file = await downloaded()
  assert.equal(file.name, 'PO-000001.pdf')
  const head = 'SKUProductQuantityUnitcostTotal'
  const text = textOf(file.pdf).replaceAll(head, '')
  assert.equal((await wordsOf('Purchase order PO-000001')).replaceAll(head, ''), text)
})

test('labels of a product are printed on their size, one on each page, with a code that can be read', async () => {
  await page.goto(service.address(`/products/${mug}`))
  await link('Print labels').click()
  const name = 'Label of Blue mug'
  await paper(name).waitFor()
  await inspect(page, 'inventory-product-labels')
  assert.deepEqual(await scanned(name), ['Code128', '4006381333931'])
  const file = await downloaded()
  assert.equal(file.name, `product-${mug}-label.pdf`)
  assert.equal(await wordsOf(name), textOf(file.pdf))
  await printedAs(1, [176, 82])
  for (const [size, box] of [
    ['57x32', [162, 91]],
    ['100x50', [283, 142]],
    ['100x150', [283, 425]],
  ] as const) {
    await page.getByLabel('Label size').selectOption(size)
    await page.getByLabel('Copies').fill('3')
    await printedAs(3, box)
  }
  await page.getByLabel('Copies').fill('1000')
  await page.getByText('Prints 100 labels').waitFor()
  const many = await downloaded()
  assert.deepEqual([pagesOf(many.pdf), boxOf(many.pdf)], [100, [283, 425]])
})

test('labels of a batch say product, batch and expiry in a GS1 code', async () => {
  const oil = await company.product(0, {
    name: 'Olive oil',
    sku: 'OIL',
    barcode: '96385074',
    tracking_type: 'batch',
  })
  const batch = { product_id: oil, batch_number: 'OIL-7', expiry_date: '2031-03-31', quantity: 1 }
  const { id } = await created('POST /api/batches', batch)
  await page.goto(service.address(`/tracking/batches/${id}`))
  await link('Print labels').click()
  await page.getByLabel('Copies').fill('2')
  await page.getByLabel('Label size').selectOption('62x29')
  await inspect(page, 'inventory-batch-labels')
  assert.deepEqual(await scanned('Label of Olive oil'), ['QRCode', '(01)00000096385074(17)310331(10)OIL-7'])
  await printedAs(2, [176, 82])

  const odd = await created('POST /api/batches', { product_id: plate, batch_number: `שלום ${hostile}` })
  await open(`/tracking/batches/${odd.id}/labels`)
  assert.equal((await scanned('Label of <img'))?.[1], `שלום ${hostile}`)
})

test('Staff print, and an address of nothing says so', async () => {
  const staff = await openColleague(service, company, 'Staff', `/orders/${second}/packing-slip`)
  await staff.page.getByRole('article', { name: 'Packing slip ORD-000002' }).waitFor()
  await staff.page.goto(service.address(`/products/${mug}`))
  await staff.page.getByRole('link', { name: 'Print labels' }).waitFor()
  await page.goto(service.address('/orders/999999/packing-slip'))
  await page.getByRole('alert').waitFor()
  assertQuiet([...troubles, ...staff.troubles], [400, 404])
})
