import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'

const system = await boot()
const { storage, clock } = system
const day = 86_400_000
const wanted = { storageTier: 'storage-100', bandwidthTier: 'bandwidth-500', termMonths: 2 }

const operator = operatorOf(system)
const promo = async (code: string, months: number, ...more: string[]) => {
  const command = ['storage', 'promo', 'create', '--code', code, '--months', `${months}`, ...more]
  const { code: exit, text } = await operator(...command)
  assert.equal(exit, 0, text)
}

const planOf = async ({ api }: Awaited<ReturnType<typeof storageOwner>>) =>
  (await api('GET /billing/plan')).body

/** Adds calendar months; the last day of the month if it has no such day. */
const later = (from: string, months: number) => {
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.toISOString()
}

test('the tier list has codes, quotas and prices', async () => {
  const { api } = await storageOwner(system)
  const { status, body } = await api('GET /billing/tiers')
  assert.equal(status, 200)
  assert.equal(body.currency, 'usd')
  for (const kind of ['storage', 'bandwidth']) {
    assert.ok(body[kind].length > 0)
    for (const tier of body[kind])
      assert.deepEqual(Object.keys(tier), ['code', 'name', 'quota_bytes', 'monthly_cents'])
  }
})

test('a purchase takes effect when it is paid: tiers, quotas and months', async () => {
  const owner = await storageOwner(system)
  const before = await planOf(owner)
  assert.deepEqual({ ...before, plan_expires_at: null }, {
    plan_status: 'trial',
    plan_expires_at: null,
    storage_tier: 'trial',
    bandwidth_tier: 'trial',
    storage_quota_bytes: 5 * 2 ** 30,
    bandwidth_quota_bytes: 10 * 2 ** 30,
    object_quota: 5 * 2 ** 17,
  }) // biome-ignore format: as a table
  const bought = await owner.api('POST /billing/purchase', { body: wanted })
  assert.equal(bought.status, 201)
  assert.deepEqual(Object.keys(bought.body), ['clientSecret', 'amount'])
  assert.equal(bought.body.amount, (300 + 200) * 2)
  assert.deepEqual(await planOf(owner), before)
  assert.equal((await owner.api('GET /billing/charges')).body[0].status, 'pending')

  const { clientSecret } = bought.body
  const answers = await Promise.all(
    [1, 2, 3].map(() => owner.api('POST /billing/sandbox/confirm', { body: { clientSecret } })),
  )
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, { status: 'succeeded' }])
  assert.deepEqual(await planOf(owner), {
    plan_status: 'active',
    plan_expires_at: later(before.plan_expires_at, 2),
    storage_tier: 'storage-100',
    bandwidth_tier: 'bandwidth-500',
    storage_quota_bytes: 100 * 2 ** 30,
    bandwidth_quota_bytes: 500 * 2 ** 30,
    object_quota: 100 * 2 ** 17,
  })
  const me = (await owner.api('GET /auth/me')).body.organization
  assert.deepEqual(
    [me.plan_status, me.storage_tier, me.storage_quota_bytes],
    ['active', 'storage-100', 100 * 2 ** 30],
  )
  const [charge, ...others] = (await owner.api('GET /billing/charges')).body
  assert.equal(others.length, 0)
  const { id: _, date, ...rest } = charge
  assert.ok(Math.abs(date - clock.now().getTime() / 1000) < 60)
  assert.deepEqual(rest, {
    source: 'payment',
    description: 'storage-100 + bandwidth-500, 2 months',
    amount: 1000,
    currency: 'usd',
    status: 'succeeded',
  })
  const audit = await owner.api('GET /audit-logs?limit=2')
  assert.deepEqual(
    audit.body.rows.map((row: { action: string }) => row.action),
    ['plan.activated', 'plan.purchased'],
  )
  assert.ok(!audit.text.includes(clientSecret))
})

test('an invalid purchase is refused with the name of the field', async () => {
  const { api } = await storageOwner(system)
  for (const [field, value] of [
    ['storageTier', undefined],
    ['storageTier', 'trial'],
    ['storageTier', 7],
    ['bandwidthTier', undefined],
    ['bandwidthTier', 'storage-100'],
    ['termMonths', undefined],
    ['termMonths', 0],
    ['termMonths', 1.5],
    ['termMonths', '3'],
    ['termMonths', 2 ** 31],
    ['termMonths', -1],
  ] as const) {
    const { status, body } = await api('POST /billing/purchase', { body: { ...wanted, [field]: value } })
    assert.equal(status, 400, `${field} ${value}`)
    assert.ok(body.message.startsWith(`${field} `), body.message)
  }
  assert.deepEqual((await api('GET /billing/charges')).body, [])
})

test('a purchase repeated with its Idempotency-Key is charged once', async () => {
  const { api } = await storageOwner(system)
  const headers = { 'idempotency-key': 'buy' }
  const [one, two] = [
    await api('POST /billing/purchase', { body: wanted, headers }),
    await api('POST /billing/purchase', { body: wanted, headers }),
  ]
  assert.deepEqual(one.body, two.body)
  assert.equal((await api('GET /billing/charges')).body.length, 1)
})

