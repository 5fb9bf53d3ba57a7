import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Answer } from '#test/support/client.ts'
import { storageOwner } from '#test/support/factories.ts'
import { s3Environment, startS3 } from '#test/support/s3.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

/** An error response must not look like the object, so that no client or cache stores it as the object. */

const server = await startS3()
after(() => server.stop())
const system = await boot({ env: await s3Environment(server.endpoint, 'errors') })
const { api, organization, user } = await storageOwner(system)
const { overwrite } = bytesOf(system)
const bucketId = await createBucket(api, 'errors')
const at = `/buckets/${bucketId}/objects/file.bin`
const headers = { 'content-type': 'image/png', 'x-meta-author': 'Ada' }
const bytes = Buffer.alloc(3_000_000, 'f')
await api(`PUT ${at}`, { raw: bytes, headers })

const isError = (answer: Answer, status: number) => {
  assert.equal(answer.status, status, answer.text)
  for (const name of ['etag', 'content-disposition', 'last-modified', 'accept-ranges', 'x-meta-author'])
    assert.equal(answer.headers.get(name), null, `${status} ${name}`)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.body.message, answer.body.error)
}

test("a failed download with 412, 416 or 404 has none of the object's headers", async () => {
  isError(await api(`GET ${at}`, { headers: { 'if-match': '"other"' } }), 412)
  isError(await api(`GET ${at}`, { headers: { range: 'bytes=3000000-' } }), 416)
  isError(await api(`GET ${at}?versionId=${crypto.randomUUID()}`), 404)
})

test("a download refused with 403 by a policy or the bandwidth quota has none of the object's headers", async () => {
  const deny = { effect: 'deny', action: 'object.read', resourceType: 'object', resourceId: '*', subjectType: 'user', subjectId: user.id } // biome-ignore format: one line
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [deny] } })
  isError(await api(`GET ${at}`), 403)
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [] } })
  await system.sql`update storage.organizations set bandwidth_quota_bytes = 0 where id = ${organization.id}`
  isError(await api(`GET ${at}`), 403)
  await system.sql`update storage.organizations set bandwidth_quota_bytes = 1e12 where id = ${organization.id}`
  system.clock.advance(6_000)
})

test("a download that fails with 503 or 500 has none of the object's headers", async () => {
  await server.down()
  isError(await api(`GET ${at}`), 503)
  await server.up()
  const [row] = await system.sql<{ id: string }[]>`select blobs[1] as id from storage.objects`
  const wrong = Buffer.from(bytes)
  wrong[0] = 0
  await overwrite(row!.id, wrong)
  isError(await api(`GET ${at}`, { headers: { range: 'bytes=0-9' } }), 500)
  isError(await api(`GET ${at}`), 500)
})
