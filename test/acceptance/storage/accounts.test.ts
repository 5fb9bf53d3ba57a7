import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { storage, clock } = system
const shared = await storageOwner(system)

const registration = (more: object = {}) => ({
  organizationName: 'Some Org',
  organizationSlug: `slug-${crypto.randomUUID()}`,
  fullName: 'Some Body',
  email: `${crypto.randomUUID()}@example.com`,
  password,
  ...more,
})

test('registration returns a token, the owner and an organization on trial', async () => {
  const input = registration()
  const before = clock.now().getTime()
  const { status, body } = await storage('POST /auth/register', { body: input })
  assert.equal(status, 201)
  const { id, created_at, ...user } = body.user
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.ok(Date.parse(created_at) >= before)
  assert.deepEqual(user, {
    full_name: input.fullName,
    email: input.email,
    role: 'owner',
    totp_enabled: false,
  })
  const { id: orgId, plan_expires_at, ...organization } = body.organization
  assert.notEqual(orgId, id)
  assert.deepEqual(organization, {
    name: input.organizationName,
    slug: input.organizationSlug,
    plan_status: 'trial',
    storage_tier: 'trial',
    bandwidth_tier: 'trial',
    storage_quota_bytes: 5 * 2 ** 30,
    storage_used_bytes: 0,
    bandwidth_used_bytes: 0,
    object_quota: 5 * 2 ** 17,
    retained_objects: 0,
  })
  assert.ok(Math.abs(Date.parse(plan_expires_at) - before - 14 * 86_400_000) < 60_000)
  const me = await storage.bearer(body.token)('GET /auth/me')
  assert.deepEqual(me.body, { user: body.user, organization: body.organization })
})

test('registration with an email or slug in use is refused regardless of case and stores nothing', async () => {
  const taken = await storage('POST /auth/register', {
    body: registration({ email: shared.email.toUpperCase(), organizationSlug: 'free-slug' }),
  })
  assert.equal(taken.status, 409)
  assert.match(taken.body.message, /^email /)
  const slug = await storage('POST /auth/register', {
    body: registration({ organizationSlug: shared.organization.slug }),
  })
  assert.equal(slug.status, 409)
  assert.match(slug.body.message, /^organizationSlug /)
  const retry = await storage('POST /auth/register', {
    body: registration({ organizationSlug: 'free-slug' }),
  })
  assert.equal(retry.status, 201)
})

