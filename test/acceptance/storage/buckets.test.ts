import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { api } = await storageOwner(system)

test('a bucket is created with its defaults and listed newest first', async () => {
  const first = await api('POST /buckets', { body: { name: 'first' } })
  assert.equal(first.status, 201)
  const { id, created_at, ...rest } = first.body
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    name: 'first',
    visibility: 'private',
    versioning_enabled: true,
    region: 'local',
    storage_quota_bytes: null,
    object_count: 0,
    total_size_bytes: 0,
  })
  const more = { visibility: 'public', versioningEnabled: false, region: 'eu', storageQuotaBytes: 1 }
  await api('POST /buckets', { body: { name: 'second', ...more } })
  const list = await api('GET /buckets')
  assert.deepEqual(
    list.body.map((b: { name: string }) => b.name),
    ['second', 'first'],
  )
  assert.equal(list.body[0].storage_quota_bytes, 1)
  const formR = (await api('GET /buckets', { headers: { 'x-api-form': 'R' } })).body
  assert.deepEqual(Object.keys(formR[0]).sort(), [
    'createdAt',
    'id',
    'name',
    'storageUsedBytes',
    'visibility',
  ])
})

test('listing many buckets takes no more statements than listing few', async () => {
  const { db } = system.platform
  const { sql } = db
  const statementsToList = async (buckets: number) => {
    const { api, organization } = await storageOwner(system)
    await sql`
      insert into storage.buckets (id, org_id, name, visibility, versioning_enabled, region, created_at)
      select gen_random_uuid(), ${organization.id}::uuid, 'many-' || n, 'private', false, 'local', now()
      from generate_series(1, ${buckets}::int) n`
    let statements = 0
    const counted = (...args: Parameters<typeof sql>) => {
      // The server also looks at the statistics of its tables, at any time.
      if (String(args[0]).includes('storage.')) statements++
      return sql(...args)
    }
    await api('GET /auth/me')
    db.sql = Object.assign(counted, sql) as unknown as typeof sql
    try {
      assert.equal((await api('GET /buckets')).body.length, buckets)
    } finally {
      db.sql = sql
    }
    return statements
  }
  const few = await statementsToList(2)
  assert.ok(few > 0)
  assert.equal(await statementsToList(200), few)
})

test('a bucket name is unique within one organization only', async () => {
  const other = await storageOwner(system)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => api('POST /buckets', { body: { name: 'same' } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  assert.equal((await other.api('POST /buckets', { body: { name: 'same' } })).status, 201)
  assert.equal((await other.api('GET /buckets')).body.length, 1)
})

test('bucket fields accept their minimum and maximum and refuse what is beyond', async () => {
  for (const [body, status] of [
    [{ name: 'ab' }, 400],
    [{ name: 'abc' }, 201],
    [{ name: 'x'.repeat(255) }, 201],
    [{ name: 'x'.repeat(256) }, 400],
    [{ name: 'Upper' }, 400],
    [{ name: 'under_score' }, 400],
    [{ name: 5 }, 400],
    [{}, 400],
    [{ name: 'vis', visibility: 'odd' }, 400],
    [{ name: 'ver', versioningEnabled: 'yes' }, 400],
    [{ name: 'reg-1', region: 'x' }, 400],
    [{ name: 'reg-2', region: 'xx' }, 201],
    [{ name: 'reg-3', region: 'x'.repeat(64) }, 201],
    [{ name: 'reg-4', region: 'x'.repeat(65) }, 400],
    [{ name: 'quo-0', storageQuotaBytes: 0 }, 400],
    [{ name: 'quo-n', storageQuotaBytes: null }, 201],
    [{ name: 'quo-b', storageQuotaBytes: 2 ** 53 }, 400],
  ] as const) {
    const answer = await api('POST /buckets', { body })
    assert.equal(answer.status, status, JSON.stringify(body).slice(0, 80))
  }
  const { message } = (await api('POST /buckets', { body: { name: 'A B' } })).body
  assert.equal(message, 'name can only have lowercase letters, digits, dots and hyphens')
})

test('a bucket is read, changed and deleted', async () => {
  const { id } = (await api('POST /buckets', { body: { name: 'change' } })).body
  const changed = await api(`PATCH /buckets/${id}`, {
    body: { visibility: 'public', versioningEnabled: false, storageQuotaBytes: 1000 },
  })
  assert.equal(changed.status, 200)
  assert.deepEqual((await api(`GET /buckets/${id}`)).body, changed.body)
  assert.deepEqual(
    [changed.body.visibility, changed.body.versioning_enabled, changed.body.storage_quota_bytes],
    ['public', false, 1000],
  )
  assert.equal((await api(`PATCH /buckets/${id}`, { body: {} })).body.storage_quota_bytes, 1000)
  assert.equal(
    (await api(`PATCH /buckets/${id}`, { body: { storageQuotaBytes: null } })).body.storage_quota_bytes,
    null,
  )
  assert.equal((await api(`PATCH /buckets/${id}`, { body: { visibility: 'odd' } })).status, 400)

  const used = async () => (await api('GET /usage/summary')).body.storage_used_bytes
  const before = await used()
  await api(`PUT /buckets/${id}/objects/a`, { raw: '12345' })
  assert.equal((await api(`DELETE /buckets/${id}`)).status, 409)
  await api(`DELETE /buckets/${id}/objects/a`)
  const { uploadId } = (await api(`POST /buckets/${id}/multipart/initiate`, { body: { objectKey: 'p' } }))
    .body
  await api(`PUT /buckets/${id}/multipart/${uploadId}/parts/1`, { raw: '123' })
  assert.equal(await used(), before + 8)
  assert.deepEqual((await api(`DELETE /buckets/${id}`)).body, { deleted: true })
  assert.equal(await used(), before)
  for (const path of [`/buckets/${id}`, `/buckets/${id}/objects`, `/buckets/${id}/policy`])
    assert.equal((await api(`GET ${path}`)).status, 404)
  assert.equal((await api(`DELETE /buckets/${id}`)).status, 404)
})

test('uploads during the deletion of their bucket are either counted or refused', async () => {
  for (let round = 0; round < 20; round++) {
    const { id } = (await api('POST /buckets', { body: { name: `vanishing-${round}` } })).body
    const uploads = Array.from({ length: 10 }, (_, n) => api(`PUT /buckets/${id}/objects/${n}`, { raw: 'x' }))
    const [deleted, ...answers] = await Promise.all([api(`DELETE /buckets/${id}`), ...uploads])
    const stored = answers.filter(({ status }) => status === 201).length
    for (const { status } of answers) assert.ok(status === 201 || status === 404, String(status))
    assert.equal(deleted.status, stored === 0 ? 200 : 409)
  }
})

test('every foreign key of the schema has an index for deletions', async () => {
  // Neither a partial index nor one of the organization alone is enough. The two excluded tables are never deleted from.
  const without = await system.sql`
    select f.conrelid::regclass::text as referring, f.conname
    from pg_constraint f join pg_namespace n on n.oid = f.connamespace
    where n.nspname = 'storage' and f.contype = 'f'
      and f.confrelid not in ('storage.organizations'::regclass, 'storage.promo_codes'::regclass)
      and not exists (
        select from pg_index i
        where i.indrelid = f.conrelid and i.indpred is null and (i.indkey::int2[])[0] = any(f.conkey)
          and exists (
            select from pg_attribute a where a.attrelid = f.conrelid and a.attname <> 'org_id'
              and a.attnum = any(f.conkey) and a.attnum = any((i.indkey::int2[])[0:1])))`
  assert.deepEqual([...without], [])
})
