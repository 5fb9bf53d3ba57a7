import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'

const system = await boot()
const { port } = new URL(system.urls.inventory)
const unfinished =
  'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{'

test('with 2,000 requests in flight the next is told 503 at once; health is answered; then all is well', async () => {
  const sockets = Array.from({ length: 2_000 }, () => connect(Number(port), '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => {})
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) socket.write(unfinished)
  const inFlight = async () => {
    const { text } = await system.inventory('GET /metrics')
    return Number(/trivet_http_requests_in_flight\{[^}]*\} (\d+)/.exec(text)?.[1])
  }
  while ((await inFlight()) < 2_000);
  const refused = await system.inventory('GET /api/warehouses')
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.body.error, 'Too many requests at once')
  assert.equal((await system.inventory('GET /healthz')).status, 200)
  assert.equal((await system.inventory('GET /readyz')).status, 200)
  for (const socket of sockets) socket.destroy()
  while ((await inFlight()) > 0);
  assert.equal((await system.inventory('GET /api/warehouses')).status, 401)
})
