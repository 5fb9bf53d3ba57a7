import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { api } = await storageOwner(system)
const create = (name: string, more: object = {}) => createBucket(api, name, more)
const bucketId = await create('signed')
await api(`PUT /buckets/${bucketId}/objects/docs/a%20b%3F.txt`, { raw: 'private' })
const objectKey = 'docs/a b?.txt'

const sign = async (body: object, as = api, id = bucketId) =>
  await as(`POST /buckets/${id}/signed-url`, { body })
const use = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url, init)
  return { status: answer.status, text: await answer.text() }
}

test('a signed URL opens one object for a while', async () => {
  const { status, body } = await sign({ objectKey })
  assert.equal(status, 200)
  assert.equal(body.method, 'GET')
  const url = new URL(body.url)
  assert.deepEqual([...url.searchParams.keys()].sort(), ['expires', 'method', 'signature'])
  assert.equal(new Date(Number(url.searchParams.get('expires')) * 1000).toISOString(), body.expiresAt)
  const seconds = (Date.parse(body.expiresAt) - system.clock.now().getTime()) / 1000
  assert.ok(seconds > 3590 && seconds <= 3600)
  assert.deepEqual(await use(body.url), { status: 200, text: 'private' })
  assert.equal((await use(body.url, { method: 'HEAD' })).status, 200)
  assert.equal((await use(body.url, { method: 'PUT', body: 'x' })).status, 403)
  assert.equal((await use(body.url, { headers: { range: 'bytes=0-2' } })).text, 'pri')
})

test('a signed URL is invalid after any alteration', async () => {
  const { url } = (await sign({ objectKey })).body
  const altered = (change: (u: URL) => void) => {
    const copy = new URL(url)
    change(copy)
    return copy.href
  }
  const other = await create('other-signed')
  const signature = new URL(url).searchParams.get('signature') as string
  for (const dead of [
    altered((u) => u.searchParams.set('expires', String(Number(u.searchParams.get('expires')) + 1))),
    altered((u) => u.searchParams.set('method', 'PUT')),
    altered((u) => u.searchParams.set('maxBytes', '5')),
    altered((u) => u.searchParams.set('versionId', crypto.randomUUID())),
    altered((u) =>
      u.searchParams.set('signature', `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`),
    ),
    altered((u) => u.searchParams.set('signature', '')),
    altered((u) => u.searchParams.set('signature', 'x'.repeat(4000))),
    altered((u) => u.searchParams.set('expires', '9'.repeat(40))),
    altered((u) => u.searchParams.set('method', 'GET'.repeat(20))),
    altered((u) => u.searchParams.delete('signature')),
    altered((u) => u.searchParams.delete('expires')),
    url.replace('a%20b', 'a%20c'),
    url.replace(bucketId, other),
  ])
    assert.equal((await use(dead)).status, 403, dead)
  assert.equal((await use(url.replace(bucketId, crypto.randomUUID()))).status, 404)
  assert.equal((await use(url.replace(bucketId, 'nonsense'))).status, 404)
})

test('a signed URL with a version opens that content, also after it was replaced, until it is gone', async () => {
  const id = await create('signed-versions', { versioningEnabled: true, visibility: 'public' })
  const path = `/buckets/${id}/objects/draft.txt`
  for (const raw of ['first', 'second']) await api(`PUT ${path}`, { raw })
  const versions = (await api(`GET /buckets/${id}/versions?objectKey=draft.txt`)).body
  const [second, first] = versions.map(({ version_id }: { version_id: string }) => version_id)
  const signed = async (versionId: string) =>
    (await sign({ objectKey: 'draft.txt', versionId }, api, id)).body.url as string
  const [ofFirst, ofSecond] = [await signed(first), await signed(second)]
  assert.deepEqual(await use(ofFirst), { status: 200, text: 'first' })
  await api(`PUT ${path}`, { raw: 'third' })
  assert.deepEqual(await use(ofFirst), { status: 200, text: 'first' })
  assert.deepEqual(await use(ofSecond), { status: 200, text: 'second' })

  const unsigned = new URL(ofFirst)
  unsigned.searchParams.delete('signature')
  assert.equal((await use(unsigned.href)).status, 403, 'earlier contents of a public bucket are not public')
  const other = new URL(ofFirst)
  other.searchParams.set('versionId', second)
  assert.equal((await use(other.href)).status, 403)

  await api(`DELETE /buckets/${id}/versions?objectKey=draft.txt&versionId=${first}`)
  assert.equal((await use(ofFirst)).status, 404)
  const put = { objectKey: 'draft.txt', method: 'PUT', versionId: second }
  assert.equal((await sign(put, api, id)).status, 400)
  assert.equal((await sign({ objectKey: 'draft.txt', versionId: 'nonsense' }, api, id)).status, 400)
})

