import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { boot } from '#test/support/boot.ts'
import type { Answer, Client } from '#test/support/client.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'
import { rawConnection, untilClosed } from '#test/support/sockets.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { storage, publishing, inventory } = system
const services = [
  ['storage', storage, 'message'],
  ['publishing', publishing, 'message'],
  ['inventory', inventory, 'error'],
] as const

const exchange = async (base: string, text: string) => {
  const socket = await rawConnection(base)
  socket.write(text)
  const answer = await untilClosed(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(head.split(' ')[1]), head, body }
}

const close = 'connection: close\r\n'
const requests: [string, string, number][] = [
  ['two Host headers', `GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n${close}\r\n`, 400],
  ['the same Host twice', `GET /nowhere HTTP/1.1\r\nhost: a\r\nHOST: a\r\n${close}\r\n`, 400],
  ['a malformed Host', `GET /healthz HTTP/1.1\r\nhost: a b/c\r\n${close}\r\n`, 400],
  ['no Host', `GET /nowhere HTTP/1.1\r\n${close}\r\n`, 400],
  ['an unknown expectation', `GET /nowhere HTTP/1.1\r\nhost: a\r\nexpect: foo\r\n${close}\r\n`, 417],
  ['an unknown method', 'BREW /healthz HTTP/1.1\r\nhost: a\r\n\r\n', 501],
  ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nhost: a.example:443\r\n\r\n', 501],
  ['HTTP/2.0 in the request line', `GET /healthz HTTP/2.0\r\nhost: a\r\n${close}\r\n`, 505],
  ['HTTP/3.7 in the request line', 'GET /healthz HTTP/3.7\r\nhost: a\r\n\r\n', 505],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['a very long URI', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 414],
  ['a very long header', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ['no request at all', 'GARBAGE\r\n\r\n', 400],
  ['two lengths', 'GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
]

for (const [name, { base }, field] of services)
  test(`${name}: requests that break the rules of HTTP get the right status, in the format of the service`, async () => {
    for (const [what, text, expected] of requests) {
      const { status, head, body } = await exchange(base, text)
      assert.equal(status, expected, what)
      for (const header of [
        /^date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r?$/im,
        /^x-request-id: [\w-]+\r?$/im,
        /^cache-control: no-store\r?$/im,
        /^access-control-allow-origin: \*\r?$/im,
        /^content-type: application\/json; charset=utf-8\r?$/im,
      ])
        assert.match(head, header, what)
      assert.equal(typeof JSON.parse(body)[field], 'string', what)
    }
  })

test('hosts of every legal form are served', async () => {
  for (const host of ['a', 'a.example:4001', '127.0.0.1', '[::1]:4001', 'xn--bcher-kva.example', ''])
    assert.equal(
      (await exchange(storage.base, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\n${close}\r\n`)).status,
      200,
      host,
    )
  assert.equal((await exchange(storage.base, `GET /healthz HTTP/1.0\r\n\r\n`)).status, 200)
})

test('a compressed body is refused with 415 and what is accepted instead, once it is known who asks', async () => {
  const raw = gzipSync('{"name":"x"}')
  const [owner, writer, admin] = await Promise.all([
    storageOwner(system),
    publisher(system),
    inventoryAdmin(system),
  ])
  for (const [api, stranger, call] of [
    [owner.api, storage, 'POST /buckets'],
    [writer.api, publishing, 'POST /api/posts'],
    [admin.api, inventory, 'POST /api/products'],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const refused = await api(call, { raw, headers })
    assert.equal(refused.status, 415, call)
    assert.equal(refused.headers.get('accept-encoding'), 'identity')
    assert.equal((await stranger(call, { raw, headers })).status, 401)
  }
  const plain = { 'content-encoding': 'identity' }
  assert.equal((await owner.api('POST /buckets', { body: { name: 'identity' }, headers: plain })).status, 201)
})

test('a preflight of an unknown path succeeds, so that the browser sees the 404 of the request itself', async () => {
  const origin = { origin: 'https://shop.example' }
  for (const [, api] of services) {
    const preflight = await api('OPTIONS /no/such/path', {
      headers: { ...origin, 'access-control-request-method': 'PUT' },
    })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT/)
    const answer = await api('PUT /no/such/path', { headers: origin })
    assert.equal(answer.status, 404)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal((await api('OPTIONS /no/such/path')).status, 404)
  }
})

test('dates that are no HTTP dates are ignored, and range units are not case-sensitive', async () => {
  const { api } = await storageOwner(system)
  const bucketId = await createBucket(api, 'dates')
  const path = `/buckets/${bucketId}/objects/a.txt`
  await api(`PUT ${path}`, { raw: '0123456789' })
  for (const date of ['2099', '2099-01-01', '2099-01-01T00:00:00Z', 'Thu, 01 Jan 2099', 'tomorrow']) {
    assert.equal((await api(`GET ${path}`, { headers: { 'if-modified-since': date } })).status, 200, date)
    assert.equal((await api(`GET ${path}`, { headers: { 'if-unmodified-since': date } })).status, 200, date)
  }
  for (const date of [
    'Thu, 01 Jan 2099 00:00:00 GMT',
    'Sunday, 06-Nov-67 08:49:37 GMT',
    'Thu Jan  1 00:00:00 2099',
  ]) {
    const isPast = date.includes('67')
    const { status } = await api(`GET ${path}`, { headers: { 'if-modified-since': date } })
    assert.equal(status, isPast ? 200 : 304, date)
  }
  const part = await api(`GET ${path}`, { headers: { range: 'Bytes=2-4' } })
  assert.deepEqual([part.status, part.text], [206, '234'])
})

test('what was created is found at its Location, also when the request is repeated', async () => {
  const [owner, writer, admin] = await Promise.all([
    storageOwner(system),
    publisher(system),
    inventoryAdmin(system),
  ])
  const bucketId = await createBucket(owner.api, 'located')
  const objects = `/buckets/${bucketId}/objects`
  await owner.api(`PUT ${objects}/a%2F..%2Fb.txt`, { raw: 'x' })
  const { body: product } = await admin.api('POST /api/products', {
    body: { name: 'P', sku: 'P-1', base_price: '1.00' },
  })
  const { body: supplier } = await admin.api('POST /api/suppliers', { body: { name: 'S' } })
  const items = [{ product_id: product.id, quantity: 1, unit_price: '1.00' }]
  const creations = [
    [owner.api, 'POST /buckets', { name: 'another' }],
    [owner.api, `POST /buckets/${bucketId}/multipart/initiate`, { objectKey: 'm' }],
    [owner.api, `POST ${objects}/a%2F..%2Fb.txt/copy`, { destinationKey: 'deep/ü ?.txt' }],
    [writer.api, 'POST /api/posts', { content: 'here I am' }],
    [admin.api, 'POST /api/products', { name: 'Q', sku: 'Q-1', base_price: '1.00' }],
    [admin.api, 'POST /api/customers', { name: 'C', email: 'located@example.com' }],
    [admin.api, 'POST /api/suppliers', { name: 'T' }],
    [admin.api, 'POST /api/orders', { items }],
    [
      admin.api,
      'POST /api/suppliers/purchase-orders',
      { supplier_id: supplier.id, items: [{ product_id: product.id, quantity: 1 }] },
    ],
  ] as const
  for (const [api, call, body] of creations) {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await api(call, { body, headers })
    assert.equal(first.status, 201, `${call}: ${first.text}`)
    const location = first.headers.get('location')
    assert.equal((await api(`GET ${location}`)).status, 200, `${call}: ${location}`)
    const again = await api(call, { body, headers })
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.headers.get('location'), location)
  }
  const put = await owner.api(`PUT ${objects}/tagged`, { raw: 'x' })
  const read = await owner.api(`GET ${objects}/tagged`)
  assert.equal(put.headers.get('etag'), read.headers.get('etag'))
})

/** Reads a list page by page, as the links say. */
const walk = async (api: Client, first: string, keysOf: (body: Answer['body']) => string[]) => {
  const pages: string[][] = []
  for (let url = first; url !== ''; ) {
    const { headers, body } = await api(`GET ${url}`)
    pages.push(keysOf(body))
    const next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    url = next === undefined ? '' : new URL(next, `http://x${url}`).href.slice('http://x'.length)
  }
  return pages
}

test('the pages of a list are linked, whether they are numbered or have a cursor', async () => {
  const [owner, writer, admin] = await Promise.all([
    storageOwner(system),
    publisher(system),
    inventoryAdmin(system),
  ])
  const bucketId = await createBucket(owner.api, 'pages')
  const names = ['a', 'b', 'c']
  for (const name of names) {
    await owner.api(`PUT /buckets/${bucketId}/objects/${name}`, { raw: name })
    await writer.api('POST /api/posts', { body: { content: name } })
    await admin.api('POST /api/products', { body: { name, sku: name, base_price: '1.00' } })
  }
  const newestFirst = [['c', 'b'], ['a']]
  assert.deepEqual(
    await walk(owner.api, `/buckets/${bucketId}/objects?limit=2&prefix=`, ({ objects }) =>
      objects.map((object: { objectKey: string }) => object.objectKey),
    ),
    [['a', 'b'], ['c']],
  )
  const contents = ({ data }: Answer['body']) => data.posts.map((post: { content: string }) => post.content)
  assert.deepEqual(await walk(writer.api, `/api/users/${writer.handle}/posts?limit=2`, contents), newestFirst)
  assert.deepEqual(await walk(writer.api, '/api/timeline/home?limit=2', contents), newestFirst)
  assert.deepEqual(
    await walk(admin.api, '/api/products?limit=2&search=', ({ products }) =>
      products.map((product: { sku: string }) => product.sku),
    ),
    newestFirst,
  )
})
