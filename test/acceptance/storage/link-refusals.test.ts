import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { api } = await storageOwner(system)
const bucketId = await createBucket(api, 'links')
await api(`PUT /buckets/${bucketId}/objects/report.txt`, { raw: 'quarterly' })

const sign = async (body: object, as = api): Promise<string> =>
  (await as(`POST /buckets/${bucketId}/signed-url`, { body: { objectKey: 'report.txt', ...body } })).body.url

const asProgram = async (url: string, method = 'GET') => {
  const answer = await fetch(url, { method, ...(method === 'PUT' ? { body: 'x' } : {}) })
  const { code, reason } = (await answer.json()) as { code: string; reason: string }
  return { status: answer.status, code, reason }
}
const asPerson = async (url: string) => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const answer = await fetch(url, { headers: { accept } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const refusedWith = async (url: string, code: string, reason: string, title: string) => {
  assert.deepEqual(await asProgram(url), { status: 403, code, reason })
  const { status, headers, text } = await asPerson(url)
  assert.equal(status, 403)
  assert.match(String(headers.get('content-type')), /^text\/html/)
  assert.match(String(headers.get('content-security-policy')), /^default-src 'none'/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(String(headers.get('vary')), /\bAccept\b/)
  assert.ok(text.includes(`<h1>${title}</h1>`), text)
  assert.ok(text.includes(`<p>${reason}.</p>`))
}

test('a link that has expired says when', async () => {
  const url = await sign({ expiresInSeconds: 60 })
  const expires = new Date(Number(new URL(url).searchParams.get('expires')) * 1000)
  system.clock.advance(61_000)
  const [, day, month, year, time = ''] = expires.toUTCString().split(' ')
  const when = `${Number(day)} ${month} ${year} at ${time.slice(0, 5)} UTC`
  await refusedWith(url, 'link_expired', `This link expired on ${when}`, 'This link has expired')
})

test('a link that was altered says that its signature does not match, whatever was altered', async () => {
  const url = await sign({})
  const reason = 'This link is not valid: its signature does not match'
  const alter = (name: string, value: string) => {
    const copy = new URL(url)
    copy.searchParams.set(name, value)
    return copy.href
  }
  // An expiry in the past that was not signed is no reason to tell a date.
  for (const altered of [alter('signature', 'abc'), alter('expires', '1700000000'), alter('method', 'PUT')])
    await refusedWith(altered, 'link_invalid', reason, 'This link does not work')
})

test('a link for uploading says so when it is opened, and the other way round', async () => {
  const upload = await sign({ method: 'PUT' })
  const onlyUpload = 'This link is only for uploading (PUT)'
  await refusedWith(upload, 'link_wrong_method', onlyUpload, 'This link is not for browsers')
  const reason = 'This link is only for downloading (GET)'
  const refused = await asProgram(await sign({}), 'PUT')
  assert.deepEqual(refused, { status: 403, code: 'link_wrong_method', reason })
})

test('a link whose signer was removed no longer works', async () => {
  const member = { fullName: 'Mo Member', email: `mo-${process.pid}@example.com`, password, role: 'member' }
  const { id } = (await api('POST /members', { body: member })).body
  const { token } = (await system.storage('POST /auth/login', { body: member })).body
  const url = await sign({}, system.storage.bearer(token))
  assert.equal((await fetch(url)).status, 200)
  await api(`DELETE /members/${id}`)
  const reason = 'This link no longer works: the one who signed it no longer has access'
  await refusedWith(url, 'link_withdrawn', reason, 'This link no longer works')
})

test('without a signature a private bucket is refused alike, whether the object exists or not', async () => {
  const reason = 'This bucket is private: a signed link is needed'
  for (const key of ['report.txt', 'nothing.txt']) {
    const url = `${system.storage.base}/public/objects/${bucketId}/${key}`
    await refusedWith(url, 'forbidden', reason, 'You don’t have access to this')
  }
})

test('uploading without a signature is refused, to a public bucket as well', async () => {
  const open = await createBucket(api, 'open-links', { visibility: 'public' })
  const url = `${system.storage.base}/public/objects/${open}/new.txt`
  const reason = 'Uploading here needs a signed link'
  assert.deepEqual(await asProgram(url, 'PUT'), { status: 403, code: 'forbidden', reason })
})

test('an object that is not there is 404, as a page for people', async () => {
  const url = await sign({ objectKey: 'nothing.txt' })
  const reason = 'No object with this key'
  assert.deepEqual(await asProgram(url), { status: 404, code: 'not_found', reason })
  const { status, text } = await asPerson(url)
  assert.equal(status, 404)
  assert.ok(text.includes('<h1>Nothing here</h1>'))
})

test('a download that works is the object itself in a browser as well', async () => {
  const { status, text } = await asPerson(await sign({}))
  assert.deepEqual([status, text], [200, 'quarterly'])
})
