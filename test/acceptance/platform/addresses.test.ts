import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'

const system = await boot()
const { storage, publishing, inventory } = system
const services = { storage, publishing, inventory }
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
}

const bytesOf = async (url: string) => {
  const answer = await fetch(url)
  return { ...answer, status: answer.status, headers: answer.headers, bytes: await answer.bytes() }
}
const startOf = (bytes: Uint8Array, length: number) =>
  Buffer.from(bytes.subarray(0, length)).toString('latin1')

for (const [name, api] of Object.entries(services)) {
  test(`${name}: icons are served in every format that browsers ask for, and may be kept`, async () => {
    for (const [path, type, start] of [
      ['/favicon.ico', 'image/x-icon', '\0\0\x01\0\x03\0'],
      ['/favicon.svg', 'image/svg+xml', '<svg '],
      ['/apple-touch-icon.png', 'image/png', '\x89PNG'],
      ['/icon-192.png', 'image/png', '\x89PNG'],
      ['/icon-512.png', 'image/png', '\x89PNG'],
    ] as const) {
      const { status, headers, bytes } = await bytesOf(api.base + path)
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-type'), type)
      assert.equal(startOf(bytes, start.length), start)
      assert.equal(headers.get('cache-control'), 'public, max-age=86400')
      const etag = String(headers.get('etag'))
      assert.equal((await api(`GET ${path}`, { headers: { 'if-none-match': etag } })).status, 304, path)
    }
  })

  test(`${name}: every page links to its icons, and its policy allows them`, async () => {
    const first = name === 'publishing' ? '/' : '/console'
    for (const path of [first, '/docs', '/docs/guides', '/docs/guides/operating', '/no/such/page']) {
      const { text, headers } = await api(`GET ${path}`, { headers: browser })
      const page = new URL(path, 'http://service.test')
      const links = [...text.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]*)"/g)]
      const targets = links.map(([, href]) => new URL(String(href), page).pathname)
      assert.deepEqual(targets.slice(0, 3), ['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png'], path)
      assert.match(String(headers.get('content-security-policy')), /img-src 'self'/, path)
    }
  })

  test(`${name}: the guides have an index that leads to each of them`, async () => {
    const { status, text } = await api('GET /docs/guides', { headers: browser })
    assert.equal(status, 200)
    const names = [...text.matchAll(/<h2><a href="guides\/([^"]+)"/g)].map(([, guide]) => guide)
    assert.ok(names.length >= 8)
    for (const guide of names)
      assert.equal((await api(`GET /docs/guides/${guide}`)).status, 200, String(guide))
  })
}

for (const [name, api] of Object.entries({ storage, inventory })) {
  test(`${name}: there is a page about the service`, async () => {
    const page = await api('GET /about')
    assert.equal(page.status, 200)
    assert.match(String(page.headers.get('content-type')), /^text\/html/)
    assert.match(page.text, new RegExp(`<h1>Trivet .*${name}`))
    assert.equal(page.text.match(/<pre/g)?.length, 3, 'three calls')
    assert.ok(page.text.includes(`curl -s ${api.base}/`), 'with the address of this server')
    for (const target of ['docs', 'docs/guides', 'openapi.json', 'readyz'])
      assert.ok(page.text.includes(`href="${target}"`), target)
    assert.equal((await api('HEAD /about')).status, 200)
  })

  test(`${name}: the root leads browsers on, and is 404 as JSON for programs`, async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const answer = await api('GET /', { headers })
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'not_found')
      assert.match(String(answer.headers.get('vary')), /\bAccept\b/)
    }
    assert.ok((await api('HEAD /', { headers: browser })).status < 400)
    assert.equal((await api('POST /')).status, 405)
  })

  test(`${name}: the page about it allows nothing from elsewhere, and is compressed and tagged`, async () => {
    const { headers, text } = await api('GET /about', { headers: { ...browser, 'accept-encoding': 'br' } })
    assert.equal(headers.get('content-encoding'), 'br')
    assert.equal(headers.get('vary'), 'Accept-Encoding')
    assert.doesNotMatch(text, /(?:src|href)="(?:https?:)?\/\//)
    const policy = String(headers.get('content-security-policy'))
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /)
    assert.doesNotMatch(policy, /unsafe|\*/)
    const again = { ...browser, 'accept-encoding': 'br', 'if-none-match': String(headers.get('etag')) }
    assert.equal((await api('GET /about', { headers: again })).status, 304)
  })

  test(`${name}: robots may read the root and the page about it only`, async () => {
    assert.equal(
      (await api('GET /robots.txt')).text,
      'User-agent: *\nAllow: /$\nAllow: /about$\nDisallow: /\n',
    )
  })
}

