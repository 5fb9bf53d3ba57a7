import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrubPortion } from '#storage/blobs/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { api } = await storageOwner(system)
const { ctx, overwrite } = bytesOf(system)
const bucketId = await createBucket(api, 'scrub')
const size = 20_000
const keys = ['first', 'second', 'third', 'fourth']
for (const key of keys) await api(`PUT /buckets/${bucketId}/objects/${key}`, { raw: Buffer.alloc(size, key) })
const blobOf = async (key: string) =>
  (
    await system.sql<{ id: string }[]>`select blobs[1] as id from storage.objects where object_key = ${key}`
  )[0]!.id
/** The blobs that were found damaged so far. */
const found = async () => {
  const rows = await system.sql<{ key: string }[]>`
    select o.object_key as key from storage.objects o join storage.blobs b on b.id = o.blobs[1]
    where b.damaged_at is not null order by b.id`
  return rows.map(({ key }) => key)
}

test('the scrub continues where it stopped, and starts over at the end', async () => {
  for (const key of keys) await overwrite(await blobOf(key), Buffer.alloc(size, 'x'))
  await scrubPortion(ctx, size)
  assert.deepEqual(await found(), ['first'])
  await scrubPortion(ctx, size + 1)
  assert.deepEqual(await found(), ['first', 'second', 'third'], 'a portion ends with a whole blob')
  await overwrite(await blobOf('first'), Buffer.alloc(size, 'first'))
  await scrubPortion(ctx, 10 * size)
  assert.deepEqual(await found(), ['first', 'second', 'third', 'fourth'], 'not from the beginning')
  await scrubPortion(ctx, size)
  assert.deepEqual(await found(), ['second', 'third', 'fourth'], 'now it is, and the first is whole again')
})
