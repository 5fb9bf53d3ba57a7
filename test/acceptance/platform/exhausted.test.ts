import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'
import { bytesOf } from '../storage/bytes.ts'

const system = await boot()
const { sql } = system

// PostgreSQL refuses rows of these tables with whatever code is written down for them.
await sql`create table public.exhausted (relation text primary key, code text not null)`
await sql`
  create function public.refuse_rows() returns trigger language plpgsql as $$
  declare c text;
  begin
    select code into c from public.exhausted where relation = tg_table_name;
    if c is not null then raise exception 'could not extend file' using errcode = c; end if;
    return null;
  end $$`
await sql`create trigger exhausted before insert on storage.buckets execute function public.refuse_rows()`
await sql`create trigger exhausted before insert on storage.blobs execute function public.refuse_rows()`
await sql`create trigger exhausted before insert on publishing.posts execute function public.refuse_rows()`
await sql`create trigger exhausted before insert on inventory.customers execute function public.refuse_rows()`

/** From now on rows of this table are refused as PostgreSQL refuses them when it runs out of something. */
const exhaust = async (relation: string, code: string) => {
  await sql`insert into public.exhausted (relation, code) values (${relation}, ${code})`
  return () => sql`delete from public.exhausted`
}

const storage = await storageOwner(system)
const bucketId = (await storage.api('POST /buckets', { body: { name: 'first' } })).body.id as string
let count = 0
const writes: [service: string, table: string, write: () => ReturnType<Client>][] = [
  ['storage', 'buckets', () => storage.api('POST /buckets', { body: { name: `bucket-${++count}` } })],
  [
    'publishing',
    'posts',
    await publisher(system).then(
      ({ api }) =>
        () =>
          api('POST /api/posts', { body: { content: 'Hello' } }),
    ),
  ],
  [
    'inventory',
    'customers',
    await inventoryAdmin(system).then(
      ({ api }) =>
        () =>
          api('POST /api/customers', { body: { name: 'Mira', email: `mira-${++count}@example.com` } }),
    ),
  ],
]

for (const [service, table, write] of writes)
  test(`${service}: while the database has no disk space, writes get 503 with Retry-After; afterwards they succeed`, async () => {
    for (const code of ['53100', '53200', '53000', '53400']) {
      const recover = await exhaust(table, code)
      const refused = await write()
      assert.equal(refused.status, 503, `${code} ${refused.text}`)
      assert.equal(refused.headers.get('retry-after'), '1')
      await recover()
    }
    const { status, text } = await write()
    assert.equal(status, 201, text)
  })

test('an upload whose row does not fit into the database leaves no blob', async () => {
  const held = async () => (await bytesOf(system).held()).sort()
  const before = await held()
  const recover = await exhaust('blobs', '53100')
  const put = () => storage.api(`PUT /buckets/${bucketId}/objects/x`, { raw: Buffer.alloc(100_000) })
  assert.equal((await put()).status, 503)
  assert.deepEqual(await held(), before)
  await recover()
  assert.equal((await put()).status, 201)
})
