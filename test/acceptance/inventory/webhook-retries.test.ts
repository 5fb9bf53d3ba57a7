import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { password } from '#test/support/factories.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })
const dayMs = 86_400_000

/** Tokens expire while the clock is moved. */
const signedIn = async ({ email }: Shop) => {
  const { body } = await system.inventory('POST /api/auth/login', { body: { email, password } })
  return system.inventory.bearer(body.token)
}
const oldestFirst = async (s: Shop, id: string) =>
  (await (await signedIn(s))(`GET /api/webhooks/${id}/deliveries`)).body.deliveries.toReversed()

test('a delivery is tried again after the agreed times, then it is dead, and the next of its subject is sent', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  const product = await s.product()
  receiver.respond((res) => res.writeHead(503).end('x'.repeat(3_000)))
  const { id } = await s.created('POST /api/webhooks', { url: receiver.url, types: ['stock.changed'] })
  await s.adjust(product, 1)
  await s.adjust(product, 1)
  const delays = [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400]
  for (const [n, seconds] of delays.entries()) {
    const [first] = await eventually(async () => {
      const found = await oldestFirst(s, id)
      const attempts = found.map((delivery: { attempts: number }) => delivery.attempts)
      assert.deepEqual(attempts, [n + 1, 0], 'the later one of the subject waits')
      return found
    })
    assert.deepEqual([first.status, first.response_status], ['pending', 503])
    assert.equal(first.error, 'The receiver responded with 503')
    assert.equal(first.response_body.length, 1024)
    const wait = Date.parse(first.next_attempt_at) - system.clock.now().getTime()
    assert.ok(wait <= seconds * 1_200 && wait >= seconds * 800 - 5_000, `attempt ${n + 1}: ${wait} ms`)
    system.clock.advance(wait + 1)
  }
  await eventually(async () => {
    const [first, second] = await oldestFirst(s, id)
    assert.deepEqual([first.status, first.attempts, second.attempts], ['dead', 11, 1])
  })
})

test('five days without a success switch a webhook off, and those who manage it get a mail', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(500).end())
  const { id } = await s.created('POST /api/webhooks', { url: receiver.url, types: ['product.created'] })
  await s.product()
  await receiver.until(1)
  await eventually(async () => assert.equal((await oldestFirst(s, id))[0].attempts, 1))
  system.clock.advance(5 * dayMs + 1_000)
  await eventually(async () => {
    const webhook = (await (await signedIn(s))(`GET /api/webhooks/${id}`)).body
    assert.equal(webhook.is_active, false)
    assert.match(webhook.switched_off, /five days/)
  })
  await eventually(async () => {
    const outbox = join(system.dataDir, 'outbox')
    const mails = await Promise.all(
      (await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')),
    )
    assert.ok(mails.some((mail) => mail.includes(s.email) && mail.includes('switched off')))
  })
})

test('for a day after a rotation deliveries carry signatures of both secrets', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  const { id, secret } = await s.created('POST /api/webhooks', { url: receiver.url })
  const rotated = (await (await signedIn(s))(`POST /api/webhooks/${id}/rotate`)).body.secret
  const verifies = async (key: string) => {
    assert.equal((await (await signedIn(s))(`POST /api/webhooks/${id}/test`)).status, 200)
    const { text, headers } = receiver.received.at(-1)!
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    return headers['webhook-signature']!.split(' ').includes(
      new Webhook(key).sign(headers['webhook-id']!, at, text),
    )
  }
  assert.deepEqual([await verifies(secret), await verifies(rotated)], [true, true])
  system.clock.advance(dayMs + 1_000)
  assert.deepEqual([await verifies(secret), await verifies(rotated)], [false, true])
})

test('an event that was removed is no longer read or delivered, and who reads on from before it is told', async () => {
  const s = await shop(system)
  const api = await signedIn(s)
  const start = (await api('GET /api/events')).body.next
  await api('POST /api/products', { body: { name: 'P', sku: 'P', base_price: '1.00' } })
  const [first] = (await api(`GET /api/events?after=${start}`)).body.events
  await api('POST /api/customers', { body: { name: 'C' } })
  const { removeOldEvents } = await import('#events/retention.ts')
  const later = { ...system.platform, clock: { now: () => new Date(Date.now() + 31 * dayMs) } }
  await removeOldEvents(later, 'inventory')
  assert.deepEqual((await api('GET /api/events')).body.events, [])
  for (const after of [start, first.id]) {
    const { status, body } = await api(`GET /api/events?after=${after}`)
    assert.equal(status, 410, JSON.stringify(body))
    assert.deepEqual((await api(`GET /api/events?after=${body.after}`)).body.events, [])
  }
  const { status } = await api(`GET /api/events?after=${first.id}&types=product.*`)
  assert.equal(status, 200, 'nothing of these types after it was removed')
  await api('POST /api/customers', { body: { name: 'D' } })
  assert.equal((await api('GET /api/events')).body.events[0].data.name, 'D')
})

test('deliveries are removed after 30 days, and newer ones of the same webhook stay', async (t) => {
  const s = await shop(system)
  const api = await signedIn(s)
  const receiver = await startReceiver(t)
  const webhook = await api('POST /api/webhooks', { body: { url: receiver.url, types: ['product.created'] } })
  const { id } = webhook.body
  const addProduct = async (sku: string, count: number) => {
    await api('POST /api/products', { body: { name: 'P', sku, base_price: '1.00' } })
    await receiver.until(count)
    return eventually(async () => {
      const found = await oldestFirst(s, id)
      assert.deepEqual([found.length, found.at(-1).status], [count, 'succeeded'])
      return found
    })
  }
  await addProduct('A', 1)
  await addProduct('B', 2)
  await system.sql`update platform.deliveries set created_at = created_at - interval '20 days' where webhook_id = ${id}`
  const [, , third] = await addProduct('C', 3)
  const { removeOldEvents } = await import('#events/retention.ts')
  const after = (days: number) => ({
    ...system.platform,
    clock: { now: () => new Date(system.clock.now().getTime() + days * dayMs) },
  })
  await removeOldEvents(after(5), 'inventory')
  assert.equal((await oldestFirst(s, id)).length, 3)
  await removeOldEvents(after(15), 'inventory')
  assert.deepEqual(await oldestFirst(s, id), [third])
  await removeOldEvents(after(31), 'inventory')
  assert.deepEqual(await oldestFirst(s, id), [])
})
