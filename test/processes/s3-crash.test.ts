import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUp } from '#test/support/cleanup.ts'
import { client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { bytesOf, chunkedBody, type RawRequest, sendRaw, sign } from '#test/support/s3-raw.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

const database = await freshDatabase()
cleanUp(() => database.drop())
const env = {
  TRIVET_DATA: await temporaryFolder('s3-crash'),
  DATABASE_URL: database.url,
  TRIVET_SERVICES: 'storage',
  TRIVET_SECRET: 'a secret for tests only',
}
let server = await serveProcess(env)
cleanUp(() => server.stop('SIGKILL'))

const { api } = await storageOwner({ storage: client(server.urls.storage) })
const { body: credentials } = await api('POST /auth/api-keys', { body: { label: 's3' } })
const send = (request: RawRequest) =>
  sendRaw(server.urls.s3, bytesOf(sign(server.urls.s3, credentials, request)))
assert.equal((await send({ method: 'PUT', path: '/crash' })).status, 200)

const chunks = Array.from({ length: 32 }, (_, n) => Buffer.alloc(64 * 1024, n))
const chunkedUpload = (key: string) => {
  const length = String(chunks.length * 64 * 1024)
  const request = {
    method: 'PUT',
    path: `/crash/${key}`,
    payload: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    headers: { 'x-amz-decoded-content-length': length, 'content-encoding': 'aws-chunked' },
  }
  const signed = sign(server.urls.s3, credentials, request)
  const body = chunkedBody(signed, chunks)
  return bytesOf({ head: signed.head.replace('content-length: 0', `content-length: ${body.length}`), body })
}

test('kill -9 during chunked uploads leaves those that were acknowledged, and nothing of the others', async () => {
  assert.equal((await sendRaw(server.urls.s3, chunkedUpload('whole'))).status, 200)
  const { port, hostname } = new URL(server.urls.s3)
  for (const part of [0.1, 0.5, 0.9, 0.999]) {
    const bytes = chunkedUpload(`part-${part}`)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    cleanUp(async () => void socket.destroy())
    await new Promise((resolve) => socket.write(bytes.subarray(0, Math.floor(bytes.length * part)), resolve))
  }
  await sleep(100) // They are being stored.
  await server.stop('SIGKILL')
  server = await serveProcess(env)
  const { text } = await send({ method: 'GET', path: '/crash', query: [['list-type', '2']] })
  assert.deepEqual([...text.matchAll(/<Key>([^<]*)/g)].map(([, key]) => key), ['whole'])
  const whole = await send({ method: 'GET', path: '/crash/whole' })
  const body = Buffer.from(whole.text.slice(whole.text.indexOf('\r\n\r\n') + 4), 'latin1')
  assert.ok(body.equals(Buffer.concat(chunks)))
}) // biome-ignore format: as a table
