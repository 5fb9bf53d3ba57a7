import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'
import { planEnds } from './plan.ts'

const limit = 1024 * 1024
const system = await boot({ env: { STORAGE_MAX_UPLOAD_BYTES: String(limit) } })
const { api, token, organization } = await storageOwner(system)
const base = new URL(system.urls.storage)
const bucketId = await createBucket(api, 'limits')
const at = (key: string, id = bucketId) => objectPath(id, key)
const used = async () => (await api('GET /usage/summary')).body.storage_used_bytes as number

const bytes = bytesOf(system)
const blobsHeld = async () => (await bytes.held()).length

/** Sends a body without Content-Length. */
const chunked = (path: string, chunks: Buffer[]) =>
  new Promise<number>((resolve, reject) => {
    const req = request(
      {
        method: 'PUT',
        host: base.hostname,
        port: base.port,
        path,
        headers: { authorization: `Bearer ${token}` },
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    req.on('error', reject)
    for (const chunk of chunks) req.write(chunk)
    req.end()
  })

test('an upload of the maximum size is accepted, a larger one refused, announced or not, and leaves nothing', async () => {
  const [exact, more] = [Buffer.alloc(limit, 1), Buffer.alloc(limit + 1, 1)]
  assert.equal((await api(`PUT ${at('exact')}`, { raw: exact })).status, 201)
  const before = [await used(), await blobsHeld()]
  assert.equal((await api(`PUT ${at('more')}`, { raw: more })).status, 413)
  assert.equal(await chunked(at('more'), [exact, Buffer.from('x')]), 413)
  assert.equal(await chunked(at('much-more'), [exact, exact, exact, exact]), 413)
  const form = new FormData()
  form.append('file', new Blob([more]), 'more')
  assert.equal((await api(`POST /buckets/${bucketId}/objects/upload`, { raw: form as never })).status, 413)
  assert.deepEqual([await used(), await blobsHeld()], before)
  assert.equal(await chunked(at('exact-unannounced'), [exact]), 201)
})

test('an upload whose connection is dropped leaves no object and no bytes', async () => {
  const [usedBefore, heldBefore] = [await used(), await blobsHeld()]
  const socket = connect(Number(base.port), base.hostname)
  const head = `PUT ${at('dropped')} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 900000\r\n\r\n`
  socket.write(head)
  await new Promise((sent) => socket.write(Buffer.alloc(500_000), sent))
  // A folder shows the draft of an upload; in S3 nothing can be seen before the upload ends.
  if (bytes.ctx.config.blobs.kind === 'file')
    await eventually(async () => assert.equal(await blobsHeld(), heldBefore + 1))
  socket.destroy()
  await eventually(async () => assert.equal(await blobsHeld(), heldBefore))
  assert.equal(await used(), usedBefore)
  assert.equal((await api(`GET ${at('dropped')}`)).status, 404)
})

test('quotas of bucket and organization count every kept byte, exactly, with parallel uploads', async () => {
  const tight = await createBucket(api, 'tight', { storageQuotaBytes: 100 })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => api(`PUT ${at(`k${n}`, tight)}`, { raw: '0123456789' })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  assert.equal(answers.filter(({ status }) => status === 403).length, 20)
  const bucket = (await api(`GET /buckets/${tight}`)).body
  assert.deepEqual([bucket.object_count, bucket.total_size_bytes], [10, 100])
  await api(`DELETE ${at('k0', tight)}`)
  const [kept] = answers.flatMap(({ status, body }) => (status === 201 ? [body.object_key] : []))
  await api(`DELETE ${at(kept, tight)}`)
  assert.equal(
    (await api(`PUT ${at('again', tight)}`, { raw: '1' })).status,
    403,
    'deleted bytes are still kept',
  )
  await api(`DELETE ${at(kept, tight)}?permanent=true`)
  assert.equal((await api(`PUT ${at('again', tight)}`, { raw: '0123456789' })).status, 201)
  assert.equal((await api(`PATCH /buckets/${tight}`, { body: { storageQuotaBytes: null } })).status, 200)
  assert.equal((await api(`PUT ${at('free', tight)}`, { raw: '0123456789' })).status, 201)

  const room = 50
  const now = await used()
  await system.sql`update storage.organizations set storage_quota_bytes = ${now + room} where id = ${organization.id}`
  const more = await Promise.all(
    Array.from({ length: 12 }, (_, n) => api(`PUT ${at(`org${n}`)}`, { raw: '0123456789' })),
  )
  assert.equal(more.filter(({ status }) => status === 201).length, 5)
  assert.equal(await used(), now + room)
  await system.sql`update storage.organizations set storage_quota_bytes = ${now + 5e9} where id = ${organization.id}`
})

test('with an expired plan reads and deletes work, writes do not', async () => {
  await api(`PUT ${at('before')}`, { raw: 'x' })
  system.clock.advance(11 * 3600_000)
  await planEnds(system, organization.id, new Date())
  assert.equal((await api(`PUT ${at('after')}`, { raw: 'x' })).status, 403)
  assert.equal((await api(`POST ${at('before')}/copy`, { body: { destinationKey: 'y' } })).status, 403)
  assert.equal((await api('POST /buckets', { body: { name: 'late' } })).status, 403)
  assert.equal((await api(`PATCH /buckets/${bucketId}`, { body: { visibility: 'public' } })).status, 403)
  assert.equal((await api(`PUT /buckets/${bucketId}/policy`, { body: { visibility: 'public' } })).status, 403)
  assert.equal((await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [] } })).status, 403)
  assert.equal((await api(`GET /buckets/${bucketId}`)).body.visibility, 'private')
  assert.equal((await api(`GET ${at('before')}`)).status, 200)
  assert.equal((await api(`DELETE ${at('before')}`)).status, 200)
})

test('uploads of any Content-Type are stored; an invalid type counts as none', async () => {
  const { api } = await storageOwner(system)
  const id = await createBucket(api, 'types')
  const typeOf = async (type: string) => {
    const headers = { 'content-type': type }
    const { status, body, text } = await api(`PUT /buckets/${id}/objects/typed`, { raw: '{}', headers })
    assert.ok(status < 300, text)
    const { headers: got, text: bytes } = await api(`GET /buckets/${id}/objects/typed`)
    assert.deepEqual([got.get('content-type'), bytes], [body.content_type, '{}'])
    return body.content_type
  }
  for (const type of ['application/json', 'TEXT/X-Odd', 'text/plain;charset=utf-8', 'a/b; c="d; e"'])
    assert.equal(await typeOf(type), type)
  for (const type of ['x', '/', 'text/', 'a b/c', `text/${'x'.repeat(300)}`])
    assert.equal(await typeOf(type), 'application/octet-stream', type)
})

test('a form with a boundary that is too long for the parser gets 400', async () => {
  const { api } = await storageOwner(system)
  const id = await createBucket(api, 'boundaries')
  const send = (boundary: string) =>
    api(`POST /buckets/${id}/objects/upload`, {
      raw: `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--${boundary}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
  assert.equal((await send('b'.repeat(70))).status, 201)
  for (const length of [300, 5_000]) {
    const refused = await send('b'.repeat(length))
    assert.equal(refused.status, 400)
    assert.equal(refused.body.message, 'The form is not valid multipart/form-data')
  }
})
