import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })

const hook = (s: Shop, url: string, more: object = {}) => s.created('POST /api/webhooks', { url, ...more })
const deliveries = async (s: Shop, id: string, query = '') =>
  (await s.api(`GET /api/webhooks/${id}/deliveries${query}`)).body.deliveries

const importProducts = (s: Shop, count: number) => {
  const lines = Array.from({ length: count }, (_, n) => `S${n},P${n},1.00`)
  const raw = ['sku,name,base_price', ...lines].join('\n')
  return s.api('POST /api/products/import', { raw, headers: { 'content-type': 'text/csv' } })
}

test('each event is sent as JSON with its id and a signature that the library of the standard verifies', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  const { id, secret, ...webhook } = await hook(s, receiver.url, {
    description: 'Orders',
    types: ['product.*'],
  })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(webhook.is_active, true)
  const product = await s.product(3)
  const [message] = await receiver.until(1)
  const { events } = (await s.api(`GET /api/events?subject=product/${product}&types=product.*`)).body
  assert.deepEqual(message!.body, events[0])
  assert.equal(message!.headers['webhook-id'], events[0].id)
  assert.equal(message!.headers['content-type'], 'application/json')
  assert.ok(new Webhook(secret).verify(message!.text, message!.headers))
  assert.throws(() => new Webhook(`whsec_${btoa('x'.repeat(32))}`).verify(message!.text, message!.headers))
  const [delivery] = await eventually(async () => {
    const found = await deliveries(s, id, '?status=succeeded')
    assert.equal(found.length, 1)
    return found
  })
  assert.equal(delivery.event_id, events[0].id)
  assert.deepEqual([delivery.attempts, delivery.response_status, delivery.error], [1, 204, null])
  const read = (await s.api(`GET /api/webhooks/${id}`)).body
  assert.deepEqual([read.url, read.description, read.types], [receiver.url, 'Orders', ['product.*']])
  assert.equal('secret' in read, false)
  await sleep(100)
  assert.equal(receiver.received.length, 1, 'other types are not sent')
})

test('events of one subject arrive in order, and wait for an earlier one that fails', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  let isBroken = true
  const [a, b] = [await s.product(), await s.product()]
  receiver.respond((res, { body }) =>
    res.writeHead(isBroken && body.subject === `product/${a}` ? 500 : 200).end('ok'),
  )
  const { id } = await hook(s, receiver.url)
  for (let n = 0; n < 3; n++) await Promise.all([s.adjust(a, 1), s.adjust(b, 1)])
  const of = (product: number) =>
    receiver.received.filter(({ body }) => body.subject === `product/${product}`)
  await eventually(async () => assert.equal(of(b).length, 4))
  assert.equal(new Set(of(a).map(({ body }) => body.id)).size, 1, 'only the first of the subject was tried')
  isBroken = false
  system.clock.advance(10_000)
  await eventually(async () =>
    assert.equal((await deliveries(s, id, '?status=succeeded&limit=200')).length, 8),
  )
  const ids = of(a).map(({ body }) => body.id)
  assert.deepEqual(ids, [...ids].sort())
  const last = of(b).map(({ body }) => body.id)
  assert.deepEqual(last, [...last].sort())
})

test('a receiver that responds 410 is switched off at once, and can be switched on again', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(410).end())
  const { id } = await hook(s, receiver.url, { types: ['product.created'] })
  await s.product()
  await eventually(async () => {
    const webhook = (await s.api(`GET /api/webhooks/${id}`)).body
    assert.deepEqual([webhook.is_active, webhook.switched_off], [false, 'The receiver responded with 410'])
  })
  const missed = await s.product()
  receiver.respond((res) => res.writeHead(200).end())
  const start = (await s.api('GET /api/events')).body.events[0].id
  await s.api(`PATCH /api/webhooks/${id}`, { body: { is_active: true } })
  const { status, body } = await s.api(`POST /api/webhooks/${id}/replay`, { body: { after: start } })
  assert.deepEqual([status, body.replayed], [202, 1])
  await eventually(async () => assert.ok(receiver.received.some(({ body }) => body.data.id === missed)))
})

