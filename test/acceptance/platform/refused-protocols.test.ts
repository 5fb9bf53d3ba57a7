import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { http2Client } from '#test/support/http2.ts'
import { rawConnection, sendAndReset, untilClosed } from '#test/support/sockets.ts'
import { certificate } from '#test/support/tls.ts'

type Line = { level: string; msg: string; status?: number; err?: unknown; stack?: unknown }

const watched = () => {
  const lines: Line[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  return { lines, log: createLogger({ level: 'debug', pretty: false, destination }) }
}

/** Nobody of ours is at fault, whatever a stranger sends, and a line of the log is not as long as what was sent. */
const requireCalm = (lines: Line[]) => {
  const alarms = lines.filter(({ level }) => !['debug', 'info', 'warn'].includes(level))
  assert.deepEqual(alarms, [])
  for (const line of lines.filter(({ msg }) => msg === 'request')) {
    assert.equal(line.err ?? line.stack, undefined, JSON.stringify(line))
    assert.ok(JSON.stringify(line).length < 8_192, 'a line of the log is bounded')
  }
}

const end = 'connection: close\r\n\r\n'
const host = 'host: a\r\n'
const long = 'x'.repeat(12_000)
const malformed = [
  `GET /healthz HTTP/2.0\r\n${host}${end}`, `GET /nowhere HTTP/2.0\r\n${host}${end}`, `GET / HTTP/9.9\r\n${host}${end}`,
  `GET / HTTP/1.7\r\n${host}${end}`, `GET / HTTP/0.9\r\n${end}`, 'GET /\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `BREW / HTTP/1.1\r\n${host}${end}`, `PROPFIND / HTTP/1.1\r\n${host}${end}`, `TRACE / HTTP/1.1\r\n${host}${end}`,
  'CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n', `GET / HTTP/1.1\r\n${host}${host}${end}`, `GET / HTTP/1.1\r\n${end}`,
  `GET / HTTP/1.1\r\nhost: a b/c\r\n${end}`, `GET / HTTP/1.1\r\n${host}expect: magic\r\n${end}`,
  `GET / HTTP/1.1\r\n${host}upgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
  `POST / HTTP/1.1\r\n${host}content-length: -1\r\n\r\n`, `POST / HTTP/1.1\r\n${host}content-length: 1e99\r\n\r\n`,
  `POST / HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n${end}zz\r\n`,
  `POST / HTTP/1.1\r\n${host}transfer-encoding: gzip, chunked\r\n${end}0\r\n\r\n`,
  `POST / HTTP/1.1\r\n${host}transfer-encoding: chunked\r\ncontent-length: 5\r\n${end}0\r\n\r\n`,
  `GET /${long} HTTP/1.1\r\n${host}${end}`, `GET /${long}${long} HTTP/1.1\r\n${host}${end}`,
  `GET / HTTP/1.1\r\n${host}x: ${long}${long}\r\n${end}`, `GET /%ff%zz%00 HTTP/1.1\r\n${host}${end}`,
  `GET http://[::1 HTTP/1.1\r\n${host}${end}`, `GET //a//?${'a[]=&'.repeat(2_000)} HTTP/1.1\r\n${host}${end}`,
  `OPTIONS * HTTP/1.1\r\n${host}${end}`, 'GARBAGE\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00', '\0\0\0\0\r\n\r\n',
] // biome-ignore format: one list

test('requests that break the rules of HTTP raise no alarm in the log', async (t) => {
  const { lines, log } = watched()
  const { urls } = await boot({ t, log })
  for (const base of Object.values(urls))
    await Promise.all(
      malformed.map(async (text) => {
        const socket = await rawConnection(base)
        socket.end(text, 'latin1')
        await untilClosed(socket)
      }),
    )
  for (const base of Object.values(urls)) await sendAndReset(base, malformed[0] as string)
  await until(
    'the refused versions are in the log',
    () => lines.filter(({ status }) => status === 505).length >= 4,
  )
  requireCalm(lines)
})

test('nor do they over TLS and HTTP/2', async (t) => {
  const { env, ca } = await certificate()
  const { lines, log } = watched()
  const { urls } = await boot({ t, log, env })
  for (const base of Object.values(urls)) {
    const plain = await rawConnection(base)
    plain.end('GET / HTTP/1.1\r\n\r\n')
    await untilClosed(plain)
    const h2 = await http2Client(base, ca)
    for (const call of ['BREW /healthz', 'GET /%ff%zz', `GET /${long}`, 'TRACE /', 'OPTIONS *'])
      await h2(call).catch(() => {})
    await h2('GET /healthz', { headers: { expect: 'magic' } }).catch(() => {})
    await h2('POST /nowhere', { headers: { 'content-length': '7' }, body: 'four' }).catch(() => {})
    h2.begin('POST /nowhere', { endStream: false }).close(8)
    h2.close()
  }
  await until('requests are in the log', () => lines.some(({ msg }) => msg === 'request'))
  requireCalm(lines)
})