test('the root of storage and inventory leads browsers to their console', async () => {
  for (const api of [storage, inventory]) {
    const { status, headers } = await api('GET /', { headers: browser })
    assert.deepEqual([status, headers.get('location'), headers.get('vary')], [302, '/console', 'Accept'])
  }
  const page = await inventory('GET /about', { headers: browser })
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>Trivet inventory/)
})

test('the address of the inventory API leads browsers to the page at the root', async () => {
  const { status, headers } = await inventory('GET /api', { headers: browser })
  assert.deepEqual([status, headers.get('location'), headers.get('vary')], [302, '/', 'Accept'])
  assert.equal((await inventory('GET /api')).status, 404)
})

test('addresses of the reference and the guides may end in a slash', async () => {
  for (const base of [system.urls.storage, system.urls.publishing, system.urls.inventory])
    for (const path of ['/docs', '/docs/guides']) {
      const { status, headers } = await fetch(`${base}${path}/`, { redirect: 'manual' })
      assert.deepEqual([status, headers.get('location')], [308, path])
    }
})

test('robots may read the public pages of publishing, and find its sitemap', async () => {
  const lines = (await publishing('GET /robots.txt')).text.split('\n')
  const refused = lines.flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? [])
  for (const path of ['/settings', '/settings/password', '/sign-in', '/compose', '/api/posts'])
    assert.ok(
      refused.some((prefix) => path.startsWith(prefix)),
      path,
    )
  for (const path of ['/', '/@mira', '/@mira/12', '/tags/harbour'])
    assert.ok(!refused.some((prefix) => path.startsWith(prefix)), path)
  assert.ok(lines.includes(`Sitemap: ${publishing.base}/sitemap.xml`))
})

test('publishing has a web manifest whose icons exist, and all pages link to it', async () => {
  const { status, headers, text } = await publishing('GET /manifest.webmanifest')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/manifest+json')
  const manifest = JSON.parse(text)
  assert.equal(manifest.start_url, '/')
  for (const { src, type } of manifest.icons)
    assert.equal((await bytesOf(publishing.base + src)).headers.get('content-type'), type)
  const page = await publishing('GET /', { headers: browser })
  assert.ok(page.text.includes('<link rel="manifest" href="/manifest.webmanifest">'))
  assert.match(String(page.headers.get('content-security-policy')), /manifest-src 'self'/)
  assert.equal((await storage('GET /manifest.webmanifest')).status, 404)
})

test('password managers are led to where one changes the password', async () => {
  const { status, headers } = await publishing('GET /.well-known/change-password')
  assert.deepEqual([status, headers.get('location')], [302, '/settings/password'])
  assert.equal((await storage('GET /.well-known/change-password')).status, 404)
})

test('an error is a page in a browser, and JSON with the same status for programs', async () => {
  for (const [api, path, status, title] of [
    [storage, '/buckets', 401, 'Credentials are needed here'],
    [storage, '/no/such/path', 404, 'Nothing here'],
    [inventory, '/api/products', 401, 'Credentials are needed here'],
    [inventory, '/api/auth/login', 405, 'This address does not work in a browser'],
  ] as const) {
    const page = await api(`GET ${path}`, { headers: browser })
    assert.equal(page.status, status)
    assert.match(String(page.headers.get('content-type')), /^text\/html/)
    assert.ok(page.text.includes(`<h1>${title}</h1>`), path)
    assert.ok(page.text.includes(String(page.headers.get('x-request-id'))), 'the request id')
    assert.match(page.text, /<meta name="robots" content="noindex">/)
    const plain = await api(`GET ${path}`)
    assert.equal(plain.status, status)
    assert.ok(plain.body.code)
    for (const { headers } of [page, plain]) assert.match(String(headers.get('vary')), /\bAccept\b/)
  }
  const written = await storage('POST /buckets', { headers: browser, body: { name: 'abc' } })
  assert.equal(written.body.code, 'unauthorized', 'only what is opened is a page')
})

test('security.txt names the contact that is configured, and expires within a year', async (t) => {
  assert.equal((await fetch(`${storage.base}/.well-known/security.txt`)).status, 404)
  const env = { SECURITY_CONTACT: 'security@example.org' }
  const told = await boot({ t, database: { url: system.databaseUrl }, env })
  for (const { base } of [told.storage, told.publishing, told.inventory]) {
    const response = await fetch(`${base}/.well-known/security.txt`)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    const text = await response.text()
    assert.match(text, /^Contact: mailto:security@example\.org$/m)
    assert.ok(text.includes(`Canonical: ${base}/.well-known/security.txt\n`))
    const days = (Date.parse(/^Expires: (.*)$/m.exec(text)![1]!) - told.clock.now().getTime()) / 86_400_000
    assert.ok(days > 100 && days < 365, `${days} days`)
  }
})
