import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { openBrowserBefore } from './support/camera.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openShop, row, slowly, startInventory, until } from './support/inventory.ts'

const service = await startInventory({}, () =>
  openBrowserBefore([
    { bcid: 'ean13', text: '4006381333931' },
    { bcid: 'gs1qrcode', text: '(01)00012345678905(17)300331(10)OIL-7' },
  ]),
)
const { company, page, troubles } = await openShop(service)
const { api, created } = company

const mug = await company.product(10, { name: 'Blue mug', sku: 'MUG-1', barcode: '4006381333931' })
const oil = await company.product(0, {
  name: 'Olive oil',
  sku: 'OIL-1',
  barcode: '012345678905',
  tracking_type: 'batch',
})
for (const batch_number of ['OIL-6', 'OIL-7'])
  await created('POST /api/batches', { product_id: oil, batch_number, quantity: 8 })
const lamp = await company.product(0, { name: 'Lamp', sku: 'LAMP-1', tracking_type: 'serial' })
await created('POST /api/serials/bulk', {
  product_id: lamp,
  warehouse_id: company.main,
  serials: ['L-1', 'L-2'],
})

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const camera = () => dialog(page, 'Scan with camera')
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('a camera that may not be used says what to do', async () => {
  await open('/orders/new')
  await button('Open camera').click()
  await camera().getByText('does not let this page use the camera').waitFor()
  await camera().getByRole('button', { name: 'Try again' }).waitFor()
  await inspect(page, 'inventory-camera-denied')
  await page.keyboard.press('Escape')
  await camera().waitFor({ state: 'detached' })
})

test('the bundled reader reads an EAN-13 and a GS1 QR code from the camera, and lets go of it', async () => {
  await page.context().grantPermissions(['camera'])
  await page.evaluate(`{
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (...args) => (window.stream = await ask(...args))
  }`)
  await button('Open camera').click()
  await row(page, 'MUG-1').waitFor({ state: 'attached', timeout: 30_000 })
  await row(page, 'OIL-1').waitFor({ state: 'attached', timeout: 30_000 })
  await inspect(page, 'inventory-camera')
  await camera().getByRole('button', { name: 'Done' }).click()
  await until(page, `window.stream.getTracks().every(({ readyState }) => readyState === 'ended')`)
  const loaded = (await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => name)`,
  )) as string[]
  const reader = loaded.filter((name) => name.endsWith('.wasm'))
  assert.equal(reader.length, 1)
  assert.match(reader[0] as string, /\/console\/assets\/[A-Z0-9]+\.wasm$/)
  for (const name of loaded) assert.equal(new URL(name).origin, service.root)
  await page.getByLabel('Quantity of Olive oil').fill('2')
  await page.getByLabel('Quantity of Blue mug').fill('1')
})

test('an order is not created if what was scanned last is not known, and says so', async () => {
  await slowly(page, /\/api\/(products|serials)\?/, async () => {
    await page.getByRole('heading', { name: 'New order' }).focus()
    await page.keyboard.type('L-9')
    await page.keyboard.press('Enter')
    await button('Create order').click()
    await page.getByRole('alert').filter({ hasText: 'Nothing found for “L-9”' }).waitFor()
  })
  assert.equal((await api('GET /api/orders')).body.total, 0)
})

test('a scanner finds its field by itself, and a serial number is its product', async () => {
  await page.getByRole('heading', { name: 'New order' }).focus()
  // What is still being looked up when the order is created is a line of it.
  await slowly(page, /\/api\/(products|serials)\?/, async () => {
    await page.keyboard.type('L-1')
    await page.keyboard.press('Enter')
    await button('Create order').click()
    await page.getByRole('heading', { name: 'ORD-000001' }).waitFor()
  })
  await row(page, 'LAMP-1').waitFor()
})

test('Ship takes batch and serial from what is scanned, with the separator as a scanner types it', async () => {
  const ship = dialog(page, 'Ship')
  const scan = async (...parts: string[]) => {
    await ship.getByLabel('Scan', { exact: true }).focus()
    for (const [n, part] of parts.entries()) {
      if (n > 0) await page.keyboard.press('Control+BracketRight')
      await page.keyboard.type(part)
    }
    await page.keyboard.press('Enter')
  }
  // The first scan arrives before the products do, and counts all the same.
  await slowly(page, /\/api\/products\/\d+$/, async () => {
    await button('Ship').click()
    await scan(']C10100012345678905' + '10OIL-7', '17300331')
    await ship.getByText('Olive oil: 1').waitFor()
  })
  const batch = ship.getByLabel('Batch of Olive oil')
  await until(
    page,
    `/^OIL-7, 8 here/.test(document.querySelector('[aria-label="Batch of Olive oil"]').selectedOptions[0].text)`,
  )
  await eventually(async () => assert.ok(await batch.inputValue()))
  await scan('https://example.com/01/00012345678905/10/OIL-7')
  await ship.getByText('Olive oil: 2').waitFor()
  await scan('(01)00012345678905(10)OIL-6')
  await ship.getByText('Ship the other batch of Olive oil first').waitFor()
  await scan('4006381333931')
  await ship.getByText('Blue mug: 1').waitFor()
  // What is still being looked up when the form is sent leaves, too.
  await slowly(page, /\/api\/serials/, async () => {
    await scan('L-2')
    await ship.getByRole('button', { name: 'Ship items' }).click()
    await ship.waitFor({ state: 'detached' })
  })
  const { batches } = (await api(`GET /api/batches?product_id=${oil}`)).body
  const left = batches.map((one: { batch_number: string; quantity: number }) => [
    one.batch_number,
    one.quantity,
  ])
  assert.deepEqual(Object.fromEntries(left), { 'OIL-6': 8, 'OIL-7': 6 })
  const { serials } = (await api(`GET /api/serials?product_id=${lamp}&status=sold`)).body
  assert.deepEqual(
    serials.map(({ serial_number }: { serial_number: string }) => serial_number),
    ['L-2'],
  )
  assert.ok(mug)
})

test('the console of the browser stayed empty', () => assertQuiet(troubles))
