import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetChanges } from '#storage/objects/list/count.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath, putObject } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { api } = await storageOwner(system)
const at = (id: string, key: string) => objectPath(id, encodeURIComponent(key))
const put = (id: string, key: string) => putObject(api, at(id, key), key)
const total = async (id: string, query: string, as = api) => {
  const { body } = await as(`GET /buckets/${id}/objects?limit=1&${query}`)
  return body.total as number
}
const filters = [
  'prefix=a/',
  'search=x',
  'prefix=a/&search=x',
  'includeDeleted=true',
  'prefix=%25',
  'search=_',
]
const totals = (id: string, as = api) => Promise.all(filters.map((query) => total(id, query, as)))

test('the list total counts every match and follows every change', async () => {
  const [id, other] = [await createBucket(api, 'totals'), await createBucket(api, 'others')]
  assert.deepEqual(await totals(id), [0, 0, 0, 0, 0, 0])
  for (const key of ['a/x', 'a/y', 'b/x', '%_']) await put(id, key)
  assert.deepEqual(await totals(id), [2, 2, 1, 4, 1, 1])
  await put(id, 'a/x')
  await put(other, 'a/x')
  assert.deepEqual(await totals(id), [2, 2, 1, 4, 1, 1], 'an overwrite and another bucket add nothing')
  await api(`DELETE ${at(id, 'a/x')}`)
  assert.deepEqual(await totals(id), [1, 1, 0, 4, 1, 1])
  await put(id, 'a/x')
  assert.deepEqual(await totals(id), [2, 2, 1, 5, 1, 1], 'a deleted one and a live one of the same key')
  assert.equal((await api(`DELETE ${at(id, 'a/x')}?permanent=true`)).status, 200)
  assert.deepEqual(await totals(id), [1, 1, 0, 3, 1, 1])
  await api(`DELETE ${at(id, 'a/y')}`)
  assert.equal((await api(`POST ${at(id, 'a/y')}/recover`)).status, 200)
  assert.deepEqual(await totals(id), [1, 1, 0, 3, 1, 1])
  await api(`POST ${at(id, 'b/x')}/move`, { body: { destinationKey: 'a/moved x' } })
  await api(`POST ${at(id, 'a/y')}/copy`, { body: { destinationKey: 'a/copied x' } })
  assert.deepEqual(await totals(id), [3, 2, 2, 4, 1, 1])
  await api(`POST ${at(id, 'a/y')}/move`, { body: { destinationKey: 'a/y', destinationBucketId: other } })
  assert.deepEqual(await totals(id), [2, 2, 2, 3, 1, 1])
  assert.deepEqual(await totals(other), [2, 1, 1, 2, 0, 0])
  const batch = await api(`POST /buckets/${id}/objects/delete`, { body: { keys: ['a/moved x', '%_', 'no'] } })
  assert.equal(batch.body.deleted.length, 2)
  assert.deepEqual(await totals(id), [1, 1, 1, 3, 0, 0])
})

test('refused uploads are not counted in the list total', async () => {
  const id = await createBucket(api, 'refused')
  await put(id, 'x1')
  assert.equal(await total(id, 'search=x'), 1)
  assert.equal(
    (await api(`PUT ${at(id, 'x1')}`, { raw: 'n', headers: { 'if-none-match': '*' } })).status,
    412,
  )
  await api(`PATCH /buckets/${id}`, { body: { storageQuotaBytes: 3 } })
  assert.equal((await api(`PUT ${at(id, 'x2')}`, { raw: 'too much' })).status, 403)
  assert.equal(await total(id, 'search=x'), 1)
})

