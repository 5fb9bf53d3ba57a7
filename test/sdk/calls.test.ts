import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createInventory, createPublishing, createStorage, TrivetError } from '#sdk/index.ts'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'
import { cableTo } from './cable.ts'

const system = await boot()
const { urls } = system

const rejection = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (reason) => reason,
  )
  assert.ok(error instanceof TrivetError, String(error))
  return error
}

test('a call returns what the service returns, by a token or an API key', async () => {
  const { token } = await storageOwner(system)
  const byToken = createStorage({ baseUrl: `${urls.storage}/`, token: () => Promise.resolve(token) })
  const { data: bucket, response } = await byToken.POST('/buckets', { body: { name: 'photos' } })
  assert.equal(response.status, 201)
  assert.equal(bucket.object_count, 0)
  const { data: key } = await byToken.POST('/auth/api-keys', { body: { label: 'sdk' } })
  const byKey = createStorage({ baseUrl: urls.storage, apiKey: key.key })
  const { data: buckets } = await byKey.GET('/buckets')
  assert.deepEqual(
    buckets.map(({ name }) => name),
    ['photos'],
  )
  assert.equal((await byKey.bucketNamed('photos')).id, bucket.id)
  assert.equal((await rejection(byKey.bucketNamed('films'))).status, 404)
})

test('a client with a session sends what makes the cookie of the browser count', async () => {
  const { email } = await storageOwner(system)
  const opened = await createStorage({ baseUrl: urls.storage }).POST('/auth/session', {
    body: { email, password },
  })
  const cookie = String(opened.response.headers.get('set-cookie')).split(';')[0]!
  // Browsers add the cookie themselves.
  const browser = (request: Request) => {
    request.headers.set('cookie', cookie)
    return fetch(request)
  }
  const console = createStorage({ baseUrl: urls.storage, session: true, fetch: browser })
  assert.equal((await console.GET('/auth/me')).data.user.email, email)
  const withoutSession = createStorage({ baseUrl: urls.storage, fetch: browser })
  assert.equal((await rejection(withoutSession.GET('/auth/me'))).status, 401)
  await console.DELETE('/auth/session')
  assert.equal((await rejection(console.GET('/auth/me'))).status, 401)
})

test('what is not a success is thrown with status, code, fields and request id, alike for all services', async () => {
  const storage = createStorage({ baseUrl: urls.storage, token: (await storageOwner(system)).token })
  const invalid = await rejection(storage.POST('/buckets', { body: { name: 'x' } }))
  assert.equal(invalid.status, 400)
  assert.equal(invalid.fields[0]?.field, 'name')
  assert.match(invalid.fields[0]?.message ?? '', /\w/)
  assert.match(invalid.requestId ?? '', /\w/)

  const publishing = createPublishing({ baseUrl: urls.publishing, token: (await publisher(system)).token })
  const empty = await rejection(publishing.POST('/api/posts', { body: { content: '' } }))
  assert.equal(empty.status, 422)
  assert.deepEqual(empty.fields[0]?.field, 'content')

  const inventory = createInventory({ baseUrl: urls.inventory, token: (await inventoryAdmin(system)).token })
  const missing = await rejection(inventory.GET('/api/products/{id}', { params: { path: { id: 999 } } }))
  assert.equal(missing.status, 404)
  assert.equal(missing.code, 'not_found')
  assert.match(missing.message, /\w/)

  const anonymous = await rejection(createInventory({ baseUrl: urls.inventory }).GET('/api/products'))
  assert.equal(anonymous.status, 401)
})

test('a server that cannot be reached is an error with status 0', async () => {
  const storage = createStorage({ baseUrl: 'http://127.0.0.1:9', retries: 0 })
  const error = await rejection(storage.GET('/buckets'))
  assert.equal(error.status, 0)
  assert.equal(error.code, 'connection')
  assert.match(error.message, /127\.0\.0\.1:9 cannot be reached/)
})

