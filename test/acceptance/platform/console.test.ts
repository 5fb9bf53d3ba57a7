import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { consoleFiles } from '#platform/console/console.ts'
import { consoleUrl, loadServices } from '#src/services.ts'
import { boot } from '#test/support/boot.ts'

const system = await boot()
const { storage } = system

const shell = await fetch(`${storage.base}/console`)
const page = await shell.text()
const assetsOf = (text: string) =>
  [...text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!)
const assets = assetsOf(page)

/** The bytes as they travel; fetch would decompress them. */
const load = async (path: string, encoding: string) => {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: Record<string, unknown>
    status: number
    body: Buffer
  }>()
  request(`${storage.base}${path}`, { headers: { 'accept-encoding': encoding } }, async (res) => {
    const body = Buffer.concat(await res.toArray())
    resolve({ headers: res.headers, status: res.statusCode!, body })
  })
    .on('error', reject)
    .end()
  return promise
}

test('a service that has a console is announced with it', async () => {
  for (const { name, console } of await loadServices())
    assert.equal(consoleUrl(name, system.urls[name]), console && `${system.urls[name]}/console`)
})

test('every address of the console is the same page, which is never kept', async () => {
  for (const path of ['/console', '/console/', '/console/buckets/x/policy?tab=1', '/console/a%2Fb']) {
    const response = await fetch(`${storage.base}${path}`)
    assert.equal(response.status, 200, path)
    assert.match(String(response.headers.get('content-type')), /^text\/html/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    assert.equal(response.headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.deepEqual(assetsOf(await response.text()), assets)
  }
  assert.equal((await fetch(`${storage.base}/console`, { method: 'HEAD' })).status, 200)
  assert.equal((await fetch(`${storage.base}/console`, { method: 'POST' })).status, 405)
})

test('the page allows scripts and styles by a nonce that is new each time, and no address', async () => {
  const policies = [shell, await fetch(`${storage.base}/console`)].map((response) =>
    String(response.headers.get('content-security-policy')),
  )
  const nonces = policies.map((policy) => /script-src 'nonce-([\w-]{22})'(?:;|$)/.exec(policy)?.[1])
  assert.equal(new Set(nonces).size, 2)
  const directives = Object.fromEntries(policies[0]!.split('; ').map((each) => [each.split(' ')[0], each]))
  assert.equal(directives['default-src'], "default-src 'none'")
  assert.equal(directives['script-src'], `script-src 'nonce-${nonces[0]}'`)
  assert.equal(directives['style-src'], `style-src 'nonce-${nonces[0]}'`)
  assert.equal(directives['connect-src'], "connect-src 'self'")
  assert.equal(directives['object-src'], "object-src 'none'")
  assert.equal(directives['base-uri'], "base-uri 'none'")
  assert.equal(directives['form-action'], "form-action 'self'")
  assert.equal(directives['frame-ancestors'], "frame-ancestors 'none'")
  assert.doesNotMatch(policies[0]!, /unsafe|strict-dynamic|https?:|\*/)
  for (const [tag] of page.matchAll(/<(?:script|link rel="(?:stylesheet|modulepreload)")[^>]*>/g))
    assert.ok(tag.includes(`nonce="${nonces[0]}"`), tag)
  assert.doesNotMatch(page, /\son\w+=|\sstyle=/)
})

test('scripts and style are named by their content, kept for ever and sent compressed', async () => {
  assert.ok(assets.some((path) => path.endsWith('.css')))
  assert.ok(assets.some((path) => path.endsWith('.js')))
  for (const path of assets) {
    const plain = await load(path, 'identity')
    assert.equal(plain.status, 200)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['x-content-type-options'], 'nosniff')
    assert.match(String(plain.headers['content-type']), path.endsWith('.css') ? /^text\/css/ : /javascript/)
    // Small ones are not worth it.
    if (plain.body.length < 1024) continue
    const [br, gzip] = [await load(path, 'br, gzip'), await load(path, 'gzip')]
    assert.equal(br.headers['content-encoding'], 'br')
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.match(String(br.headers.vary), /Accept-Encoding/)
    assert.notEqual(br.headers.etag, gzip.headers.etag)
    assert.deepEqual(brotliDecompressSync(br.body), plain.body)
    assert.deepEqual(gunzipSync(gzip.body), plain.body)
    const again = await fetch(`${storage.base}${path}`, {
      headers: { 'accept-encoding': 'br', 'if-none-match': String(br.headers.etag) },
    })
    assert.equal(again.status, 304)
  }
})

test('what is no file of the console is 404, not the page', async () => {
  for (const name of ['AAAAAAAA.js', '', 'a/b.js', '..%2f..%2fpackage.json', 'meta.json', '%00'])
    assert.equal((await fetch(`${storage.base}/console/assets/${name}`)).status, 404, name)
})

test('another node gives the files the same names, and has them before it has shown the page', async () => {
  const { console } = (await loadServices()).find(({ name }) => name === 'storage')!
  const other = consoleFiles(console!)
  for (const path of assets) assert.ok(await other.find(basename(path)), path)
})

test('the script and what it imports at once are at most 120 KiB compressed', async () => {
  const scripts = await Promise.all(
    assets.filter((path) => path.endsWith('.js')).map((path) => load(path, 'br')),
  )
  const bytes = scripts.reduce((sum, { body }) => sum + body.length, 0)
  assert.ok(bytes <= 120 * 1024, `${bytes} bytes`)
})
