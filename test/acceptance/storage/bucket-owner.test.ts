import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adoptBlobs } from '#platform/blobs/owner.ts'
import { sweepBlobs } from '#storage/blobs/upkeep.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { s3Environment, startS3 } from '#test/support/s3.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

/** A second system on the bucket of a first, as in a rehearsal of a restore. */

const server = await startS3()
after(() => server.stop())
const env = await s3Environment(server.endpoint, 'shared')
const first = await boot({ env })
const { ctx, held } = bytesOf(first)
await sweepBlobs(ctx)
const { api } = await storageOwner(first)
const id = await createBucket(api, 'owned')
assert.equal((await api(`PUT /buckets/${id}/objects/x`, { raw: Buffer.alloc(20_000) })).status, 201)
const [blob] = await held()
const twoHours = 2 * 3600_000

test('a system removes nothing from the S3 bucket of another system until it adopts the bucket', async () => {
  const second = await boot({ env })
  second.clock.advance(twoHours)
  const { ctx: theirs } = bytesOf(second)
  const mine = (await storageOwner(second)).api
  const other = await createBucket(mine, 'rehearsal')
  await mine(`PUT /buckets/${other}/objects/y`, { raw: Buffer.alloc(30_000) })
  await mine(`DELETE /buckets/${other}/objects/y?permanent=true`)
  second.clock.advance(twoHours)
  await sweepBlobs(theirs)
  await tidy(theirs)
  assert.equal((await held()).length, 2, 'neither what it does not know, nor what it has released')
  assert.ok((await held()).includes(blob!))
  assert.equal((await api(`GET /buckets/${id}/objects/x`)).status, 200)

  assert.equal(await adoptBlobs(theirs), true)
  await sweepBlobs(theirs)
  await tidy(theirs)
  assert.deepEqual(await held(), [])
})

test('after an adoption the first system removes nothing from the S3 bucket; a folder needs no owner', async (t) => {
  first.clock.advance(twoHours)
  const orphan = '01900000-0000-7000-8000-0000000000ab'
  await bytesOf(first).overwrite(orphan, Buffer.alloc(10))
  await sweepBlobs(ctx)
  assert.deepEqual(await held(), [orphan])
  const files = await boot({ env: { BLOBS_URL: 'file:' }, t })
  assert.equal(await adoptBlobs(bytesOf(files).ctx), false)
})
