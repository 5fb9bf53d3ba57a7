import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { slowRequest } from '#test/support/slow.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const roomy = await boot({ env: { BLOBS_URL: 'file:' } })
/** Another node of the same system, configured to keep more space free than any disk has. */
const full = await boot({
  database: { url: roomy.databaseUrl },
  env: { BLOBS_URL: `file:${join(roomy.dataDir, 'blobs')}`, MIN_FREE_BYTES: String(Number.MAX_SAFE_INTEGER) },
})
const { api, token } = await storageOwner(roomy)
const there = full.storage.bearer(token)
const id = await createBucket(api, 'space')
const root = `/buckets/${id}`
const held = async () => (await bytesOf(roomy).held()).sort()

test('with too little free disk space uploads of every kind get 507 and leave nothing', async () => {
  await api(`PUT ${root}/objects/old`, { raw: Buffer.alloc(20_000, 'o') })
  const { uploadId } = (await api(`POST ${root}/multipart/initiate`, { body: { objectKey: 'p' } })).body
  const { url } = (await api(`POST ${root}/signed-url`, { body: { objectKey: 's', method: 'PUT' } })).body
  const { pathname, search } = new URL(url)
  const before = [await held(), (await api('GET /usage/summary')).body]
  const form = () => {
    const data = new FormData()
    data.append('file', new Blob(['form']), 'f')
    return data
  }
  for (const raw of ['small', Buffer.alloc(100_000)])
    for (const call of [
      `PUT ${root}/objects/new`,
      `PUT ${root}/objects/old`,
      `PUT ${root}/multipart/${uploadId}/parts/1`,
      `PUT ${pathname}${search}`,
    ]) {
      const { status, body } = await there(call, { raw })
      assert.equal(status, 507, call)
      assert.equal(body.message, 'The server has no room for this upload at the moment')
      assert.equal(body.error, body.message)
    }
  assert.equal((await there(`POST ${root}/objects/upload`, { raw: form() })).status, 507)
  assert.deepEqual([await held(), (await api('GET /usage/summary')).body], before)
})

test('an announced upload that does not fit on the disk is refused before its body', async () => {
  const request = await slowRequest(full.urls.storage, `PUT ${root}/objects/x`, {
    authorization: `Bearer ${token}`,
    'content-length': 10,
  })
  assert.equal((await request.answer()).status, 507)
  await request.ended()
})

test('with too little free disk space everything but uploads works', async () => {
  assert.equal((await there(`GET ${root}/objects/old`)).text.length, 20_000)
  assert.equal((await there('POST /buckets', { body: { name: 'another' } })).status, 201)
  const copy = { body: { destinationKey: 'copy' } }
  assert.equal((await there(`POST ${root}/objects/old/copy`, copy)).status, 201, 'no bytes are written')
  assert.equal((await there(`DELETE ${root}/objects/copy`)).status, 200)
  assert.equal((await there('POST /auth/api-keys', { body: {} })).status, 201)
  assert.equal((await api(`PUT ${root}/objects/new`, { raw: 'small' })).status, 201, 'on the other node')
})
