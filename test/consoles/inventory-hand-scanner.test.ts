import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet, openTab } from './support/console.ts'
import { openShop, row, startInventory, untilFocused } from './support/inventory.ts'
import { connectScanner, typeByHand } from './support/scanner.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service)

await company.product(5, { name: 'Mug', sku: 'MUG-1', barcode: '4006381333931' })
await company.product(5, { name: 'Mug of 10', sku: 'MUG-10', barcode: '012345678905' })
await company.product(5, { name: 'Plate', sku: 'PLATE-1', barcode: '4095077742260' })
await company.created('POST /api/suppliers', { name: 'Alder & Sons' })

/** A form of its own, because leaving one asks. */
const open = async (path: string) => {
  const tab = await openTab(page, service.address(path))
  const scan = await connectScanner(tab)
  const product = tab.getByLabel('Product', { exact: true })
  await product.focus()
  const isReady = () => product.and(tab.locator(':focus')).waitFor()
  const quantityOf = (name: string) => tab.getByLabel(`Quantity of ${name}`, { exact: true })
  const untilQuantity = (name: string, quantity: string) =>
    eventually(async () => assert.equal(await quantityOf(name).inputValue(), quantity, name))
  return { tab, scan, product, isReady, quantityOf, untilQuantity }
}

for (const path of ['/orders/new', '/purchasing/new'])
  test(`${path}: barcodes and SKUs are scanned one after the other, and each adds one unit`, async () => {
    const { tab, scan, isReady, untilQuantity } = await open(path)
    for (const code of ['4006381333931', 'PLATE-1', '4095077742260', 'mug-1', 'MUG-10']) {
      await scan(code)
      await isReady()
    }
    await row(tab, 'MUG-10').waitFor()
    await untilQuantity('Mug', '2')
    await untilQuantity('Plate', '2')
    await untilQuantity('Mug of 10', '1')
    await isReady()
    await tab.close()
  })

test('what is typed leads to the quantity, and a scan that no product has adds nothing', async () => {
  const { tab, scan, product, untilQuantity } = await open('/orders/new')
  await typeByHand(tab, 'PLATE-1')
  await untilFocused(tab, 'Quantity of Plate')
  await product.focus()
  await scan('LATE-1')
  await tab.getByText('Nothing found for “LATE-1”').waitFor()
  await scan('MUG-10')
  await row(tab, 'MUG-10').waitFor()
  await untilQuantity('Plate', '1')
  await tab.close()
})

test('a scan that lands in a quantity is refused there, and nothing is created', async () => {
  const { tab, scan, quantityOf } = await open('/orders/new')
  await scan('PLATE-1')
  await quantityOf('Plate').fill('')
  await scan('4006381333931')
  await tab.getByText('Quantity must be at most 2,147,483,647').waitFor()
  assert.equal(await quantityOf('Plate').getAttribute('aria-invalid'), 'true')
  const create = tab.getByRole('button', { name: 'Create order' })
  const [refused] = await Promise.all([tab.waitForResponse(/\/api\/orders$/), create.click()])
  assert.equal(refused.status(), 400)
  assert.equal((await company.api('GET /api/orders')).body.total, 0)
  await quantityOf('Plate').fill('3')
  await tab.getByText('must be at most').waitFor({ state: 'detached' })
  await create.click()
  await tab.getByRole('heading', { name: 'ORD-000001' }).waitFor()
  await tab.close()
})

test('the console of the browser stayed empty', () => assertQuiet(troubles, [400]))
