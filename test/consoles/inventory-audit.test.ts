import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openColleague, openShop, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service)
const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
const actions = async () => rows.locator('td:first-child').allTextContents()

test('an Admin reads who changed what, and opens an entry', async () => {
  const hostile = `<img src=x onerror="document.title='run'">`
  await company.created('POST /api/suppliers', { name: hostile })
  for (let n = 0; n < 60; n++) await company.api('PATCH /api/company', { body: { name: `Company ${n}` } })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('Company 59').waitFor()
  assert.equal((await actions()).length, 50)
  await inspect(page, 'inventory-audit')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText(hostile, { exact: true }).waitFor()
  await rows.filter({ hasText: 'supplier.created' }).getByRole('button').first().click()
  const drawer = dialog(page, 'supplier.created')
  await drawer.getByText(company.user.name).waitFor()
  await drawer.getByText('127.0.0.1').waitFor()
  await inspect(page, 'inventory-audit-entry')
  await drawer.getByRole('button', { name: 'Close' }).click()
  assert.notEqual(await page.title(), 'run')
})

test('it is filtered by action, and the filter survives a reload', async () => {
  await page.getByRole('combobox', { name: 'Action' }).selectOption('supplier.created')
  const onlyThat = () => eventually(async () => assert.deepEqual(await actions(), ['supplier.created']))
  await onlyThat()
  await page.reload()
  await onlyThat()
})

test('nobody but Admins is offered it', async () => {
  const manager = await openColleague(service, company, 'Manager')
  const main = manager.page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'Products' }).waitFor()
  assert.equal(await main.getByRole('link', { name: 'Audit log' }).count(), 0)
})

test('nothing went wrong on the way', () => assertQuiet(troubles))