test('of parallel registrations with one address exactly one succeeds', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => storage('POST /auth/register', { body: registration({ email }) })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

const badRegistrations: [field: string, value: unknown][] = [
  ['organizationName', undefined],
  ['organizationName', 'ab'],
  ['organizationName', 'x'.repeat(256)],
  ['organizationName', 7],
  ['organizationName', 'a\0bc'],
  ['organizationName', 'abc\ud800'],
  ['organizationSlug', undefined],
  ['organizationSlug', 'ab'],
  ['organizationSlug', 'x'.repeat(256)],
  ['organizationSlug', 'Upper'],
  ['organizationSlug', 'with space'],
  ['organizationSlug', 'trailing\n'],
  ['fullName', undefined],
  ['fullName', 'x'],
  ['fullName', 'x'.repeat(256)],
  ['fullName', null],
  ['email', undefined],
  ['email', 'nobody'],
  ['email', 'a@b@c.de'],
  ['email', `${'x'.repeat(250)}@example.com`],
  ['email', ['a@example.com']],
  ['password', undefined],
  ['password', '1234567'],
  ['password', 'x'.repeat(129)],
  ['password', 12345678],
]
test('every field of a registration is checked and named', async () => {
  for (const [field, value] of badRegistrations) {
    const { status, body } = await storage('POST /auth/register', { body: registration({ [field]: value }) })
    assert.equal(status, 400, `${field}: ${JSON.stringify(value)}`)
    assert.ok(body.message.startsWith(`${field} `), body.message)
    assert.equal(body.error, body.message)
    assert.equal(body.details[0].field, field)
  }
})

test('registration accepts fields of the minimum and the maximum length', async () => {
  const shortest = registration({
    organizationName: 'abc',
    organizationSlug: `${Math.random().toString(36).slice(2, 5).padEnd(3, 'x')}`,
    fullName: 'ab',
    password: '12345678',
  })
  const longest = registration({
    organizationName: '😀'.repeat(255),
    organizationSlug: 's'.repeat(255),
    fullName: 'f'.repeat(255),
    password: 'p'.repeat(128),
  })
  for (const body of [shortest, longest])
    assert.equal((await storage('POST /auth/register', { body })).status, 201)
})

test('registration refuses a body that is not a JSON object', async () => {
  for (const raw of ['', '{', '[]', 'null', '"x"', '7']) {
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await storage('POST /auth/register', { raw, headers })
    assert.equal(status, 400, raw)
    assert.equal(body.error, body.message)
  }
  assert.equal(
    (await storage('POST /auth/login', { raw: 'a=b', headers: { 'content-type': 'text/plain' } })).status,
    400,
  )
})

test('login returns what registration does; a wrong password and an unknown address get the same response', async () => {
  const { status, body } = await storage('POST /auth/login', {
    body: { email: shared.email.toUpperCase(), password },
  })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['token', 'user', 'organization'])
  assert.equal(body.user.id, shared.user.id)
  const wrong = await storage('POST /auth/login', { body: { email: shared.email, password: 'wrong horse' } })
  const unknown = await storage('POST /auth/login', {
    body: { email: 'nobody@example.com', password: 'wrong horse' },
  })
  for (const answer of [wrong, unknown]) assert.equal(answer.status, 401)
  assert.equal(wrong.body.reason, unknown.body.reason)
  for (const bad of [{ password }, { email: shared.email }, { email: shared.email, password: 'short' }])
    assert.equal((await storage('POST /auth/login', { body: bad })).status, 400)
  for (const totpToken of ['12345', '1234567', 'abcdef', 123456])
    assert.equal(
      (await storage('POST /auth/login', { body: { email: shared.email, password, totpToken } })).status,
      400,
    )
})

test('a token lasts 12 hours', async (t) => {
  const node = await boot({ t })
  const { api } = await storageOwner(node)
  node.clock.advance(12 * 3600_000 - 5_000)
  assert.equal((await api('GET /auth/me')).status, 200)
  node.clock.advance(10_000)
  assert.equal((await api('GET /auth/me')).status, 401)
})

test('requests without credentials, with a broken token or with the token of another service are refused', async () => {
  for (const authorization of [
    '',
    'Bearer',
    'Bearer x.y.z',
    `Basic ${shared.token}`,
    `Bearer ${shared.token}x`,
  ])
    assert.equal((await storage.with({ authorization })('GET /auth/me')).status, 401)
  const { status, body } = await storage('GET /auth/me')
  assert.equal(status, 401)
  assert.match(body.reason, /^Credentials are missing/)
})

test("account events are in the organization's audit log, without secrets", async () => {
  const { api, email, user, organization } = await storageOwner(system)
  await storage('POST /auth/login', { body: { email, password } })
  await storage('POST /auth/login', { body: { email, password: 'wrong horse' } })
  const { body } = await api('GET /audit-logs')
  assert.deepEqual(
    body.rows.map((row: { action: string }) => row.action),
    ['auth.login_failed', 'auth.logged_in', 'auth.registered'],
  )
  const [failed, loggedIn, registered] = body.rows
  assert.equal(registered.resource_id, organization.id)
  assert.equal(loggedIn.actor_user_id, user.id)
  assert.equal(failed.actor_user_id, null)
  assert.equal(failed.resource_id, user.id)
  assert.match(failed.ip_address, /127\.0\.0\.1/)
  assert.doesNotMatch(JSON.stringify(body), /horse/)
})
