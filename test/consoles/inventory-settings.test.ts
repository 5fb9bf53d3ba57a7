import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { password } from '#test/support/factories.ts'
import { assertQuiet, openConsole, signIn } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { system } = service
const { company, page, troubles } = await openShop(service, '/settings')
const { api } = company

const button = (name: string) => page.getByRole('button', { name, exact: true })
const toast = (text: string | RegExp) => page.getByRole('status').getByText(text)
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click()
const act = async (on: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${on}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('the company is renamed, and its time zone and stock policy are as the API has them', async () => {
  await page.getByLabel('Company name').fill('Larkspur <b>&</b> Co')
  await button('Save company').click()
  await toast('Company saved').waitFor()
  assert.equal((await api('GET /api/company')).body.name, 'Larkspur <b>&</b> Co')
  await page.getByText('Paid until').waitFor()
  await page.getByText('in 29 days').waitFor()

  const zone = page.getByLabel('Time zone')
  const offered = await page
    .locator('datalist option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')))
  assert.ok(offered.includes('UTC') && offered.includes('Europe/Paris'))
  await zone.fill('Mars/Olympus')
  await page.getByLabel('Refuse the order').check()
  await button('Save changes').click()
  await page.locator('.field-error').getByText('Time zone must be the name of a time zone').waitFor()
  await eventually(async () => assert.equal(await zone.inputValue(), 'Mars/Olympus'))
  await zone.fill('Asia/Tokyo')
  await page.getByText(/It is .+ there now/).waitFor()
  await button('Save changes').click()
  await toast('Settings saved').waitFor()
  assert.deepEqual((await api('GET /api/settings')).body, {
    timezone: 'Asia/Tokyo',
    oversell_policy: 'reject',
  })
  await inspect(page, 'inventory-settings-company')
})

test('a warehouse is created, edited and made the default, and leads to its stock', async () => {
  await company.product(3, { cost_price: '2.00' })
  await tab('Warehouses')
  await button('New warehouse').click()
  const form = dialog(page, 'New warehouse')
  await form.getByLabel('Name').fill('North depot')
  await form.getByLabel('Code').fill('MAIN')
  await form.getByRole('button', { name: 'Create warehouse' }).click()
  await form.locator('.field-error').getByText('already exists').waitFor()
  await form.getByLabel('Code').fill('NORTH')
  await form.getByLabel('City').fill('Leeds')
  await form.getByRole('button', { name: 'Create warehouse' }).dblclick()
  await row(page, 'North depot').getByText('Leeds').waitFor()

  await act('North depot', 'Edit')
  const edit = dialog(page, 'Edit warehouse')
  await edit.getByLabel('Name').fill('North <i>depot</i>')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await act('North <i>depot</i>', 'Make default')
  await row(page, 'North <i>depot</i>').getByText('Default', { exact: true }).waitFor()
  await button('Undo').click()
  await row(page, 'Main warehouse').getByText('Default', { exact: true }).waitFor()
  const { warehouses } = (await api('GET /api/warehouses')).body
  assert.deepEqual(
    warehouses.map((one: { code: string; is_default: boolean }) => [one.code, one.is_default]),
    [
      ['MAIN', true],
      ['NORTH', false],
    ],
  )
  await eventually(async () => assert.match(await row(page, 'Main warehouse').innerText(), /1\s+6\.00/))
  await inspect(page, 'inventory-settings-warehouses')
  await page.getByRole('link', { name: 'Main warehouse' }).click()
  await page.getByRole('heading', { name: 'Stock', exact: true }).waitFor()
  assert.match(page.url(), new RegExp(`warehouse=${company.main}$`))
})

