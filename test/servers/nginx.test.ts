import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { client } from '#test/support/client.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { handOver, startNginx } from '#test/support/nginx.ts'

const system = await boot({
  env: { BLOBS_URL: 'file:', STORAGE_ACCEL_PREFIX: '/blobs', TRUST_PROXY: '1' },
})
const nginx = await startNginx(handOver(system.urls.storage, '/blobs', join(system.dataDir, 'blobs')))
after(() => nginx.stop())
const { token } = await storageOwner(system)
const { token: strangerToken } = await storageOwner(system)
const api = client(nginx.url).bearer(token)
const stranger = client(nginx.url).bearer(strangerToken)
const bucketId = (await api('POST /buckets', { body: { name: 'front' } })).body.id as string
const at = (key: string) => `/buckets/${bucketId}/objects/${key}`
const bytes = randomBytes(1_500_000)

const download = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(nginx.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('nginx sends the bytes of a large object with the headers that Trivet set', async () => {
  const headers = { 'content-type': 'image/x-odd' }
  assert.equal((await api(`PUT ${at('dir/large.odd')}`, { raw: bytes, headers })).status, 201)
  const direct = await fetch(system.urls.storage + at('dir/large.odd'), {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal((await direct.arrayBuffer()).byteLength, 0, 'Trivet itself sends none of them')
  const got = await download(at('dir/large.odd'))
  assert.equal(got.status, 200)
  assert.ok(got.bytes.equals(bytes))
  assert.equal(got.headers.get('content-length'), '1500000')
  for (const name of [
    'content-type',
    'etag',
    'last-modified',
    'content-disposition',
    'cache-control',
    'x-content-type-options',
    'referrer-policy',
    'access-control-allow-origin',
  ])
    assert.equal(got.headers.get(name), direct.headers.get(name), name)
  assert.equal(got.headers.get('x-accel-redirect'), null)
  const inline = await download(`${at('dir/large.odd')}?download=false`)
  assert.equal(inline.headers.get('content-security-policy'), 'sandbox')
})

test('nginx serves ranges of a large object, and 416 for one that cannot be satisfied', async () => {
  const ranges = {
    'bytes=10-19': bytes.subarray(10, 20),
    'bytes=1400000-': bytes.subarray(1_400_000),
    'bytes=-5': bytes.subarray(-5),
  }
  for (const [range, expected] of Object.entries(ranges)) {
    const got = await download(at('dir/large.odd'), { range })
    assert.equal(got.status, 206, range)
    assert.ok(got.bytes.equals(expected), range)
  }
  assert.match(
    (await download(at('dir/large.odd'), { range: 'bytes=10-19' })).headers.get('content-range') ?? '',
    /^bytes 10-19\/1500000$/,
  )
  assert.equal((await download(at('dir/large.odd'), { range: 'bytes=2000000-' })).status, 416)
})

test('behind nginx, Trivet itself responds to conditional requests and HEAD', async () => {
  const etag = (await download(at('dir/large.odd'))).headers.get('etag') ?? ''
  assert.equal((await download(at('dir/large.odd'), { 'if-none-match': etag })).status, 304)
  assert.equal((await download(at('dir/large.odd'), { 'if-match': '"other"' })).status, 412)
  const stale = await download(at('dir/large.odd'), { range: 'bytes=0-9', 'if-range': '"other"' })
  assert.deepEqual([stale.status, stale.bytes.length], [200, bytes.length])
  const fresh = await download(at('dir/large.odd'), { range: 'bytes=0-9', 'if-range': etag })
  assert.deepEqual([fresh.status, fresh.bytes.length], [206, 10])
  for (const header of ['if-match', 'if-range'])
    assert.equal((await download(at('dir/large.odd'), { [header]: etag })).status, 200, header)
  const since = { 'if-modified-since': new Date(Date.now() - 3600_000).toUTCString() }
  assert.ok((await download(at('dir/large.odd'), since)).bytes.equals(bytes))
  const head = await api(`HEAD ${at('dir/large.odd')}`)
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '1500000'])
})

test('custom metadata of an object that nginx sends is in the response headers', async () => {
  await api(`PUT ${at('described')}`, { raw: bytes, headers: { 'x-meta-colour': 'red' } })
  const got = await download(at('described'))
  assert.equal(got.headers.get('x-meta-colour'), 'red')
  assert.ok(got.bytes.equals(bytes))
})

test('nginx sends no object without permission, and no file of the blobs folder directly', async () => {
  assert.equal((await fetch(nginx.url + at('dir/large.odd'))).status, 401)
  assert.equal((await stranger(`GET ${at('dir/large.odd')}`)).status, 404)
  assert.equal((await fetch(`${nginx.url}/public/objects/${bucketId}/dir/large.odd`)).status, 403)
  const [blob] = await system.sql<{ id: string }[]>`select id from storage.blobs where data is null`
  assert.equal((await fetch(`${nginx.url}/blobs/${blob?.id.slice(-2)}/${blob?.id}`)).status, 404)
})

test('behind nginx, Trivet itself sends small objects and objects of several parts', async () => {
  await api(`PUT ${at('small')}`, { raw: 'small' })
  assert.equal((await download(at('small'))).bytes.toString(), 'small')
  const { uploadId } = (
    await api(`POST /buckets/${bucketId}/multipart/initiate`, { body: { objectKey: 'parts' } })
  ).body
  const part = (n: number, raw: Buffer) =>
    api(`PUT /buckets/${bucketId}/multipart/${uploadId}/parts/${n}`, { raw })
  const [first, second] = [randomBytes(5 * 1024 * 1024), randomBytes(100)]
  const parts = []
  for (const [index, raw] of [first, second].entries()) {
    const { body } = await part(index + 1, raw)
    parts.push({ partNumber: index + 1, etag: body.etag })
  }
  const done = await api(`POST /buckets/${bucketId}/multipart/${uploadId}/complete`, { body: { parts } })
  assert.ok(done.status < 300, JSON.stringify(done.body))
  assert.ok((await download(at('parts'))).bytes.equals(Buffer.concat([first, second])))
})

test('bytes that nginx sends are metered, whole objects and ranges', async () => {
  const owner = await storageOwner(system)
  const id = (await owner.api('POST /buckets', { body: { name: 'metered' } })).body.id as string
  const path = `/buckets/${id}/objects/large.odd`
  await owner.api(`PUT ${path}`, { raw: bytes })
  const authorization = `Bearer ${owner.token}`
  assert.ok((await download(path, { authorization })).bytes.equals(bytes))
  await download(path, { authorization, range: 'bytes=0-99' })
  await eventually(async () => {
    const { bandwidth_used_bytes } = (await owner.api('GET /usage/summary')).body
    assert.equal(bandwidth_used_bytes, bytes.length + 100)
  })
})
