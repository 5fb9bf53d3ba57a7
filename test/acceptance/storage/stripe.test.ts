import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Stripe } from 'stripe'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

/** Stands in for Stripe's API: records requests and responds as the API documents. */
const asked: { path: string; authorization: string; key: string; form: URLSearchParams }[] = []
let failing = false
const api = createServer(async (req, res) => {
  let text = ''
  for await (const chunk of req) text += chunk
  const form = new URLSearchParams(text)
  asked.push({
    path: `${req.method} ${req.url}`,
    authorization: req.headers.authorization ?? '',
    key: String(req.headers['idempotency-key']),
    form,
  })
  res.setHeader('content-type', 'application/json')
  if (failing) {
    res.statusCode = 402
    return res.end('{"error":{"type":"card_error","message":"sk_test_secret was not accepted"}}')
  }
  const id = `pi_${asked.length}`
  return res.end(
    JSON.stringify({
      id,
      object: 'payment_intent',
      client_secret: `${id}_secret_x`,
      amount: Number(form.get('amount')),
    }),
  )
}).listen(0, '127.0.0.1')
await once(api, 'listening')
after(() => api.close())

const webhookSecret = 'whsec_test'
const system = await boot({
  env: {
    STRIPE_SECRET_KEY: 'sk_test_secret',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
  },
})
const { storage, clock } = system
const wanted = { storageTier: 'storage-1000', bandwidthTier: 'bandwidth-500', termMonths: 12 }

const { webhooks } = new Stripe('sk_test_unused')
const send = (event: object, more: { secret?: string; timestamp?: number; altered?: boolean } = {}) => {
  const payload = JSON.stringify({ object: 'event', ...event })
  const timestamp = more.timestamp ?? Math.floor(clock.now().getTime() / 1000)
  const signature = webhooks.generateTestHeaderString({
    payload,
    secret: more.secret ?? webhookSecret,
    timestamp,
  })
  return storage('POST /billing/webhook', {
    raw: more.altered ? payload.replace('pi_', 'pi_9') : payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  })
}
const event = (id: string, type: string, reference: string) => ({
  id,
  type,
  data: { object: { id: reference, object: 'payment_intent' } },
})
const buy = async () => {
  const owner = await storageOwner(system)
  const { body } = await owner.api('POST /billing/purchase', { body: wanted })
  const plan = async () => (await owner.api('GET /billing/plan')).body
  return {
    ...owner,
    plan,
    clientSecret: body.clientSecret,
    reference: body.clientSecret.split('_secret')[0] as string,
  }
}

test('a purchase creates a Stripe payment intent and returns its client secret', async () => {
  const { api, reference, clientSecret } = await buy()
  const { path, authorization, key, form } = asked.at(-1)!
  assert.equal(path, 'POST /v1/payment_intents')
  assert.equal(authorization, 'Bearer sk_test_secret')
  assert.deepEqual([form.get('amount'), form.get('currency')], [String((1200 + 200) * 12), 'usd'])
  assert.match(key, /^[0-9a-f-]{36}$/)
  assert.equal(form.get('metadata[payment_id]'), key)
  assert.equal(clientSecret, `${reference}_secret_x`)
  assert.equal((await api('POST /billing/sandbox/confirm', { body: { clientSecret } })).status, 404)
})

test('a signed Stripe event activates the plan once, however often it arrives', async () => {
  const { api, plan, reference } = await buy()
  const before = await plan()
  const paid = event('evt_paid', 'payment_intent.succeeded', reference)
  const answers = await Promise.all([
    send(paid),
    send(paid),
    send({ ...paid, id: 'evt_paid_again' }),
    send(paid),
  ])
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, { received: true }])
  const now = await plan()
  assert.equal(now.plan_status, 'active')
  assert.equal(now.storage_tier, 'storage-1000')
  const [from, until] = [new Date(before.plan_expires_at), new Date(now.plan_expires_at)]
  assert.equal(until.getUTCFullYear(), from.getUTCFullYear() + 1)
  assert.equal(until.getUTCMonth(), from.getUTCMonth())
  assert.equal((await api('GET /billing/charges')).body[0].status, 'succeeded')
  assert.equal((await api('GET /audit-logs?action=plan.activated')).body.total, 1)
})

test('a failed payment may succeed later; a succeeded one stays so', async () => {
  const { api, plan, reference } = await buy()
  const status = async () => (await api('GET /billing/charges')).body[0].status
  await send(event('evt_f1', 'payment_intent.payment_failed', reference))
  assert.deepEqual([await status(), (await plan()).plan_status], ['failed', 'trial'])
  await send(event('evt_f2', 'payment_intent.succeeded', reference))
  await send(event('evt_f3', 'payment_intent.canceled', reference))
  assert.deepEqual([await status(), (await plan()).plan_status], ['succeeded', 'active'])
})

test('Stripe events with a wrong, altered, old or missing signature are refused', async () => {
  const { plan, reference } = await buy()
  const paid = event('evt_forged', 'payment_intent.succeeded', reference)
  const old = Math.floor(clock.now().getTime() / 1000) - 3600
  for (const more of [{ secret: 'whsec_other' }, { timestamp: old }, { altered: true }]) {
    const { status, body } = await send(paid, more)
    assert.equal(status, 400)
    assert.doesNotMatch(body.message, /whsec|pi_/)
  }
  for (const raw of ['', '{', JSON.stringify(paid)])
    assert.equal(
      (await storage('POST /billing/webhook', { raw, headers: { 'content-type': 'application/json' } }))
        .status,
      400,
    )
  assert.equal((await plan()).plan_status, 'trial')
})

test('Stripe events of other types and about unknown payments are ignored', async () => {
  assert.equal((await send(event('evt_o1', 'customer.created', 'cus_1'))).status, 200)
  assert.equal((await send(event('evt_o2', 'payment_intent.succeeded', 'pi_unknown'))).status, 200)
})

test('when Stripe refuses, the response is 503 without its message, and nothing is charged', async () => {
  const { api } = await storageOwner(system)
  failing = true
  const { status, body } = await api('POST /billing/purchase', { body: wanted })
  failing = false
  assert.equal(status, 503)
  assert.doesNotMatch(body.message, /sk_test/)
  assert.deepEqual((await api('GET /billing/charges')).body, [])
})
