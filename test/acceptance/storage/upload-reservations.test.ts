import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { type SlowRequest, slowRequest } from '#test/support/slow.ts'
import { createBucket, objectPath } from '#test/support/storage.ts'
import { planEnds } from './plan.ts'

/** Uploads that do not fit are refused before their body is sent, and unfinished uploads count. */

const mib = 1024 * 1024
const limit = 64 * mib
const system = await boot({ env: { STORAGE_MAX_UPLOAD_BYTES: String(limit), BLOBS_URL: 'file:' } })
type Owner = Awaited<ReturnType<typeof storageOwner>>
const owner = await storageOwner(system)
const { api } = owner

let count = 0
const newBucket = (more: object = {}, as: Owner = owner) => createBucket(as.api, `uploads-${++count}`, more)
const at = (id: string, key = 'x') => objectPath(id, key)
const begin = (call: string, headers: Record<string, string | number>, as: Owner = owner) =>
  slowRequest(system.urls.storage, call, { authorization: `Bearer ${as.token}`, ...headers })
const put = (id: string, length: number, key = 'x', as: Owner = owner) =>
  begin(`PUT ${at(id, key)}`, { 'content-length': length }, as)
const drafts = () => readdir(join(system.dataDir, 'blobs', 'drafts')).catch(() => [])
const draftsAre = (count: number) => eventually(async () => assert.equal((await drafts()).length, count))

const refused = async (request: SlowRequest, status: number, message: RegExp) => {
  const answer = await request.answer()
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.text, message)
  assert.match(answer.text, /^connection: close\r$/im)
  await request.ended()
}
/** The upload is stored, and there is no response before its body has arrived. */
const accepted = async (request: SlowRequest, body: Buffer, status = 201) => {
  request.send(body)
  const answer = await request.answer()
  assert.equal(answer.status, status, answer.text)
  request.destroy()
}
const bucketFull = /The storage quota of the bucket is exceeded/
const organizationFull = /The storage quota of the organization is exceeded/

test('an upload larger than the rest of the bucket quota is refused before its body; one of exactly the rest is accepted', async () => {
  const id = await newBucket({ storageQuotaBytes: 1000 })
  await refused(await put(id, 1001), 403, bucketFull)
  await refused(await put(id, 40 * mib), 403, bucketFull)
  await accepted(await put(id, 1000), Buffer.alloc(1000))
  await refused(await put(id, 1, 'y'), 403, bucketFull)
  assert.deepEqual(await drafts(), [])
})

test('an upload larger than the rest of the organization quota is refused before its body', async () => {
  const poor = await storageOwner(system)
  const id = await newBucket({}, poor)
  await system.sql`update storage.organizations set storage_quota_bytes = 10000 where id = ${poor.organization.id}`
  await refused(await put(id, 10_001, 'x', poor), 403, organizationFull)
  await accepted(await put(id, 10_000, 'x', poor), Buffer.alloc(10_000))
})

test('an upload larger than the upload limit or its signed URL allows is refused before its body', async () => {
  const id = await newBucket()
  await refused(await put(id, limit + 1), 413, /at most 67108864 bytes/)
  const body = { objectKey: 'signed', method: 'PUT', maxBytes: 100 }
  const { pathname, search } = new URL((await api(`POST /buckets/${id}/signed-url`, { body })).body.url)
  const signed = (length: number) =>
    slowRequest(system.urls.storage, `PUT ${pathname}${search}`, { 'content-length': length })
  await refused(await signed(101), 413, /at most 100 bytes/)
  await accepted(await signed(100), Buffer.alloc(100))
  const tight = await newBucket({ storageQuotaBytes: 50 })
  const url = new URL(
    (await api(`POST /buckets/${tight}/signed-url`, { body: { objectKey: 'k', method: 'PUT' } })).body.url,
  )
  const request = await slowRequest(system.urls.storage, `PUT ${url.pathname}${url.search}`, {
    'content-length': 51,
  })
  await refused(request, 403, bucketFull)
})

