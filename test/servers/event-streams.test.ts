import assert from 'node:assert/strict'
import type { ClientHttp2Stream } from 'node:http2'
import { after, test } from 'node:test'
import { shop } from '#test/acceptance/inventory/scene.ts'
import { boot } from '#test/support/boot.ts'
import { client } from '#test/support/client.ts'
import { openEventStream } from '#test/support/event-stream.ts'
import { until } from '#test/support/eventually.ts'
import { http2Client } from '#test/support/http2.ts'
import { handOver, startNginx } from '#test/support/nginx.ts'
import { certificate } from '#test/support/tls.ts'

/** Products to import, each of which is an event of so many bytes. */
const csv = (count: number, bytes: number) => {
  const lines = Array.from({ length: count }, (_, n) => `S${n},P${n},1.00,${'x'.repeat(bytes)}`)
  return ['sku,name,base_price,description', ...lines].join('\n')
}

test('through nginx as it is by default each event arrives at once, and a stream ends with a hint when the node stops', async (t) => {
  const system = await boot({ env: { TRUST_PROXY: '1' }, t })
  const nginx = await startNginx(handOver(system.urls.inventory, '/blobs', system.dataDir))
  after(() => nginx.stop())
  const s = await shop({ inventory: client(nginx.url) })
  const stream = openEventStream(`${nginx.url}/api/events`, { authorization: `Bearer ${s.token}` })
  t.after(stream.close)
  assert.equal((await stream.opened).status, 200)
  for (let n = 1; n <= 3; n++) {
    await s.product()
    await stream.until(n, 1_000)
  }
  const imported = await s.api('POST /api/products/import', {
    raw: csv(300, 9_000),
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(imported.status, 200, imported.text)
  await stream.until(303)
  const closing = system.close()
  await stream.ended
  assert.match(stream.other.at(-1)!, /^retry: \d+$/)
  await closing
})

/** The events that have come on a stream of HTTP/2. */
const eventsOf = (stream: ClientHttp2Stream) => {
  const got = { text: '', isEnded: false, count: () => got.text.split('\nevent: ').length - 1 }
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    got.text += chunk
  })
  stream.on('end', () => {
    got.isEnded = true
  })
  return got
}

test('over HTTP/2 many streams share a connection, catch up on more than the backlog, and end with a hint', async (t) => {
  const { ca, env } = await certificate()
  const system = await boot({ env, t })
  const http2 = await http2Client(system.urls.inventory, ca)
  t.after(() => http2.close())
  const account = { company_name: 'C', name: 'A', email: 'h2@example.com', password: 'correct horse' }
  const { token } = (await http2('POST /api/auth/register', { json: account })).body
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const start = (await http2('GET /api/events', { headers: { authorization: headers.authorization } })).body
    .next
  const imported = await http2('POST /api/products/import', {
    headers: { ...headers, accept: '*/*', 'content-type': 'text/csv' },
    body: csv(400, 9_000),
  })
  assert.equal(imported.status, 200, imported.text)
  const opened = Array.from({ length: 20 }, () => eventsOf(http2.begin('GET /api/events', { headers })))
  const late = eventsOf(http2.begin(`GET /api/events?after=${start}`, { headers }))
  await until('the one that was away has all', () => late.count() === 400)
  await until('all are open', () => opened.every(({ text }) => text.startsWith('retry: ')))
  const made = await http2('POST /api/products', {
    headers: { authorization: headers.authorization },
    json: { name: 'New', sku: 'NEW', base_price: '1.00' },
  })
  assert.equal(made.status, 201)
  await until(
    'each has the new event',
    () => opened.every(({ count }) => count() === 1) && late.count() === 401,
  )
  const closing = system.close()
  await until('all have ended', () => [...opened, late].every(({ isEnded }) => isEnded))
  for (const { text } of [...opened, late]) assert.match(text, /\n\nretry: \d+\n\n$/)
  http2.close()
  await closing
})

test('over HTTP/2 a reader who does not read is ended, and others receive a burst of more than the backlog', async (t) => {
  const { ca, env } = await certificate()
  const system = await boot({ env, t })
  const [http2, lazyOne] = [
    await http2Client(system.urls.inventory, ca),
    await http2Client(system.urls.inventory, ca),
  ]
  t.after(() => {
    http2.close()
    lazyOne.close()
  })
  const account = { company_name: 'C', name: 'A', email: 'slow@example.com', password: 'correct horse' }
  const { token } = (await http2('POST /api/auth/register', { json: account })).body
  const authorization = `Bearer ${token}`
  const headers = { authorization, accept: 'text/event-stream' }
  const lazy = lazyOne.begin('GET /api/events', { headers })
  const isOver = new Promise<void>((resolve) => lazy.once('close', () => resolve()))
  await new Promise((resolve) => lazy.once('response', resolve))
  const other = eventsOf(http2.begin('GET /api/events', { headers }))
  await until('the other is open', () => other.text !== '')
  const imported = await http2('POST /api/products/import', {
    headers: { authorization, 'content-type': 'text/csv' },
    body: csv(300, 9_000),
  })
  assert.equal(imported.status, 200, imported.text)
  await until('the other has all', () => other.count() === 300)
  await isOver
  assert.notEqual(lazy.rstCode, 0)
})
