import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:http2'
import { get } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLogger } from '#platform/log.ts'
import { boot } from '#test/support/boot.ts'
import { debianProgram } from '#test/support/debian.ts'
import { eventually, until } from '#test/support/eventually.ts'
import { password } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { answerTo, http2Client, type RawUpload, rawUpload } from '#test/support/http2.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { certificate } from '#test/support/tls.ts'

const megabyte = 1024 * 1024
const { ca, certPath, env } = await certificate()

type Line = { msg: string; reqId: string; method: string; status: number; ip: string; aborted?: boolean }
const lines: Line[] = []
const log = createLogger({
  level: 'info',
  pretty: false,
  destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
})
const system = await boot({
  env,
  log,
  http: { bodyMs: 5_000, responseMs: 4_000, minBytesPerSecond: megabyte / 4, checkEveryMs: 20 },
})
const base = system.urls.storage
const client = await http2Client(base, ca)

const account = {
  ...{ organizationName: 'Org', organizationSlug: 'org', fullName: 'Owner', password },
  email: 'owner@example.com',
}
const registered = await client('POST /auth/register', { json: account })
assert.equal(registered.status, 201, registered.text)
const headers = { authorization: `Bearer ${registered.body.token}` }
const bucket = await client('POST /buckets', { headers, json: { name: 'streams' } })
const at = (key: string) => `/buckets/${bucket.body.id}/objects/${key}`
const { key } = (await client('POST /auth/api-keys', { headers, json: { label: 'k' } })).body
const largeBytes = 128 * megabyte

const metric = async (name: string, of = client) => {
  await sleep(120)
  const { text } = await of('GET /metrics')
  return Number(new RegExp(`^${name}\\{[^}]*\\} (.*)$`, 'm').exec(text)?.[1])
}
const inFlight = () => metric('trivet_http_requests_in_flight')
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const lineOf = async (id: string) => {
  await until('the request is logged', () => lines.some(({ reqId }) => reqId === id))
  return lines.find(({ reqId }) => reqId === id) as Line
}

test('HTTP/2 is chosen by ALPN, and HTTP/1.1 is served on the same port', async () => {
  assert.equal(client.session.alpnProtocol, 'h2')
  const { port } = new URL(base)
  const version = await new Promise((resolve, reject) =>
    get({ host: 'localhost', port, path: '/healthz', ca, agent: false }, (res) => {
      res.resume()
      resolve(`${res.httpVersion} ${res.statusCode}`)
    }).on('error', reject),
  )
  assert.equal(version, '1.1 200')
})

test('curl gets and uploads over HTTP/2', async () => {
  const curl = await debianProgram('curl', 'curl')
  const run = async (...options: string[]) => {
    const { stdout } = await promisify(execFile)(curl, [
      ...['--http2', '--silent', '--show-error', '--cacert', certPath, '-H', `x-api-key: ${key}`],
      ...['-w', ' %{http_version} %{http_code}', ...options],
    ])
    return stdout
  }
  assert.match(await run('-X', 'PUT', '--data-binary', 'from curl', base + at('curl')), / 2 201$/)
  assert.equal(await run(base + at('curl')), 'from curl 2 200')
  const big = join(await temporaryFolder('curl'), 'big')
  await writeFile(big, Buffer.alloc(2 * megabyte))
  // The body is refused before it is read, and the response must still arrive.
  assert.match(
    await run('-H', 'content-type: application/json', '--data-binary', `@${big}`, `${base}/auth/login`),
    / 2 413$/,
  )
})

test('a response from memory, its request id, log line and count are those of HTTP/1', async () => {
  const publishing = await http2Client(system.urls.publishing, ca)
  const writer = { email: 'writer@example.com', password, handle: 'writer', username: 'Writer' }
  const { status: made, text } = await publishing('POST /api/auth/register', { json: writer })
  assert.equal(made, 201, text)
  const memory = () => metric('trivet_http_fast_path_responses_total', publishing)
  let reads = 0
  // It is in memory after a few reads, and sent from there unless the machine stalls and signals may be late.
  const id = await eventually(async () => {
    const id = `fast-${++reads}`
    const before = await memory()
    const got = await publishing('GET /api/users/writer', { headers: { 'x-request-id': id } })
    assert.deepEqual([got.status, got.headers['x-request-id']], [200, id])
    assert.equal(got.headers['strict-transport-security'], 'max-age=31536000')
    assert.equal(await memory(), before + 1)
    return id
  })
  const { status, ip, aborted } = await lineOf(id)
  assert.deepEqual({ status, ip, aborted }, { status: 200, ip: '127.0.0.1', aborted: undefined })
  publishing.close()
})

