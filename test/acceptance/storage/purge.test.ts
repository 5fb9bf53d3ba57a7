import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storage } from '#storage/app.ts'
import { lockKeys } from '#storage/objects/heads.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { api } = await storageOwner(system)
const { ctx } = bytesOf(system)
const retained = async (id: string) =>
  (
    await system.sql<
      { bytes: number }[]
    >`select retained_bytes as bytes from storage.buckets where id = ${id}`
  )[0]!.bytes

test('a version that moves to another bucket while it is purged is counted in the right bucket', async () => {
  const [from, to] = [await createBucket(api, 'source'), await createBucket(api, 'target')]
  const put = (key: string, size: number) =>
    api(`PUT /buckets/${from}/objects/${key}`, { raw: Buffer.alloc(size, 'x') })
  for (const key of ['first', 'second'])
    for (const size of [1000, 10]) assert.ok((await put(key, size)).status < 300)
  assert.deepEqual([await retained(from), await retained(to)], [2020, 0])
  await system.sql`update storage.versions set replaced_at = replaced_at - interval '31 days'`

  // The purge has read the list of expired versions, and waits until one of them has moved.
  const { release } = await hold(system, (tx) => lockKeys(tx, [{ bucketId: from, key: 'second' }]))
  const destination = { destinationBucketId: to, destinationKey: 'moved' }
  const moving = api(`POST /buckets/${from}/objects/second/move`, { body: destination })
  await waitingForLocks(system, 1)
  const purging = tidy(ctx)
  await waitingForLocks(system, 2)
  await release()
  assert.equal((await moving).status, 201)
  await purging

  assert.deepEqual([await retained(from), await retained(to)], [10, 10])
  assert.equal((await api(`GET /buckets/${to}/versions?objectKey=moved`)).body.length, 1)
  const { rows } = (await api('GET /audit-logs?action=version.purged')).body
  const places = rows.map(({ payload }: { payload: object }) => payload)
  assert.deepEqual(
    places.sort((a: { objectKey: string }, b: { objectKey: string }) => (a.objectKey < b.objectKey ? -1 : 1)),
    [
      { bucketId: from, objectKey: 'first', retainedBytes: 1000 },
      { bucketId: to, objectKey: 'moved', retainedBytes: 1000 },
    ],
  )
  assert.deepEqual(await storage.verify(ctx), [])
})

test('a version whose object is purged at the same time is not counted twice', async () => {
  const id = await createBucket(api, 'twice')
  for (const size of [1000, 10])
    await api(`PUT /buckets/${id}/objects/gone`, { raw: Buffer.alloc(size, 'x') })
  await system.sql`update storage.versions set replaced_at = replaced_at - interval '31 days'`
  const { release } = await hold(system, (tx) => lockKeys(tx, [{ bucketId: id, key: 'gone' }]))
  const purgingKey = api(`DELETE /buckets/${id}/objects/gone?permanent=true`)
  await waitingForLocks(system, 1)
  const purging = tidy(ctx)
  await waitingForLocks(system, 2)
  await release()
  assert.equal((await purgingKey).status, 200)
  await purging
  assert.equal(await retained(id), 0)
  assert.deepEqual(await storage.verify(ctx), [])
})