test('late, silent, redirecting and endless receivers are what they are, and delay nobody else', {
  timeout: 60_000,
}, async (t) => {
  const s = await shop(system)
  const [silent, elsewhere, redirecting, endless, well] = await Promise.all(
    Array.from({ length: 5 }, () => startReceiver(t)),
  )
  silent!.respond(() => {})
  redirecting!.respond((res) => res.writeHead(302, { location: elsewhere!.url }).end())
  endless!.respond((res) => {
    res.writeHead(200)
    const pour = () => {
      if (!res.destroyed) res.write('x'.repeat(65_536), () => setTimeout(pour, 1))
    }
    pour()
  })
  const ids: string[] = []
  for (const { url } of [silent!, redirecting!, endless!, well!])
    ids.push((await hook(s, url, { types: ['product.created'] })).id)
  const begun = performance.now()
  for (let n = 0; n < 5; n++) await s.product()
  await well!.until(5)
  assert.ok(performance.now() - begun < 3_000)
  await eventually(async () => {
    const [delivery] = await deliveries(s, ids[2]!, '?status=succeeded')
    assert.equal(delivery.response_body, 'x'.repeat(1024))
    const [redirected] = await deliveries(s, ids[1]!)
    assert.equal(redirected.response_status, 302)
  })
  await eventually(async () => {
    const found = await deliveries(s, ids[0]!)
    assert.ok(found.some(({ error }: { error: string }) => error === 'There was no response within 10 s'))
  })
  assert.ok(silent!.most <= 8)
  assert.equal(elsewhere!.received.length, 0)
})

test('a webhook has at most 8 deliveries at once', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  receiver.respond((res) => setTimeout(() => res.writeHead(200).end(), 150))
  await hook(s, receiver.url, { types: ['product.created'] })
  await importProducts(s, 100)
  await receiver.until(100)
  assert.equal(receiver.most, 8)
})

test('a receiver that is down is tried once in a while, and gets everything soon after it works again', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(500).end())
  const { id } = await hook(s, receiver.url, { types: ['product.created'] })
  const count = 300
  await importProducts(s, count)
  await receiver.until(10)
  const before = receiver.received.length
  await sleep(500)
  const tried = receiver.received.length - before
  assert.ok(tried <= 15, `${tried} attempts in half a second`)
  await receiver.until(before + 1)
  receiver.respond((res) => res.writeHead(200).end())
  system.clock.advance(7_000)
  await eventually(async () =>
    assert.equal((await s.api(`GET /api/webhooks/${id}/deliveries?status=succeeded`)).body.total, count),
  )
})

test('test sends an event at once that is not among the events one reads', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(202).end('thanks'))
  const { id, secret } = await hook(s, receiver.url)
  const { status, body } = await s.api(`POST /api/webhooks/${id}/test`)
  assert.equal(status, 200)
  assert.deepEqual([body.response_status, body.response_body, body.error], [202, 'thanks', null])
  const [message] = receiver.received
  assert.equal(message!.body.type, 'webhook.test')
  assert.ok(new Webhook(secret).verify(message!.text, message!.headers))
  assert.deepEqual((await s.api('GET /api/events')).body.events, [])
})

test('a delivery can be made again, and events replayed', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  const { id } = await hook(s, receiver.url, { types: ['product.created'] })
  const start = (await s.api('GET /api/events')).body.next
  for (let n = 0; n < 3; n++) await s.product()
  await receiver.until(3)
  await eventually(async () => assert.equal((await deliveries(s, id, '?status=succeeded')).length, 3))
  const [newest] = await deliveries(s, id)
  assert.equal((await s.api(`POST /api/webhooks/${id}/deliveries/${newest.id}/retry`)).status, 202)
  await receiver.until(4)
  assert.equal(receiver.received[3]!.headers['webhook-id'], newest.event_id)
  const { events } = (await s.api(`GET /api/events?after=${start}`)).body
  const replay = (body: object) => s.api(`POST /api/webhooks/${id}/replay`, { body })
  assert.equal((await replay({ after: start, until: events[1].id })).body.replayed, 2)
  await receiver.until(6)
  assert.equal((await replay({ after: start, types: ['stock.*'] })).body.replayed, 0)
  assert.equal((await replay({ after: 'x' })).status, 400)
  const page = (await s.api(`GET /api/webhooks/${id}/deliveries?page=2&limit=2`)).body
  assert.deepEqual([page.total, page.page, page.limit, page.deliveries.length], [5, 2, 2, 2])
})

