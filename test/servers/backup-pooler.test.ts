import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  bootRestored,
  bootWithFolder,
  bytesHeld,
  environmentOf,
  folder,
  readManifest,
  trivet,
} from '#test/support/backup.ts'
import { type Address, urlOf } from '#test/support/cluster.ts'
import { inventoryAdmin, storageOwner } from '#test/support/factories.ts'
import { startPgbouncer } from '#test/support/pgbouncer.ts'
import { openSql } from '#test/support/sql.ts'

const server = JSON.parse(process.env.TRIVET_TEST_DATABASE ?? '{}') as Address
const admin = await openSql({ ...server, database: 'postgres' })
const pooler = await startPgbouncer(server)
const names = ['source', 'target'].map((name) => `pooled_${name}_${process.pid}`)
for (const name of names) await admin.unsafe(`create database ${name}`)
after(async () => {
  await pooler.stop()
  for (const name of names) await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})
const [from = '', to = ''] = names.map((database) => urlOf({ ...pooler.address, database }))

test('backup and restore work through a pooler in transaction mode', { timeout: 120_000 }, async () => {
  const system = await bootWithFolder({ database: { url: from } })
  assert.equal(system.platform.db.pooled, true)
  const { api, token } = await storageOwner(system)
  await inventoryAdmin(system)
  const bucket = (await api('POST /buckets', { body: { name: 'pooled' } })).body.id
  await api(`PUT /buckets/${bucket}/objects/big`, { raw: Buffer.alloc(300_000, 'p') })

  const backup = join(folder, 'pooled')
  const saved = await trivet(['backup', '--to', backup], environmentOf(system))
  assert.equal(saved.code, 0, saved.stderr)
  const into = {
    DATABASE_URL: to,
    TRIVET_DATA: join(folder, 'target'),
    BLOBS_URL: 'file:',
    TRIVET_SECRET: '',
  }
  const restored = await trivet(['restore', '--from', backup], into)
  assert.equal(restored.code, 0, restored.stderr)
  assert.equal((await bytesHeld(into)).length, 1)
  const again = join(folder, 'again')
  assert.equal((await trivet(['backup', '--to', again], into)).code, 0)
  assert.deepEqual((await readManifest(again)).tables, (await readManifest(backup)).tables)

  const other = await bootRestored(into)
  assert.equal(other.platform.db.pooled, true)
  const { text } = await other.storage.bearer(token)(`GET /buckets/${bucket}/objects/big`)
  assert.equal(text, 'p'.repeat(300_000))
  for (const node of [system, other]) await node.close()
})
