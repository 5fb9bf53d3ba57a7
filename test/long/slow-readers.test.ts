import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { requestsInFlight } from '#test/support/metrics.ts'
import { headOf, rawConnection, untilClosed } from '#test/support/sockets.ts'

const megabyte = 1024 * 1024
const system = await boot({ http: { responseMs: 500, minBytesPerSecond: 50 * megabyte, checkEveryMs: 20 } })
const { api: owner, token } = await storageOwner(system)
const bucketId = (await owner('POST /buckets', { body: { name: 'slow' } })).body.id as string
const authorization = `Bearer ${token}`
const at = (key: string) => `/buckets/${bucketId}/objects/${key}`

test('a client that reads nothing of a large download is cut off, and no longer counts as in flight', async () => {
  await owner(`PUT ${at('large')}`, { raw: Buffer.alloc(64 * megabyte) })
  const socket = await rawConnection(system.urls.storage)
  socket.pause()
  socket.write(headOf(`GET ${at('large')}`, { authorization }))
  await until('the download runs', async () => (await requestsInFlight(system.storage)) > 0)
  await until('the download is given up', async () => (await requestsInFlight(system.storage)) === 0)
  const got = await untilClosed(socket.resume())
  assert.match(got, /^HTTP\/1\.1 200 /)
  assert.ok(got.length < 64 * megabyte)
})

test('a client that reads nothing of responses from memory is cut off', async () => {
  const { key } = (await owner('POST /auth/api-keys', { body: { label: 'k' } })).body
  await owner(`PUT ${at('hot')}`, { raw: Buffer.alloc(megabyte) })
  const api = system.storage.with({ 'x-api-key': key })
  for (let read = 0; read < 3; read++) assert.equal((await api(`GET ${at('hot')}`)).status, 200)
  const socket = await rawConnection(system.urls.storage)
  socket.pause()
  const asked = 40
  socket.write(headOf(`GET ${at('hot')}`, { 'x-api-key': key }).repeat(asked))
  await until('a download runs', async () => (await requestsInFlight(system.storage)) > 0)
  await until('it is given up', async () => (await requestsInFlight(system.storage)) === 0)
  const got = await untilClosed(socket.resume())
  assert.ok(got.length < asked * megabyte, String(got.length))
})

test('a client that reads a large download gets all of it', async () => {
  const got = await owner(`GET ${at('large')}`)
  assert.equal(got.text.length, 64 * megabyte)
})

test('a client that reads is not blamed for time in which the server was stopped', async () => {
  const socket = await rawConnection(system.urls.storage)
  socket.write(headOf(`GET ${at('large')}`, { authorization, connection: 'close' }))
  const got = untilClosed(socket)
  await once(socket, 'data')
  // Long enough for the server to notice that it has to wait, and then nothing in this process goes on, as after SIGSTOP.
  socket.pause()
  await sleep(100)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  socket.resume()
  assert.ok((await got).length > 64 * megabyte)
})
