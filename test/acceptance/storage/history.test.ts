import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storage } from '#storage/app.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { versionedBucket } from '#test/support/s3-versions.ts'
import { createBucket } from '#test/support/storage.ts'

// The history of a key: how it is kept in order, when it goes, and that damage to it is found.
const system = await boot()
const owner = await s3Owner(system)
const { s3, api } = owner
const { sql } = system
const ctx = storage.context(system.platform)
const broken = async () => [...new Set((await storage.verify(ctx)).map(({ invariant }) => invariant))]

test('recovering brings back what was deleted last, even if a clock says otherwise', async () => {
  const id = await createBucket(api, 'clocks')
  for (const text of ['first', 'second']) {
    await api(`PUT /buckets/${id}/objects/k`, { raw: Buffer.from(text) })
    await api(`DELETE /buckets/${id}/objects/k`)
  }
  await sql`
    update storage.objects set deleted_at = deleted_at - interval '1 hour' where bucket_id = ${id} and size_bytes = 6`
  const { body } = await api(`POST /buckets/${id}/objects/k/recover`)
  assert.equal(body.object.size_bytes, 'second'.length)
  assert.deepEqual(await broken(), [])
})

test('after the time of retention, deleted objects go with their markers, and markers that hide nothing', async () => {
  const { put, remove, history } = await versionedBucket(s3, 'Enabled')
  await put('old', 'text')
  await remove('old')
  await remove('old')
  await remove('never there')
  await sql`update storage.markers set marked_at = marked_at - interval '31 days'`
  await sql`update storage.objects set deleted_at = deleted_at - interval '31 days'`
  await put('new', 'text')
  const marker = await remove('new')
  // A marker goes the day after the last content below it.
  for (const _day of [1, 2]) {
    await sql`update storage.buckets set swept_at = null`
    await tidy(ctx)
  }
  assert.deepEqual(await history('old'), { versions: [], markers: [] })
  assert.deepEqual(await history('never there'), { versions: [], markers: [] })
  assert.deepEqual((await history('new')).markers, [`-${marker.VersionId}*`])
  assert.deepEqual(await broken(), [])
})

test('a history that contradicts itself is found by verify', async () => {
  const { Bucket, put, remove, suspend } = await versionedBucket(s3, 'Enabled')
  const { body } = await api('GET /buckets')
  const { id } = body.find(({ name }: { name: string }) => name === Bucket)
  await put('live', 'one')
  await put('live', 'two')
  await put('gone', 'text')
  await remove('gone')
  await suspend()
  await put('live', 'null')
  const found = async (
    invariant: string,
    damage: () => PromiseLike<unknown>,
    repair: () => PromiseLike<unknown>,
  ) => {
    await damage()
    assert.deepEqual(await broken(), [invariant])
    await repair()
    assert.deepEqual(await broken(), [])
  }
  await found(
    'a marker that hides an object is of its key, and newer',
    () => sql`update storage.markers set object_key = 'other' where bucket_id = ${id}`,
    () => sql`update storage.markers set object_key = 'gone' where bucket_id = ${id}`,
  )
  const counted = (change: number) => sql`
    with counted as (update storage.buckets set retained_objects = retained_objects + ${change} where id = ${id} returning org_id)
    update storage.organizations set retained_objects = retained_objects + ${change} where id in (select org_id from counted)`
  await found(
    'the live object of a key is its newest entry',
    async () => {
      await sql`insert into storage.markers (id, org_id, bucket_id, object_key, marked_at)
        select gen_random_uuid(), org_id, id, 'live', now() from storage.buckets where id = ${id}`
      await counted(1)
    },
    async () => {
      await sql`delete from storage.markers where bucket_id = ${id} and object_key = 'live'`
      await counted(-1)
    },
  )
  const ofBucket = sql`object_id in (select id from storage.objects where bucket_id = ${id})`
  await found(
    'a key has one entry without versioning',
    () => sql`update storage.versions set unversioned = true where ${ofBucket}`,
    () => sql`update storage.versions set unversioned = false where ${ofBucket}`,
  )
})
