import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBackupRunning, withBackupLease } from '#platform/db/lease.ts'
import { OperatorError } from '#platform/errors.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { db, log } = system.platform
const { api } = await storageOwner(system)
const { ctx, held } = bytesOf(system)
const bucket = await createBucket(api, 'leased')
const released = async (key: string) => {
  await api(`PUT /buckets/${bucket}/objects/${key}`, { raw: Buffer.alloc(20_000, key) })
  const { status } = await api(`DELETE /buckets/${bucket}/objects/${key}?permanent=true`)
  assert.equal(status, 200)
  system.clock.advance(90 * 60_000)
}
const lapse = () => system.sql`update platform.leases set until = clock_timestamp()`

test('no node collects blobs while a backup runs', async (t) => {
  const other = await boot({ t, database: { url: system.databaseUrl }, env: { BLOBS_URL: system.blobsUrl } })
  await released('a')
  await withBackupLease(db, log, async () => {
    await tidy(ctx)
    await tidy(bytesOf(other).ctx)
    assert.equal((await held()).length, 1)
  })
  await lapse()
  await tidy(ctx)
  assert.equal((await held()).length, 0)
})

test('the lease of a dead backup expires, and a second backup does not shorten it', async () => {
  await released('b')
  const until = async () =>
    (
      await system.sql<{ seconds: number }[]>`
      select extract(epoch from until - clock_timestamp())::float8 as seconds from platform.leases`
    )[0]!.seconds
  await withBackupLease(db, log, async () => {})
  assert.ok((await until()) > 500 && (await until()) <= 600)
  await system.sql`update platform.leases set until = clock_timestamp() + interval '1 hour'`
  await withBackupLease(db, log, async () => {})
  assert.ok((await until()) > 3500)
  await tidy(ctx)
  assert.equal((await held()).length, 1)
  await lapse()
  await tidy(ctx)
  assert.equal((await held()).length, 0)
})

test('a backup waits for a running collection, and does not name the blobs it removed', async () => {
  await lapse()
  const collecting = Promise.withResolvers<void>()
  const collected = Promise.withResolvers<void>()
  const collection = db.transaction(async (tx) => {
    assert.equal(await isBackupRunning(tx), false)
    collecting.resolve()
    await collected.promise
  })
  await collecting.promise
  let began = false
  const backup = withBackupLease(db, log, async () => {
    began = true
  })
  for (;;) {
    const waiting = await system.sql`
      select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%platform.leases%'
        and datname = current_database()`
    if (waiting.length > 0) break
  }
  assert.equal(began, false)
  collected.resolve()
  await collection
  await backup
  assert.equal(began, true)
  await db.transaction(async (tx) => assert.equal(await isBackupRunning(tx), true))
})

test('a node that does not serve blobs still needs the right secret', async () => {
  const error = await boot({
    database: { url: system.databaseUrl },
    env: { TRIVET_SECRET: 'some other secret, long', TRIVET_SERVICES: 'inventory' },
  }).then(
    () => null,
    (reason) => reason,
  )
  assert.ok(error instanceof OperatorError)
  assert.match(error.message, /^The secret is not the one that this database was written with: [^\n]+$/)
})
