import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { password } from '#test/support/factories.ts'
import { assertQuiet } from './support/console.ts'
import { openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
const { company, page, troubles } = await openShop(service, '/settings')
const { api, created } = company

const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click()
const hasValue = (label: string, value: string) =>
  eventually(async () => assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), value))

test('settings that others change are shown, and what is being typed stays', async () => {
  await page.getByLabel('Company name').fill('Half typ')
  await created('PATCH /api/company', { name: 'Renamed elsewhere' }, 200)
  await created('PATCH /api/settings', { timezone: 'Asia/Tokyo' }, 200)
  await hasValue('Time zone', 'Asia/Tokyo')
  await hasValue('Company name', 'Half typ')
  await page.getByRole('button', { name: 'Save company' }).click()
  await page.getByRole('status').getByText('Company saved').waitFor()
  assert.equal((await api('GET /api/company')).body.name, 'Half typ')
  await created('PATCH /api/company', { name: 'Renamed again' }, 200)
  await hasValue('Company name', 'Renamed again')
})

test('warehouses, categories, users and keys appear and change by themselves', async () => {
  await tab('Warehouses')
  await row(page, 'Main warehouse').waitFor()
  const depot = await company.warehouse({ name: 'Depot' })
  await row(page, 'Depot').waitFor()
  await created(`PATCH /api/warehouses/${depot}`, { name: 'North depot' }, 200)
  await row(page, 'North depot').waitFor()

  await tab('Categories')
  await page.getByRole('heading', { name: 'No categories yet' }).waitFor()
  const { id } = await created('POST /api/products/categories', { name: 'Mugs' })
  await row(page, 'Mugs').getByText('0', { exact: true }).waitFor()
  await company.product(0, { category_id: id })
  await row(page, 'Mugs').getByText('1', { exact: true }).waitFor()
  await api(`DELETE /api/products/categories/${id}`)
  await page.getByRole('heading', { name: 'No categories yet' }).waitFor()

  await tab('Users')
  await row(page, company.user.name).waitFor()
  const email = `tom-${company.email}`
  const tom = await created('POST /api/users', { name: 'Tom', email, password, role: 'Staff' })
  await row(page, email).getByText('Staff', { exact: true }).waitFor()
  await created(`PATCH /api/users/${tom.id}`, { role: 'Manager' }, 200)
  await row(page, email).getByText('Manager', { exact: true }).waitFor()

  await tab('API keys')
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  const key = await created('POST /api/api-keys', { name: 'Web shop' })
  await row(page, 'Web shop').waitFor()
  await tab('Usage log')
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await service.system.inventory.with({ 'x-api-key': key.key })('GET /api/external/products')
  await row(page, 'GET /api/external/products').waitFor()
  await tab('API keys')
  await api(`DELETE /api/api-keys/${key.id}`)
  await row(page, 'Web shop').getByText('Revoked').waitFor()
})

test('suppliers, batches, serials and webhooks do, too', async () => {
  await page.goto(service.address('/suppliers'))
  await page.getByRole('heading', { name: 'No suppliers yet' }).waitFor()
  const supplier = await created('POST /api/suppliers', { name: 'Alder' })
  await page.getByRole('link', { name: 'Alder' }).click()
  await page.getByRole('heading', { name: 'Alder' }).waitFor()
  await created(`PUT /api/suppliers/${supplier.id}`, { name: 'Birch' }, 200)
  await page.getByRole('heading', { name: 'Birch' }).waitFor()

  await page.goto(service.address('/tracking?stock=all'))
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  const oil = await company.product(0, { tracking_type: 'batch' })
  const batch = await created('POST /api/batches', { product_id: oil, batch_number: 'OIL-7' })
  await row(page, 'OIL-7').waitFor()
  await created(`PATCH /api/batches/${batch.id}`, { batch_number: 'OIL-8' }, 200)
  await row(page, 'OIL-8').waitFor()

  const drill = await company.product(0, { tracking_type: 'serial' })
  const { id } = await created('POST /api/serials', { product_id: drill, serial_number: 'SN-1' })
  await page.goto(service.address(`/tracking/serials/${id}`))
  await page.getByText('In stock').first().waitFor()
  await created(`PATCH /api/serials/${id}`, { status: 'reserved' }, 200)
  await page.getByText('Reserved').first().waitFor()

  await page.goto(service.address('/webhooks'))
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await created('POST /api/webhooks', { url: 'http://127.0.0.1:9999/hook' })
  await row(page, '127.0.0.1:9999/hook').waitFor()
})

test('the console of the browser stayed empty', () => assertQuiet(troubles))
