import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { headOf, rawConnection, untilClosed } from '#test/support/sockets.ts'

const megabyte = 1024 * 1024
const system = await boot({ http: { responseMs: 500, minBytesPerSecond: 50 * megabyte, checkEveryMs: 20 } })
const { api: owner, token } = await storageOwner(system)
const bucketId = (await owner('POST /buckets', { body: { name: 'slow' } })).body.id as string
const authorization = `Bearer ${token}`
const at = (key: string) => `/buckets/${bucketId}/objects/${key}`

const inFlight = async () =>
  Number(/requests_in_flight\{[^}]*\} (\d+)/.exec((await system.storage('GET /metrics')).text)?.[1])

test('whoever takes nothing of a large download is cut off, and its place is free again', async () => {
  await owner(`PUT ${at('large')}`, { raw: Buffer.alloc(64 * megabyte) })
  const socket = await rawConnection(system.urls.storage)
  socket.pause()
  socket.write(headOf(`GET ${at('large')}`, { authorization }))
  while ((await inFlight()) === 0) await sleep(5)
  while ((await inFlight()) > 0) await sleep(20)
  const got = await untilClosed(socket.resume())
  assert.match(got, /^HTTP\/1\.1 200 /)
  assert.ok(got.length < 64 * megabyte)
})

test('whoever takes nothing of answers from memory is cut off too', async () => {
  const { key } = (await owner('POST /auth/api-keys', { body: { label: 'k' } })).body
  await owner(`PUT ${at('hot')}`, { raw: Buffer.alloc(megabyte) })
  const api = system.storage.with({ 'x-api-key': key })
  for (let read = 0; read < 3; read++) assert.equal((await api(`GET ${at('hot')}`)).status, 200)
  const socket = await rawConnection(system.urls.storage)
  socket.pause()
  const asked = 40
  socket.write(headOf(`GET ${at('hot')}`, { 'x-api-key': key }).repeat(asked))
  // A download is recorded when it is over, however it ended: by then the server has given all of them up.
  const recorded = async () => {
    const { body } = await owner(`GET /audit-logs?action=object.downloaded&objectKey=hot`)
    return body.total as number
  }
  while ((await recorded()) < asked + 3) await sleep(50)
  const got = await untilClosed(socket.resume())
  assert.ok(got.length < asked * megabyte, String(got.length))
})

test('a reader that takes what it is sent gets all of it', async () => {
  const got = await owner(`GET ${at('large')}`)
  assert.equal(got.text.length, 64 * megabyte)
})
