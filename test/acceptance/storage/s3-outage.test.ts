import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { s3Environment, startS3 } from '#test/support/s3.ts'
import { createBucket, objectsIn } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const server = await startS3()
after(() => server.stop())
const system = await boot({ env: await s3Environment(server.endpoint, 'outage') })
const { held } = bytesOf(system)
const { api } = await storageOwner(system)
const bucketId = await createBucket(api, 'outage')
const at = objectsIn(bucketId)
const large = Buffer.alloc(11_000_000, 'large')

test('objects, ranges and copies work with blobs in S3', async () => {
  assert.equal((await api(`PUT ${at('large')}`, { raw: large })).status, 201)
  assert.equal((await api(`PUT ${at('small')}`, { raw: 'small' })).status, 201)
  assert.equal((await api(`POST ${at('large')}/copy`, { body: { destinationKey: 'copy' } })).status, 201)
  assert.equal((await held()).length, 1, 'small ones live in the database, copies share their bytes')
  const part = await api(`GET ${at('copy')}`, { headers: { range: 'bytes=5000000-5000009' } })
  assert.deepEqual([part.status, part.text], [206, large.subarray(5_000_000, 5_000_010).toString()])
})

test('while S3 is unavailable requests that need it get 503, others work, and nothing is lost', async () => {
  await server.down()
  const read = await api(`GET ${at('large')}`)
  assert.deepEqual([read.status, read.headers.get('retry-after')], [503, '1'])
  for (const raw of [large, Buffer.alloc(20_000)])
    assert.equal((await api(`PUT ${at('new')}`, { raw })).status, 503)
  assert.equal((await api(`GET ${at('small')}`)).text, 'small')
  assert.equal((await api(`HEAD ${at('large')}`)).status, 200)
  assert.equal((await api(`GET ${at('new')}`)).status, 404)
  await server.up()
  assert.equal((await api(`GET ${at('large')}`)).text, large.toString())
  assert.equal((await api(`PUT ${at('new')}`, { raw: large })).status, 201)
})

test('a refused upload leaves nothing in S3', async () => {
  const before = await held()
  const refused = await api(`PUT ${at('large')}`, { raw: large, headers: { 'if-none-match': '*' } })
  assert.equal(refused.status, 412)
  const wrong = await api(`PUT ${at('large')}`, {
    raw: large,
    headers: { 'content-md5': Buffer.alloc(16).toString('base64') },
  })
  assert.equal(wrong.status, 400)
  assert.deepEqual(await held(), before)
})