test('128 MiB are uploaded without a length and downloaded again, and never held in memory', async () => {
  let most = 0
  const watch = setInterval(() => {
    // The second waits until the buffers that the first has found are freed.
    collectGarbage()
    collectGarbage()
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }, 700)
  const before = process.memoryUsage().arrayBuffers
  const put = client.begin(`PUT ${at('large')}`, { headers, endStream: false })
  const piece = Buffer.alloc(64 * 1024, 'abc')
  const pieces = Array.from({ length: largeBytes / piece.length }, () => piece)
  const [{ status }] = await Promise.all([answerTo(put), pipeline(Readable.from(pieces), put)])
  assert.equal(status, 201)
  const get = client.begin(`GET ${at('large')}`, { headers })
  let received = 0
  for await (const chunk of get) received += chunk.length
  clearInterval(watch)
  assert.equal(received, largeBytes)
  assert.ok(most - before < largeBytes / 2, `${most - before} bytes were held`)
})

// Node's own client ends the body of a request that it resets, so the frames are made by hand.
for (const [how, end] of [
  ['is reset', (upload: RawUpload) => upload.reset()],
  ['loses its connection', (upload: RawUpload) => upload.socket.destroy()],
] as const)
  test(`an upload without a length that ${how} half way is not stored`, async () => {
    const name = how.replaceAll(' ', '-')
    const upload = await rawUpload(base, ca, at(name), { ...headers, 'x-request-id': name })
    upload.send(Buffer.alloc(1_000))
    await until('the upload is in flight', async () => (await inFlight()) === 1)
    end(upload)
    const { aborted } = await lineOf(name)
    assert.equal(aborted, true)
    assert.equal((await client(`GET ${at(name)}`, { headers })).status, 404)
    upload.socket.destroy()
  })

test('a client that does not read one download is cut off from it, and is served on other streams meanwhile', async () => {
  const slow = client.begin(`GET ${at('large')}`, { headers: { ...headers, 'x-request-id': 'slow-1' } })
  await once(slow, 'response')
  assert.equal((await client('GET /buckets', { headers })).status, 200)
  assert.equal((await client(`GET ${at('curl')}`, { headers })).text, 'from curl')
  const { aborted } = await lineOf('slow-1')
  assert.equal(aborted, true)
  slow.resume()
  await until('the stream is reset', () => slow.closed)
  assert.equal(slow.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM)
  assert.equal((await client('GET /buckets', { headers })).status, 200)
  await until('nothing is in flight', async () => (await inFlight()) === 0)
})

test('a body that does not arrive is refused with 408, one that is too large with 413, and the connection stays', async () => {
  const json = { ...headers, 'content-type': 'application/json' }
  const late = client.begin('POST /buckets', { headers: json, endStream: false })
  late.write('{')
  const tooLarge = client.begin('POST /buckets', { headers: json, endStream: false })
  tooLarge.write(Buffer.alloc(2 * megabyte))
  const refusals = await Promise.all([answerTo(late), answerTo(tooLarge)])
  assert.deepEqual(
    refusals.map(({ status, code }) => [status, code]),
    [
      [408, constants.NGHTTP2_NO_ERROR],
      [413, constants.NGHTTP2_NO_ERROR],
    ],
  )
  assert.ok(refusals.every((refusal) => refusal.headers.connection === undefined && refusal.body))
  assert.equal((await client('GET /buckets', { headers })).status, 200)
  assert.equal(client.session.destroyed, false)
})

test('100 Continue is sent when the body is about to be read, and not if the request is refused', async () => {
  const expect = { 'content-type': 'application/json', expect: '100-continue' }
  const accepted = client.begin('POST /buckets', { headers: { ...headers, ...expect }, endStream: false })
  await once(accepted, 'continue')
  accepted.end(JSON.stringify({ name: 'continued' }))
  assert.equal((await answerTo(accepted)).status, 201)
  const refused = client.begin('POST /buckets', { headers: expect, endStream: false })
  let continued = false
  refused.on('continue', () => {
    continued = true
  })
  assert.equal((await answerTo(refused)).status, 401)
  assert.equal(continued, false)
})

