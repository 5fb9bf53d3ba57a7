import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import { storage } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

// An organization may have 10,000 pending uploads.
const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })
const { ctx } = bytesOf(system)

/** Uploads that were started before, as many as wanted. */
const start = (bucketId: string, count: number) =>
  system.platform.db.transaction(async (tx) => {
    await tx`
      insert into storage.uploads (id, org_id, bucket_id, object_key, content_type, metadata, created_at)
      select gen_random_uuid(), org_id, id, 'early/' || n, 'text/plain', '{}', now()
      from storage.buckets, generate_series(1, ${count}::int) n where id = ${bucketId}`
    await tx`update storage.buckets set retained_objects = retained_objects + ${count} where id = ${bucketId}`
    await tx`
      update storage.organizations set retained_objects = retained_objects + ${count},
        pending_uploads = pending_uploads + ${count}
      where id = (select org_id from storage.buckets where id = ${bucketId})`
  })

test('10,000 uploads may be pending, exactly, whichever node is asked and in whichever dialect', async () => {
  const { api, s3, credentials } = await s3Owner(system)
  const there = other.storage.with({ 'x-api-key': credentials.key })
  const [id, full] = [await createBucket(api, 'pending'), await createBucket(api, 'pending-full')]
  await start(full, 9_997)
  const initiate = (as = api, bucket = id) =>
    as(`POST /buckets/${bucket}/multipart/initiate`, { body: { objectKey: 'x' } })
  const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => initiate(n % 2 === 0 ? api : there)))
  const started = answers.filter(({ status }) => status === 201)
  assert.equal(started.length, 3)
  for (const { status, body } of answers.filter((answer) => !started.includes(answer))) {
    assert.equal(status, 403)
    assert.equal(
      body.reason,
      'The organization has 10,000 pending uploads, which is the most: complete or abort some',
    )
  }
  await assert.rejects(s3.send(new CreateMultipartUploadCommand({ Bucket: 'pending', Key: 'x' })), {
    name: 'QuotaExceeded',
    message: /has 10,000 pending uploads/,
  })
  const neighbour = await storageOwner(system)
  assert.equal((await initiate(neighbour.api, await createBucket(neighbour.api, 'mine'))).status, 201)

  const [completed, aborted] = started.map(({ body }) => `/buckets/${id}/multipart/${body.uploadId}`)
  await api(`PUT ${completed}/parts/1`, { raw: 'x' })
  assert.equal((await api(`POST ${completed}/complete`, { body: {} })).status, 201)
  assert.equal((await initiate()).status, 201, 'in place of the completed one')
  assert.equal((await initiate()).status, 403)
  assert.equal((await api(`DELETE ${aborted}`)).status, 200)
  assert.equal((await initiate(there)).status, 201, 'in place of the aborted one')
  assert.equal((await initiate(there)).status, 403)
  assert.deepEqual(await storage.verify(ctx), [])

  assert.equal((await api(`DELETE /buckets/${full}`)).status, 200)
  assert.equal((await initiate()).status, 201, 'in place of those of a deleted bucket')
  assert.equal((await api('GET /usage/summary')).body.retained_objects, 5)
  assert.deepEqual(await storage.verify(ctx), [])
})
