import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { requestsInFlight } from '#test/support/metrics.ts'
import { headOf, rawConnection, untilClosed } from '#test/support/sockets.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const bucketId = (await api('POST /buckets', { body: { name: 'files' } })).body.id as string
const authorization = `Bearer ${token}`
const object = (key: string) => `/buckets/${bucketId}/objects/${key}`
const keyed = { 'x-api-key': (await api('POST /auth/api-keys', { body: { label: 'k' } })).body.key as string }

test('requests that are sent at once on one connection are answered one after another, in their order', async () => {
  const socket = await rawConnection(system.urls.storage)
  const bodies = Array.from({ length: 50 }, (_, n) => `content ${n}`)
  const puts = bodies.map(
    (body, n) =>
      headOf(`PUT ${object(`k-${n % 3}`)}`, { authorization, 'content-length': body.length }) + body,
  )
  const gets = bodies.map((_, n) => headOf(`GET ${object(`k-${n % 3}`)}`, { authorization }))
  const mixed = puts.flatMap((put, n) => [put, gets[n]!])
  socket.write(mixed.join('') + headOf('GET /healthz', { connection: 'close' }))
  const got = await untilClosed(socket)
  assert.equal(got.split('HTTP/1.1 ').length - 1, 101)
  assert.deepEqual(got.match(/content \d+/g), bodies, 'each read finds what was written just before it')
})

test('the next request of a connection begins when the one before has its response', async () => {
  const { release } = await hold(
    system,
    (tx) => tx`select from storage.buckets where id = ${bucketId} for update`,
  )
  const socket = await rawConnection(system.urls.storage)
  const put = (body: string) => headOf(`PUT ${object('held')}`, { authorization, 'content-length': 1 }) + body
  socket.write(put('1') + put('2').repeat(20) + headOf('GET /healthz', { connection: 'close' }))
  await waitingForLocks(system, 1)
  assert.equal(await requestsInFlight(system.storage), 1)
  await release()
  const got = await untilClosed(socket)
  assert.deepEqual(new Set(got.match(/HTTP.1.1 \d+/g)), new Set(['HTTP/1.1 201', 'HTTP/1.1 200']), got)
  assert.equal(got.split('HTTP/1.1 ').length - 1, 22)
})

test('of what a client asks for at once and does not read, one response is in memory', async () => {
  const size = 2 ** 20
  await api(`PUT ${object('hot')}`, { raw: Buffer.alloc(size) })
  for (let read = 0; read < 3; read++) await system.storage(`GET ${object('hot')}`, { headers: keyed })
  const before = process.memoryUsage().arrayBuffers
  const socket = await rawConnection(system.urls.storage)
  socket.pause()
  socket.write(headOf(`GET ${object('hot')}`, keyed).repeat(400))
  await until('the first is being sent', async () => (await requestsInFlight(system.storage)) === 1)
  for (let n = 0; n < 20; n++) await system.storage('GET /healthz')
  assert.equal(await requestsInFlight(system.storage), 1)
  const more = process.memoryUsage().arrayBuffers - before
  assert.ok(more < 32 * size, `${more} bytes`)
  socket.destroy()
  await until('nothing is left of it', async () => (await requestsInFlight(system.storage)) === 0)
})
