import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { shop } from '#test/acceptance/inventory/scene.ts'
import { boot } from '#test/support/boot.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { password } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { operatorOf } from '#test/support/operator.ts'
import { startReceiver } from '#test/support/receiver.ts'

test('a backup of a running system restores every row and login into an empty one', async (t) => {
  const folder = await temporaryFolder('backup')
  const system = await boot({ t })
  const { platform, storage } = system
  const email = 'keeper@example.com'
  const register = {
    organizationName: 'Kept',
    organizationSlug: 'kept',
    fullName: 'Kee Per',
    email,
    password,
  }
  const { body } = await storage('POST /auth/register', { body: register })
  for (const name of ['one', 'two', 'three'])
    await storage.bearer(body.token)('POST /buckets', { body: { name } })
  const trivet = operatorOf(system)
  const target = join(folder, 'backup')
  const saved = await trivet('backup', '--to', target)
  assert.equal(saved.code, 0, saved.text)
  assert.equal((await stat(join(target, 'manifest.json'))).mode & 0o777, 0o600)
  assert.ok((await readdir(join(target, 'tables'))).length > 5)

  const occupied = await trivet('backup', '--to', target)
  assert.equal(occupied.code, 1)
  assert.match(occupied.text, /is not empty/)
  const used = await trivet('restore', '--from', target)
  assert.equal(used.code, 1)
  assert.match(used.text, /already holds data/)
  assert.equal(
    (await storage.bearer(body.token)('GET /buckets')).body.length,
    3,
    'a refused restore changes nothing',
  )

  const fresh = await freshDatabase()
  const elsewhere = operatorOf(
    { databaseUrl: fresh.url, dataDir: join(folder, 'restored') },
    { TRIVET_SECRET: 'a secret for tests only' },
  )
  const restored = await elsewhere('restore', '--from', target)
  assert.equal(restored.code, 0, restored.text)
  const other = await boot({ t, database: fresh })
  t.after(() => fresh.drop())
  const login = await other.storage('POST /auth/login', { body: { email, password } })
  assert.equal(login.status, 200)
  const before = await storage.bearer(body.token)('GET /buckets')
  const after = await other.storage.bearer(login.body.token)('GET /buckets')
  assert.deepEqual(after.body, before.body)
  const next = await other.storage.bearer(login.body.token)('POST /buckets', { body: { name: 'next' } })
  assert.equal(next.status, 201)
  const keys =
    await other.sql`select count(*)::int as n from pg_constraint where contype = 'f' and connamespace = 'storage'::regnamespace`
  const original = await platform.db
    .sql`select count(*)::int as n from pg_constraint where contype = 'f' and connamespace = 'storage'::regnamespace`
  assert.deepEqual({ ...keys[0] }, { ...original[0] })
})

test('after a restore no webhook delivers before somebody switches it on', async (t) => {
  const folder = await temporaryFolder('backup')
  const env = { WEBHOOKS_ALLOW_PRIVATE: 'on' }
  const system = await boot({ t, env })
  const receiver = await startReceiver(t)
  receiver.respond((res) => res.writeHead(500).end())
  const s = await shop(system)
  const { id } = await s.created('POST /api/webhooks', { url: receiver.url, types: ['product.created'] })
  await s.product()
  await receiver.until(1)
  const target = join(folder, 'backup')
  assert.equal((await operatorOf(system)('backup', '--to', target)).code, 0)
  const fresh = await freshDatabase()
  const place = { databaseUrl: fresh.url, dataDir: join(folder, 'restored') }
  const restored = await operatorOf(place, { TRIVET_SECRET: 'a secret for tests only' })(
    'restore',
    '--from',
    target,
  )
  assert.equal(restored.code, 0, restored.text)
  await s.api(`DELETE /api/webhooks/${id}`)
  receiver.respond((res) => res.writeHead(204).end())

  const other = await boot({ t, database: fresh, env })
  t.after(() => fresh.drop())
  const api = other.inventory.bearer(s.token)
  const webhook = (await api(`GET /api/webhooks/${id}`)).body
  assert.deepEqual([webhook.is_active, webhook.switched_off], [false, 'The data was restored from a backup'])
  const before = receiver.received.length
  other.clock.advance(60_000)
  await api('POST /api/products', { body: { name: 'P', sku: 'NEW', base_price: '1.00' } })
  await sleep(1_500)
  assert.equal(receiver.received.length, before)
  await api(`PATCH /api/webhooks/${id}`, { body: { is_active: true } })
  await receiver.until(before + 1)
  assert.notEqual(
    receiver.received.at(-1)!.body.data.sku,
    'NEW',
    'what was pending goes on, what happened meanwhile does not',
  )
})
