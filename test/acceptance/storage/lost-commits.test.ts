import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { sql } = system

// The connection is lost during the commit, so its outcome is unknown.
await sql`
  create function public.end_session() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return null; end $$`
await sql`
  create constraint trigger ends_session after insert on storage.blobs deferrable initially deferred
    for each row execute function public.end_session()`

test('the bytes of an upload whose commit is uncertain stay until the sweep', async () => {
  const { api } = await storageOwner(system)
  const { body: bucket } = await api('POST /buckets', { body: { name: 'unknown' } })
  const before = (await bytesOf(system).held()).length
  const put = await api(`PUT /buckets/${bucket.id}/objects/x`, { raw: Buffer.alloc(100_000) })
  assert.equal(put.status, 503)
  assert.equal(put.headers.get('retry-after'), '1')
  assert.equal((await bytesOf(system).held()).length, before + 1)
})
