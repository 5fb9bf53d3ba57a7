import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { headOf, rawConnection, untilClosed } from '#test/support/sockets.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const bucketId = await createBucket(api, 'kept')
const objects = `/buckets/${bucketId}/objects`

const sent = {
  'cache-control': 'public, max-age=86400, immutable',
  'content-disposition': 'inline; filename="Übersicht.txt"',
  'content-language': 'de, en-GB',
  'content-encoding': 'gzip',
}
const names = Object.keys(sent)
const latin1 = (text: string) => Buffer.from(text).toString('latin1')
/** As bytes, which is how header values travel. */
const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, latin1(value)]))
const keptIn = (answer: { headers: Headers }) =>
  Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]))

const bytes = gzipSync('gespeichert '.repeat(200))
const put = (key: string, more: Record<string, string> = headers) =>
  api(`PUT ${objects}/${key}`, { raw: bytes, headers: { 'content-type': 'text/plain', ...more } })

test('headers that an upload is sent with come back with every download', async () => {
  assert.equal((await put('a.txt')).status, 201)
  const { body: signed } = await api(`POST /buckets/${bucketId}/signed-url`, { body: { objectKey: 'a.txt' } })
  // The second time from memory.
  for (const call of [`GET ${objects}/a.txt`, `GET ${objects}/a.txt`, `HEAD ${objects}/a.txt`])
    assert.deepEqual(keptIn(await api(call)), headers, call)
  const response = await fetch(signed.url)
  assert.deepEqual(keptIn(response), headers)
  // A client that knows the encoding decodes it: the bytes themselves are as they were stored.
  assert.equal(await response.text(), gunzipSync(bytes).toString())
  assert.equal(response.headers.get('content-length'), String(bytes.length))
  const range = await fetch(signed.url, { headers: { range: 'bytes=0-9' } })
  assert.equal(range.headers.get('content-range'), `bytes 0-9/${bytes.length}`)
  await range.body?.cancel()
})

test('a copy, a move, a version and a restored version have the headers of their content', async () => {
  await put('v.txt')
  assert.equal((await api(`PUT ${objects}/v.txt`, { raw: 'plain' })).status, 200)
  const plain = await api(`GET ${objects}/v.txt`)
  assert.equal(plain.headers.get('cache-control'), 'private, no-cache')
  assert.equal(plain.headers.get('content-encoding'), null)
  const { body: versions } = await api(`GET /buckets/${bucketId}/versions?objectKey=v.txt`)
  const versionId = versions[1].version_id
  assert.deepEqual(keptIn(await api(`GET ${objects}/v.txt?versionId=${versionId}`)), headers)
  await api(`POST ${objects}/v.txt/restore`, { body: { versionId } })
  assert.deepEqual(keptIn(await api(`GET ${objects}/v.txt`)), headers)
  await api(`POST ${objects}/v.txt/copy`, { body: { destinationKey: 'copy.txt' } })
  assert.deepEqual(keptIn(await api(`GET ${objects}/copy.txt`)), headers)
  await put('taken.txt', { 'cache-control': 'max-age=1' })
  await api(`POST ${objects}/copy.txt/move`, { body: { destinationKey: 'taken.txt' } })
  assert.deepEqual(keptIn(await api(`GET ${objects}/taken.txt`)), headers)
  const { body: history } = await api(`GET /buckets/${bucketId}/versions?objectKey=taken.txt`)
  const replaced = await api(`GET ${objects}/taken.txt?versionId=${history[1].version_id}`)
  assert.equal(replaced.headers.get('cache-control'), 'max-age=1')
})

