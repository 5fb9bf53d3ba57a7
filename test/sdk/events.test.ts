import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createInventory, createPublishing, TrivetError, verifyWebhook } from '#sdk/index.ts'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, publisher } from '#test/support/factories.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { cableTo } from './cable.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })

test('events are read without gap or repetition, although the connection is lost in between', async (t) => {
  const { token } = await inventoryAdmin(system)
  const direct = createInventory({ baseUrl: system.urls.inventory, token })
  const cable = await cableTo(t, system.urls.inventory)
  const reading = createInventory({ baseUrl: cable.url, token })
  const create = (n: number) =>
    direct.POST('/api/products', { body: { name: `P${n}`, sku: `P-${n}`, base_price: '1.00' } })

  const ending = new AbortController()
  const opened = Promise.withResolvers<void>()
  const seen: unknown[] = []
  const reader = (async () => {
    const options = { types: ['product.*'], signal: ending.signal, onOpen: opened.resolve }
    for await (const { type, data } of reading.events(options)) {
      seen.push([type, data.sku])
      if (seen.length === 2) {
        cable.pull()
        await create(3)
        cable.plugIn()
        await create(4)
      }
      if (seen.length === 4) ending.abort()
    }
  })()
  await opened.promise
  await create(1)
  await create(2)
  await reader
  assert.deepEqual(
    seen,
    [1, 2, 3, 4].map((n) => ['product.created', `P-${n}`]),
  )
})

test('a stream that the server refuses is an error, not a new attempt', async () => {
  const anonymous = createInventory({ baseUrl: system.urls.inventory })
  await assert.rejects(
    () => anonymous.events().next(),
    (error) => error instanceof TrivetError && error.status === 401,
  )
})

test('public events of publishing need no account', async () => {
  const writer = await publisher(system)
  const publishing = createPublishing({ baseUrl: system.urls.publishing, token: writer.token })
  const visitor = createPublishing({ baseUrl: system.urls.publishing })
  const opened = Promise.withResolvers<void>()
  const events = visitor.events({ query: { scope: 'public' }, onOpen: opened.resolve })
  const first = events.next()
  await opened.promise
  await publishing.POST('/api/posts', { body: { content: 'Good morning' } })
  const { value } = await first
  assert.equal(value?.type, 'post.created')
  await events.return()
})

test('a delivery is verified with its secret, and refused if anything of it was changed', async (t) => {
  const { token } = await inventoryAdmin(system)
  const inventory = createInventory({ baseUrl: system.urls.inventory, token })
  const receiver = await startReceiver(t)
  const { data: webhook } = await inventory.POST('/api/webhooks', { body: { url: receiver.url } })
  await inventory.POST('/api/customers', { body: { name: 'Ada' } })
  await receiver.until(1)
  const { headers, text: body } = receiver.received[0]!
  const { secret } = webhook
  const event = await verifyWebhook({ secret, headers, body })
  assert.equal(event.type, 'customer.created')
  assert.equal(event.id, headers['webhook-id'])
  assert.deepEqual(new Webhook(secret).verify(body, headers), event)
  const other = `whsec_${Buffer.alloc(32).toString('base64')}`
  assert.equal((await verifyWebhook({ secret: [other, secret], headers, body })).id, event.id)

  const refused = { name: 'WebhookVerificationError' }
  await assert.rejects(verifyWebhook({ secret: other, headers, body }), refused)
  await assert.rejects(verifyWebhook({ secret, headers, body: body.replace('Ada', 'Eve') }), refused)
  await assert.rejects(
    verifyWebhook({ secret, headers: { ...headers, 'webhook-id': 'evt_1' }, body }),
    refused,
  )
  const late = { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) }
  await assert.rejects(verifyWebhook({ secret, headers: late, body }), refused)
  const { 'webhook-signature': _, ...unsigned } = headers
  await assert.rejects(verifyWebhook({ secret, headers: unsigned, body }), refused)
})
