import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, storageOwner } from '#test/support/factories.ts'
import { headOf, rawConnection, trickle, untilClosed } from '#test/support/sockets.ts'

const system = await boot({ http: { bodyMs: 400, minBytesPerSecond: 20_000, checkEveryMs: 20 } })
const { api: owner, token } = await storageOwner(system)
const { token: admin } = await inventoryAdmin(system)
const bucketId = (await owner('POST /buckets', { body: { name: 'slow' } })).body.id as string
const json = { 'content-type': 'application/json', 'content-length': 1_000 }
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

/** Sends a head and then a byte at a time. Returns what the server sent before it closed the connection. */
const slowly = async (base: string, call: string, headers: Record<string, string | number>) => {
  const socket = await rawConnection(base)
  socket.write(headOf(call, headers))
  trickle(socket, 'x', 50)
  return untilClosed(socket)
}

for (const [name, base, call, headers] of [
  ['storage', system.urls.storage, 'POST /billing/webhook', json],
  ['storage', system.urls.storage, 'POST /auth/login', json],
  ['storage', system.urls.storage, 'POST /buckets', { ...json, ...bearer(token) }],
  ['publishing', system.urls.publishing, 'POST /api/auth/refresh', json],
  ['publishing', system.urls.publishing, 'POST /api/auth/login', { ...json, 'content-length': 100 }],
  ['inventory', system.urls.inventory, 'POST /api/auth/login', json],
  ['inventory', system.urls.inventory, 'POST /api/products', { ...json, ...bearer(admin) }],
] as const)
  test(`${call} of ${name} whose body does not arrive in time gets 408 and its connection is closed`, async () => {
    const answer = await slowly(base, call, headers)
    assert.match(answer, /^HTTP\/1\.1 408 /)
    assert.match(answer, /\r\nconnection: close\r\n/i)
    assert.match(answer, /\r\nx-request-id: /)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    const text = body.error?.message ?? body.error ?? body.message
    assert.equal(text, 'The body did not arrive in time')
  })

test('a chunked body that never ends gets 408', async () => {
  const socket = await rawConnection(system.urls.publishing)
  socket.write(
    headOf('POST /api/auth/refresh', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
  )
  trickle(socket, '1\r\n \r\n', 50)
  assert.match(await untilClosed(socket), /^HTTP\/1\.1 408 /)
})

test('a JSON body that arrives in time in two pieces is accepted', async () => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'correct horse' })
  const socket = await rawConnection(system.urls.inventory)
  socket.write(
    headOf('POST /api/auth/login', {
      'content-type': 'application/json',
      'content-length': body.length,
      connection: 'close',
    }),
  )
  for (const half of [body.slice(0, 20), body.slice(20)]) {
    socket.write(half)
    await sleep(50)
  }
  assert.match(await untilClosed(socket), /^HTTP\/1\.1 401 /)
})

const drafts = () => readdir(join(system.dataDir, 'blobs/drafts')).catch(() => [])
const uploads = [
  ['PUT of an object', () => `PUT /buckets/${bucketId}/objects/slow`, { 'content-type': 'image/png' }],
  [
    'a form',
    () => `POST /buckets/${bucketId}/objects/upload`,
    { 'content-type': 'multipart/form-data; boundary=zz' },
  ],
] as const
const formHead =
  '--zz\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: text/plain\r\n\r\n'

for (const [name, call, headers] of uploads)
  test(`${name} below the minimum rate gets 408 and leaves no draft and no object`, async () => {
    const socket = await rawConnection(system.urls.storage)
    socket.write(headOf(call(), { ...headers, ...bearer(token), 'content-length': 10_000_000 }))
    socket.write(name === 'a form' ? formHead : '')
    // Enough for a draft on disk, and then too slowly.
    socket.write('x'.repeat(50_000))
    trickle(socket, 'x'.repeat(100), 20)
    assert.match(await untilClosed(socket), /^HTTP\/1\.1 408 /)
    await until('its draft is removed', async () => (await drafts()).length === 0)
    assert.equal((await owner(`GET /buckets/${bucketId}/objects`)).body.length, 0)
  })

test('an upload that keeps the minimum rate may take many times as long as a JSON body', async () => {
  const socket = await rawConnection(system.urls.storage)
  const pieces = 60
  socket.write(
    headOf(`PUT /buckets/${bucketId}/objects/steady`, {
      ...bearer(token),
      'content-length': pieces * 2_000,
      connection: 'close',
    }),
  )
  const answer = untilClosed(socket)
  for (let sent = 0; sent < pieces; sent++) {
    socket.write('x'.repeat(2_000))
    await sleep(30)
  }
  assert.match(await answer, /^HTTP\/1\.1 201 /)
})

test('a slow import of products gets 408', async () => {
  const answer = await slowly(system.urls.inventory, 'POST /api/products/import', {
    ...bearer(admin),
    'content-type': 'text/csv',
    'content-length': 100_000,
  })
  assert.match(answer, /^HTTP\/1\.1 408 /)
})

test('the server does not wait forever for the rest of a body that it has already refused', async () => {
  const answer = await slowly(system.urls.storage, 'POST /buckets', json)
  assert.match(answer, /^HTTP\/1\.1 401 /)
  const unknown = await slowly(system.urls.storage, 'POST /nothing/here', json)
  assert.match(unknown, /^HTTP\/1\.1 404 /)
  const unreadable = await slowly(system.urls.storage, 'POST /%zz', json)
  assert.match(unreadable, /^HTTP\/1\.1 404 /)
})