test('a multipart part larger than the rest of the quota is refused before its body; sent again it replaces itself', async () => {
  const id = await newBucket({ storageQuotaBytes: 1000 })
  const { uploadId } = (await api(`POST /buckets/${id}/multipart/initiate`, { body: { objectKey: 'p' } }))
    .body
  const part = (n: number, length: number) =>
    begin(`PUT /buckets/${id}/multipart/${uploadId}/parts/${n}`, { 'content-length': length })
  await refused(await part(1, 1001), 403, bucketFull)
  await accepted(await part(1, 900), Buffer.alloc(900), 200)
  await refused(await part(2, 101), 403, bucketFull)
  await accepted(await part(1, 1000), Buffer.alloc(1000), 200)
})

test('a form upload larger than the rest of the quota is refused before its body', async () => {
  const id = await newBucket({ storageQuotaBytes: 1000 })
  const form = (length: number) =>
    begin(`POST /buckets/${id}/objects/upload`, {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': length,
    })
  await refused(await form(10 * mib), 403, bucketFull)
  await refused(await form(limit + 10 * mib), 413, /at most/)
  const bytes = Buffer.alloc(1000, 'f')
  const body = Buffer.concat([
    Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n'),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ])
  await accepted(await form(body.length), body)
})

test('with an expired plan uploads are refused before their body is read', async () => {
  const late = await storageOwner(system)
  const id = await newBucket({}, late)
  const { uploadId } = (
    await late.api(`POST /buckets/${id}/multipart/initiate`, { body: { objectKey: 'p' } })
  ).body
  await planEnds(system, late.organization.id, new Date(system.clock.now().getTime() - 1000))
  const expired = /The plan has expired/
  await refused(await put(id, 10, 'x', late), 403, expired)
  const headers = { 'content-length': 10 }
  await refused(await begin(`PUT /buckets/${id}/multipart/${uploadId}/parts/1`, headers, late), 403, expired)
  const form = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
  await refused(await begin(`POST /buckets/${id}/objects/upload`, form, late), 403, expired)
})

test('Expect: 100-continue is granted only if the upload will be accepted', async () => {
  const id = await newBucket({ storageQuotaBytes: 1000 })
  const expect = { expect: '100-continue' }
  const tooMuch = await begin(`PUT ${at(id)}`, { ...expect, 'content-length': 2000 })
  await refused(tooMuch, 403, bucketFull)
  const fits = await begin(`PUT ${at(id)}`, { ...expect, 'content-length': 1000 })
  assert.match(await fits.seen(/\r\n\r\n$/), /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  fits.send(Buffer.alloc(1000))
  assert.match((await fits.answer()).text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  const json = JSON.stringify({ name: `uploads-${++count}` })
  const headers = { ...expect, 'content-type': 'application/json', 'content-length': json.length }
  const created = await begin('POST /buckets', headers)
  await created.seen(/^HTTP\/1\.1 100 Continue/)
  created.send(json)
  assert.match((await created.answer()).text, /HTTP\/1\.1 201 /)
  const stranger = await slowRequest(system.urls.storage, 'POST /buckets', headers)
  assert.equal((await stranger.answer()).status, 401)
  for (const request of [fits, created, stranger]) request.destroy()
})

test('bytes of an unfinished upload count against the quota until it ends', async () => {
  const id = await newBucket({ storageQuotaBytes: mib })
  const first = await put(id, 600_000, 'first')
  first.send(Buffer.alloc(100_000))
  await draftsAre(1)
  await refused(await put(id, 600_000, 'second'), 403, bucketFull)
  const beside = await put(id, 400_000, 'beside')
  await accepted(beside, Buffer.alloc(400_000))
  first.destroy()
  // The reservation is released as soon as the server notices.
  for (;;) {
    const again = await put(id, 600_000, 'second')
    const answer = await Promise.race([again.answer(), sleep(200)])
    if (answer?.status === 403) continue
    await accepted(again, Buffer.alloc(600_000))
    break
  }
  await refused(await put(id, 100_000, 'third'), 403, bucketFull)
})

test('bytes of unfinished uploads count for their organization and for no other', async () => {
  const [mine, other] = [await storageOwner(system), await storageOwner(system)]
  const [one, two, theirs] = [
    await newBucket({}, mine),
    await newBucket({}, mine),
    await newBucket({}, other),
  ]
  for (const { organization } of [mine, other])
    await system.sql`update storage.organizations set storage_quota_bytes = ${mib} where id = ${organization.id}`
  const slow = await put(one, 600_000, 'x', mine)
  slow.send(Buffer.alloc(100_000))
  await draftsAre(1)
  await refused(await put(two, 600_000, 'x', mine), 403, organizationFull)
  await accepted(await put(theirs, 600_000, 'x', other), Buffer.alloc(600_000))
  slow.send(Buffer.alloc(500_000))
  assert.equal((await slow.answer()).status, 201)
  slow.destroy()
})

test('an upload without Content-Length is refused as soon as it exceeds the quota', async () => {
  const id = await newBucket({ storageQuotaBytes: 100_000 })
  const chunk = (size: number) =>
    Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), Buffer.alloc(size), Buffer.from('\r\n')])
  const endless = await begin(`PUT ${at(id)}`, { 'transfer-encoding': 'chunked' })
  endless.send(chunk(60_000))
  endless.send(chunk(60_000))
  await refused(endless, 403, bucketFull)
  await draftsAre(0)
  const exact = await begin(`PUT ${at(id)}`, { 'transfer-encoding': 'chunked' })
  exact.send(chunk(100_000))
  await accepted(exact, Buffer.from('0\r\n\r\n'))
})

test('the bytes an overwrite replaces count as free space, unless they are kept as a version', async () => {
  for (const versioningEnabled of [true, false]) {
    const id = await newBucket({ storageQuotaBytes: 1000, versioningEnabled })
    await accepted(await put(id, 800), Buffer.alloc(800))
    await refused(await put(id, 900, 'another'), 403, bucketFull)
    if (versioningEnabled) await refused(await put(id, 900), 403, bucketFull)
    else await accepted(await put(id, 1000), Buffer.alloc(1000), 200)
  }
})

test('the bytes of an object that is being overwritten count as free space for one upload at a time', async () => {
  const id = await newBucket({ storageQuotaBytes: mib, versioningEnabled: false })
  await accepted(await put(id, 900_000), Buffer.alloc(900_000))
  const first = await put(id, 900_000)
  first.send(Buffer.alloc(100_000))
  await draftsAre(1)
  await refused(await put(id, 900_000), 403, bucketFull)
  first.send(Buffer.alloc(800_000))
  assert.equal((await first.answer()).status, 200)
  first.destroy()
  await accepted(await put(id, 900_000), Buffer.alloc(900_000), 200)
})

test('quotas are exact with parallel uploads whose bodies arrive late', async () => {
  const id = await newBucket({ storageQuotaBytes: 100_000 })
  const requests = await Promise.all(Array.from({ length: 15 }, (_, n) => put(id, 10_000, `k${n}`)))
  for (const request of requests) request.send(Buffer.alloc(10_000))
  const answers = await Promise.all(requests.map((request) => request.answer()))
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  assert.equal(answers.filter(({ status }) => status === 403).length, 5)
  for (const request of requests) request.destroy()
  const bucket = (await api(`GET /buckets/${id}`)).body
  assert.deepEqual([bucket.object_count, bucket.total_size_bytes], [10, 100_000])
})

test('a client that sends all of a refused body receives the response', async () => {
  const id = await newBucket({ storageQuotaBytes: 1000 })
  for (let round = 0; round < 5; round++) {
    const { status } = await api(`PUT ${at(id)}`, { raw: Buffer.alloc(8 * mib) })
    assert.equal(status, 403)
  }
})
