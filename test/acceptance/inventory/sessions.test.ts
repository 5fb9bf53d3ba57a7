import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, password } from '#test/support/factories.ts'

const system = await boot()
const { inventory, clock } = system

const fromConsole = { 'x-trivet-console': '1' }
const openSession = (email: string, secret = password) =>
  inventory('POST /api/auth/session', { body: { email, password: secret } })
const cookieIn = (answer: { headers: Headers }) => String(answer.headers.get('set-cookie'))

const signedIn = async (email: string) => {
  const answer = await openSession(email)
  assert.equal(answer.status, 201, answer.text)
  const cookie = cookieIn(answer).split(';')[0]!
  return { cookie, console: inventory.with({ cookie, ...fromConsole }) }
}

test('a session is opened with email and password, and kept in a cookie that scripts cannot read', async () => {
  const { api, email } = await inventoryAdmin(system)
  const answer = await openSession(email)
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body, (await api('GET /api/auth/me')).body)
  const attributes = cookieIn(answer).split('; ')
  assert.match(attributes[0]!, /^trivet_inventory=[\w-]{43}$/)
  assert.deepEqual(attributes.slice(1).sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
  const { console } = await signedIn(email)
  const created = await console('POST /api/products', {
    body: { name: 'Mug', sku: 'MUG-1', base_price: '9.50' },
  })
  assert.equal(created.status, 201, created.text)
})

test('the cookie counts only on requests of the console itself', async () => {
  const { email } = await inventoryAdmin(system)
  const { cookie } = await signedIn(email)
  const me = async (headers: Record<string, string>) =>
    (await inventory('GET /api/auth/me', { headers: { cookie, ...headers } })).status
  assert.equal(await me({}), 401)
  assert.equal(await me(fromConsole), 200)
  for (const site of ['cross-site', 'same-site', 'none'])
    assert.equal(await me({ ...fromConsole, 'sec-fetch-site': site }), 401, site)
  assert.equal(await me({ ...fromConsole, 'sec-fetch-site': 'same-origin' }), 200)
})

test('a session does not admit to the external API, which takes keys only', async () => {
  const { email } = await inventoryAdmin(system)
  const { console } = await signedIn(email)
  assert.equal((await console('GET /api/external/products')).status, 401)
})

test('a session of one service is none of the other', async () => {
  const { email } = await inventoryAdmin(system)
  const { cookie } = await signedIn(email)
  const renamed = cookie.replace('trivet_inventory', 'trivet_storage')
  await system.sql`update platform.console_sessions set service = 'storage'`
  assert.equal((await inventory('GET /api/auth/me', { headers: { cookie, ...fromConsole } })).status, 401)
  assert.equal(
    (await inventory('GET /api/auth/me', { headers: { cookie: renamed, ...fromConsole } })).status,
    401,
  )
})

test('signing out ends the session on every node, also of somebody who is banned', async (t) => {
  const { api, email } = await inventoryAdmin(system)
  const other = await boot({ t, database: { url: system.databaseUrl } })
  const memberEmail = `staff-${Date.now()}@example.com`
  const { body: member } = await api('POST /api/users', {
    body: { name: 'Sam', email: memberEmail, password, role: 'Staff' },
  })
  const [admin, staff] = [await signedIn(email), await signedIn(memberEmail)]
  const elsewhere = other.inventory.with({ cookie: admin.cookie, ...fromConsole })
  assert.equal((await elsewhere('GET /api/auth/me')).status, 200)
  const who = await admin.console('GET /api/auth/session')
  assert.deepEqual([who.status, who.body.user.email], [200, email])
  assert.equal((await admin.console('DELETE /api/auth/session')).status, 204)
  const { status, body } = await admin.console('GET /api/auth/me')
  assert.deepEqual([status, body.error], [401, 'Your session has ended: sign in again'])
  await until('the other node refuses it', async () => (await elsewhere('GET /api/auth/me')).status === 401, {
    withinMs: 1_000,
  })
  assert.equal((await api(`PATCH /api/users/${member.id}`, { body: { is_banned: true } })).status, 200)
  assert.equal((await staff.console('GET /api/auth/me')).status, 403, 'banned')
  assert.equal((await staff.console('GET /api/auth/session')).status, 204)
  assert.equal((await openSession(memberEmail)).status, 403)
  assert.equal((await staff.console('DELETE /api/auth/session')).status, 204)
  assert.equal((await staff.console('GET /api/auth/me')).status, 401)
})

test('whoever changes the password stays signed in there; every other session and token ends', async () => {
  const { api, email } = await inventoryAdmin(system)
  const [here, there] = [await signedIn(email), await signedIn(email)]
  const change = (current_password: string) =>
    here.console('PATCH /api/auth/password', { body: { current_password, new_password: 'another horse' } })
  assert.equal((await change('wrong horse')).status, 401)
  assert.equal((await here.console('GET /api/auth/me')).status, 200)
  assert.equal((await change(password)).status, 200)
  assert.equal((await here.console('GET /api/auth/me')).status, 200)
  assert.equal((await there.console('GET /api/auth/me')).status, 401)
  assert.equal((await api('GET /api/auth/me')).status, 401)
})

test('a session lasts thirty days', async () => {
  const { email } = await inventoryAdmin(system)
  const { console } = await signedIn(email)
  await system.sql`update inventory.tenants set subscription_expires_at = now() + interval '1 year'`
  clock.advance(30 * 86_400_000)
  assert.equal((await console('GET /api/auth/me')).status, 401)
})

test('wrong passwords and bad input are refused as with a login', async () => {
  const { email } = await inventoryAdmin(system)
  assert.equal((await openSession(email, 'wrong horse')).status, 401)
  assert.equal((await openSession('nobody@example.com')).status, 401)
  for (const body of [{}, { email }, { email: 7, password }, { email: 'x', password }])
    assert.equal((await inventory('POST /api/auth/session', { body })).status, 400)
})
