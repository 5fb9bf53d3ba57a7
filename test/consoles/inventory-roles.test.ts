import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { type Permission, rolesWith } from '#web/inventory/permissions.ts'
import { assertQuiet, type Page } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { openColleague, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { company, page: admins } = await openShop(service)
await company.product(5, { name: 'Blue mug', sku: 'MUG-1' })
const mug = (await company.api('GET /api/products')).body.products[0].id as number
const order = (await company.order([[mug, 2]])).body
await company.created('POST /api/products/categories', { name: 'Kitchen' })
await company.created('POST /api/suppliers', { name: 'Hollis' })
await company.created('POST /api/customers', { name: 'Ada' })
await admins.close()

/** What each permission stands for. Nothing happens: the requests have no body, and nothing has this number. */
const calls: Record<Permission, string[]> = {
  'order.write': ['POST /api/orders', 'PATCH /api/orders/N/status'],
  'order.ship': ['POST /api/orders/N/fulfill'],
  'order.return': ['POST /api/orders/N/returns'],
  'customer.write': ['POST /api/customers', 'PUT /api/customers/N', 'POST /api/customers/N/addresses'],
  'product.write': [
    'POST /api/products',
    'PUT /api/products/N',
    'PATCH /api/products/N',
    'POST /api/products/import',
  ],
  'product.delete': ['DELETE /api/products/N'],
  'category.write': [
    'POST /api/products/categories',
    'PUT /api/products/categories/N',
    'DELETE /api/products/categories/N',
  ],
  'stock.write': ['POST /api/inventory/adjust', 'POST /api/inventory/transfer', 'PATCH /api/inventory/N/N'],
  'count.post': ['PATCH /api/counts/N/status'],
  'stock.check': ['GET /api/inventory/verify'],
  'supplier.write': ['POST /api/suppliers', 'PUT /api/suppliers/N'],
  'purchase.write': [
    'POST /api/suppliers/purchase-orders',
    'POST /api/suppliers/purchase-orders/from-suggestions',
    'PATCH /api/suppliers/purchase-orders/N/status',
    'POST /api/suppliers/purchase-orders/N/receive',
  ],
  'tracking.write': ['POST /api/batches', 'POST /api/serials', 'POST /api/serials/bulk'],
  'key.manage': [
    'GET /api/api-keys',
    'POST /api/api-keys',
    'DELETE /api/api-keys/N',
    'GET /api/api-keys/logs/all',
  ],
  'warehouse.write': ['POST /api/warehouses', 'PATCH /api/warehouses/N'],
  'settings.write': ['PATCH /api/settings', 'PATCH /api/company'],
  'user.manage': ['GET /api/users', 'POST /api/users', 'PATCH /api/users/N'],
  'audit.read': ['GET /api/audit-logs'],
  'webhook.manage': ['GET /api/webhooks', 'POST /api/webhooks', 'DELETE /api/webhooks/N'],
}

test('the console offers to each role exactly what the service allows it', async () => {
  const people = {
    Admin: company.api,
    Manager: (await company.colleague('Manager')).api,
    Staff: (await company.colleague('Staff')).api,
  }
  for (const [permission, routes] of Object.entries(calls))
    for (const [role, api] of Object.entries(people))
      for (const route of routes) {
        const { status } = await api(route.replaceAll('/N', '/999999999'))
        const isOffered = rolesWith(permission).includes(role)
        assert.equal(status !== 403, isOffered, `${permission} of ${role}: ${route} is ${status}`)
      }
})

const open = async (page: Page, path: string, heading: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}
const denied = async (page: Page, path: string, who: string) => {
  await open(page, path, 'You cannot open this page')
  await page.getByText(`Only ${who} can.`).waitFor()
}
const offers = async (page: Page, names: string[]) => {
  for (const name of names) await page.getByRole('button', { name, exact: true }).waitFor()
}
const offersNot = async (page: Page, names: (string | RegExp)[]) => {
  for (const name of names)
    await eventually(async () =>
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, String(name)),
    )
}
const linksOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
const tabsOf = (page: Page) => page.getByRole('tab').allInnerTexts()
const anyActions = /^Actions for /

