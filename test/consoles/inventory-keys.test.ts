import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory()
const { system } = service
const { company, page, troubles } = await openShop(service, '/settings/usage')
const { api } = company
await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

const button = (name: string) => page.getByRole('button', { name, exact: true })
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click()

test('a new key shows its secret once and how to use it; its use is logged; revoking takes effect at once', async () => {
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await tab('API keys')
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await button('New key').click()
  const form = dialog(page, 'New key')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('Name is required').waitFor()
  await form.getByLabel('Name').fill('Web shop')
  await form.getByLabel('Read and write').check()
  await form.getByLabel('Last day').fill('2999-12-31')
  await form.getByRole('button', { name: 'Create key' }).dblclick()
  await form.getByText('It is shown only this once').waitFor()
  await form.getByRole('button', { name: 'Copy', exact: true }).click()
  const key = (await page.evaluate('navigator.clipboard.readText()')) as string
  for (const name of ['curl', 'SDK']) {
    await form.getByRole('tab', { name, exact: true }).click()
    const text = (await form.getByRole('tabpanel').textContent()) ?? ''
    assert.ok(text.includes(key) && text.includes(service.root), name)
  }
  await inspect(page, 'inventory-settings-new-key')
  await form.getByRole('button', { name: 'Done' }).click()
  const [made, ...others] = (await api('GET /api/api-keys')).body.api_keys
  assert.deepEqual([made.permissions, made.expires_at, others.length], [['read', 'write'], '2999-12-31', 0])
  assert.ok(!(await page.content()).includes(key), 'the secret is gone')

  const asShop = system.inventory.with({ 'x-api-key': key })
  assert.equal((await asShop('GET /api/external/products')).status, 200)
  await asShop('GET /api/external/products/nothing')
  await company.created('POST /api/api-keys', { name: 'Unused' })
  await page.reload()
  await row(page, 'Web shop').getByText('2', { exact: true }).waitFor()
  await row(page, 'Unused').getByText('Never').waitFor()
  await inspect(page, 'inventory-settings-keys')
  await page.getByRole('link', { name: 'Web shop' }).click()
  await row(page, 'GET /api/external/products/nothing').getByText('404').waitFor()
  await inspect(page, 'inventory-settings-usage')
  await page.getByLabel('Outcome').selectOption('Failed')
  await eventually(async () => assert.equal(await page.getByRole('row').count(), 2))
  assert.match(page.url(), /key=\d+&failed=true/)
  await page.getByLabel('Key').selectOption('Unused')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await button('Clear filters').click()
  await eventually(async () => assert.equal(await page.getByRole('row').count(), 3))

  await tab('API keys')
  await page.getByRole('button', { name: 'Actions for Web shop' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog(page, 'Revoke Web shop?').getByRole('button', { name: 'Revoke key' }).click()
  await row(page, 'Web shop').getByText('Revoked').waitFor()
  assert.equal((await asShop('GET /api/external/products')).status, 401)
  await eventually(async () =>
    assert.equal(await page.getByRole('button', { name: 'Actions for Web shop' }).count(), 0),
  )
})

test('the stock check says that everything adds up, or what differs and why', async () => {
  const mug = await company.product(5, { name: 'Mug <b>', sku: 'MUG-1' })
  await tab('Stock check')
  await button('Check stock').click()
  await page.getByText('Everything adds up').waitFor()
  const { total } = (await api('GET /api/inventory?limit=1')).body
  assert.match(
    await page.getByRole('status').filter({ hasText: 'Stock rows' }).innerText(),
    new RegExp(`Stock rows\\s+${total}\\b`),
  )
  await inspect(page, 'inventory-settings-stock-check')
  await system.sql`update inventory.stock set reserved_quantity = 1 where product_id = ${mug}`
  await button('Check stock').click()
  await page.getByText('1 difference found').waitFor()
  await page.getByRole('link', { name: /Mug <b>/ }).waitFor()
  await inspect(page, 'inventory-settings-differences')
  await button('Why?').click()
  await dialog(page, 'Why 5?').getByText('+5').waitFor()
  await page.keyboard.press('Escape')
  assertQuiet(troubles)
})
