import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { storage } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { storageOwner } from '#test/support/factories.ts'
import { s3Client, s3Owner } from '#test/support/s3-endpoint.ts'
import { postForm, signedFields } from '#test/support/s3-form.ts'
import { versionedBucket } from '#test/support/s3-versions.ts'
import { slowRequest } from '#test/support/slow.ts'
import { createBucket, objectPath, objectsIn, putObject } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

// What an organization keeps has a number, too: one thing for each 8 KiB of its quota, however small they are.
const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })
const { ctx } = bytesOf(system)

type Owner = { api: Client; organization: { id: string } }
const retained = async ({ api }: Owner) => (await api('GET /usage/summary')).body.retained_objects as number
/** Sets the quota so that this much more may be kept. */
const leavePlaces = (places: number, { organization }: Owner) => system.sql`
  update storage.organizations set storage_quota_bytes = (retained_objects + ${places}) * 8192
  where id = ${organization.id}`
const everythingAddsUp = async () => assert.deepEqual(await storage.verify(ctx), [])
const full = /^The object quota of the organization is exceeded: it counts objects/
const isFull = (answer: { status: number; body: { reason: string } }) => {
  assert.equal(answer.status, 403)
  assert.match(answer.body.reason, full)
}
const s3IsFull = (work: Promise<unknown>) => assert.rejects(work, { name: 'QuotaExceeded', message: full })
const formOf = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob(['x']), 'name')
  return form as never
}

test('the last place is taken, and then everything that needs one is refused, whatever the dialect', async () => {
  const owner = await s3Owner(system)
  const { api, s3, credentials } = owner
  const id = await createBucket(api, 'edge')
  const plain = await createBucket(api, 'edge-plain', { versioningEnabled: false })
  const at = objectsIn(id)
  await putObject(api, objectPath(plain, 'there'), 'x')
  await putObject(api, at('there'), 'first')
  await putObject(api, at('there'), 'second')
  const versions = (await api(`GET /buckets/${id}/versions?objectKey=there`)).body
  const { body: upload } = await api(`POST /buckets/${id}/multipart/initiate`, {
    body: { objectKey: 'parts' },
  })
  const { body: signed } = await api(`POST /buckets/${id}/signed-url`, {
    body: { objectKey: 'k', method: 'PUT' },
  })
  await leavePlaces(1, owner)
  await putObject(api, at('last'), '')
  const count = await retained(owner)
  const { object_quota } = (await api('GET /billing/plan')).body
  assert.equal(count, object_quota)

  isFull(await api(`PUT ${at('new')}`, { raw: '' }))
  isFull(await api(`PUT ${at('there')}`, { raw: '' }))
  isFull(await api(`POST /buckets/${id}/objects/upload`, { raw: formOf({ objectKey: 'form' }) }))
  isFull(await api(`POST ${at('there')}/copy`, { body: { destinationKey: 'copy' } }))
  isFull(await api(`POST ${at('there')}/restore`, { body: { versionId: versions[1].version_id } }))
  isFull(await api(`POST /buckets/${id}/multipart/initiate`, { body: { objectKey: 'more' } }))
  assert.equal((await fetch(signed.url, { method: 'PUT', body: 'x' })).status, 403)
  const batch = await api(`POST /buckets/${id}/objects/batch`, {
    body: { objects: [{ key: 'b', data: '' }] },
  })
  assert.match(JSON.stringify(batch.body.errors), /object quota/)
  const r = await api.with({ 'x-api-form': 'R' })(`PUT ${at('new')}`, { raw: '' })
  assert.deepEqual([r.status, r.body.message], [403, 'Forbidden'])

  const Bucket = 'edge'
  await s3IsFull(s3.send(new PutObjectCommand({ Bucket, Key: 's3', Body: 'x' })))
  await s3IsFull(s3.send(new CopyObjectCommand({ Bucket, Key: 's3', CopySource: `${Bucket}/there` })))
  await s3IsFull(s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 's3' })))
  const fields = { key: 'form', ...signedFields(credentials, [{ bucket: Bucket, key: 'form' }]) }
  const posted = await postForm(system, Bucket, fields)
  assert.deepEqual([posted.status, posted.code], [403, 'QuotaExceeded'])
  assert.equal(await retained(owner), count, 'nothing was stored')

  await putObject(api, objectPath(plain, 'there'), 'an overwrite needs no place')
  const parts = `/buckets/${id}/multipart/${upload.uploadId}`
  assert.equal((await api(`PUT ${parts}/parts/1`, { raw: 'x' })).status, 200)
  assert.equal((await api(`POST ${parts}/complete`, { body: {} })).status, 201)
  assert.equal((await api(`POST ${at('parts')}/move`, { body: { destinationKey: 'moved' } })).status, 201)
  assert.equal(await retained(owner), count)
  assert.equal((await api(`DELETE ${at('moved')}?permanent=true`)).status, 200)
  await putObject(api, at('again'), '')
  isFull(await api(`PUT ${at('new')}`, { raw: '' }))
  await everythingAddsUp()
})

