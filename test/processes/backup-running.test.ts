import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { uuidv7 } from '#platform/ids.ts'
import { storage } from '#storage/app.ts'
import { tidy } from '#storage/upkeep.ts'
import {
  aBlob,
  backedUpSystem,
  bootRestored,
  bootWithFolder,
  bytesHeld,
  environmentOf,
  exitOf,
  flip,
  folder,
  isHeldUp,
  readManifest,
  sha256,
  start,
  target,
  trivet,
} from '#test/support/backup.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'
import { s3Environment, startS3 } from '#test/support/s3.ts'
import { openSql } from '#test/support/sql.ts'

const { good } = await backedUpSystem()

test('a restore that was killed can be repeated', async (t) => {
  const env = await target()
  const [sql, holder] = [await openSql(env.DATABASE_URL!), await openSql(env.DATABASE_URL!)]
  t.after(() => Promise.all([sql.end(), holder.end()]))
  await holder`begin`
  await holder`lock table storage.users in share mode`
  const child = start(['restore', '--from', good], env)
  await until('the restore is in its transaction', () => isHeldUp(sql, 'storage.users'))
  assert.equal((await bytesHeld(env)).length, 3, 'the blobs are already in place')
  child.kill('SIGKILL')
  await exitOf(child)
  await holder`rollback`
  await until('its connection is gone', async () => !(await isHeldUp(sql, 'storage.users')))
  const { code, stderr } = await trivet(['restore', '--from', good], env)
  assert.equal(code, 0, stderr)
  const verified = await trivet(['verify'], env)
  assert.equal(verified.code, 0, verified.stdout)
})

test('a restore refuses a blobs folder that contains other blobs', async () => {
  const env = await target()
  const id = uuidv7()
  await mkdir(join(env.TRIVET_DATA!, 'blobs', id.slice(-2)), { recursive: true })
  await writeFile(join(env.TRIVET_DATA!, 'blobs', id.slice(-2), id), 'somebody else’s')
  const { code, stderr } = await trivet(['restore', '--from', good], env)
  assert.equal(code, 1)
  assert.match(stderr, /^trivet: \S+ holds blobs that are not in the backup: [^\n]+\n$/)
})

test('blobs that are deleted during a backup are in it, and are collected afterwards even if the backup was killed', async (t) => {
  const system = await bootWithFolder({ t })
  const env = environmentOf(system)
  const { api } = await storageOwner(system)
  const id = (await api('POST /buckets', { body: { name: 'busy' } })).body.id
  const bytes = randomBytes(50_000)
  await api(`PUT /buckets/${id}/objects/a`, { raw: bytes })
  const ctx = storage.context({ ...system.platform, clock: system.clock })
  const holder = await openSql(system.databaseUrl)
  t.after(() => holder.end())

  const backup = join(folder, 'busy')
  await holder`begin`
  await holder`lock table publishing.posts`
  const running = start(['backup', '--to', backup], env)
  const dead = start(['backup', '--to', join(folder, 'dead')], env)
  const ended = exitOf(running)
  await until(
    'both backups have their snapshots',
    async () =>
      (await system.sql`select 1 from pg_locks where relation = 'publishing.posts'::regclass and not granted`)
        .length === 2,
  )
  dead.kill('SIGKILL')
  await exitOf(dead)
  assert.equal((await api(`DELETE /buckets/${id}/objects/a?permanent=true`)).status, 200)
  system.clock.advance(2 * 3600_000)
  await tidy(ctx)
  assert.equal((await bytesHeld(env)).length, 1, 'held back')
  await holder`rollback`
  const { code, text } = await ended
  assert.equal(code, 0, text)
  assert.match(text, / 1 blobs /)
  assert.deepEqual(await readFile(await aBlob(backup)), bytes)

  await tidy(ctx)
  assert.equal((await bytesHeld(env)).length, 1, 'held back until the lease lapses')
  await system.sql`update platform.leases set until = now()`
  await tidy(ctx)
  assert.equal((await bytesHeld(env)).length, 0)
})

test('a backup reports a blob that is missing in the system, and contains everything else', async (t) => {
  const system = await bootWithFolder({ t })
  const env = environmentOf(system)
  const { api } = await storageOwner(system)
  const id = (await api('POST /buckets', { body: { name: 'lossy' } })).body.id
  for (const key of ['a', 'b', 'c'])
    await api(`PUT /buckets/${id}/objects/${key}`, { raw: randomBytes(20_000) })
  const [lost = '', broken = ''] = await bytesHeld(env)
  await rm(join(env.TRIVET_DATA!, 'blobs', lost))
  await flip(join(env.TRIVET_DATA!, 'blobs', broken))
  const backup = join(folder, 'lossy')
  const { code, text } = await exitOf(start(['backup', '--to', backup], env))
  assert.equal(code, 1)
  assert.match(text, new RegExp(`Blob ${lost.slice(3)} is missing`))
  assert.match(text, new RegExp(`Blob ${broken.slice(3)} is damaged`))
  assert.match(text, /trivet: 1 blobs are missing and 1 damaged in this system itself/)
  const into = await target()
  const restored = await trivet(['restore', '--from', backup], into)
  assert.equal(restored.code, 0, restored.stderr)
  assert.equal((await bytesHeld(into)).length, 2)
  assert.match((await trivet(['verify'], into)).stdout, /2 found wrong/)
})

