import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLastUse } from '#storage/keys/last-use.ts'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

/** What is recorded after a response is neither lost nor counted twice if writing it fails at first. */

const system = await boot()
const { sql } = system
const { api } = await storageOwner(system)
const bucketId = await createBucket(api, 'metering')

await sql`create table public.faults (relation text primary key)`
await sql`create sequence public.refusals`
await sql`
  create function public.refuse_rows() returns trigger language plpgsql as $$
  begin
    if exists (select from public.faults where relation = tg_table_name) then
      perform nextval('public.refusals');
      raise exception 'refused by the test';
    end if;
    return null;
  end $$`
await sql`create trigger faults after update on storage.organizations execute function public.refuse_rows()`
await sql`create trigger faults after update on storage.api_keys execute function public.refuse_rows()`
const refusals = async () =>
  (
    await sql<
      { n: number }[]
    >`select case when is_called then last_value else 0 end as n from public.refusals`
  )[0]!.n

test('downloads whose metering failed at first are counted once', async () => {
  const get = () => api(`GET /buckets/${bucketId}/objects/x`)
  await api(`PUT /buckets/${bucketId}/objects/x`, { raw: Buffer.alloc(10_000) })
  await sql`insert into public.faults (relation) values ('organizations')`
  assert.equal((await get()).status, 200)
  await eventually(async () => assert.ok((await refusals()) > 0))
  await sql`delete from public.faults`
  assert.equal((await get()).status, 200)
  const used = async () => (await api('GET /usage/summary')).body.bandwidth_used_bytes as number
  await eventually(async () => assert.equal(await used(), 20_000))
  const { total, rows } = (await api('GET /audit-logs?action=object.downloaded')).body
  assert.equal(total, 2)
  for (const { payload } of rows) assert.equal(payload.bytesSent, 10_000)
})

test('last uses of keys that could not be written are written later, the latest of each key', async () => {
  const [one, other] = [
    (await api('POST /auth/api-keys', { body: {} })).body.id as string,
    (await api('POST /auth/api-keys', { body: {} })).body.id as string,
  ]
  const uses = createLastUse({ ...system.platform, clock: system.clock })
  const stored = async (id: string) =>
    (await sql<{ at: string | null }[]>`select last_used_at as at from storage.api_keys where id = ${id}`)[0]!
      .at
  uses.note(one)
  uses.note(other)
  const [first, kept] = [uses.of(one), uses.of(other)]
  await sql`insert into public.faults (relation) values ('api_keys')`
  await uses.flush()
  assert.deepEqual([uses.of(one), await stored(one)], [first, null])
  system.clock.advance(1_000)
  uses.note(one)
  const later = uses.of(one)
  assert.notEqual(later, first)
  await sql`delete from public.faults`
  await uses.flush()
  assert.deepEqual([await stored(one), await stored(other)], [later, kept])
  assert.equal(uses.of(one), undefined)
})
