import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Booted, boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { requestsInFlight } from '#test/support/metrics.ts'
import { headOf, rawConnection, untilClosed } from '#test/support/sockets.ts'

const json = { 'content-type': 'application/json', 'content-length': 10 }
const login = 'POST /api/auth/login'

/** Requests whose bodies never become whole, each on a connection of its own. */
const unfinished = async (
  t: TestContext,
  base: string,
  count: number,
  call: string,
  headers: Record<string, string>,
) => {
  const sockets = await Promise.all(Array.from({ length: count }, () => rawConnection(base)))
  for (const socket of sockets) socket.write(`${headOf(call, { ...json, ...headers })}{`)
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return sockets
}

const untilInFlight = (api: Client, count: number) =>
  until(`${count} requests are in flight`, async () => (await requestsInFlight(api)) === count)
const release = async (api: Client, sockets: Socket[]) => {
  for (const socket of sockets) socket.destroy()
  await untilInFlight(api, 0)
}
/** As a client behind a trusted proxy, which tells its address. */
const from = (address: string) => ({ 'x-forwarded-for': address })

test('with 2,000 requests in flight the next gets 503 at once, /healthz still responds, and afterwards requests succeed', async (t) => {
  const { inventory } = await boot({ t })
  const sockets = await unfinished(t, inventory.base, 2_000, login, {})
  await untilInFlight(inventory, 2_000)
  const refused = await inventory('GET /api/warehouses')
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.body.error, 'Too many requests at once')
  assert.equal((await inventory('GET /healthz')).status, 200)
  assert.equal((await inventory('GET /readyz')).status, 200)
  await release(inventory, sockets)
  assert.equal((await inventory('GET /api/warehouses')).status, 401)
})

test('slow bodies of one client do not keep other clients from being served, and stop counting as in flight when they end', async (t) => {
  const system = await boot({ t, env: { TRUST_PROXY: '1', RATE_LIMITS: 'on' }, http: { inFlight: 200 } })
  const { inventory } = system
  const { api } = await inventoryAdmin(system)
  const headers = { ...from('203.0.113.9') }
  const sockets = await unfinished(t, inventory.base, 210, 'POST /api/auth/login', headers)
  // Ten sign-ins a minute are let as far as their bodies; all others are refused for one reason or the other.
  const refused = sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
  await Promise.race(refused)
  for (let tries = 0; tries < 20; tries++) {
    const answer = await api('GET /api/warehouses', { headers: from('198.51.100.1') })
    assert.equal(answer.status, 200)
  }
  assert.ok((await requestsInFlight(inventory)) <= 20)
  await release(inventory, sockets)
})

/** A service with ten places for each client. */
const small = (t: TestContext, env: Record<string, string> = {}) =>
  boot({ t, env: { TRUST_PROXY: '1', RATE_LIMITS: 'on', ...env }, http: { inFlight: 100 } })

const webhook = 'POST /billing/webhook'
const statusOf = async ({ storage }: Booted, headers: Record<string, string>) =>
  (await storage('GET /buckets', { headers })).status

test('one address may have a tenth of the requests in flight: its next gets 429, other clients are served', async (t) => {
  const system = await small(t)
  const { storage } = system
  const sockets = await unfinished(t, storage.base, 9, webhook, from('203.0.113.9'))
  await untilInFlight(storage, 9)
  assert.equal(await statusOf(system, from('203.0.113.9')), 401, 'the tenth has a place')
  sockets.push(...(await unfinished(t, storage.base, 1, webhook, from('203.0.113.9'))))
  await untilInFlight(storage, 10)
  const refused = await storage('GET /buckets', { headers: from('203.0.113.9') })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.body.message, 'Too many requests at once from your address')
  assert.equal(await statusOf(system, from('203.0.113.10')), 401)
  assert.equal((await storage('GET /readyz', { headers: from('203.0.113.9') })).status, 200)
  await release(storage, sockets)
  assert.equal(await statusOf(system, from('203.0.113.9')), 401)
})

test('a request with a body that is refused because of the share of its client closes the connection', async (t) => {
  const { storage } = await small(t)
  const sockets = await unfinished(t, storage.base, 10, webhook, from('203.0.113.9'))
  await untilInFlight(storage, 10)
  const [socket] = await unfinished(t, storage.base, 1, webhook, from('203.0.113.9'))
  const answer = await untilClosed(socket as Socket)
  assert.match(answer, /^HTTP\/1\.1 429 /)
  assert.match(answer, /\r\nconnection: close\r\n/i)
  await release(storage, sockets)
})

