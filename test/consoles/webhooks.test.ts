import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { verifyWebhook } from '#sdk/webhooks.ts'
import { eventually } from '#test/support/eventually.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { createBucket } from '#test/support/storage.ts'
import { assertQuiet, openAsMember, openAsOwner, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
const receiver = await startReceiver({ after } as TestContext)
const { page, owner, troubles } = await openAsOwner(console, '/webhooks')
type Webhook = { id: string; url: string; types: string[]; description: string | null; is_active: boolean }
const webhooks = async () => (await owner.api('GET /webhooks')).body.webhooks as Webhook[]
const deliveries = page.getByRole('table', { name: 'Deliveries' })
const isSigned = async (secret: string) => {
  const { text, headers } = receiver.received.at(-1)!
  await verifyWebhook({ secret, headers, body: text })
}

test('a new webhook shows its signing secret once', async () => {
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'New webhook' })
  await dialog.getByLabel('URL').fill('ftp://example.com')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await dialog.locator('.field-error').waitFor()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByLabel('All events').uncheck()
  await dialog.getByLabel('bucket.*').check()
  await dialog.getByLabel('object.created').check()
  await dialog.getByLabel('Description').fill('Makes <b>thumbnails</b>')
  await inspect(page, 'webhooks-new')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Signing secret' })
  const secret = (await shown.locator('code').textContent()) as string
  assert.match(secret, /^whsec_/)
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: receiver.url }).waitFor()
  const [webhook] = await webhooks()
  assert.deepEqual(webhook?.types, ['bucket.*', 'object.created'])
  assert.equal(webhook?.description, 'Makes <b>thumbnails</b>')
  await createBucket(owner.api, 'first')
  await receiver.until(1)
  await isSigned(secret)
  await inspect(page, 'webhooks')
})

test('a webhook has a page with its deliveries, which appear as they happen', async () => {
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('heading', { name: receiver.url }).waitFor()
  await deliveries.getByRole('row', { name: 'bucket.created' }).getByText('Succeeded').waitFor()
  receiver.respond((res) => res.writeHead(500).end('<script>document.title="run"</script>'))
  await createBucket(owner.api, 'second')
  await deliveries.getByText('Pending').waitFor()
  await eventually(async () => assert.ok(receiver.received.length >= 2))
  await deliveries.getByText('HTTP 500').or(deliveries.getByText(/500/)).first().waitFor()
  await inspect(page, 'webhook')
  await deliveries.getByRole('button', { name: 'bucket.created' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'bucket.created' })
  await drawer.getByText('<script>document.title="run"</script>').waitFor()
  assert.notEqual(await page.title(), 'run')
  await inspect(page, 'webhook-delivery')
  receiver.respond((res) => res.writeHead(204).end())
  const before = receiver.received.length
  await drawer.getByRole('button', { name: 'Retry' }).click()
  await receiver.until(before + 1)
  await drawer.getByText('Succeeded').waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed')
  await page.waitForURL(/status=dead/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await deliveries.getByText('Succeeded').first().waitFor()
})

test('a test event is sent, and its answer shown', async () => {
  receiver.respond((res) => res.writeHead(202).end('got it'))
  await page.getByRole('button', { name: 'Send test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test event' })
  await dialog.getByText('HTTP 202').waitFor()
  await dialog.getByText('got it').waitFor()
  assert.equal(receiver.received.at(-1)?.body.type, 'webhook.test')
  await dialog.getByRole('button', { name: 'Close' }).click()
})

test('a rotated secret signs from now on', async () => {
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  const shown = page.getByRole('dialog', { name: 'New signing secret' })
  const secret = (await shown.locator('code').textContent()) as string
  await shown.getByRole('button', { name: 'Done' }).click()
  const before = receiver.received.length
  await createBucket(owner.api, 'third')
  await receiver.until(before + 1)
  await isSigned(secret)
})

test('events are replayed from a time on', async () => {
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Replay' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay events' })
  await inspect(page, 'webhook-replay')
  await dialog.getByRole('button', { name: 'Replay events' }).click()
  await page.getByRole('status').getByText('3 events will be sent again').waitFor()
  await receiver.until(before + 3)
})

test('a webhook is edited, switched off and on, and deleted after a question', async () => {
  const act = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
  await dialog.getByLabel('Description').fill('')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await webhooks())[0]?.description, null)
  await act('Switch off')
  await page.getByText('Off', { exact: true }).waitFor()
  assert.equal((await webhooks())[0]?.is_active, false)
  await act('Switch on')
  await page.getByText('On', { exact: true }).waitFor()
  await act('Delete')
  await page
    .getByRole('dialog', { name: 'Delete webhook?' })
    .getByRole('button', { name: 'Delete webhook' })
    .click()
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  assert.deepEqual(await webhooks(), [])
})

test('admins manage webhooks, members are told that they may not', async () => {
  const admin = await openAsMember(console, owner, 'admin', '/webhooks')
  await admin.page.getByRole('button', { name: 'New webhook' }).waitFor()
  const member = await openAsMember(console, owner, 'member', '/webhooks')
  await member.page.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
  await page.goto(console.address('/webhooks/01a1e039-6806-7000-ad0f-f002d2322e3d'))
  await page.getByRole('alert').getByText('Webhook not found').waitFor()
  assertQuiet(troubles, [400, 404])
  for (const quiet of [admin.troubles, member.troubles]) assertQuiet(quiet)
})
