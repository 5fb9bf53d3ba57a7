import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { delayReads } from './support/delayed.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openColleague, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { company, page, troubles } = await openShop(service)
const { api, created } = company
const hostile = '<img src=x onerror=alert(1)>\u202Etxt.exe'

const open = async (path: string) => {
  await page.goto(service.address(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const go = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const choose = async (of: string, item: string) => {
  await button(`Actions for ${of}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const fact = (name: string) => page.locator('.facts > div, .figures > div').filter({ hasText: name })

test('a customer is created once however often one clicks, and what is wrong stands at its field', async () => {
  await go('Customers')
  await heading('No customers yet').waitFor()
  await inspect(page, 'inventory-customers-empty')
  await button('New customer').click()
  const form = dialog(page, 'New customer')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await form.getByText('Name is required').waitFor()
  await form.getByLabel('Name').fill('Ada Lovelace')
  await form.getByLabel('Email').fill('no address')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await form.locator('.field', { hasText: 'Email' }).locator('.field-error').waitFor()
  await inspect(page, 'inventory-new-customer')
  await form.getByLabel('Email').fill('ada@example.com')
  await form.getByLabel('Company').fill('Analytical Engines')
  await form.getByLabel('Customer type').selectOption('Wholesale')
  await form.getByRole('button', { name: 'Create customer' }).dblclick()
  await heading('Ada Lovelace').waitFor()
  const { customers, total } = (await api('GET /api/customers')).body
  assert.equal(total, 1)
  const { name, email, company: firm, phone, customer_type } = customers[0]
  assert.deepEqual(
    [name, email, firm, phone, customer_type],
    ['Ada Lovelace', 'ada@example.com', 'Analytical Engines', null, 'wholesale'],
  )
})

test('addresses are added, changed, made the default and deleted', async () => {
  const { id } = (await api('GET /api/customers')).body.customers[0]
  const addresses = async () =>
    ((await api(`GET /api/customers/${id}`)).body.addresses as Record<string, unknown>[]).map(
      ({ type, line1, city, is_default }) => [type, line1, city, is_default],
    )
  const add = async (line1: string, isFirst: boolean) => {
    await button('New address').click()
    const form = dialog(page, 'New address')
    await form.getByLabel('Line 1').fill(line1)
    await form.getByLabel('City').fill('London')
    await form.getByLabel('Country').fill('United Kingdom')
    await eventually(async () => assert.equal(await form.getByLabel('Default').isChecked(), isFirst))
    if (isFirst) await inspect(page, 'inventory-new-address')
    await form.getByRole('button', { name: 'Create address' }).dblclick()
    await form.waitFor({ state: 'detached' })
    await button(`Actions for ${line1}`).waitFor()
  }
  await add('12 St James Square', true)
  await add('1 Mill Lane', false)
  await choose('1 Mill Lane', 'Make default')
  await eventually(async () =>
    assert.deepEqual(await addresses(), [
      ['shipping', '12 St James Square', 'London', false],
      ['shipping', '1 Mill Lane', 'London', true],
    ]),
  )
  await page.locator('li', { hasText: '1 Mill Lane' }).getByText('Default').waitFor()
  await choose('12 St James Square', 'Edit')
  const form = dialog(page, 'Edit address')
  await form.getByLabel('Type').selectOption('Billing')
  await form.getByLabel('City').fill('Leeds')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Leeds, United Kingdom').waitFor()
  assert.deepEqual((await addresses())[0], ['billing', '12 St James Square', 'Leeds', false])
  await choose('12 St James Square', 'Delete')
  await dialog(page, 'Delete 12 St James Square?').getByRole('button', { name: 'Delete address' }).click()
  await button('Actions for 12 St James Square').waitFor({ state: 'detached' })
  assert.deepEqual(await addresses(), [['shipping', '1 Mill Lane', 'London', true]])
})

test('a new order begins with the customer of the page; their orders and totals follow by themselves', async () => {
  const mug = await company.product(50, { name: 'Blue mug', sku: 'MUG-1', base_price: '4.50' })
  const { id } = (await api('GET /api/customers')).body.customers[0]
  await button('New order').click()
  await heading('New order').waitFor()
  await page.getByLabel('Product', { exact: true }).fill('MUG-1')
  await eventually(async () =>
    assert.equal(await page.getByRole('combobox', { name: 'Customer' }).inputValue(), 'Ada Lovelace'),
  )
  await page.getByRole('option', { name: /Blue mug/ }).click()
  await button('Create order').click()
  await heading('ORD-000001').waitFor()
  await page.getByText('1 Mill Lane, London').waitFor()
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await row(page, 'ORD-000001').waitFor()
  await eventually(async () => assert.match(await fact('Total spent').innerText(), /4[.,]50/))
  for (let n = 0; n < 26; n++) await company.order([[mug, 1, '1.00']], { customer_id: id })
  await company.order([[mug, 1]])
  await row(page, 'ORD-000027').waitFor()
  await eventually(async () => assert.match(await fact('Total spent').innerText(), /30[.,]50/))
  await eventually(async () => assert.match(await fact('Orders').first().innerText(), /27/))
  await eventually(async () => assert.equal(await row(page, 'ORD-000028').count(), 0))
  await inspect(page, 'inventory-customer')
  await page.getByLabel('Rows per page').selectOption('25')
  await row(page, 'ORD-000002').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Next' }).click()
  await row(page, 'ORD-000002').waitFor()
  await page.getByRole('link', { name: 'ORD-000001' }).click()
  await heading('ORD-000001').waitFor()
})

test('customers are searched, filtered and sorted by the address; hostile names are text', async () => {
  await created('POST /api/customers', { name: hostile, company: 'Zebra & Co' })
  await created('POST /api/customers', { name: 'Bo', email: 'bo@example.com' })
  await go('Customers')
  await row(page, hostile).waitFor()
  await eventually(async () => assert.equal(await page.locator('main img').count(), 0))
  const names = () => page.locator('tbody tr td:first-child').allInnerTexts()
  await eventually(async () => assert.deepEqual(await names(), ['Bo', hostile, 'Ada Lovelace']))
  await button('Name').click()
  await eventually(async () => assert.deepEqual(await names(), [hostile, 'Ada Lovelace', 'Bo']))
  await button('Name').click()
  await eventually(async () => assert.deepEqual(await names(), ['Bo', 'Ada Lovelace', hostile]))
  assert.match(page.url(), /sort=-name/)
  await inspect(page, 'inventory-customers')
  await page.keyboard.press('/')
  await page.keyboard.type('zebra')
  await row(page, 'Bo').waitFor({ state: 'detached' })
  assert.deepEqual(await names(), [hostile])
  await page.getByLabel('Type').selectOption('Wholesale')
  await heading('Nothing found').waitFor()
  await button('Clear filters').click()
  await page.getByLabel('Type').selectOption('Wholesale')
  await row(page, 'Bo').waitFor({ state: 'detached' })
  await page.reload()
  await row(page, 'Ada Lovelace').waitFor()
  await eventually(async () => assert.equal(await row(page, 'Bo').count(), 0))
})

test('a customer is changed and deleted; an email that is taken is refused at its field', async () => {
  await open('/customers')
  await choose('Bo', 'Edit')
  const form = dialog(page, 'Edit customer')
  await form.getByLabel('Email').fill('ADA@example.com')
  // What somebody else saves meanwhile is shown and kept, and so is what was typed.
  const bo = (await api('GET /api/customers?search=Bo')).body.customers[0]
  await api(`PUT /api/customers/${bo.id}`, {
    body: { name: 'Bo', email: 'bo@example.com', phone: '+44 20 7946 0018' },
  })
  await eventually(async () => assert.equal(await form.getByLabel('Phone').inputValue(), '+44 20 7946 0018'))
  assert.equal(await form.getByLabel('Email').inputValue(), 'ADA@example.com')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form.locator('.field', { hasText: 'already exists' }).waitFor()
  await form.getByLabel('Email').fill('')
  await form.getByLabel('Name').fill('Bo Diddley')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('link', { name: 'Bo Diddley' }).click()
  await heading('Bo Diddley').waitFor()
  const { customers } = (await api('GET /api/customers?search=Bo')).body
  const [{ email, phone }] = customers
  assert.deepEqual([customers.length, email, phone], [1, null, '+44 20 7946 0018'])
  await choose('Bo Diddley', 'Delete')
  const ask = dialog(page, 'Delete Bo Diddley?')
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await go('Customers')
  await choose('Ada Lovelace', 'Delete')
  await page.getByText('Email, phone, company and 1 address are erased for good. 27 orders stay').waitFor()
  await dialog(page, 'Delete Ada Lovelace?').getByRole('button', { name: 'Delete customer' }).click()
  await row(page, 'Ada Lovelace').waitFor({ state: 'detached' })
  await row(page, 'Bo Diddley').getByRole('link').click()
  await choose('Bo Diddley', 'Delete')
  await ask.getByRole('button', { name: 'Delete customer' }).click()
  await heading('Customers').waitFor()
  assert.equal((await api('GET /api/customers')).body.total, 1)
  await created('POST /api/customers', { name: 'By somebody else' })
  await row(page, 'By somebody else').waitFor()
})

test('a supplier is created once, shown with what was ordered, and deleted only without orders', async () => {
  await go('Suppliers')
  await heading('No suppliers yet').waitFor()
  await inspect(page, 'inventory-suppliers-empty')
  await button('New supplier').click()
  const form = dialog(page, 'New supplier')
  await form.getByLabel('Name').fill('Alder & Sons')
  await form.getByLabel('Lead time').fill('-1')
  await form.getByRole('button', { name: 'Create supplier' }).click()
  await form.locator('.field', { hasText: 'Lead time' }).locator('.field-error').waitFor()
  await form.getByLabel('Lead time').fill('12')
  await form.getByLabel('Email').fill('orders@alder.example')
  await form.getByLabel('Payment terms').fill('Net 30')
  await inspect(page, 'inventory-new-supplier')
  await form.getByRole('button', { name: 'Create supplier' }).dblclick()
  await heading('Alder & Sons').waitFor()
  const { suppliers, total } = (await api('GET /api/suppliers')).body
  assert.deepEqual(
    [total, suppliers[0].lead_time_days, suppliers[0].payment_terms, suppliers[0].email],
    [1, 12, 'Net 30', 'orders@alder.example'],
  )
  await heading('No purchase orders yet').waitFor()

  const supplier_id = suppliers[0].id
  const items = [{ product_id: await company.product(), quantity: 4, unit_cost: '2.50' }]
  const order = await created('POST /api/suppliers/purchase-orders', {
    supplier_id,
    items,
    expected_date: '2030-02-28',
  })
  await row(page, 'PO-000001').waitFor()
  await created(`PATCH /api/suppliers/purchase-orders/${order.id}/status`, { status: 'ordered' }, 200)
  await eventually(async () => assert.match(await fact('Total spent').innerText(), /10[.,]00/))
  await eventually(async () => assert.match(await fact('Open orders').innerText(), /1/))
  await inspect(page, 'inventory-supplier')
  await button('Edit').click()
  await dialog(page, 'Edit supplier').getByLabel('Phone').fill('+44 113 496 0199')
  await button('Save changes').click()
  await page.getByRole('link', { name: '+44 113 496 0199' }).waitFor()
  await choose('Alder & Sons', 'Delete')
  await dialog(page, 'Delete Alder & Sons?').getByRole('button', { name: 'Delete supplier' }).click()
  await page.getByText('This supplier has purchase orders').waitFor()
  assert.equal((await api('GET /api/suppliers')).body.suppliers[0].phone, '+44 113 496 0199')
})

test('suppliers are searched, sorted, deleted, and found by the palette', async () => {
  await created('POST /api/suppliers', { name: hostile, email: 'z@example.com' })
  await go('Suppliers')
  await row(page, hostile).waitFor()
  await eventually(async () => assert.equal(await page.locator('main img').count(), 0))
  await button('Name').click()
  await page.waitForURL(/sort=name/)
  await inspect(page, 'inventory-suppliers')
  await page.getByLabel('Search suppliers').fill('z@')
  await row(page, 'Alder & Sons').waitFor({ state: 'detached' })
  await page.getByLabel('Search suppliers').fill('')
  await row(page, 'Alder & Sons').waitFor()
  await choose(hostile, 'Delete')
  await page.getByRole('button', { name: 'Delete supplier' }).click()
  await row(page, hostile).waitFor({ state: 'detached' })
  assert.equal((await api('GET /api/suppliers')).body.total, 1)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('alder')
  await page.getByRole('option', { name: /^Alder & Sons/ }).waitFor()
  await page.keyboard.press('Enter')
  await heading('Alder & Sons').waitFor()
  await button('New purchase order').click()
  await page.waitForURL(/purchasing\/new\?supplier_id=\d+$/)
})

test('Staff may write customers, but only read suppliers', async () => {
  const { page: theirs } = await openColleague(service, company, 'Staff', '/suppliers')
  await theirs.getByRole('link', { name: 'Alder & Sons' }).click()
  await theirs.getByRole('heading', { name: 'Alder & Sons' }).waitFor()
  for (const name of ['Edit', 'New purchase order', 'Actions for Alder & Sons'])
    await eventually(async () =>
      assert.equal(await theirs.getByRole('button', { name, exact: true }).count(), 0),
    )
  await theirs.goto(service.address('/customers'))
  await theirs.getByRole('button', { name: 'New customer' }).click()
  await dialog(theirs, 'New customer').getByLabel('Name').fill('Sold by Staff')
  await theirs.getByRole('button', { name: 'Create customer' }).click()
  await theirs.getByRole('heading', { name: 'Sold by Staff' }).waitFor()
  await theirs.goto(service.address('/products/import'))
  await theirs.getByText('Only an Admin or a Manager can.').waitFor()
  await theirs.close()
})

test('a form that is saved before the page knows of another change does not undo it', async () => {
  const customer = await created('POST /api/customers', { name: 'Grace', phone: '1' })
  const supplier = await created('POST /api/suppliers', { name: 'Cedar', phone: '1' })
  const product = await company.product(0, { name: 'Jug', vendor: 'Potters' })
  const forms = [
    [
      `/customers/${customer.id}`,
      'Edit customer',
      `/api/customers/${customer.id}`,
      'Company',
      'company',
      'phone',
    ],
    [
      `/suppliers/${supplier.id}`,
      'Edit supplier',
      `/api/suppliers/${supplier.id}`,
      'Email',
      'email',
      'phone',
    ],
    [`/products/${product}`, 'Edit product', `/api/products/${product}`, 'Barcode', 'barcode', 'vendor'],
  ] as const
  for (const [screen, title, path, label, typed, other] of forms) {
    await open(screen)
    await button('Edit').click()
    const form = dialog(page, title)
    await form.getByLabel(label).fill('typed@example.com')
    const release = await delayReads(page, `**${path}`)
    assert.equal((await api(`PATCH ${path}`, { body: { [other]: 'theirs' } })).status, 200)
    const answer = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await form.getByRole('button', { name: 'Save changes' }).click()
    assert.equal((await answer).status(), 200)
    release()
    await form.waitFor({ state: 'detached' })
    const { body } = await api(`GET ${path}`)
    assert.deepEqual([body[typed], body[other]], ['typed@example.com', 'theirs'], title)
  }
})

test('the console of the browser stayed empty but for what was refused', () =>
  assertQuiet(troubles, [400, 409]))