test('shares count an IPv6 /64, or an IPv4 address in either notation, as one client', async (t) => {
  const system = await small(t)
  const { storage } = system
  const sockets = await unfinished(t, storage.base, 5, webhook, from('2001:db8:0:1::1'))
  sockets.push(...(await unfinished(t, storage.base, 5, webhook, from('2001:DB8::1:ffff:1:2:3'))))
  sockets.push(...(await unfinished(t, storage.base, 10, webhook, from('::ffff:203.0.113.9'))))
  await untilInFlight(storage, 20)
  assert.equal(await statusOf(system, from('2001:db8:0:1:a:b:c:d')), 429)
  assert.equal(await statusOf(system, from('2001:db8:0:2::1')), 401)
  assert.equal(await statusOf(system, from('203.0.113.9')), 429)
  await release(storage, sockets)
})

test('requests of the proxy itself have no share, and a client cannot choose whose share it uses', async (t) => {
  const system = await small(t)
  const { storage } = system
  const sockets = await unfinished(t, storage.base, 15, webhook, {})
  await untilInFlight(storage, 15)
  assert.equal(await statusOf(system, {}), 401)
  const forged = from('198.51.100.7, 203.0.113.9')
  sockets.push(...(await unfinished(t, storage.base, 10, webhook, forged)))
  await untilInFlight(storage, 25)
  assert.equal(await statusOf(system, from('198.51.100.8, 203.0.113.9')), 429)
  assert.equal(await statusOf(system, from('198.51.100.7')), 401)
  await release(storage, sockets)
})

test('without a trusted proxy, shares use the address of the connection and ignore X-Forwarded-For', async (t) => {
  const system = await small(t, { TRUST_PROXY: 'off' })
  const sockets = await unfinished(t, system.storage.base, 10, webhook, from('203.0.113.9'))
  await untilInFlight(system.storage, 10)
  assert.equal(await statusOf(system, from('198.51.100.1')), 429)
  await release(system.storage, sockets)
})

test('one credential may have a tenth of the requests in flight from any number of addresses; others are served', async (t) => {
  const system = await small(t)
  const { storage, publishing } = system
  const { token } = await storageOwner(system)
  const { token: other } = await storageOwner(system)
  const slow = async (n: number) =>
    (
      await unfinished(t, storage.base, 1, 'POST /buckets', {
        authorization: `Bearer ${token}`,
        ...from(`203.0.113.${n}`),
      })
    )[0] as Socket
  const sockets = await Promise.all(Array.from({ length: 10 }, (_, n) => slow(n)))
  await untilInFlight(storage, 10)
  const refused = await storage.bearer(token)('GET /buckets', { headers: from('198.51.100.1') })
  assert.equal(refused.status, 429)
  assert.equal(refused.body.message, 'Too many requests at once with your credentials')
  assert.equal((await storage.bearer(other)('GET /buckets')).status, 200)
  const { api } = await publisher({ publishing })
  assert.equal((await api('GET /api/users/me')).status, 200)
  await release(storage, sockets)
  assert.equal((await storage.bearer(token)('GET /buckets')).status, 200)
})

test('with RATE_LIMITS=off one address may have all requests in flight', async (t) => {
  const system = await small(t, { RATE_LIMITS: 'off' })
  const sockets = await unfinished(t, system.storage.base, 50, webhook, from('203.0.113.9'))
  await untilInFlight(system.storage, 50)
  assert.equal(await statusOf(system, from('203.0.113.9')), 401)
  await release(system.storage, sockets)
})

test('a request whose client has disconnected counts as in flight until its work has ended', async (t) => {
  const system = await small(t)
  const { storage } = system
  const { api, organization, token } = await storageOwner(system)
  const lock = await hold(
    system,
    (tx) => tx`select 1 from storage.organizations where id = ${organization.id}::uuid for update`,
  )
  const body = JSON.stringify({ name: 'left' })
  const socket = await rawConnection(storage.base)
  const headers = { ...json, 'content-length': body.length, authorization: `Bearer ${token}` }
  socket.write(headOf('POST /buckets', headers) + body)
  await waitingForLocks(system, 1)
  socket.resetAndDestroy()
  // Long enough for the server to notice the reset.
  await sleep(50)
  assert.equal(await requestsInFlight(storage), 1)
  await lock.release()
  await untilInFlight(storage, 0)
  assert.equal((await api('GET /buckets')).body.length, 1)
})
