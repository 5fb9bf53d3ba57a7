import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet, openConsole, signIn } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()

test('an account is created with the field names of the API, and begins with Today', async () => {
  const { page, troubles } = await openConsole(service)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Company name').fill('Crafts & Co')
  await page.getByLabel('Name', { exact: true }).fill('Grace')
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.locator('.field', { hasText: 'Password' }).locator('.field-error').waitFor()
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  await inspect(page, 'inventory-today-empty')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText('Admin · Crafts & Co').waitFor()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.reload()
  await signIn(page, 'grace@example.com', 'correct horse battery')
  await page.reload()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  assert.deepEqual(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts(), [
    'Today',
    'Products',
    'Stock',
    'Orders',
    'Purchasing',
    'Customers',
    'Suppliers',
    'Batches and serials',
    'Reports',
    'Webhooks',
    'Audit log',
    'Settings',
  ])
  const stored = await page.evaluate<string>(
    'JSON.stringify([localStorage, sessionStorage, document.cookie])',
  )
  assert.doesNotMatch(stored, /ey[\w-]+\.|trivet_inventory/)
  assertQuiet(troubles, [400])
})

test('every number of Today leads to exactly that list, and follows what happens', async () => {
  const { company, page, troubles } = await openShop(service)
  const { api } = company
  const mug = await company.product(5, { name: 'Mug', sku: 'MUG-1', cost_price: '4.00' })
  const bowl = await company.product(0, { name: 'Bowl', sku: 'BOWL-1' })
  await api(`PATCH /api/inventory/${mug}/${company.main}`, { body: { reorder_level: 9 } })
  const { body: first } = await company.order([
    [mug, 2],
    [bowl, 3],
  ])
  await company.status(first.id, 'paid')
  const { body: second } = await company.order([[mug, 1, '20.00']])
  const { items } = await company.read(second.id)
  await company.fulfil(second.id, [[items[0].id, 1]])
  const { id: supplier_id } = await company.created('POST /api/suppliers', { name: 'Potter' })
  const purchase = async (expected_date: string) => {
    const items = [{ product_id: bowl, quantity: 5, unit_cost: '2.00' }]
    const order = await company.created('POST /api/suppliers/purchase-orders', {
      supplier_id,
      warehouse_id: company.main,
      items,
      expected_date,
    })
    await api(`PATCH /api/suppliers/purchase-orders/${order.id}/status`, { body: { status: 'ordered' } })
    return order
  }
  const due = await purchase('2026-01-31')
  await purchase('2099-01-31')
  const oil = await company.product(0, { name: 'Oil', sku: 'OIL-1', tracking_type: 'batch' })
  const soon = new Date(service.system.clock.now().getTime() + 10 * 86_400_000).toISOString().slice(0, 10)
  for (const [batch_number, expiry_date] of [
    ['SOON', soon],
    ['LATER', '2099-01-31'],
  ])
    await company.created('POST /api/batches', { product_id: oil, batch_number, expiry_date, quantity: 3 })
  await page.reload()
  const figure = (label: string) => page.getByRole('link', { name: new RegExp(`^${label}`) })
  await eventually(async () => assert.match(await figure('Orders to ship').innerText(), /1$/))
  const today = (await api('GET /api/reports/today')).body
  const lists = [
    ['Backorders', today.backorders, 'BOWL-1'],
    ['Low stock', today.low_stock, 'MUG-1'],
    ['Out of stock', today.out_of_stock, 'BOWL-1'],
    ['Purchase orders due', today.purchase_orders_due, due.po_number],
    ['Batches expiring', today.batches_expiring, 'SOON'],
    ['Orders to ship', today.orders_to_ship, first.order_number],
  ] as const
  for (const [label, n, shows] of lists) {
    assert.equal(n, 1, label)
    await eventually(async () => assert.match(await figure(label).innerText(), /\b1$/, label))
    await figure(label).click()
    await row(page, shows).waitFor()
    await eventually(async () => assert.equal(await page.getByRole('row').count(), n + 1, label))
    await page.goBack()
    await page.getByRole('heading', { name: 'Newest orders' }).waitFor()
  }
  await page.getByText('Revenue, 30 days').waitFor()
  await eventually(async () =>
    assert.match(await page.locator('.figures').nth(1).innerText(), /20\.00[\s\S]*2[\s\S]*16\.00/),
  )
  await inspect(page, 'inventory-today')
  await page.getByRole('button', { name: 'Show as table' }).first().click()
  const cells = await page
    .getByRole('table', { name: 'Revenue and margin' })
    .getByRole('row')
    .last()
    .innerText()
  assert.match(cells, /20\.00\s+16\.00/)
  await company.order([[mug, 1]])
  await row(page, 'ORD-000003').waitFor()
  assertQuiet(troubles)
})

test('the palette finds products, orders of both kinds and customers', async () => {
  const { company, page } = await openShop(service)
  const kettle = await company.product(1, { name: 'Kettle', sku: 'KET-1' })
  await company.created('POST /api/customers', { name: 'Kettering Ltd' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('kett')
  await page.getByRole('option', { name: /Kettering Ltd/ }).waitFor()
  await page.getByRole('option', { name: /Kettle.*KET-1/ }).click()
  await page.getByRole('heading', { name: 'Kettle' }).waitFor()
  const supplier = await company.created('POST /api/suppliers', { name: 'Smith' })
  const items = [{ product_id: kettle, quantity: 2, unit_cost: '3.00' }]
  await company.created('POST /api/suppliers/purchase-orders', { supplier_id: supplier.id, items })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('PO-000001')
  await page.getByRole('option', { name: /PO-000001.*Draft, Smith, 6\.00/ }).click()
  await page.getByRole('heading', { name: 'PO-000001' }).waitFor()
})

test('an expired subscription lets nobody read or write, and every screen says so', async () => {
  const { company, page } = await openShop(service)
  service.system.clock.advance(31 * 86_400_000)
  await page.goto(service.address('/orders'))
  await signIn(page, company.email)
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const screen of await links.allInnerTexts()) {
    await links.filter({ hasText: screen }).click()
    await page.getByRole('heading', { name: screen, exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Your subscription has expired' }).first().waitFor()
  }
  await page.getByText(company.tenant.name).waitFor()
  await page.getByText('Expired', { exact: true }).waitFor()
  await inspect(page, 'inventory-expired')
  for (const tab of ['Warehouses', 'Categories', 'Users', 'API keys', 'Usage log']) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await page.getByRole('heading', { name: 'Your subscription has expired' }).waitFor()
  }
  await page.getByRole('tab', { name: 'Stock check' }).click()
  await page.getByRole('button', { name: 'Check stock' }).click()
  await page.getByRole('heading', { name: 'Your subscription has expired' }).waitFor()
  await page.getByRole('tab', { name: 'Profile' }).click()
  await page.getByText(company.email).waitFor()
})