test('a backup of a system under load restores every byte, and verify finds nothing wrong', async (t) => {
  const system = await bootWithFolder({ t })
  const env = environmentOf(system)
  const { api, email } = await storageOwner(system)
  const id = (await api('POST /buckets', { body: { name: 'loaded' } })).body.id as string
  const writer = await publisher(system)
  const admin = await inventoryAdmin(system)
  const sums = new Map<string, string>()
  let isOver = false
  // The backup needs the processor, too.
  const pauseMs = 10
  const upload = async (lane: number) => {
    for (let n = 0; !isOver; n++) {
      const [key, raw] = [`${lane}-${n}`, randomBytes(1 + ((n * 7919) % 90_000))]
      sums.set(key, sha256(raw))
      await api(`PUT /buckets/${id}/objects/${key}`, { raw })
      if (n % 3 === 2) await api(`DELETE /buckets/${id}/objects/${lane}-${n - 1}?permanent=true`)
      await sleep(pauseMs)
    }
  }
  const post = async () => {
    for (let n = 0; !isOver; n++) {
      await writer.api('POST /api/posts', { body: { content: `post ${n}` } })
      await admin.api('POST /api/products', { body: { name: `P${n}`, sku: `S${n}`, base_price: '1.00' } })
      await sleep(pauseMs)
    }
  }
  const load = Promise.all([upload(1), upload(2), upload(3), post()])
  await until('there is something to back up', async () => sums.size > 60)
  const backup = join(folder, 'loaded')
  const saved = await exitOf(start(['backup', '--to', backup], env))
  isOver = true
  await load
  assert.equal(saved.code, 0, saved.text)

  const into = await target()
  const restored = await trivet(['restore', '--from', backup], into)
  assert.equal(restored.code, 0, restored.stderr)
  const again = join(folder, 'again')
  assert.equal((await trivet(['backup', '--to', again], into)).code, 0)
  assert.deepEqual((await readManifest(again)).tables, (await readManifest(backup)).tables)
  const verified = await trivet(['verify'], into)
  assert.equal(verified.code, 0, verified.stdout)

  const other = await bootRestored(into)
  const { body } = await other.storage('POST /auth/login', { body: { email, password } })
  const { rows } = {
    rows: await other.sql<
      { object_key: string }[]
    >`select object_key from storage.objects where deleted_at is null`,
  }
  assert.ok(rows.length > 30)
  for (const { object_key: key } of rows) {
    const answer = await fetch(`${other.urls.storage}/buckets/${id}/objects/${key}`, {
      headers: { authorization: `Bearer ${body.token}` },
    })
    assert.equal(sha256(Buffer.from(await answer.arrayBuffer())), sums.get(key), key)
  }
  await other.close()
})

test('an embedded system restores the backup of a PostgreSQL server, but not while it is being served', {
  timeout: 150_000,
}, async () => {
  const data = join(folder, 'embedded')
  const env = { DATABASE_URL: '', TRIVET_DATA: data, BLOBS_URL: 'file:', TRIVET_SECRET: '' }
  const ports = {
    STORAGE_PORT: '0',
    S3_PORT: '0',
    PUBLISHING_PORT: '0',
    INVENTORY_PORT: '0',
    LOG_LEVEL: 'info',
  }
  const server = start(['serve'], { ...env, ...ports })
  const ended = exitOf(server)
  await new Promise<void>((resolve) => {
    server.stdout?.on('data', (text) => String(text).includes('"serving"') && resolve())
  })
  const refused = await trivet(['restore', '--from', good], env)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^trivet: Another Trivet already serves [^\n]+\n$/)
  server.kill('SIGTERM')
  assert.equal((await ended).code, 0)

  const restored = await trivet(['restore', '--from', good], env)
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stdout, /secret\.before-restore/)
  const verified = await trivet(['verify'], env)
  assert.equal(verified.code, 0, verified.stdout)
  const again = await trivet(['restore', '--from', good], env)
  assert.match(again.stderr, /^trivet: The database already holds data [^\n]+\n$/)
})

test('a backup restores blobs from files into a bucket, and a backup of that leaves them there', async (t) => {
  const server = await startS3()
  t.after(() => server.stop())
  const env = await target(await s3Environment(server.endpoint, 'restored'))
  const restored = await trivet(['restore', '--from', good], env)
  assert.equal(restored.code, 0, restored.stderr)
  assert.deepEqual(await bytesHeld(env), [])
  const verified = await trivet(['verify'], env)
  assert.equal(verified.code, 0, verified.stdout)

  const backup = join(folder, 'bucket')
  const saved = await trivet(['backup', '--to', backup], env)
  assert.match(saved.stdout, /^Backed up \d+ tables, \d+ rows, no blobs \(they are in a bucket\) to /)
  const refused = await trivet(['restore', '--from', backup], await target())
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^trivet: This backup holds no blobs, [^\n]+ set BLOBS_URL [^\n]+\n$/)
  const { DATABASE_URL = '', TRIVET_DATA = '' } = await target()
  const same = await trivet(['restore', '--from', backup], { ...env, DATABASE_URL, TRIVET_DATA })
  assert.equal(same.code, 0, same.stderr)
})