test('categories are a tree: created inside each other, renamed, moved and deleted', async () => {
  await page.goto(service.address('/settings/categories'))
  await page.getByRole('heading', { name: 'No categories yet' }).waitFor()
  const create = async (name: string) => {
    const form = dialog(page, 'New category')
    await form.getByLabel('Name').fill(name)
    await form.getByRole('button', { name: 'Create category' }).click()
  }
  await button('New category').click()
  await create('Kitchen')
  await row(page, 'Kitchen').waitFor()
  await act('Kitchen', 'New category inside')
  await create('Mugs')
  await row(page, 'Mugs').waitFor()
  await button('New category').click()
  await create('Kitchen')
  await dialog(page, 'New category').locator('.field-error').getByText('already exists').waitFor()
  await dialog(page, 'New category').getByLabel('Name').fill('Garden')
  await button('Create category').click()
  await row(page, 'Garden').waitFor()

  await act('Kitchen', 'Edit')
  const edit = dialog(page, 'Edit category')
  const places = await edit.getByLabel('Inside').locator('option').allInnerTexts()
  assert.deepEqual(places, ['Nothing: at the top', 'Garden'], 'not into itself')
  await edit.getByLabel('Name').fill('Cooking')
  await edit.getByLabel('Inside').selectOption('Garden')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Actions for Garden / Cooking / Mugs' }).waitFor()
  const category = async (name: string) =>
    (await api('GET /api/products/categories')).body.categories.find(
      (one: { name: string }) => one.name === name,
    )
  assert.equal((await category('Cooking')).parent_id, (await category('Garden')).id)
  await company.product(1, { name: 'Wok', category_id: (await category('Cooking')).id })
  await page.reload()
  await row(page, 'Cooking').getByText('1', { exact: true }).waitFor()
  await inspect(page, 'inventory-settings-categories')

  await act('Garden / Cooking', 'Delete')
  const ask = dialog(page, 'Delete Cooking?')
  await ask.getByText('Its 1 product stays, without a category.').waitFor()
  await ask.getByRole('button', { name: 'Delete category' }).click()
  await page.getByRole('button', { name: 'Actions for Mugs', exact: true }).waitFor()
  assert.equal((await category('Mugs')).parent_id, null)
})

test('users are created, get roles and are deactivated; the last Admin stays', async () => {
  await tab('Users')
  await button('New user').click()
  const form = dialog(page, 'New user')
  await form.getByLabel('Name').fill('Tom <b>Okafor</b>')
  await form.getByLabel('Email').fill(company.email)
  await form.getByLabel('Password').fill('short')
  await form.getByRole('button', { name: 'Create user' }).click()
  await form.locator('.field-error').getByText(/8/).waitFor()
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Create user' }).click()
  await form
    .locator('.field-error')
    .getByText(/already in use/)
    .waitFor()
  await inspect(page, 'inventory-settings-new-user')
  const email = `tom-${company.email}`
  await form.getByLabel('Email').fill(email)
  await form.getByRole('button', { name: 'Create user' }).click()
  const tom = 'Tom <b>Okafor</b>'
  await row(page, tom).getByText('Staff', { exact: true }).waitFor()
  await act(tom, 'Make Manager')
  await row(page, tom).getByText('Manager', { exact: true }).waitFor()
  await button('Undo').click()
  await row(page, tom).getByText('Staff', { exact: true }).waitFor()

  const login = () => system.inventory('POST /api/auth/login', { body: { email, password } })
  assert.equal((await login()).status, 200)
  await act(tom, 'Deactivate')
  await row(page, tom).getByText('Deactivated').waitFor()
  assert.equal((await login()).status, 403)
  await inspect(page, 'inventory-settings-users')
  await act(tom, 'Reactivate')
  await row(page, tom).getByText('Active', { exact: true }).waitFor()
  assert.equal((await login()).status, 200)

  await page.getByRole('button', { name: `Actions for ${company.user.name}` }).click()
  await eventually(async () =>
    assert.equal(await page.getByRole('menuitem', { name: 'Deactivate' }).count(), 0, 'not oneself'),
  )
  await page.getByRole('menuitem', { name: 'Make Staff' }).click()
  await dialog(page, 'Change your own role?').getByRole('button', { name: 'Change role' }).click()
  await toast(/The last Admin must stay/).waitFor()
  assert.equal((await api('GET /api/auth/me')).body.user.role, 'Admin')
})

test('people change their own name and password; a wrong one is shown at its field', async () => {
  await tab('Profile')
  await page.getByLabel('Name').fill('Noor Haddad')
  await button('Save profile').click()
  await toast('Profile saved').waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText('Noor Haddad').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('another horse')
  await button('Change password').click()
  await page.locator('.field-error').getByText(/wrong/).waitFor()
  await eventually(async () =>
    assert.equal(await page.getByLabel('Current password').inputValue(), 'not this one'),
  )
  await eventually(async () =>
    assert.equal(await page.getByRole('dialog').count(), 0, 'nobody is asked to sign in again'),
  )
  await inspect(page, 'inventory-settings-profile')

  const other = await openConsole(service)
  await signIn(other.page, company.email)
  await page.getByLabel('Current password').fill(password)
  await button('Change password').click()
  await toast('Password changed').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await other.page.reload()
  await other.page.getByRole('button', { name: 'Sign in' }).waitFor()
  await other.page.context().close()
  const body = { email: company.email, password: 'another horse' }
  assert.equal((await system.inventory('POST /api/auth/login', { body })).status, 200)
})

test('an address without a tab says so, and the console of the browser stayed empty', async () => {
  await page.goto(service.address('/settings/nothing'))
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
  assertQuiet(troubles, [400, 401, 409])
})