test('with parallel writers on two nodes every list total was true at some moment, and the last is exact', async (t) => {
  const node = await boot({ database: { url: system.databaseUrl }, env: { BLOBS_URL: system.blobsUrl }, t })
  const id = await createBucket(api, 'busy')
  const { key } = (await api('POST /auth/api-keys', { body: { label: 'two nodes' } })).body
  const clients = [system.storage, node.storage].map((service) => service.with({ 'x-api-key': key }))
  let [created, begun, done] = [0, 0, false]
  const write = async (worker: number) => {
    const mine = clients[worker % 2]!
    for (let n = 0; n < 25; n++) {
      begun++
      assert.equal((await mine(`PUT ${at(id, `w/${worker}-${n}`)}`, { raw: 'x' })).status, 201)
      created++
    }
  }
  const watch = async (as: typeof api) => {
    let last = 0
    while (!done) {
      const least = created
      const seen = await total(id, 'prefix=w/', as)
      assert.ok(seen >= Math.max(last, least) && seen <= begun, `${last} ${least} <= ${seen} <= ${begun}`)
      last = seen
    }
  }
  const watching = Promise.all(clients.map(watch))
  await Promise.all(Array.from({ length: 6 }, (_, worker) => write(worker))).finally(() => {
    done = true
  })
  await watching
  for (const as of clients) assert.equal(await total(id, 'prefix=w/', as), 150)
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      clients[n % 2]!(`DELETE ${at(id, `w/${n % 6}-${n % 25}`)}${n % 3 ? '' : '?permanent=true'}`),
    ),
  )
  const [row] = await system.sql<{ live: number; all: number }[]>`
    select count(*) filter (where deleted_at is null) as live, count(*) as all
    from storage.objects where bucket_id = ${id}`
  for (const as of clients) {
    assert.equal(await total(id, 'prefix=w/', as), row!.live)
    assert.equal(await total(id, 'includeDeleted=true', as), row!.all)
  }
})

test('in a large bucket searches with many, few and no matches are exact', async () => {
  const id = await createBucket(api, 'large')
  await system.sql`
    insert into storage.objects (id, org_id, bucket_id, object_key, version_id, content_type, size_bytes, etag,
      metadata, blobs, stored_at, created_at, updated_at)
    select gen_random_uuid(), b.org_id, b.id, format('d%s/%s%s', n % 3,
        case when n % 5000 = 4999 then 'odd!one-' else 'plain-' end, lpad(n::text, 6, '0')),
      gen_random_uuid(), 'text/plain', 0, '', '{}', '{}', now(), now(), now()
    from storage.buckets b, generate_series(1, 25000) n where b.id = ${id}`
  await system.sql`update storage.buckets set object_count = 25000 where id = ${id}`
  const pages = async (query: string) => {
    const keys: string[] = []
    const folders: string[] = []
    let cursor = ''
    let last = 0
    do {
      const { body } = await api(
        `GET /buckets/${id}/objects?limit=2&${query}${cursor && `&cursor=${cursor}`}`,
      )
      keys.push(...body.objects.map((object: { objectKey: string }) => object.objectKey))
      folders.push(...(body.folders ?? []))
      cursor = body.nextCursor ?? ''
      last = body.total
    } while (cursor && keys.length < 8)
    return { keys, folders, total: last }
  }
  for (const query of ['search=odd!one', 'search=odd!', 'search=!'])
    assert.deepEqual((await pages(query)).total, 5, query)
  const [byIndex, byWalk] = [await pages('search=odd!one'), await pages('search=!')]
  assert.equal(byIndex.keys.length, 5)
  assert.deepEqual(byIndex.keys, [...byIndex.keys].sort())
  assert.deepEqual(byWalk, byIndex)
  assert.deepEqual(await pages('search=nowhere'), { keys: [], folders: [], total: 0 })
  assert.deepEqual(await pages('search=~'), { keys: [], folders: [], total: 0 })
  assert.equal((await pages('search=plain')).total, 24_995)
  const level = await pages('search=odd!one&delimiter=/')
  assert.deepEqual(level.folders, [...new Set(byIndex.keys.map((key) => key.slice(0, 3)))])
  assert.deepEqual(await pages('search=!&delimiter=/'), level)
  const inside = await pages('search=odd!one&delimiter=/&prefix=d1/')
  assert.deepEqual(
    inside.keys,
    byIndex.keys.filter((key) => key.startsWith('d1/')),
  )
  const page = (await api(`GET /buckets/${id}/objects?search=odd!one&limit=2&offset=3`)).body
  assert.deepEqual(
    page.objects.map((object: { objectKey: string }) => object.objectKey),
    byIndex.keys.slice(3),
  )
})

test('recorded list changes are deleted once no total needs them', async () => {
  const { ctx } = bytesOf(system)
  const id = await createBucket(api, 'forgetful')
  await put(id, 'x1')
  assert.equal(await total(id, 'search=x'), 1)
  await forgetChanges(ctx)
  await put(id, 'x2')
  assert.equal(await total(id, 'search=x'), 2, 'recent changes are kept')
  await system.sql`update storage.listing_changes set noted_at = noted_at - interval '61 minutes'`
  await forgetChanges(ctx)
  assert.deepEqual([...(await system.sql`select * from storage.listing_changes`)], [])
  await put(id, 'x3')
  assert.equal(await total(id, 'search=x'), 3)
})