test('a manual retry goes ahead of everything that is due', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  const { id } = await hook(s, receiver.url, { types: ['product.created'] })
  await s.product()
  await receiver.until(1)
  const [done] = await eventually(async () => {
    const found = await deliveries(s, id, '?status=succeeded')
    assert.equal(found.length, 1)
    return found
  })
  receiver.respond((res) => setTimeout(() => res.writeHead(200).end(), 300))
  await importProducts(s, 200)
  await receiver.until(9)
  assert.equal((await s.api(`POST /api/webhooks/${id}/deliveries/${done.id}/retry`)).status, 202)
  const isAgain = ({ headers }: { headers: Record<string, string> }) =>
    headers['webhook-id'] === done.event_id
  await eventually(async () => assert.equal(receiver.received.filter(isAgain).length, 2))
  const place = receiver.received.findLastIndex(isAgain)
  assert.ok(place < 40, `it was number ${place}`)
  assert.ok(receiver.most <= 8)
})

test('a manual retry does not wait for the only attempt at a receiver that is down', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(500).end())
  const { id } = await hook(s, receiver.url, { types: ['product.created'] })
  await importProducts(s, 30)
  await eventually(async () => {
    const tried = (await deliveries(s, id)).filter(({ attempts }: { attempts: number }) => attempts > 0)
    assert.ok(tried.length > 8, 'it is not known yet that the receiver is down')
  })
  receiver.respond(() => {})
  await receiver.until(receiver.received.length + 1)
  const [newest] = await deliveries(s, id)
  const isNewest = ({ headers }: { headers: Record<string, string> }) =>
    headers['webhook-id'] === newest.event_id
  const before = receiver.received.filter(isNewest).length
  const retry = async () =>
    assert.equal((await s.api(`POST /api/webhooks/${id}/deliveries/${newest.id}/retry`)).status, 202)
  await retry()
  await eventually(() => assert.equal(receiver.received.filter(isNewest).length, before + 1))
  await retry()
  await sleep(100)
  assert.equal(receiver.now, 2, 'nothing else is attempted, however often one is asked for')
})

test('while a webhook is off nothing is queued for it', async (t) => {
  const s = await shop(system)
  const receiver = await startReceiver(t)
  const { id } = await hook(s, receiver.url)
  await s.api(`PATCH /api/webhooks/${id}`, { body: { is_active: false } })
  await s.product()
  await s.api(`PATCH /api/webhooks/${id}`, { body: { is_active: true } })
  const second = await s.product()
  const [message] = await receiver.until(1)
  assert.equal(message!.body.data.id, second)
})

test('twenty webhooks, of Admins alone, and none of another tenant', async () => {
  const [s, other] = [await shop(system), await shop(system)]
  const url = 'https://example.com/hook'
  let first = ''
  for (let n = 0; n < 20; n++) first = (await hook(s, url)).id
  const { status, body } = await s.api('POST /api/webhooks', { body: { url } })
  assert.equal(status, 409)
  assert.match(body.error, /at most 20/)
  const list = (await s.api('GET /api/webhooks')).body
  assert.deepEqual([list.webhooks.length, list.total], [20, 20])
  for (const call of ['GET', 'PATCH', 'DELETE'])
    assert.equal(
      (await other.api(`${call} /api/webhooks/${first}`, call === 'PATCH' ? { body: {} } : {})).status,
      404,
    )
  for (const path of ['rotate', 'test'])
    assert.equal((await other.api(`POST /api/webhooks/${first}/${path}`)).status, 404)
  assert.equal((await other.api(`GET /api/webhooks/${first}/deliveries`)).status, 404)
  const manager = await s.colleague('Manager')
  assert.equal((await manager.api('GET /api/webhooks')).status, 403)
  assert.equal((await s.api(`DELETE /api/webhooks/${first}`)).status, 200)
  assert.equal((await s.api(`GET /api/webhooks/${first}`)).status, 404)
  await hook(s, url)
})

test('wrong webhooks are refused with the name of the field', async () => {
  const s = await shop(system)
  for (const [body, field] of [
    [{}, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'nonsense' }, 'url'],
    [{ url: 'https://user:pass@example.com/' }, 'url'],
    [{ url: 'https://example.com:22/' }, 'url'],
    [{ url: system.urls.inventory }, 'url'],
    [{ url: system.urls.inventory.replace('127.0.0.1', 'localhost') }, 'url'],
    [{ url: 'https://example.com', types: [] }, 'types'],
    [{ url: 'https://example.com', types: ['order.shipped'] }, 'types'],
    [{ url: 'https://example.com', types: ['webhook.test'] }, 'types'],
    [{ url: 'https://example.com', description: 'x'.repeat(501) }, 'description'],
  ] as const) {
    const { status, body: refused } = await s.api('POST /api/webhooks', { body })
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(refused.error, new RegExp(`^${field}`), JSON.stringify(body))
  }
})
