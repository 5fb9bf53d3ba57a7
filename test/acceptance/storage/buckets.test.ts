import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

const system = await boot()

test('a bucket is created with its defaults and listed newest first', async () => {
  const { api } = await storageOwner(system)
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
  await api('POST /buckets', {
    body: {
      name: 'second',
      visibility: 'public',
      versioningEnabled: false,
      region: 'eu',
      storageQuotaBytes: 1,
    },
  })
  const list = await api('GET /buckets')
  assert.deepEqual(
    list.body.map((b: { name: string }) => b.name),
    ['second', 'first'],
  )
  assert.equal(list.body[0].storage_quota_bytes, 1)
})

test('a bucket name is unique within one organization only', async () => {
  const [one, other] = [await storageOwner(system), await storageOwner(system)]
  assert.equal((await one.api('POST /buckets', { body: { name: 'same' } })).status, 201)
  const again = await one.api('POST /buckets', { body: { name: 'same' } })
  assert.equal(again.status, 409)
  assert.equal((await other.api('POST /buckets', { body: { name: 'same' } })).status, 201)
  assert.equal((await other.api('GET /buckets')).body.length, 1)
})