test('what is there can always be deleted, but a marker that hides nothing needs a place', async () => {
  const owner = await s3Owner(system)
  const { Bucket, put, remove, history } = await versionedBucket(owner.s3, 'Enabled')
  await put('a', 'x')
  await put('b', 'x')
  await leavePlaces(0, owner)
  await s3IsFull(remove('nothing'))
  await remove('a')
  assert.equal((await history('a')).markers.length, 1)
  assert.equal(await retained(owner), 3)
  await leavePlaces(3, owner)
  const Objects = ['b', ...Array.from({ length: 10 }, (_, n) => `none-${n}`)].map((Key) => ({ Key }))
  const { Deleted = [], Errors = [] } = await owner.s3.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
  )
  assert.ok(Deleted.some(({ Key }) => Key === 'b'))
  assert.ok(Errors.every(({ Code }) => Code === 'QuotaExceeded'))
  const { retained_objects, object_quota } = (await owner.api('GET /usage/summary')).body
  assert.deepEqual([Deleted.length + Errors.length, retained_objects >= object_quota], [11, true])
  assert.ok(Errors.length >= 7 && Errors.length <= 8, `${Errors.length} refused`)
  await everythingAddsUp()
})

test('a large upload is refused before its body', async () => {
  const owner = await storageOwner(system)
  const id = await createBucket(owner.api, 'large')
  const plain = await createBucket(owner.api, 'large-plain', { versioningEnabled: false })
  await putObject(owner.api, objectPath(plain, 'there'), 'x')
  await leavePlaces(0, owner)
  const put = (path: string) =>
    slowRequest(system.urls.storage, `PUT ${path}`, {
      authorization: `Bearer ${owner.token}`,
      'content-length': 5_000,
    })
  const refused = await (await put(objectPath(id, 'x'))).answer()
  assert.equal(refused.status, 403)
  assert.match(refused.text, /The object quota of the organization is exceeded/)
  assert.match(refused.text, /^connection: close\r$/im)
  const replacing = await put(objectPath(plain, 'there'))
  replacing.send(Buffer.alloc(5_000))
  assert.equal((await replacing.answer()).status, 200)
  replacing.destroy()
})

test('of parallel writes on two nodes exactly as many succeed as there are places, and no other tenant notices', async () => {
  const [owner, neighbour] = [await s3Owner(system), await s3Owner(system)]
  const [id, theirs] = [await createBucket(owner.api, 'race'), await createBucket(neighbour.api, 'quiet')]
  const nodes = [system, other].map((node) => ({
    as: (who: typeof owner) => node.storage.with({ 'x-api-key': who.credentials.key }),
    s3: s3Client(node, owner.credentials),
  }))
  for (const places of [7, 0, 1]) {
    await leavePlaces(places, owner)
    const before = await retained(owner)
    const writes = Array.from({ length: 48 }, async (_, n) => {
      const { as, s3 } = nodes[n % 2]!
      const api = as(owner)
      const key = `${places}-${n}`
      if (n % 6 < 2) {
        const Key = n % 12 < 6 ? key : 'same'
        return s3.send(new PutObjectCommand({ Bucket: 'race', Key, Body: 'x' })).then(
          () => 200,
          ({ name }) => name,
        )
      }
      if (n % 6 === 2)
        return (await api(`POST /buckets/${id}/multipart/initiate`, { body: { objectKey: key } })).status
      return (await api(`PUT ${objectPath(id, key)}`, { raw: '' })).status
    })
    const quiet = Array.from({ length: 8 }, (_, n) => {
      const api = nodes[n % 2]!.as(neighbour)
      return api(`PUT ${objectPath(theirs, `${places}-${n}`)}`, { raw: '' })
    })
    const outcomes = await Promise.all(writes)
    const stored = outcomes.filter((outcome) => outcome === 200 || outcome === 201)
    const refused = outcomes.filter((outcome) => outcome === 403 || outcome === 'QuotaExceeded')
    assert.deepEqual([stored.length, refused.length], [places, 48 - places], String(outcomes))
    assert.equal(await retained(owner), before + places)
    for (const { status } of await Promise.all(quiet)) assert.equal(status, 201)
  }
  await everythingAddsUp()
})
