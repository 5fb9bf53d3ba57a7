import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { storage } from '#storage/app.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { storageOwner } from '#test/support/factories.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { versionedBucket } from '#test/support/s3-versions.ts'
import { createBucket, objectPath, objectsIn } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'
import { planEnds } from './plan.ts'

// Everything that an organization keeps is counted: objects, live and deleted, versions, markers and pending uploads.
const system = await boot()
const { ctx } = bytesOf(system)
const retained = async ({ api }: { api: Client }) =>
  (await api('GET /usage/summary')).body.retained_objects as number
const everythingAddsUp = async () => assert.deepEqual(await storage.verify(ctx), [])

test('without versions an overwrite adds nothing, and a deleted object is kept until it is purged', async () => {
  const owner = await storageOwner(system)
  const id = await createBucket(owner.api, 'plain', { versioningEnabled: false })
  const counts: number[] = []
  for (const call of ['PUT', 'PUT', 'DELETE', 'PUT', 'DELETE', 'DELETE permanent']) {
    const [method, permanent] = call.split(' ')
    const { status, text } = await owner.api(
      `${method} ${objectPath(id, 'a')}${permanent ? '?permanent=true' : ''}`,
      method === 'PUT' ? { raw: '' } : {},
    )
    assert.ok(status < 300, text)
    counts.push(await retained(owner))
  }
  assert.deepEqual(counts, [1, 1, 1, 2, 2, 0])
  await everythingAddsUp()
})

test('delete markers and null versions are counted over S3', async () => {
  const owner = await s3Owner(system)
  const { Bucket, put, remove, suspend, enable } = await versionedBucket(owner.s3, 'Enabled')
  const is = async (expected: number, what: string) => assert.equal(await retained(owner), expected, what)
  await put('a', 'one')
  const { VersionId } = await put('a', 'two')
  await is(2, 'two versions')
  const { VersionId: marker } = await remove('a')
  await is(3, 'a marker')
  await remove('a')
  await remove('nothing')
  await is(5, 'markers that hide nothing')
  await remove('a', marker)
  await is(4, 'a marker is removed')
  await suspend()
  await put('a', 'null')
  await is(5, 'a null version beside the others')
  await put('a', 'null again')
  await is(5, 'it replaces itself')
  await remove('a')
  await is(5, 'and is replaced by a null marker')
  await remove('a')
  await is(5, 'which is replaced by another')
  await enable()
  await put('a', 'three')
  await is(6, 'versions are kept again')
  await remove('a', VersionId)
  await is(5, 'a version is removed')
  await owner.s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'x' }, { Key: 'a' }] } }))
  await is(7, 'a marker each')
  await everythingAddsUp()
})

test('whatever comes and goes natively is counted, with versions', async () => {
  const owner = await storageOwner(system)
  const { body: key } = await owner.api('POST /auth/api-keys', { body: {} })
  const api = system.storage.with({ 'x-api-key': key.key })
  const form = new FormData()
  form.append('file', new Blob(['x']), 'name')
  const id = await createBucket(api, 'versions')
  const at = objectsIn(id)
  const step = async (call: string, expected: number, sent: Parameters<Client>[1] = {}) => {
    const { status, body, text } = await api(call, sent)
    assert.ok(status < 300, text)
    assert.equal(await retained({ api }), expected, call)
    return body
  }
  await step(`PUT ${at('a')}`, 1, { raw: 'one' })
  await step(`PUT ${at('a')}`, 2, { raw: 'two' })
  await step(`POST /buckets/${id}/objects/upload`, 3, { raw: form as never })
  const objects = ['b', 'c'].map((name) => ({ key: name, data: '' }))
  await step(`POST /buckets/${id}/objects/batch`, 5, { body: { objects } })
  await step(`POST ${at('a')}/copy`, 6, { body: { destinationKey: 'copy' } })
  await step(`POST ${at('a')}/move`, 6, { body: { destinationKey: 'moved' } })
  await step(`POST ${at('moved')}/move`, 6, { body: { destinationKey: 'copy' } })
  const versions = (await api(`GET /buckets/${id}/versions?objectKey=copy`)).body
  const oldest = versions.at(-1).version_id
  await step(`POST ${at('copy')}/restore`, 7, { body: { versionId: oldest } })
  await step(`DELETE /buckets/${id}/versions?objectKey=copy&versionId=${oldest}`, 6)
  await step(`DELETE ${at('b')}`, 7)
  await step(`POST ${at('b')}/recover`, 6)
  await step(`POST /buckets/${id}/objects/delete`, 8, { body: { keys: ['b', 'c', 'none'] } })
  await step(`DELETE ${at('c')}?permanent=true`, 6)
  const start = () => step(`POST /buckets/${id}/multipart/initiate`, 7, { body: { objectKey: 'parts' } })
  const { uploadId } = await start()
  await step(`DELETE /buckets/${id}/multipart/${uploadId}`, 6)
  await step(`DELETE /buckets/${id}/multipart/${uploadId}`, 6)
  const upload = `/buckets/${id}/multipart/${(await start()).uploadId}`
  for (const n of [1, 2, 2]) await step(`PUT ${upload}/parts/${n}`, 7, { raw: 'part' })
  await step(`POST ${upload}/complete`, 7, { body: {} })
  await step(`POST ${upload}/complete`, 7, { body: {} })
  const url = (await api(`POST /buckets/${id}/signed-url`, { body: { objectKey: 'signed', method: 'PUT' } }))
    .body.url
  assert.equal((await fetch(url, { method: 'PUT', body: 'x' })).status, 201)
  assert.equal(await retained({ api }), 8)

  const there = await createBucket(api, 'elsewhere', { versioningEnabled: false })
  await step(`POST ${at('copy')}/move`, 8, { body: { destinationKey: 'x', destinationBucketId: there } })
  await everythingAddsUp()

  const advance = async (days: number) => {
    system.clock.advance(days * 24 * 3600_000)
    await planEnds(system, owner.organization.id, new Date(system.clock.now().getTime() + 3600_000))
  }
  await api(`POST /buckets/${id}/multipart/initiate`, { body: { objectKey: 'forgotten' } })
  assert.equal(await retained({ api }), 9)
  await advance(8)
  await tidy(ctx)
  assert.equal(await retained({ api }), 8, 'an upload that is too old has failed')
  await advance(31)
  await tidy(ctx)
  const live = (await api('GET /usage/summary')).body.object_count
  assert.equal(await retained({ api }), live, 'only what is live is left')
  await everythingAddsUp()

  for (const bucket of [id, there]) {
    const { body } = await api(`GET /buckets/${bucket}/objects`, { headers: { 'x-api-form': 'R' } })
    const keys = body.objects.map(({ objectKey }: { objectKey: string }) => objectKey)
    assert.equal((await api(`POST /buckets/${bucket}/objects/delete`, { body: { keys } })).status, 200)
    await api(`POST /buckets/${bucket}/multipart/initiate`, { body: { objectKey: 'left' } })
    assert.equal((await api(`DELETE /buckets/${bucket}`)).status, 200)
  }
  const { retained_objects, storage_used_bytes } = (await api('GET /usage/summary')).body
  assert.deepEqual([retained_objects, storage_used_bytes], [0, 0])
  await everythingAddsUp()
})