test('forms and multipart uploads keep the same headers', async () => {
  const fields = {
    cacheControl: 'max-age=60',
    contentDisposition: 'attachment; filename="x.txt"',
    contentEncoding: 'identity',
    contentLanguage: 'pt-BR',
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('objectKey', 'form.txt')
  form.append('file', new Blob(['form']), 'form.txt')
  assert.equal((await api(`POST ${objects}/upload`, { raw: form })).status, 201)
  const { body: session } = await api(`POST /buckets/${bucketId}/multipart/initiate`, {
    body: { objectKey: 'parts.txt', ...fields },
  })
  const upload = `/buckets/${bucketId}/multipart/${session.uploadId}`
  await api(`PUT ${upload}/parts/1`, { raw: 'part' })
  assert.equal((await api(`POST ${upload}/complete`)).status, 201)
  for (const key of ['form.txt', 'parts.txt'])
    assert.deepEqual(keptIn(await api(`GET ${objects}/${key}`)), {
      'cache-control': 'max-age=60',
      'content-disposition': 'attachment; filename="x.txt"',
      'content-language': 'pt-BR',
      'content-encoding': null,
    })
})

test('what no header can hold is refused, and nothing is stored', async () => {
  for (const [name, value] of [
    ['cache-control', 'x'.repeat(1025)],
    ['content-encoding', 'gzip; q=1'],
    ['content-language', 'not a language!'],
  ] as const) {
    const answer = await put('bad.txt', { [name]: value })
    assert.equal(answer.status, 400, name)
    assert.match(answer.body.message, new RegExp(`^${name} must`, 'i'))
  }
  for (const value of ['a\r\nset-cookie: x=1', '日本', 'x'.repeat(1025)])
    assert.equal(
      (
        await api(`POST /buckets/${bucketId}/multipart/initiate`, {
          body: { objectKey: 'bad.txt', cacheControl: value },
        })
      ).status,
      400,
    )
  assert.equal((await api(`GET ${objects}/bad.txt`)).status, 404)
  const limit = await put('limit.txt', { 'cache-control': `max-age=1, ${'x'.repeat(1013)}` })
  assert.equal(limit.status, 201)
})

test('a part of an object cannot be uploaded with Content-Range', async () => {
  const range = { 'content-range': 'bytes 0-9/100' }
  assert.equal((await put('part.bin', range)).status, 400)
  assert.equal((await api(`GET ${objects}/part.bin`)).status, 404)
  const { body } = await api(`POST /buckets/${bucketId}/signed-url`, {
    body: { objectKey: 'part.bin', method: 'PUT' },
  })
  assert.equal((await fetch(body.url, { method: 'PUT', body: 'x', headers: range })).status, 400)
})

test('an object that is shown in the browser is sandboxed, whoever asked for it', async () => {
  await put('page.html', { 'content-disposition': 'inline', 'content-type': 'text/html' })
  const shown = await api(`GET ${objects}/page.html`)
  assert.equal(shown.headers.get('content-security-policy'), 'sandbox')
  const saved = await api(`GET ${objects}/page.html?download=true`)
  assert.equal(saved.headers.get('content-disposition'), 'attachment')
  await put('saved.html', { 'content-disposition': 'attachment; filename=x' })
  const inline = await api(`GET ${objects}/saved.html?download=false`)
  assert.equal(inline.headers.get('content-disposition'), 'inline; filename=x')
  assert.equal(inline.headers.get('content-security-policy'), 'sandbox')
})

test('the name of a file is also given to clients that know ASCII only', async () => {
  await put('r%C3%A9sum%C3%A9%20%22%25%22.pdf', {})
  const { headers } = await api(`GET ${objects}/r%C3%A9sum%C3%A9%20%22%25%22.pdf`)
  assert.equal(
    headers.get('content-disposition'),
    `attachment; filename="r_sum_ ___.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9%20%22%25%22.pdf`,
  )
})

test('shared caches may keep objects of public buckets for a minute, unless a policy decides who reads them', async () => {
  const open = await createBucket(api, 'open', { visibility: 'public' })
  await api(`PUT /buckets/${open}/objects/a.txt`, { raw: 'open' })
  const read = () => system.storage(`GET /public/objects/${open}/a.txt`)
  assert.equal((await read()).headers.get('cache-control'), 'public, max-age=60')
  assert.equal(
    (await api(`GET /buckets/${open}/objects/a.txt`)).headers.get('cache-control'),
    'private, no-cache',
  )
  const statement = {
    effect: 'deny',
    action: 'object.read',
    resourceType: 'object',
    resourceId: '*',
    subjectType: 'role',
    subjectId: 'anonymous',
    conditions: { ipCidr: '203.0.113.0/24' },
  }
  await api(`PUT /buckets/${open}/policy`, { body: { statements: [statement] } })
  assert.equal((await read()).headers.get('cache-control'), 'private, no-cache')
  await api(`PUT /buckets/${open}/objects/a.txt`, { raw: 'open', headers: { 'cache-control': 'no-store' } })
  assert.equal((await read()).headers.get('cache-control'), 'no-store')
})

test('a 304 has the headers of the object, and no length', async () => {
  await put('same.txt')
  const { headers: first } = await api(`HEAD ${objects}/same.txt`)
  for (const call of [`GET ${objects}/same.txt`, `HEAD ${objects}/same.txt`]) {
    const again = await api(call, { headers: { 'if-none-match': String(first.get('etag')) } })
    assert.equal(again.status, 304)
    assert.equal(again.headers.get('content-length'), null)
    assert.equal(again.headers.get('transfer-encoding'), null)
    assert.equal(again.headers.get('etag'), first.get('etag'))
    assert.equal(again.headers.get('cache-control'), sent['cache-control'])
  }
})

test('a client that waits for 100 Continue sends nothing where a condition does not hold', async () => {
  await put('there.txt')
  const ask = async (key: string, more: Record<string, string>) => {
    const socket = await rawConnection(system.storage.base)
    const expect = { authorization: `Bearer ${token}`, 'content-length': 4, expect: '100-continue' }
    socket.write(headOf(`PUT ${objects}/${key}`, { ...expect, ...more, connection: 'close' }))
    socket.once('data', (chunk: Buffer) => {
      if (chunk.toString().startsWith('HTTP/1.1 100')) socket.write('body')
    })
    return untilClosed(socket)
  }
  assert.match(await ask('there.txt', { 'if-none-match': '*' }), /^HTTP\/1.1 412/)
  assert.match(await ask('missing.txt', { 'if-match': '"x"' }), /^HTTP\/1.1 412/)
  assert.match(await ask('new.txt', { 'content-range': 'bytes 0-3/4' }), /^HTTP\/1.1 400/)
  assert.match(await ask('new.txt', { 'if-none-match': '*' }), /^HTTP\/1.1 100 Continue[\s\S]+HTTP\/1.1 201/)
})
