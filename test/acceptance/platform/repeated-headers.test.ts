import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'
import { rawConnection, untilClosed } from '#test/support/sockets.ts'

// Cookies know no ports, and proxies add headers. Whoever can read a response must not learn them from it.
const system = await boot()
const secret = 'SECRET-that-a-browser-sent'
const added = {
  cookie: ['storage', 'publishing', 'inventory']
    .flatMap((name) => [`trivet_${name}=${secret}`, `__Host-trivet_${name}=${secret}`])
    .join('; '),
  'proxy-authorization': `Basic ${secret}`,
  'user-agent': secret,
  referer: `http://localhost/${secret}`,
  'x-secret': secret,
  'x-forwarded-user': secret,
}
const anonymous = { ...added, authorization: `Bearer ${secret}`, 'x-api-key': secret }

type Document = { paths: Record<string, Record<string, object>> }
const zero = '00000000-0000-7000-8000-000000000000'

/** Every operation of a service, with ids of nothing. */
const operationsOf = async (base: string) => {
  const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as Document
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({
      method: method.toUpperCase(),
      url: base + path.replace(/\{[^}]+\}/g, zero),
    })),
  )
}

const shown = async (method: string, url: string, headers: Record<string, string>) => {
  const leave = new AbortController()
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    redirect: 'manual',
    signal: leave.signal,
    ...(hasBody ? { body: '{}' } : {}),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? '' : await response.text()
  leave.abort()
  const head = [...response.headers].map((pair) => pair.join(': ')).join('\n')
  return `${head}\n\n${text}`
}

const check = async (method: string, url: string, headers: Record<string, string>) => {
  const all = await shown(method, url, headers)
  assert.ok(!all.includes(secret), `${method} ${url} repeats a header:\n${all}`)
  assert.ok(!/^access-control-allow-credentials/m.test(all), `${method} ${url} allows credentials`)
}

const accounts = {
  storage: () => storageOwner(system),
  publishing: () => publisher(system),
  inventory: () => inventoryAdmin(system),
}

for (const [service, account] of Object.entries(accounts))
  test(`${service}: no response repeats a header that a browser or a proxy has added`, async () => {
    const { base } = system[service as keyof typeof accounts]
    const operations = await operationsOf(base)
    const pages = ['/', '/about', '/nowhere', `/@${zero}`]
    const asked = [...operations, ...pages.map((path) => ({ method: 'GET', url: base + path }))]
    assert.ok(asked.length > 50)
    await Promise.all(asked.map(({ method, url }) => check(method, url, anonymous)))
    const { token } = await account()
    const reads = asked.filter(({ method }) => method === 'GET')
    const signedIn = { ...added, authorization: `Bearer ${token}` }
    await Promise.all(reads.map(({ method, url }) => check(method, url, signedIn)))
  })

test('s3: no response repeats a header that a browser or a proxy has added', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH'])
    for (const path of ['/', '/a.b', '/a.b/c', '/%', '/a?X-Amz-Signature=x', '/a?X-Amz-Algorithm=AWS4-HMAC-SHA256'])
      for (const headers of [anonymous, { ...added, origin: 'http://localhost', 'access-control-request-method': 'GET' }])
        await check(method, system.urls.s3 + path, headers)
}) // biome-ignore format: one line

test('what breaks the rules of HTTP is not repeated either, on any port', async () => {
  const headers = Object.entries({ host: 'a', connection: 'close', ...anonymous })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const requests = [
    `TRACE / HTTP/1.1\r\n${headers}\r\n`,
    `BREW / HTTP/1.1\r\n${headers}\r\n`,
    `CONNECT a:443 HTTP/1.1\r\n${headers}\r\n`,
    `GET / HTTP/2.0\r\n${headers}\r\n`,
    `GET / HTTP/1.1\r\n${headers}host: b\r\n\r\n`,
    `GET / HTTP/1.1\r\n${headers}expect: x\r\n\r\n`,
    `GET / HTTP/1.1\r\n${headers}upgrade: x\r\n\r\n`,
    `GET / HTTP/1.1\r\n${headers}long: ${'x'.repeat(20_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${headers}not a header\r\n\r\n`,
    `POST / HTTP/1.1\r\n${headers}content-length: x\r\n\r\n`,
    `POST / HTTP/1.1\r\n${headers}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
  ]
  for (const base of Object.values(system.urls))
    for (const request of requests) {
      const socket = await rawConnection(base)
      socket.write(request)
      const text = await untilClosed(socket)
      assert.match(text, /^HTTP\/1\.1 \d{3} /, `${base} ${request.slice(0, 40)}`)
      assert.ok(!text.includes(secret), `${base} ${request.slice(0, 40)}\n${text}`)
    }
})