test('the sandbox confirms only payments of the caller, and webhooks need a signature', async () => {
  const [owner, stranger] = [await storageOwner(system), await storageOwner(system)]
  const { clientSecret } = (await owner.api('POST /billing/purchase', { body: wanted })).body
  const reference = clientSecret.split('_secret_')[0]
  for (const [api, secret] of [
    [stranger.api, clientSecret],
    [owner.api, `${clientSecret}x`],
    [owner.api, reference],
    [owner.api, 'x'],
  ] as const)
    assert.equal((await api('POST /billing/sandbox/confirm', { body: { clientSecret: secret } })).status, 404)
  const event = { id: 'evt_1', payment: { reference, outcome: 'succeeded' } }
  for (const headers of [{}, { 'x-sandbox-signature': 'x' }, { 'stripe-signature': 't=1,v1=x' }])
    assert.equal(
      (await storage('POST /billing/webhook', { body: event, headers: headers as never })).status,
      400,
    )
  assert.equal((await storage('POST /billing/webhook')).status, 400)
  assert.equal((await planOf(owner)).plan_status, 'trial')
})

test('a promo code adds its months once per organization, whatever its case', async () => {
  await promo('spring-3', 3)
  const [one, other] = [await storageOwner(system), await storageOwner(system)]
  const before = await planOf(one)
  const redeem = (api: typeof one.api, code: unknown) => api('POST /billing/redeem-promo', { body: { code } })
  const parallel = await Promise.all(Array.from({ length: 6 }, () => redeem(one.api, 'Spring-3')))
  assert.deepEqual(parallel.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400])
  const expires = later(before.plan_expires_at, 3)
  const { message, ...added } = parallel.find(({ status }) => status === 200)!.body
  assert.equal(typeof message, 'string')
  assert.deepEqual(added, { months_added: 3, plan_expires_at: expires })
  assert.deepEqual(await planOf(one), { ...before, plan_status: 'active', plan_expires_at: expires })
  assert.equal((await redeem(other.api, ' SPRING-3 ')).status, 200)
  const { id: _, date: __, ...charge } = (await one.api('GET /billing/charges')).body[0]
  assert.deepEqual(charge, {
    source: 'promo',
    description: 'Promo code SPRING-3, 3 months',
    amount: 0,
    currency: 'usd',
    status: 'succeeded',
  })
  for (const code of [undefined, '', 7, 'unknown', 'x'.repeat(65), 'a\0']) {
    const { status, body } = await redeem(one.api, code)
    assert.equal(status, 400)
    assert.match(body.message, /^code /)
  }
  const audit = await one.api('GET /audit-logs?action=promo.redeemed')
  assert.equal(audit.body.total, 1)
  assert.doesNotMatch(audit.text, /SPRING/i)
})

test('the last use of a promo code goes to one organization; an expired code to none', async () => {
  await promo('LAST', 1, '--max-uses', '1')
  await promo('OVER', 1, '--expires', new Date(clock.now().getTime() - day).toISOString().slice(0, 10))
  const owners = await Promise.all([1, 2, 3].map(() => storageOwner(system)))
  const answers = await Promise.all(
    owners.map(({ api }) => api('POST /billing/redeem-promo', { body: { code: 'LAST' } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
  assert.equal((await owners[0]!.api('POST /billing/redeem-promo', { body: { code: 'OVER' } })).status, 400)
})

test('charges are listed newest first', async () => {
  await promo('ORDER', 1)
  const { api } = await storageOwner(system)
  await api('POST /billing/purchase', { body: wanted })
  await api('POST /billing/redeem-promo', { body: { code: 'ORDER' } })
  await api('POST /billing/purchase', { body: wanted })
  const { body } = await api('GET /billing/charges')
  assert.deepEqual(
    body.map(({ source }: { source: string }) => source),
    ['payment', 'promo', 'payment'],
  )
})

test('owner and admin read billing, only the owner buys; a member does neither', async () => {
  const { api } = await storageOwner(system)
  const as = async (role: string) => {
    const email = `${crypto.randomUUID()}@example.com`
    await api('POST /members', { body: { fullName: 'Some Body', email, password, role } })
    return storage.bearer((await storage('POST /auth/login', { body: { email, password } })).body.token)
  }
  const [admin, member] = [await as('admin'), await as('member')]
  for (const path of ['plan', 'tiers', 'charges']) {
    assert.equal((await admin(`GET /billing/${path}`)).status, 200)
    assert.equal((await member(`GET /billing/${path}`)).status, 403)
  }
  for (const who of [admin, member]) {
    assert.equal((await who('POST /billing/purchase', { body: wanted })).status, 403)
    assert.equal((await who('POST /billing/redeem-promo', { body: { code: 'X' } })).status, 403)
    assert.equal((await who('POST /billing/sandbox/confirm', { body: { clientSecret: 'X' } })).status, 403)
  }
})

test('a plan expires by itself, and a payment starts it again from now', async (t) => {
  const node = await boot({ t })
  const owner = await storageOwner(node)
  node.clock.advance(14 * day - 60_000)
  const login = () => node.storage('POST /auth/login', { body: { email: owner.email, password } })
  assert.equal((await login()).body.organization.plan_status, 'trial')
  node.clock.advance(61_000)
  const { body } = await login()
  assert.equal(body.organization.plan_status, 'expired')
  const api = node.storage.bearer(body.token)
  assert.equal((await api('GET /billing/plan')).body.plan_status, 'expired')
  node.clock.advance(3600_000)
  const { clientSecret } = (await api('POST /billing/purchase', { body: wanted })).body
  const now = node.clock.now()
  await api('POST /billing/sandbox/confirm', { body: { clientSecret } })
  const plan = (await api('GET /billing/plan')).body
  assert.equal(plan.plan_status, 'active')
  const off = Date.parse(plan.plan_expires_at) - Date.parse(later(now.toISOString(), 2))
  assert.ok(off >= 0 && off < 5_000, `${off}`)
})