test('Staff sell and look, and are offered nothing else', async () => {
  const { page, troubles } = await openColleague(service, company, 'Staff')
  await open(page, '/products', 'Products')
  await row(page, 'MUG-1').waitFor()
  await offers(page, ['Export CSV'])
  await offersNot(page, ['New product', 'Import CSV'])
  await open(page, `/products/${mug}`, 'Blue mug')
  await offersNot(page, ['Edit', anyActions])
  await denied(page, '/products/import', 'an Admin or a Manager')
  await open(page, '/stock', 'Stock')
  await row(page, 'MUG-1').getByRole('button', { name: 'Why?' }).waitFor()
  await offersNot(page, [anyActions])
  await open(page, `/orders/${order.id}`, order.order_number)
  await offers(page, ['Mark as paid', 'Cancel'])
  await offersNot(page, ['Ship', 'Return'])
  await open(page, '/purchasing', 'Purchasing')
  await offersNot(page, ['New purchase order'])
  await denied(page, '/purchasing/new', 'an Admin or a Manager')
  await open(page, '/customers', 'Customers')
  await offers(page, ['New customer'])
  await open(page, '/suppliers', 'Suppliers')
  await row(page, 'Hollis').waitFor()
  await offersNot(page, ['New supplier', anyActions])
  await open(page, '/tracking', 'Batches and serials')
  await offersNot(page, ['New batch'])
  assert.ok(!(await linksOf(page)).includes('Webhooks'))
  await denied(page, '/webhooks', 'an Admin')

  await open(page, '/settings', 'Settings')
  await page.getByText('Take the order').waitFor()
  assert.deepEqual(await tabsOf(page), ['Company', 'Warehouses', 'Categories', 'Profile'])
  await offersNot(page, ['Save company', 'Save changes'])
  await inspect(page, 'inventory-settings-staff')
  for (const tab of ['warehouses', 'categories']) {
    await open(page, `/settings/${tab}`, 'Settings')
    await row(page, /Main warehouse|Kitchen/).waitFor()
    await offersNot(page, ['New warehouse', 'New category', anyActions])
  }
  for (const tab of ['keys', 'usage']) await denied(page, `/settings/${tab}`, 'an Admin or a Manager')
  for (const tab of ['users', 'stock-check']) await denied(page, `/settings/${tab}`, 'an Admin')
  assertQuiet(troubles)
  await page.close()
})

test('Managers also change products and stock, ship and buy, but not what concerns the company', async () => {
  const { page, troubles } = await openColleague(service, company, 'Manager')
  await open(page, '/products', 'Products')
  await offers(page, ['New product', 'Import CSV'])
  await open(page, '/products/import', 'Import products')
  await open(page, `/products/${mug}`, 'Blue mug')
  await offers(page, ['Edit'])
  await page.getByRole('button', { name: 'Actions for Blue mug' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).waitFor()
  await eventually(async () => assert.equal(await page.getByRole('menuitem', { name: 'Delete' }).count(), 0))
  await open(page, '/stock', 'Stock')
  await page.getByRole('button', { name: anyActions }).waitFor()
  await open(page, `/orders/${order.id}`, order.order_number)
  await offers(page, ['Ship', 'Mark as paid', 'Cancel'])
  await open(page, '/purchasing/new', 'New purchase order')
  await open(page, '/suppliers', 'Suppliers')
  await offers(page, ['New supplier'])
  await open(page, '/tracking', 'Batches and serials')
  await offers(page, ['New batch'])
  assert.ok(!(await linksOf(page)).includes('Webhooks'))
  await denied(page, '/webhooks', 'an Admin')

  await open(page, '/settings', 'Settings')
  await page.getByText('Take the order').waitFor()
  assert.deepEqual(await tabsOf(page), [
    'Company',
    'Warehouses',
    'Categories',
    'API keys',
    'Usage log',
    'Profile',
  ])
  await offersNot(page, ['Save company', 'Save changes'])
  await open(page, '/settings/warehouses', 'Settings')
  await row(page, 'Main warehouse').waitFor()
  await offersNot(page, ['New warehouse', anyActions])
  await open(page, '/settings/categories', 'Settings')
  await offers(page, ['New category', 'Actions for Kitchen'])
  await open(page, '/settings/keys', 'Settings')
  await offers(page, ['New key'])
  for (const tab of ['users', 'stock-check']) await denied(page, `/settings/${tab}`, 'an Admin')
  assertQuiet(troubles)
  await page.close()
})