test('signed URLs have the lifetime limits of their dialect', async () => {
  for (const [body, status] of [
    [{ expiresInSeconds: 59 }, 400],
    [{ expiresInSeconds: 60 }, 200],
    [{ expiresInSeconds: 86_400 }, 200],
    [{ expiresInSeconds: 86_401 }, 400],
    [{ expiresIn: 0 }, 400],
    [{ expiresIn: 1 }, 200],
    [{ expiresIn: 604_800 }, 200],
    [{ expiresIn: 604_801 }, 400],
    [{ expiresIn: '60' }, 400],
    [{ method: 'DELETE' }, 400],
    [{ method: 'PUT', contentType: 'text/plain; charset=utf-8' }, 200],
    [{ method: 'PUT', contentType: 'text' }, 400],
    [{ method: 'PUT', contentType: 'text/' }, 400],
    [{ method: 'PUT', contentType: 'text/a\nb' }, 400],
    [{ objectKey: '' }, 400],
    [{ objectKey: 'x'.repeat(1025) }, 400],
    [{ objectKey: undefined }, 400],
  ] as const)
    assert.equal((await sign({ objectKey, ...body })).status, status, JSON.stringify(body))
  const formR = await sign({ objectKey, expiresIn: 1 })
  assert.ok(formR.body.url && formR.body.requestId)
  system.clock.advance(1100)
  assert.equal((await use(formR.body.url)).status, 403)
})

test('a signed URL for PUT accepts only what was signed', async () => {
  const { url } = (await sign({ objectKey: 'in/box', method: 'PUT', maxBytes: 5, contentType: 'text/plain' }))
    .body
  const headers = { 'content-type': 'text/plain' }
  assert.equal((await use(url, { method: 'PUT', body: '123456', headers })).status, 413)
  assert.equal(
    (await use(url, { method: 'PUT', body: '12345', headers: { 'content-type': 'text/html' } })).status,
    403,
  )
  assert.equal((await use(url, { method: 'PUT', body: '12345', headers })).status, 201)
  assert.equal((await use(url)).status, 403)
  assert.equal((await api(`GET /buckets/${bucketId}/objects/in/box`)).text, '12345')
  assert.equal(
    (await use(url.replace('maxBytes=5', 'maxBytes=6'), { method: 'PUT', body: '123456', headers })).status,
    403,
  )
})

test('a signed URL is invalid once its signer loses the right', async () => {
  const email = `signer-${process.pid}@example.com`
  const added = await api('POST /members', { body: { fullName: 'Sig Ner', email, password } })
  const { token } = (await system.storage('POST /auth/login', { body: { email, password } })).body
  const signer = system.storage.bearer(token)
  const key = (await signer('POST /auth/api-keys', { body: {} })).body
  const byKey = (await sign({ objectKey }, system.storage.with({ 'x-api-key': key.key }))).body.url
  const byUser = (await sign({ objectKey }, signer)).body.url
  assert.deepEqual([(await use(byKey)).status, (await use(byUser)).status], [200, 200])
  await signer(`DELETE /auth/api-keys/${key.id}`)
  assert.deepEqual([(await use(byKey)).status, (await use(byUser)).status], [403, 200])
  const deny = {
    effect: 'deny',
    action: 'object.read',
    resourceType: 'object',
    resourceId: 'docs/*',
    subjectType: 'user',
    subjectId: added.body.id,
  }
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [deny] } })
  assert.equal((await use(byUser)).status, 403)
  assert.equal((await sign({ objectKey }, signer)).status, 403)
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [] } })
  assert.equal((await use(byUser)).status, 200)
  await api(`DELETE /members/${added.body.id}`)
  assert.equal((await use(byUser)).status, 403)
})

test('public buckets can be read by everyone, unless a policy denies it', async () => {
  const id = await create('open', { visibility: 'public' })
  await api(`PUT /buckets/${id}/objects/site/index.html`, {
    raw: '<h1>hi</h1>',
    headers: { 'content-type': 'text/html' },
  })
  const url = `${system.urls.storage}/public/objects/${id}/site/index.html`
  assert.deepEqual(await use(url), { status: 200, text: '<h1>hi</h1>' })
  assert.equal((await use(`${url}x`)).status, 404)
  assert.equal((await use(url, { method: 'PUT', body: 'x' })).status, 403)
  assert.equal((await use(url, { method: 'DELETE' })).status, 405)
  assert.equal((await use(`${system.urls.storage}/public/objects/${bucketId}/anything`)).status, 403)
  const deny = {
    effect: 'deny',
    action: 'object.read',
    resourceType: 'object',
    resourceId: 'site/*',
    subjectType: 'role',
    subjectId: 'anonymous',
  }
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [deny] } })
  assert.equal((await use(url)).status, 403)
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })
  await api(`PATCH /buckets/${id}`, { body: { visibility: 'private' } })
  assert.equal((await use(url)).status, 403)
})

test('signed URLs of keys with dot segments work in clients that resolve them', async () => {
  for (const key of ['../etc/passwd', 'a/../b', './x', 'x/..', 'a/./b', '...', 'a/.../b', '.hidden/%2E']) {
    const stored = await api(`PUT /buckets/${bucketId}/objects/${encodeURIComponent(key)}`, { raw: key })
    assert.deepEqual([stored.status, stored.body.object_key], [201, key])
    const { url } = (await sign({ objectKey: key })).body
    const answer = await fetch(url)
    assert.deepEqual([answer.status, await answer.text()], [200, key], url)
  }
})
