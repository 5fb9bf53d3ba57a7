import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { CreateBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { inventoryAdmin, password, publisher } from '#test/support/factories.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { signedFields } from '#test/support/s3-form.ts'
import { bytesOf, chunkedBody, type RawRequest, type Signed, sendRaw, sign } from '#test/support/s3-raw.ts'

// Everything that is signed, or is a secret of its own: with any byte of it changed it is worth nothing.
const system = await boot()
const owner = await s3Owner(system)
const { s3, credentials, api } = owner
const base = system.urls.s3
const Bucket = 'promised'
await s3.send(new CreateBucketCommand({ Bucket }))
const [bucket] = (await api('GET /buckets')).body as [{ id: string }]

/** The text with one character changed to another of its kind. */
const changed = (text: string, at: number) => {
  const character = text[at] as string
  const rings = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const ring = rings.find((each) => each.includes(character))
  const next = ring ? ring[(ring.indexOf(character) + 1) % ring.length] : character === 'x' ? 'y' : 'x'
  return text.slice(0, at) + next + text.slice(at + 1)
}

type Check = (text: string, what: string) => Promise<void>

/** Checks the text with each of the characters from `from` to `to` changed, some at a time. */
const eachChange = async (text: string, check: Check, from = 0, to = text.length) => {
  const all = Array.from({ length: to - from }, (_, index) => from + index)
  while (all.length > 0)
    await Promise.all(
      all.splice(0, 16).map((at) => check(changed(text, at), `byte ${at}, after ${JSON.stringify(text.slice(0, at).slice(-40))}`)),
    )
} // biome-ignore format: one line

const nothingIsStored = async () =>
  assert.equal((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount, 0)

const refused: Check = async (text, what) => {
  const { status } = await sendRaw(base, Buffer.from(text, 'latin1'))
  assert.ok((status >= 400 && status < 500) || status === 501, `${status} for ${what}`)
}

/** The head of a request, of which everything is signed but the version of HTTP and the last lines. */
const eachByteOfHead = async (signed: Signed) => {
  const text = bytesOf(signed).toString('latin1')
  const target = text.indexOf(' HTTP/1.1\r\n')
  await eachChange(text, refused, 0, target)
  const lines = target + ' HTTP/1.1\r\n'.length
  await eachChange(text, refused, lines, text.indexOf('content-length:') - '\r\n'.length)
  await nothingIsStored()
}
const eachByteOfBody = async (signed: Signed) => {
  const text = bytesOf(signed).toString('latin1')
  await eachChange(text, refused, signed.head.length)
  await nothingIsStored()
}
const accepted = async (signed: Signed) => {
  const { status, text } = await sendRaw(base, bytesOf(signed))
  assert.equal(status, 200, text)
  assert.equal((await api(`DELETE /buckets/${bucket.id}/objects/a/key`)).status, 200)
}

const body = Buffer.from('what was promised')
const hash = createHash('sha256').update(body).digest('hex')
const put = (more: Partial<RawRequest> = {}): RawRequest => ({
  method: 'PUT',
  path: `/${Bucket}/a/key`,
  headers: { 'content-type': 'text/plain', 'x-amz-meta-of': 'somebody' },
  body,
  ...more,
})

test('a request that is signed in its headers: every byte of head and body', async () => {
  const signed = sign(base, credentials, put({ query: [['x-id', 'PutObject']] }))
  await eachByteOfHead(signed)
  await eachByteOfBody(signed)
  await accepted(signed)
})

test('a request that is signed in its query, with the hash of its body: every byte of head and body', async () => {
  const request = put({ payload: hash, query: [['X-Amz-Content-Sha256', hash]] })
  const signed = sign(base, credentials, request, 600)
  await eachByteOfHead(signed)
  await eachByteOfBody(signed)
  await accepted(signed)
})

for (const trailer of [undefined, 'x-amz-checksum-sha256:'])
  test(`a body in signed chunks${trailer ? ' with a signed trailer' : ''}: every byte`, async () => {
    const digest = createHash('sha256').update(body).digest('base64')
    const headers = {
      'x-amz-decoded-content-length': String(body.length),
      ...(trailer ? { 'x-amz-trailer': 'x-amz-checksum-sha256' } : {}),
    }
    const payload = `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer ? '-TRAILER' : ''}`
    const signed = sign(base, credentials, put({ body: Buffer.alloc(0), payload, headers }))
    const chunks = [body.subarray(0, 10), body.subarray(10)]
    const whole = chunkedBody(signed, chunks, trailer ? { trailer: trailer + digest } : {})
    const head = signed.head.replace('content-length: 0\r\n', `content-length: ${whole.length}\r\n`)
    await eachByteOfBody({ ...signed, head, body: whole })
    await accepted({ ...signed, head, body: whole })
  })

test('a form: every byte of its fields', async () => {
  const fields = { key: 'a/key', ...signedFields(credentials, [{ bucket: Bucket, key: 'a/key' }]) }
  const parts = Object.entries(fields).map(([name, value]) => `name="${name}"\r\n\r\n${value}`)
  const posted = async (sent: string[]) => {
    const start = '--boundary\r\ncontent-disposition: form-data; '
    const all = [...sent, 'name="file"; filename="f"\r\n\r\nhello'].map((part) => `${start}${part}\r\n`)
    const response = await fetch(`${base}/${Bucket}`, {
      method: 'POST',
      body: `${all.join('')}--boundary--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=boundary' },
    })
    return response.status
  }
  for (const [index, part] of parts.entries())
    await eachChange(part, async (text, what) => {
      const status = await posted(parts.with(index, text))
      assert.ok(status >= 400 && status < 500, `${status} for ${what}`)
    })
  await nothingIsStored()
  assert.equal(await posted(parts), 204)
  assert.equal((await api(`DELETE /buckets/${bucket.id}/objects/a/key`)).status, 200)
})

test('a signed URL: every byte of its path and its query', async () => {
  assert.equal((await api(`PUT /buckets/${bucket.id}/objects/a/key`, { raw: 'x' })).status, 201)
  const { versionId } = (await api(`GET /buckets/${bucket.id}/versions?objectKey=a/key`)).body[0] ?? {}
  const asked = [
    ['GET', { objectKey: 'a/key' }],
    ['GET', { objectKey: 'a/key', ...(versionId ? { versionId } : {}) }],
    ['PUT', { objectKey: 'a/key', method: 'PUT', maxBytes: 5000, contentType: 'text/plain' }],
  ] as const
  for (const [method, terms] of asked) {
    const { url } = (await api(`POST /buckets/${bucket.id}/signed-url`, { body: terms })).body as { url: string }
    const { origin } = new URL(url)
    const use = async (path: string) => {
      const headers = { 'content-type': 'text/plain' }
      const init = method === 'PUT' ? { method, body: 'y', headers } : {}
      return (await fetch(origin + path, init)).status
    }
    await eachChange(url.slice(origin.length), async (path, what) => {
      const status = await use(path)
      assert.ok(status >= 400 && status < 500, `${status} for ${what}`)
    }, 1)
    assert.ok((await use(url.slice(origin.length))) < 300)
  }
}) // biome-ignore format: one line

const fromConsole = { 'x-trivet-console': '1' }
const sessionOf = async (on: Client, path: string, email: string) => {
  const answer = await on(`POST ${path}`, { body: { email, password } })
  return String(answer.headers.get('set-cookie')).split(';')[0] as string
}

test('tokens, keys and sessions: every byte', async () => {
  const { storage, publishing, inventory } = system
  const admin = await inventoryAdmin(system)
  const writer = await publisher(system)
  const { key: storageKey } = (await api('POST /auth/api-keys', { body: {} })).body
  const { key: inventoryKey } = (await admin.api('POST /api/api-keys', { body: { name: 'x' } })).body
  const { key: publishingKey } = (await writer.api('POST /api/developer/keys', { body: { name: 'x' } })).body.data
  const credential: [what: string, on: Client, call: string, header: string, before: string, secret: string][] = [
    ['token of storage', storage, 'GET /buckets', 'authorization', 'Bearer ', owner.token],
    ['token of publishing', publishing, 'GET /api/users/me', 'authorization', 'Bearer ', writer.token],
    ['token of inventory', inventory, 'GET /api/products', 'authorization', 'Bearer ', admin.token],
    ['key of storage', storage, 'GET /buckets', 'x-api-key', '', storageKey],
    ['key of publishing', publishing, 'GET /api/events', 'x-api-key', '', publishingKey],
    ['key of inventory', inventory, 'GET /api/external/products', 'x-api-key', '', inventoryKey],
    ...(await Promise.all(
      ([
        [storage, '/auth/session', owner.email, 'GET /auth/me'],
        [inventory, '/api/auth/session', admin.email, 'GET /api/auth/me'],
      ] as const).map(async ([on, path, email, call]) => {
        const [name = '', secret = ''] = (await sessionOf(on, path, email)).split('=')
        return [`session ${name}`, on, call, 'cookie', `${name}=`, secret] as (typeof credential)[number]
      }),
    )),
  ]
  const form = new URLSearchParams({ email: writer.email, password })
  const signedIn = await publishing('POST /sign-in', { raw: form })
  const [name = '', secret = ''] = String(signedIn.headers.get('set-cookie')).split(';')[0]?.split('=') ?? []
  credential.push([`session ${name}`, publishing, 'GET /home', 'cookie', `${name}=`, secret])
  for (const [what, on, call, header, before, secret] of credential) {
    const use = async (text: string) =>
      (await on(call, { headers: { [header]: before + text, ...fromConsole } })).status
    await eachChange(secret, async (text, where) => {
      const status = await use(text)
      assert.ok(status === 401 || status === 400, `${status} for the ${what}, ${where}`)
    })
    assert.equal(await use(secret), 200, what)
  }
}) // biome-ignore format: as a table
