import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const [owner, writer, admin] = await Promise.all([
  storageOwner(system),
  publisher(system),
  inventoryAdmin(system),
])
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

type Options = { headers?: Record<string, string>; body?: unknown }

/** Unlike `fetch`, sends no header of its own and leaves the body as it came. */
const send = (base: string, call: string, { headers = {}, body }: Options = {}) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
    (resolve, reject) => {
      const [method = '', path = ''] = call.split(' ', 2)
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      const req = request(base + path, { method, headers: { ...json, ...headers } }, async (res) => {
        const chunks: Buffer[] = []
        for await (const chunk of res) chunks.push(chunk)
        resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) })
      })
      req.on('error', reject)
      req.end(body === undefined ? undefined : JSON.stringify(body))
    },
  )

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

for (let n = 0; n < 30; n++)
  await admin.api('POST /api/products', {
    body: { sku: `C-${n}`, name: `Compressible product ${n}`, base_price: '2.00' },
  })
for (let n = 0; n < 5; n++)
  await writer.api('POST /api/posts', { body: { content: `Compressible words ${n} `.repeat(10) } })
const bucketId = (await owner.api('POST /buckets', { body: { name: 'plain', visibility: 'public' } })).body
  .id as string

const inventory = bearer(admin.token)
const feed = `/api/users/${writer.handle}/feed.rss`
const cases = [
  ['a JSON list', system.inventory.base, '/api/products?limit=30', inventory],
  ['a streamed CSV file', system.inventory.base, '/api/products/export', inventory],
  ['a page', system.publishing.base, `/@${writer.handle}`, {}],
  ['a feed', system.publishing.base, feed, {}],
  ['an embedded page', system.publishing.base, `/widget/embed/${writer.handle}`, {}],
  ['a script', system.publishing.base, '/widget/feed.js', {}],
  ['an error page', system.publishing.base, '/no-such-page', { accept: 'text/html' }],
  ['the metrics', system.storage.base, '/metrics', {}],
] as const

/** Two pages of the same content differ in what is new each time. */
const comparable = (text: string) =>
  text.replaceAll(/nonce="[^"]+"|[0-9a-f-]{36}/g, '').replaceAll(/^(?:process|nodejs|trivet)_.*\n/gm, '')

for (const [name, base, path, headers] of cases)
  for (const encoding of ['br', 'gzip'] as const)
    test(`${name} is sent as ${encoding} to a client that accepts it, and plain to others`, async () => {
      // From the route, from memory, and once more with what was kept.
      for (let time = 1; time <= 3; time++) {
        const plain = await send(base, `GET ${path}`, { headers })
        assert.equal(plain.headers['content-encoding'], undefined)
        assert.match(String(plain.headers.vary), /accept-encoding/i)
        assert.ok(plain.bytes.length >= 1024, `${plain.bytes.length} bytes`)
        const packed = await send(base, `GET ${path}`, {
          headers: { ...headers, 'accept-encoding': encoding },
        })
        assert.equal(packed.status, plain.status)
        assert.equal(packed.headers['content-encoding'], encoding)
        assert.match(String(packed.headers.vary), /accept-encoding/i)
        assert.ok(packed.bytes.length < plain.bytes.length * 0.7)
        if (packed.headers['content-length'] !== undefined)
          assert.equal(Number(packed.headers['content-length']), packed.bytes.length)
        assert.equal(
          comparable(decoders[encoding](packed.bytes).toString()),
          comparable(plain.bytes.toString()),
        )
      }
    })

test('HEAD describes what GET would send, also when it is compressed', async () => {
  for (const [name, base, path, headers] of cases.slice(0, -1)) {
    const options = { headers: { ...headers, 'accept-encoding': 'gzip' } }
    const get = await send(base, `GET ${path}`, options)
    const head = await send(base, `HEAD ${path}`, options)
    assert.equal(head.status, get.status, name)
    assert.equal(head.headers['content-encoding'], get.headers['content-encoding'], name)
    assert.equal(head.headers.vary, get.headers.vary, name)
    assert.equal(head.headers.etag, get.headers.etag, name)
    // Random values in a page compress to slightly different lengths.
    const lengths = [head, get].map((each) => Number(each.headers['content-length'] ?? 0))
    assert.ok(Math.abs(lengths[0]! - lengths[1]!) < 100, `${name}: ${lengths}`)
    assert.equal(head.bytes.length, 0)
  }
})

test('weights are honoured, and a small response is compressed only for a client that refuses it plain', async () => {
  const list = (accepted: string) =>
    send(system.inventory.base, 'GET /api/products?limit=30', {
      headers: { ...inventory, 'accept-encoding': accepted },
    })
  assert.equal((await list('br;q=0.1, gzip;q=0.9')).headers['content-encoding'], 'gzip')
  assert.equal((await list('br;q=0, gzip;q=0')).headers['content-encoding'], undefined)
  assert.equal((await list('identity, br;q=0.5')).headers['content-encoding'], undefined)
  assert.equal((await list('zstd, deflate')).headers['content-encoding'], undefined)
  const small = (accepted: string) =>
    send(system.storage.base, 'GET /healthz', { headers: { 'accept-encoding': accepted } })
  assert.equal((await small('gzip')).headers['content-encoding'], undefined)
  const forced = await small('gzip, identity;q=0')
  assert.equal(gunzipSync(forced.bytes).toString(), '{"status":"ok"}')
})

