import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { password } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { operatorOf } from '#test/support/operator.ts'

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
  t.after(() => fresh.drop())
  const elsewhere = operatorOf(
    { databaseUrl: fresh.url, dataDir: join(folder, 'restored') },
    { TRIVET_SECRET: 'a secret for tests only' },
  )
  const restored = await elsewhere('restore', '--from', target)
  assert.equal(restored.code, 0, restored.text)
  const other = await boot({ t, database: fresh })
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
