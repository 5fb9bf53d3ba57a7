import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Answer, Client } from '#test/support/client.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { storage, publishing, inventory } = system

/** Every service with the shape of its errors. */
const services: [string, Client, (answer: Answer) => string][] = [
  ['storage', storage, ({ body }) => body.message],
  ['publishing', publishing, ({ body }) => body.message],
  ['inventory', inventory, ({ body }) => body.error],
]

for (const [name, api, messageOf] of services) {
  const register = name === 'storage' ? '/auth/register' : '/api/auth/register'

  test(`${name}: health, readiness, metrics and documents need no credentials`, async () => {
    assert.deepEqual((await api('GET /healthz')).body, { status: 'ok' })
    assert.deepEqual((await api('GET /readyz')).body, { status: 'ready' })
    await api('GET /nowhere')
    const metrics = await api('GET /metrics')
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(metrics.text, new RegExp(`trivet_http_request_seconds_count\\{service="${name}"`))
    assert.match(metrics.text, /^process_cpu_seconds_total /m)
    const document = await api('GET /openapi.json')
    assert.equal(document.body.openapi, '3.1.0')
    const page = await api('GET /docs')
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'sha256-/)
    for (const { headers } of [
      metrics,
      document,
      page,
      await api('GET /healthz'),
      await api('GET /readyz'),
    ]) {
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
    }
    for (const [path, { headers }] of [
      ['/openapi.json', document],
      ['/docs', page],
    ] as const) {
      const again = await api(`GET ${path}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      assert.deepEqual([again.status, again.text], [304, ''])
    }
    assert.doesNotMatch(
      page.text,
      /(?:src|href)="https?:\/\/(?!localhost|127)/,
      'the reference needs no other host',
    )
  })

  test(`${name}: the reference, its document and the guides are compressed for clients that accept it`, async () => {
    for (const path of ['/docs', '/openapi.json', '/docs/guides/operating'])
      for (const encoding of ['br', 'gzip']) {
        const { status, headers } = await api(`GET ${path}`, { headers: { 'accept-encoding': encoding } })
        assert.equal(status, 200)
        assert.equal(headers.get('content-encoding'), encoding, path)
        assert.equal(headers.get('vary'), 'Accept-Encoding')
        const etag = String(headers.get('etag'))
        const again = await api(`GET ${path}`, {
          headers: { 'accept-encoding': encoding, 'if-none-match': etag },
        })
        assert.equal(again.status, 304, path)
      }
    assert.equal((await api('GET /docs/guides/no-such-guide')).status, 404)
  })

  test(`${name}: an unknown path gets 404 and a wrong method 405 with Allow, in the error format of the service`, async () => {
    const missing = await api('GET /no/such/path')
    assert.equal(missing.status, 404)
    assert.equal(messageOf(missing), 'Not found')
    const wrong = await api(`DELETE ${register}`)
    assert.equal(wrong.status, 405)
    assert.equal(wrong.headers.get('allow'), 'POST, OPTIONS')
    assert.equal(messageOf(wrong), 'Method not allowed')
    for (const type of ['application/json', 'text/plain']) {
      const sent = { raw: '{', headers: { 'content-type': type } }
      assert.equal((await api('POST /no/such/path', sent)).status, 404, type)
      assert.equal((await api(`PUT ${register}`, sent)).status, 405, type)
    }
  })

  test(`${name}: HEAD works wherever GET does`, async () => {
    const head = await api('HEAD /healthz')
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal((await api(`HEAD ${register}`)).status, 405)
  })

  test(`${name}: CORS allows any origin, without credentials`, async () => {
    const preflight = await api(`OPTIONS ${register}`, {
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key, content-type',
      },
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/)
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'x-api-key, content-type')
    const answer = await api('GET /no/such', { headers: { origin: 'https://shop.example' } })
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    assert.equal(answer.headers.get('access-control-expose-headers'), '*')
  })

  test(`${name}: every response has a request id, and a valid one of the client is kept`, async () => {
    const own = await api('GET /healthz', { headers: { 'x-request-id': 'my.id_1-2' } })
    assert.equal(own.headers.get('x-request-id'), 'my.id_1-2')
    for (const bad of ['has space', 'a'.repeat(129), 'semi;colon']) {
      const answer = await api('GET /no/such', { headers: { 'x-request-id': bad } })
      assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    }
  })

  test(`${name}: responses have the security headers`, async () => {
    const { headers } = await api('GET /no/such')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  })

  test(`${name}: a body that is not JSON gets 400, and another media type ${name === 'publishing' ? 415 : 400}`, async () => {
    const json = { 'content-type': 'application/json' }
    const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
      api(`POST ${register}`, { raw, headers })
    for (const raw of ['{', '{"a":}', 'nothing', '[1,', '{"a":1}x', '['.repeat(100)]) {
      const answer = await post(raw)
      assert.equal(answer.status, 400, raw.slice(0, 20))
      assert.match(messageOf(answer), /^Body is not valid JSON(?:$|: )/)
    }
    assert.equal((await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).status, 400)
    const status = name === 'publishing' ? 415 : 400
    assert.equal((await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status, status)
    assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, status)
    // Without credentials.
    const fitting = await post(JSON.stringify({ email: 'x'.repeat(16 * 1024 - 12) }))
    assert.equal(fitting.status, name === 'publishing' ? 422 : 400, fitting.text)
    const large = await post(JSON.stringify({ email: 'x'.repeat(16 * 1024 - 11) }))
    assert.equal(large.status, 413)
    assert.match(messageOf(large), /16384 bytes/)
  })

  test(`${name}: a missing, empty or malformed body is a validation error`, async () => {
    const status = name === 'publishing' ? 422 : 400
    for (const options of [
      {},
      { raw: '', headers: { 'content-type': 'application/json' } },
      { body: null },
      { body: [] },
      { body: 'text' },
      { body: 7 },
    ]) {
      const answer = await api(`POST ${register}`, options)
      assert.equal(answer.status, status, JSON.stringify(options))
      assert.match(messageOf(answer), /^body /)
    }
  })

  test(`${name}: text that cannot be stored is refused with the name of its field`, async () => {
    const status = name === 'publishing' ? 422 : 400
    for (const bad of ['nul\\u0000', 'half \\ud83d', '\\udc00 half']) {
      const answer = await api(`POST ${register}`, {
        raw: `{"email": "${bad}@example.com"}`,
        headers: { 'content-type': 'application/json' },
      })
      assert.equal(answer.status, status, bad)
      assert.match(messageOf(answer), /^email must not contain/)
    }
  })

  test(`${name}: __proto__ as a name in a body is refused, not dropped, however it is written`, async () => {
    for (const written of ['__proto__', '\\u005f_proto__', '__pr\\u006fto__', '__\\u0070roto_\\u005F']) {
      const answer = await api(`POST ${register}`, {
        raw: `{"a": [{"${written}": {"admin": true}}], "constructor": {"prototype": {"x": 1}}}`,
        headers: { 'content-type': 'application/json' },
      })
      assert.equal(answer.status, name === 'publishing' ? 422 : 400, answer.text)
      assert.match(messageOf(answer), /^a\[0\]\.__proto__ must not be used as a name/)
      assert.equal(({} as { x?: number }).x, undefined)
    }
  })

  test(`${name}: a body on an operation that has none is refused`, async () => {
    const socket = connect(Number(new URL(api.base).port), '127.0.0.1')
    socket.write(
      'GET /no/such HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    assert.match(answer.toString(), name === 'publishing' ? /^HTTP\/1.1 415/ : /^HTTP\/1.1 400/)
  })

  test(`${name}: malformed requests and URLs get a response in the error format of the service`, async () => {
    for (const [request, status] of [
      ['GARBAGE\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
      ['GET /%zz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 404],
    ] as const) {
      const socket = connect(Number(new URL(api.base).port), '127.0.0.1')
      socket.write(request)
      let text = ''
      for await (const chunk of socket) text += chunk
      assert.match(text, new RegExp(`^HTTP/1.1 ${status}`))
      assert.match(text, /x-request-id: /i)
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
      assert.equal(typeof messageOf({ body } as Answer), 'string')
    }
  })
}

test('an operation without a body accepts an empty object and nothing else', async () => {
  const { api } = await storageOwner(system)
  const { body: key } = await api('POST /auth/api-keys', { body: {} })
  assert.equal((await api(`DELETE /auth/api-keys/${key.id}`, { body: { surprise: 1 } })).status, 400)
  assert.equal((await api(`DELETE /auth/api-keys/${key.id}`, { body: [] })).status, 400)
  assert.equal((await api(`DELETE /auth/api-keys/${key.id}`, { body: {} })).status, 200)
})

test('validation messages start with the name of the field and give the reason', async () => {
  const { body } = await storage('POST /auth/register', {
    body: {
      organizationName: 'ab',
      organizationSlug: 'Not Valid',
      fullName: 5,
      email: 'nobody',
      password: 'x'.repeat(129),
    },
  })
  const reasons = Object.fromEntries(
    body.details.map((d: { field: string; reason: string }) => [d.field, d.reason]),
  )
  assert.deepEqual(reasons, {
    organizationName: 'must have at least 3 characters',
    organizationSlug: 'can only have lowercase letters, digits and hyphens',
    fullName: 'must be a string, not a number',
    email: 'must be an email address, such as ada@example.com',
    password: 'must have at most 128 characters',
  })
  assert.match(body.message, /^organizationName must have/)
  assert.equal(body.error, body.message)
})

test('a session token of one service is not valid for another', async () => {
  const [owner, writer, admin] = await Promise.all([
    storageOwner(system),
    publisher(system),
    inventoryAdmin(system),
  ])
  const calls = {
    storage: 'GET /auth/me',
    publishing: 'GET /api/users/me',
    inventory: 'GET /api/auth/me',
  } as const
  const tokens = { storage: owner.token, publishing: writer.token, inventory: admin.token }
  for (const [service, call] of Object.entries(calls))
    for (const [issuer, token] of Object.entries(tokens)) {
      const answer = await system[service as keyof typeof calls].bearer(token)(call)
      assert.equal(answer.status, service === issuer ? 200 : 401, `${issuer} at ${service}`)
    }
})

test('a session token that was altered or uses another algorithm is refused', async () => {
  const { token } = await storageOwner(system)
  const [head, payload, signature] = token.split('.') as [string, string, string]
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  for (const bad of [
    `${head}.${payload}.`,
    `${none}.${payload}.`,
    `${none}.${payload}.${signature}`,
    `${head}.${payload}x.${signature}`,
    'x',
    '',
  ])
    assert.equal((await storage.bearer(bad)('GET /auth/me')).status, 401, bad)
})

test('session tokens expire', async (t) => {
  const own = await boot({ t })
  const [owner, writer, admin] = await Promise.all([storageOwner(own), publisher(own), inventoryAdmin(own)])
  own.clock.advance(15 * 60_000 - 5_000)
  assert.equal((await writer.api('GET /api/users/me')).status, 200)
  own.clock.advance(10_000)
  assert.equal((await writer.api('GET /api/users/me')).status, 401)
  own.clock.advance(8 * 3_600_000 - 16 * 60_000)
  assert.equal((await admin.api('GET /api/auth/me')).status, 200)
  own.clock.advance(60_000)
  assert.equal((await admin.api('GET /api/auth/me')).status, 401)
  assert.equal((await owner.api('GET /auth/me')).status, 200)
  own.clock.advance(4 * 3_600_000)
  assert.equal((await owner.api('GET /auth/me')).status, 401)
})

test('a body of more parts than any valid one has gets 400 before it is parsed', async () => {
  const { api: admin } = await inventoryAdmin({ inventory })
  const headers = { 'content-type': 'application/json' }
  const answer = async (entries: string) =>
    await admin('POST /api/counts/1/entries', { raw: `{"entries":${entries}}`, headers })
  const many = (what: string, count: number) => new Array(count).fill(what).join()
  for (const [most, what, entries] of [
    [99_998, 'arrays and objects', (count: number) => `[${many('{}', count)}]`],
    [99_999, 'names', (count: number) => `{${many('"a":0', count)}}`],
    [2_500_000, 'values', (count: number) => `[${many('0', count)}]`],
  ] as const) {
    const valid = await answer(entries(most))
    assert.equal(valid.status, 400)
    assert.match(valid.text, /entries/, 'it was parsed')
    const { status, text } = await answer(entries(most + 1))
    assert.equal(status, 400)
    assert.match(text, new RegExp(`must not have more than \\d+ ${what}`))
  }
})

test('a body that is nested too deeply gets 400 on every kind of route, with and without an Idempotency-Key', async () => {
  const deep = (levels: number) => `{"name":"deep","note":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const { api: owner } = await storageOwner({ storage })
  const { api: writer } = await publisher({ publishing })
  const { api: admin } = await inventoryAdmin({ inventory })
  const headers = { 'content-type': 'application/json' }
  for (const [api, call, levels] of [
    [owner, 'POST /buckets', 150_000],
    [writer, 'POST /api/posts', 150_000],
    [admin, 'POST /api/customers', 150_000],
    [storage, 'POST /auth/login', 8_000],
    [storage, 'POST /billing/webhook', 150_000],
  ] as const)
    for (const key of [{}, { 'idempotency-key': 'deep' }]) {
      const answer = await api(call, { raw: deep(levels), headers: { ...headers, ...key } })
      assert.equal(answer.status, 400, `${call} ${answer.text}`)
    }
  const limit = async (levels: number) =>
    (await owner('POST /buckets', { raw: deep(levels).replace('deep', `deep-${levels}`), headers })).status
  assert.equal(await limit(99), 201)
  assert.equal(await limit(100), 400)
  const quoted = JSON.stringify({ name: 'quoted', note: `\\"${'['.repeat(500)}` })
  assert.equal((await owner('POST /buckets', { raw: quoted, headers })).status, 201)
})
