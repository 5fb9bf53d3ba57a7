import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { dialog, openColleague, openShop, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service)
const { api } = company
const mug = await company.product(10, { name: 'Blue mug', sku: 'MUG-1' })

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('two people on one order: what the second has typed stays, and the order shows what the first did', async () => {
  const { id } = (await company.order([[mug, 2]])).body
  const { page: theirs } = await openColleague(service, company, 'Manager', `/orders/${id}`)
  await open(`/orders/${id}`)
  await button('Ship').click()
  const ship = dialog(page, 'Ship')
  await ship.getByLabel('Quantity of Blue mug').fill('1')
  await theirs.getByRole('button', { name: 'Ship', exact: true }).click()
  await dialog(theirs, 'Ship').getByRole('button', { name: 'Ship items' }).dblclick()
  await dialog(theirs, 'Ship').waitFor({ state: 'detached' })
  await theirs.close()

  await ship.getByText('0 units open').waitFor()
  await eventually(async () => assert.equal(await ship.getByLabel('Quantity of Blue mug').inputValue(), '1'))
  await ship.getByRole('button', { name: 'Ship items' }).click()
  const { items } = await company.read(id)
  const refused = await company.fulfil(id, [[items[0].id, 1]])
  await ship.getByRole('alert').getByText(refused.body.error).waitFor()
  await eventually(async () => assert.equal(await ship.getByLabel('Quantity of Blue mug').inputValue(), '1'))
  assert.equal(items[0].quantity_fulfilled, 2, 'shipped once')
  await ship.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('2 units shipped').waitFor()
  await eventually(async () => assert.equal(await button('Ship').count(), 0))
})

test('stock that somebody else takes while an order is entered is not sold twice', async () => {
  const last = await company.product(1, { name: 'Last teapot', sku: 'TEAPOT-1' })
  await company.settings({ oversell_policy: 'reject' })
  await open('/orders/new')
  await page.getByLabel('Product', { exact: true }).fill('TEAPOT-1')
  await page.getByRole('option', { name: /1 unit available/ }).click()
  await page.getByLabel('Quantity of Last teapot').waitFor()
  await company.order([[last, 1]])
  const before = (await api('GET /api/orders')).body.total
  await button('Create order').click()
  const refused = await company.order([[last, 1]])
  assert.equal(refused.status, 400)
  await page.getByRole('alert').getByText(refused.body.error).waitFor()
  await eventually(async () =>
    assert.equal(await page.getByLabel('Quantity of Last teapot').inputValue(), '1'),
  )
  assert.deepEqual(await company.stock(last), [1, 1])

  await company.adjust(last, 5)
  await button('Create order').dblclick()
  await page.getByRole('heading', { name: /^ORD-/ }).waitFor()
  assert.equal((await api('GET /api/orders')).body.total, before + 1, 'two clicks make one order')
  assert.deepEqual(await company.stock(last), [6, 2])
  await company.settings({ oversell_policy: 'backorder' })
  assertQuiet(troubles, [400])
})