test('odd requests get the same statuses as over HTTP/1', async () => {
  assert.equal((await client('BREW /buckets', { headers })).status, 501)
  assert.equal((await client('DELETE /buckets', { headers })).status, 405)
  assert.equal((await client('GET /no/such', { headers })).status, 404)
  assert.equal((await client('GET /buckets', { headers: { ...headers, expect: 'more' } })).status, 417)
  assert.equal((await client('GET /buckets', { headers, body: 'x' })).status, 400)
  assert.equal((await client('HEAD /buckets', { headers })).status, 200)
  const tunnel = client.session.request({ ':method': 'CONNECT', ':authority': 'example.com:443' })
  tunnel.on('error', () => {})
  tunnel.end()
  assert.equal((await answerTo(tunnel)).status, 501)
})

test('a client that resets 10,000 streams is cut off, leaves nothing in flight and harms nobody else', async () => {
  const attacker = await http2Client(base, ca)
  for (let sent = 0; sent < 10_000 && !attacker.session.destroyed; sent++) {
    attacker.begin('GET /buckets', { headers }).close(constants.NGHTTP2_CANCEL)
    if (sent % 100 === 0) await sleep(1)
  }
  await until('the connection is closed', () => attacker.session.destroyed, { withinMs: 10_000 })
  assert.equal((await client('GET /buckets', { headers })).status, 200)
  await until('nothing is in flight', async () => (await inFlight()) === 0)
})

test('a server that stops says so to its clients, finishes open requests and fails none', async (t) => {
  const stopping = await boot({ t, env })
  const leaving = await http2Client(stopping.urls.storage, ca)
  const { status, body } = await leaving('POST /auth/register', { json: account })
  assert.equal(status, 201)
  const mine = { authorization: `Bearer ${body.token}`, 'content-type': 'application/json' }
  const open = leaving.begin('POST /buckets', { headers: mine, endStream: false })
  open.write('{"name":')
  // Once this was answered, the server knows the request before it.
  assert.equal((await leaving('GET /buckets', { headers: mine })).status, 200)
  const told = once(leaving.session, 'goaway')
  const stopped = stopping.close({ noticeMs: 10 })
  const [code] = await told
  assert.equal(code, constants.NGHTTP2_NO_ERROR)
  const answer = answerTo(open)
  open.end('"last"}')
  assert.equal((await answer).status, 201)
  await stopped
})

test('a request that takes longer than a connection may be idle gets its response; then the connection is closed', async (t) => {
  const idleMs = 300
  const idle = await boot({ t, env, http: { idleMs } })
  const api = await http2Client(idle.urls.storage, ca)
  const owner = (await api('POST /auth/register', { json: account })).body
  const bearer = { authorization: `Bearer ${owner.token}` }
  const { id } = (await api('POST /buckets', { headers: bearer, json: { name: 'slow' } })).body
  const held = await hold(idle, (tx) => tx`select from storage.buckets where id = ${id} for update`)
  const changed = api(`PATCH /buckets/${id}`, { headers: bearer, json: { visibility: 'public' } })
  await waitingForLocks(idle, 1)
  await sleep(4 * idleMs)
  const closed = once(api.session, 'close')
  await held.release()
  assert.equal((await changed).status, 200)
  await closed
})

test('over TLS, HTTP/1 requests that cannot be parsed or have no host are refused in the format of the service', async () => {
  const { hostname, port } = new URL(base)
  const ask = async (text: string) => {
    const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] })
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.write(text)
    await once(socket, 'close')
    return received
  }
  const refused = /^HTTP\/1\.1 400 .*"requestId"/s
  assert.match(await ask('GET /buckets HTTP/1.1\r\nconnection: close\r\n\r\n'), refused)
  assert.match(await ask('nonsense\r\n\r\n'), refused)
})

test('an address that asks too often is refused on a stream, whichever connection it uses', async (t) => {
  const limited = await boot({ t, env: { ...env, RATE_LIMITS: 'on' } })
  const clients = await Promise.all([1, 2].map(() => http2Client(limited.urls.storage, ca)))
  const statuses = new Set<number>()
  for (let tried = 0; tried < 40; tried++)
    for (const api of clients)
      statuses.add((await api('POST /auth/login', { json: { email: 'a@example.com', password } })).status)
  assert.deepEqual([...statuses], [401, 429])
  for (const api of clients) api.close()
})
