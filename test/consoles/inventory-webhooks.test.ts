import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, type TestContext, test } from 'node:test'
import { verifyWebhook } from '#sdk/webhooks.ts'
import { eventually } from '#test/support/eventually.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { assertQuiet } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { dialog, openColleague, openShop, row, startInventory } from './support/inventory.ts'

const service = await startInventory({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
const receiver = await startReceiver({ after } as TestContext)
const { company, page, troubles } = await openShop(service, '/webhooks')
const webhooks = async () => (await company.api('GET /api/webhooks')).body.webhooks
const isSigned = async (secret: string) => {
  const { text, headers } = receiver.received.at(-1)!
  await verifyWebhook({ secret, headers, body: text })
}
const secretIn = async (title: string) => {
  const shown = dialog(page, title)
  const secret = (await shown.locator('code').textContent()) as string
  await shown.getByRole('button', { name: 'Done' }).click()
  return secret
}

test('a webhook is created for some of all the types that there are, and receives signed events', async () => {
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = dialog(page, 'New webhook')
  await form.getByLabel('URL').fill(receiver.url)
  await form.getByLabel('All events').uncheck()
  const { webhooks: types } = JSON.parse(
    await readFile(new URL('../../docs/openapi/inventory.json', import.meta.url), 'utf8'),
  )
  const offered = await form.locator('label code').allInnerTexts()
  assert.deepEqual(
    offered.filter((type) => !type.endsWith('*')),
    Object.keys(types),
  )
  await form.getByLabel('order.*', { exact: true }).check()
  await form.getByLabel('stock.low').check()
  await inspect(page, 'inventory-webhooks-new')
  await form.getByRole('button', { name: 'Create webhook' }).click()
  const secret = await secretIn('Signing secret')
  await row(page, receiver.url).waitFor()
  assert.deepEqual((await webhooks())[0].types, ['order.*', 'stock.low'])
  const mug = await company.product(5)
  await company.order([[mug, 1]])
  await receiver.until(1)
  assert.equal(receiver.received[0]?.body.type, 'order.created')
  await isSigned(secret)
})

test('its page shows deliveries, sends a test, retries, rotates the secret and deletes it', async () => {
  await page.getByRole('link', { name: receiver.url }).click()
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await deliveries.getByRole('row', { name: 'order.created' }).getByText('Succeeded').waitFor()
  receiver.respond((res) => res.writeHead(202).end('got it'))
  await page.getByRole('button', { name: 'Send test' }).click()
  await dialog(page, 'Test event').getByText('HTTP 202').waitFor()
  assert.equal(receiver.received.at(-1)?.body.type, 'webhook.test')
  await dialog(page, 'Test event').getByRole('button', { name: 'Close' }).click()
  await inspect(page, 'inventory-webhook')
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  const secret = await secretIn('New signing secret')
  const before = receiver.received.length
  await deliveries.getByRole('button', { name: 'order.created', exact: true }).click()
  await dialog(page, 'order.created').getByRole('button', { name: 'Retry' }).click()
  await receiver.until(before + 1)
  await isSigned(secret)
  await dialog(page, 'order.created').getByRole('button', { name: 'Close' }).click()
  const [{ id }] = await webhooks()
  await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page, 'Delete webhook?').getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  assert.deepEqual(await webhooks(), [])
  // The page polls the webhook, perhaps while it is being deleted. Nothing else may fail.
  assertQuiet(troubles.filter((text) => !text.includes('status of 404') || !text.includes(id)))
})

test('a Manager may not open webhooks, and is not offered them', async () => {
  const manager = await openColleague(service, company, 'Manager', '/webhooks')
  await manager.page.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
  const navigation = manager.page.getByRole('navigation', { name: 'Main' })
  await eventually(async () =>
    assert.equal(await navigation.getByRole('link', { name: 'Webhooks' }).count(), 0),
  )
  assertQuiet(manager.troubles)
})