test('each encoding of a feed has an entity tag of its own, with which it is not sent again', async () => {
  system.clock.advance(5_000)
  const get = (headers: Record<string, string>) => send(system.publishing.base, `GET ${feed}`, { headers })
  const tags = new Map<string, string>()
  for (const encoding of ['br', 'gzip', 'identity']) {
    const { headers } = await get({ 'accept-encoding': encoding })
    tags.set(encoding, String(headers.etag))
    for (let time = 1; time <= 2; time++) {
      const again = await get({ 'accept-encoding': encoding, 'if-none-match': String(headers.etag) })
      assert.equal(again.status, 304)
      assert.equal(again.headers.etag, headers.etag)
      assert.match(String(again.headers.vary), /accept-encoding/i)
      assert.equal(again.headers['content-encoding'], undefined)
      assert.equal(again.headers['content-length'], undefined)
    }
  }
  assert.equal(new Set(tags.values()).size, 3)
  const other = await get({ 'accept-encoding': 'br', 'if-none-match': tags.get('gzip')! })
  assert.equal(other.status, 200)
})

test('the bytes of objects are sent as they are stored, whatever a client accepts', async () => {
  const text = 'compressible '.repeat(1000)
  const path = `/buckets/${bucketId}/objects/page.html`
  await owner.api(`PUT ${path}`, { raw: text, headers: { 'content-type': 'text/html' } })
  for (const [url, headers] of [
    [path, bearer(owner.token)],
    [`/public/objects/${bucketId}/page.html`, {}],
  ] as const)
    for (const more of [{}, { range: 'bytes=0-4999' }]) {
      const { headers: got, bytes } = await send(system.storage.base, `GET ${url}`, {
        headers: { ...headers, ...more, 'accept-encoding': 'gzip, br, identity;q=0' },
      })
      assert.equal(got['content-encoding'], undefined)
      assert.equal(bytes.toString(), text.slice(0, 'range' in more ? 5000 : undefined))
      assert.match(String(got.etag), /^"[0-9a-f]{32}"$/)
    }
})

test('a response that shows a secret is never compressed', async () => {
  const storage = bearer(owner.token)
  const publishing = bearer(writer.token)
  const stamp = Date.now()
  const { body: signedIn } = await system.publishing('POST /api/auth/login', {
    body: { email: writer.email, password },
  })
  const secrets: [string, string, Options][] = [
    [system.storage.base, 'POST /auth/login', { body: { email: owner.email, password } }],
    [system.storage.base, 'POST /auth/api-keys', { headers: storage, body: { label: 'x' } }],
    [system.storage.base, 'POST /settings/totp/setup', { headers: storage }],
    [
      system.storage.base,
      `POST /buckets/${bucketId}/signed-url`,
      { headers: storage, body: { objectKey: 'page.html' } },
    ],
    [
      system.storage.base,
      'POST /billing/purchase',
      {
        headers: storage,
        body: { storageTier: 'storage-100', bandwidthTier: 'bandwidth-500', termMonths: 1 },
      },
    ],
    [
      system.storage.base,
      'POST /auth/register',
      {
        body: {
          organizationName: 'Secret',
          organizationSlug: `secret-${stamp}`,
          fullName: 'Secret',
          email: `secret-${stamp}@example.com`,
          password,
        },
      },
    ],
    [system.publishing.base, 'POST /api/auth/login', { body: { email: writer.email, password } }],
    [
      system.publishing.base,
      'POST /api/auth/refresh',
      { body: { refreshToken: signedIn.data.refreshToken } },
    ],
    [system.publishing.base, 'POST /api/developer/keys', { headers: publishing, body: { name: 'x' } }],
    [system.publishing.base, `GET /reset-password?token=${'t'.repeat(40)}`, {}],
    [system.inventory.base, 'POST /api/auth/login', { body: { email: admin.email, password } }],
    [system.inventory.base, 'POST /api/api-keys', { headers: inventory, body: { name: 'x' } }],
  ]
  for (const [base, call, { headers, body }] of secrets) {
    // Whoever refuses a plain response gets every other response compressed, however small.
    const accepted = { ...headers, 'accept-encoding': 'gzip, br, identity;q=0' }
    const answer = await send(base, call, { headers: accepted, ...(body === undefined ? {} : { body }) })
    assert.ok(answer.status < 300, `${call}: ${answer.status} ${answer.bytes}`)
    assert.equal(answer.headers['content-encoding'], undefined, call)
  }
})
