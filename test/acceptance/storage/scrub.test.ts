import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrubPortion } from '#storage/blobs/scrub.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { api } = await storageOwner(system)
const { ctx, overwrite } = bytesOf(system)
const bucketId = await createBucket(api, 'scrub')
const size = 20_000
const inlineSize = 2_000
const keys = ['first', 'second', 'third', 'fourth']
const day = 24 * 3600_000
for (const key of keys) await api(`PUT /buckets/${bucketId}/objects/${key}`, { raw: Buffer.alloc(size, key) })
await api(`PUT /buckets/${bucketId}/objects/inline`, { raw: Buffer.alloc(inlineSize, 'inline') })
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
const overwriteRow = async (text: string) =>
  await system.sql`update storage.blobs set data = ${Buffer.alloc(inlineSize, text)} where id = ${await blobOf('inline')}`

const damage = async (key: string) => overwrite(await blobOf(key), Buffer.alloc(size, 'x'))
const repair = async (key: string) => overwrite(await blobOf(key), Buffer.alloc(size, key))

test('the scrub continues where it stopped, and starts over a week after it began', async () => {
  for (const key of keys) await damage(key)
  await scrubPortion(ctx, { bytes: size })
  assert.deepEqual(await found(), ['first'])
  await scrubPortion(ctx, { bytes: size + 1 })
  assert.deepEqual(await found(), ['first', 'second', 'third'], 'a portion ends with a whole blob')
  system.clock.advance(6.9 * day)
  await scrubPortion(ctx)
  assert.deepEqual(await found(), keys)
  for (const key of keys) await repair(key)
  await scrubPortion(ctx)
  assert.deepEqual(await found(), [], 'those that were damaged are verified every time')
  await damage('first')
  await scrubPortion(ctx)
  assert.deepEqual(await found(), [], 'it is at the end, and no week has passed')
  system.clock.advance(0.2 * day)
  await scrubPortion(ctx, { bytes: size })
  assert.deepEqual(await found(), ['first'])
})

test('bytes in the database are verified as well', async () => {
  await overwriteRow('x')
  await scrubPortion(ctx)
  assert.deepEqual(await found(), ['first', 'inline'])
  await overwriteRow('inline')
  await repair('first')
  await scrubPortion(ctx)
  assert.deepEqual(await found(), [])
})

test('a scrub that is told to stop ends after the blob it is at, and continues there', async () => {
  for (const key of keys) await damage(key)
  system.clock.advance(7 * day)
  await scrubPortion(ctx, { signal: AbortSignal.abort() })
  assert.deepEqual(await found(), ['first'])
  await scrubPortion(ctx, { signal: AbortSignal.abort() })
  assert.deepEqual(await found(), ['first', 'second'])
  await scrubPortion(ctx)
  assert.deepEqual(await found(), keys)
})