test('lists are read to their end, page by page, in all three services', async () => {
  const { token } = await inventoryAdmin(system)
  const inventory = createInventory({ baseUrl: urls.inventory, token })
  for (let n = 1; n <= 5; n++)
    await inventory.POST('/api/products', { body: { name: `Mug ${n}`, sku: `M-${n}`, base_price: '1.00' } })
  const skus: string[] = []
  for await (const { sku } of inventory.list('/api/products', { params: { query: { limit: 2 } } }))
    skus.push(sku)
  assert.deepEqual(skus.sort(), ['M-1', 'M-2', 'M-3', 'M-4', 'M-5'])

  const writer = await publisher(system)
  const publishing = createPublishing({ baseUrl: urls.publishing, token: writer.token })
  for (let n = 1; n <= 3; n++) await publishing.POST('/api/posts', { body: { content: `post ${n}` } })
  const path = { handle: writer.handle }
  const posts: string[] = []
  for await (const post of publishing.list('/api/users/{handle}/posts', {
    params: { path, query: { limit: 2 } },
  }))
    posts.push(post.content)
  assert.equal(posts.length, 3)
  const explored: string[] = []
  for await (const post of publishing.list('/api/timeline/explore', { params: { query: { limit: 2 } } }))
    explored.push(post.content)
  assert.deepEqual(explored.sort(), ['post 1', 'post 2', 'post 3'])

  const storage = createStorage({ baseUrl: urls.storage, token: (await storageOwner(system)).token })
  const { data: bucket } = await storage.POST('/buckets', { body: { name: 'many' } })
  for (let n = 0; n < 5; n++) await storage.upload(bucket.id, `key ${n}`, new Blob(['x'])).done
  const keys: string[] = []
  for await (const { object_key } of storage.list('/buckets/{bucketId}/objects', {
    params: { path: { bucketId: bucket.id }, query: { limit: 2 } },
  }))
    keys.push(object_key)
  assert.deepEqual(keys, ['key 0', 'key 1', 'key 2', 'key 3', 'key 4'])
  const actions: string[] = []
  for await (const { action } of storage.list('/audit-logs', { params: { query: { limit: 4 } } }))
    actions.push(action)
  assert.ok(actions.filter((action) => action.includes('upload')).length >= 5, actions.join())
})

test('a creation whose response is lost is sent again, and has one effect', async (t) => {
  const { token } = await inventoryAdmin(system)
  const { url, requests } = await losingResponses(t, urls.inventory, 1)
  const inventory = createInventory({ baseUrl: url, token })
  const { data } = await inventory.POST('/api/products', {
    body: { name: 'Mug', sku: 'MUG', base_price: '1.00' },
  })
  assert.equal(data.sku, 'MUG')
  assert.equal(requests(), 2)
})

test('a refusal by a limit is waited for as long as Retry-After says', async (t) => {
  const asked: number[] = []
  const server = createServer((_, res) => {
    asked.push(performance.now())
    if (asked.length === 1) res.writeHead(429, { 'retry-after': '1' }).end('{"error":"Too many requests"}')
    else res.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const storage = createStorage({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  assert.deepEqual((await storage.GET('/buckets')).data, [])
  assert.ok((asked[1] as number) - (asked[0] as number) >= 990)
})

test('an access token of publishing is renewed before it expires, once for all requests', async (t) => {
  const own = await boot({ t, env: { TRIVET_SERVICES: 'publishing' } })
  const { token, refreshToken } = await publisher(own)
  const renewed: string[] = []
  const [head, payload, signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload as string, 'base64url').toString())
  // As it looks shortly before it expires; it is never sent.
  const expiring = Buffer.from(JSON.stringify({ ...claims, exp: Math.floor(Date.now() / 1000) })).toString(
    'base64url',
  )
  const publishing = createPublishing({
    baseUrl: own.urls.publishing,
    tokens: { accessToken: `${head}.${expiring}.${signature}`, refreshToken },
    onTokens: (tokens) => renewed.push(tokens.refreshToken),
  })
  const names = await Promise.all(
    Array.from({ length: 5 }, async () => (await publishing.GET('/api/users/me')).data.data.handle),
  )
  assert.equal(new Set(names).size, 1)
  assert.equal(renewed.length, 1)
  assert.notEqual(renewed[0], refreshToken)
})

test('a connection that breaks for a moment is not noticed by a read', async (t) => {
  const { token } = await storageOwner(system)
  const cable = await cableTo(t, urls.storage)
  const storage = createStorage({ baseUrl: cable.url, token })
  cable.pull()
  setTimeout(cable.plugIn, 300)
  assert.deepEqual((await storage.GET('/buckets')).data, [])
})

test('signing in is a call like any other', async () => {
  const { email } = await storageOwner(system)
  const { data } = await createStorage({ baseUrl: urls.storage }).POST('/auth/login', {
    body: { email, password },
  })
  assert.match(data.token, /\./)
})

/** A proxy that passes requests on and keeps the first responses to itself. */
const losingResponses = async (t: TestContext, base: string, lost: number) => {
  let requests = 0
  const server = createServer(async (req, res) => {
    const isLost = ++requests <= lost
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = req.headers
    const response = await fetch(`${base}${req.url}`, {
      method: req.method as string,
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks),
    })
    const body = await response.text()
    if (isLost) return void res.destroy()
    res.writeHead(response.status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests }
}
