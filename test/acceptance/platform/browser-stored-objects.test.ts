import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import aws4 from 'aws4'
import type { RouteOptions } from 'fastify'
import { buildServer } from '#platform/http/server.ts'
import type { Service } from '#platform/http/service.ts'
import { inventory } from '#src/inventory/app.ts'
import { publishing } from '#src/publishing/app.ts'
import { storage } from '#src/storage/app.ts'
import { operations } from '#src/storage/s3/operations.ts'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { cleanUp } from '#test/support/cleanup.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { jpeg } from '../publishing/support/images.ts'

// Somebody who is signed in everywhere opens what a stranger has stored, in every way in which it can be read.
const system = await boot()
const { urls } = system

/** A page of the stranger's that runs: nothing must ever ask for this. */
const reports: string[] = []
const collector = createServer((req, res) => {
  reports.push(String(req.url))
  res.end()
})
await once(collector.listen(0, '127.0.0.1'), 'listening')
cleanUp(() => collector.close())
const collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/ran`

const script = `new Image().src = ${JSON.stringify(collectorUrl)}; document.cookie = 'planted=1; Path=/'`
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`
const contents: Record<string, [type: string, body: string]> = {
  page: ['text/html', `<!doctype html><title>stored</title><script>${script}</script>`],
  picture: ['image/svg+xml', svg],
  document: ['application/xml', svg],
  xhtml: [
    'application/xhtml+xml',
    `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${script}</script></body></html>`,
  ],
  text: ['text/plain', `<!doctype html><script>${script}</script>`],
  untyped: ['application/x-unheard-of', `<!doctype html><script>${script}</script>`],
}

const stranger = await s3Owner(system)
const Bucket = 'pages'
await stranger.s3.send(new CreateBucketCommand({ Bucket, ACL: 'public-read' }))
const [bucket] = (await stranger.api('GET /buckets')).body as [{ id: string }]
await stranger.api(`PATCH /buckets/${bucket.id}`, { body: { versioningEnabled: true } })
const versions: Record<string, string> = {}
for (const [Key, [ContentType, Body]] of Object.entries(contents)) {
  const { VersionId = '' } = await stranger.s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }))
  versions[Key] = VersionId
}
const { key: apiKey } = (await stranger.api('POST /auth/api-keys', { body: { label: 'reader' } })).body
const writer = await publisher(system)
const { avatar_url: picture } = (
  await writer.api('PUT /api/users/me/avatar', {
    raw: (await jpeg()) as never,
    headers: { 'content-type': 'image/jpeg' },
  })
).body.data as { avatar_url: string }

type Opened = { url: string; headers?: Record<string, string>; times?: number }

const signed = (path: string, signQuery: boolean): Opened => {
  const { host } = new URL(urls.s3)
  const { accessKey: accessKeyId, secretKey: secretAccessKey } = stranger.credentials
  const request = { service: 's3', region: 'eu-central-1', method: 'GET', host, path, signQuery }
  const made = aws4.sign(request, { accessKeyId, secretAccessKey }) as Required<aws4.Request>
  const { Host: _, ...headers } = made.headers as Record<string, string>
  return { url: urls.s3 + made.path, ...(signQuery ? {} : { headers }) }
}
const presigned = (path: string) => signed(path, true)

const signedUrl = async (body: object) =>
  (await stranger.api(`POST /buckets/${bucket.id}/signed-url`, { body })).body.url as string

/** How a route that answers with what somebody has stored can be opened; for each object. */
const ways: Record<string, (key: string) => Opened[] | Promise<Opened[]>> = {
  'storage /buckets/:bucketId/objects/*': (key) => {
    const url = `${urls.storage}/buckets/${bucket.id}/objects/${key}`
    const headers = { 'x-api-key': apiKey }
    return [{ url }, { url, headers, times: 3 }, { url: `${url}?download=false`, headers }]
  },
  'storage /public/objects/:bucketId/*': async (key) => {
    const url = `${urls.storage}/public/objects/${bucket.id}/${key}`
    const objectKey = key
    return [
      { url },
      { url: `${url}?download=false`, times: 2 },
      { url: `${await signedUrl({ objectKey })}&download=false` },
      { url: `${await signedUrl({ objectKey, versionId: versions[key] })}&download=false` },
    ]
  },
  'publishing /media/:file': (key) => (key === 'picture' ? [{ url: new URL(picture, urls.publishing).href }] : []),
  's3 GetObject': (key) => {
    const path = `/${Bucket}/${key}`
    const asPage = 'response-content-type=text%2Fhtml&response-content-disposition=inline'
    return [
      { url: `${urls.s3}/${stranger.organization.slug}.${Bucket}/${key}` },
      { ...signed(path, false), times: 3 },
      presigned(`${path}?X-Amz-Expires=60`),
      presigned(`${path}?X-Amz-Expires=60&${asPage}`),
      presigned(`${path}?X-Amz-Expires=60&partNumber=1`),
      presigned(`${path}?X-Amz-Expires=60&versionId=${versions[key]}`),
    ]
  },
} // biome-ignore format: one line

/** Documents of S3 are about what somebody has stored, too, in their words. */
for (const { name, method, at, query, run } of operations) {
  if (method !== 'GET' || !run || name === 'GetObject') continue
  const path = { service: '/', bucket: `/${Bucket}`, object: `/${Bucket}/page` }[at]
  const asked = ['X-Amz-Expires=60', ...query.map((word) => `${word}=1`)].join('&')
  ways[`s3 ${name}`] = (key) => (key === 'page' ? [presigned(`${path}?${asked}`)] : [])
}

/** Pages, feeds and papers that we write ourselves, and escape what is in them. */
const ours: Record<string, RegExp[]> = {
  storage: [/^\/auth\/reset-password$/, /^\/audit-logs\.csv$/, /^\/events$/],
  publishing: [
    /\/feed\.(rss|atom|json)$/,
    /^\/(widget\/feed\.js|widget\/embed\/:handle|oembed|sitemap\.xml|opensearch\.xml|api\/events)$/,
    /^\/(\.well-known\/(webfinger|nodeinfo)|nodeinfo\/2\.1)$/,
    /^\/(|explore|home|search|compose|sign-in|sign-up|forgot-password|reset-password|confirm-email|unsubscribe)\/?$/,
    /^\/(blocked|muted|requests|notifications|keys|about|rules|privacy|imprint)$/,
    /^\/settings(\/|\/(account|sessions|password|delete|pictures|export))?$/,
    /^\/tags\/:tag\/?$/,
    /^\/@:handle(\/:id)?(\/(followers|following|history|quotes|likes|reposts))?$/,
    // These lead to the ones before.
    /^\/@:handle(\/:part)?(\/:list)?\/$/,
    /^\/:escaped\(\^@\.\+\$\)(\/\*)?$/,
    // What the operator has set, drawn anew.
    /^\/logo\/:file$/,
  ],
  inventory: [
    /^\/api\/auth\/reset-password$/,
    /\/export$/,
    /\/(packing-slip|pick-list|purchase-order|label)\.pdf$/,
    /^\/api\/(external\/)?events$/,
  ],
}

/** Routes whose answer may be anything but JSON. */
const routesOf = async (of: unknown) => {
  const service = of as Service
  const routes: RouteOptions[] = []
  const spy = (app: { addHook(name: 'onRoute', hook: (route: RouteOptions) => void): unknown }) =>
    void app.addHook('onRoute', (route) => void routes.push(route))
  const context = service.context(system.platform as never)
  const server = await buildServer({ ...service, modules: [spy, ...service.modules] } as never, context)
  await server.close()
  const isJson = ({ schema }: RouteOptions) => {
    const response = schema?.response as Record<number, { content?: object }> | undefined
    if (response?.[200] === undefined) return response?.[204] !== undefined
    return Object.keys(response[200].content ?? { 'application/json': 1 }).join() === 'application/json'
  }
  return routes
    .filter((route) => [route.method].flat().includes('GET') && !route.config?.partOfWildcard && !isJson(route))
    .map(({ url }) => url)
} // biome-ignore format: one line

const me = '/auth/me'
const consoles = [urls.storage + me, `${urls.inventory}/api${me}`, `${urls.publishing}/settings`]

/** A browser that is signed in to everything. */
const openVictim = async () => {
  const { page } = await openPage(await openBrowser())
  const context = page.context()
  const { email } = await storageOwner(system)
  const admin = await inventoryAdmin(system)
  const author = await publisher(system)
  await context.request.post(`${urls.storage}/auth/session`, { data: { email, password } })
  await context.request.post(`${urls.inventory}/api/auth/session`, { data: { email: admin.email, password } })
  await context.request.post(`${urls.publishing}/sign-in`, { form: { email: author.email, password } })
  const names = async () => (await context.cookies()).map(({ name }) => name).sort()
  assert.deepEqual(await names(), ['trivet_inventory', 'trivet_publishing', 'trivet_storage'])
  const isSignedIn = async () => {
    const headers = { 'x-trivet-console': '1' }
    const shown = await context.request.get(consoles[0] as string, { headers })
    assert.ok((await shown.text()).includes(email))
  }
  return { page, names, isSignedIn }
}

const victim = await openVictim()

test('every route that may answer with what somebody has stored has a way in this test', async () => {
  const found = new Set<string>()
  const unknown: string[] = []
  for (const [name, service] of Object.entries({ storage, publishing, inventory })) {
    const routes = await routesOf(service)
    assert.ok(routes.length > 3, name)
    for (const url of routes) {
      const isOurs = (ours[name] ?? []).some((pattern) => pattern.test(url))
      const way = `${name} ${url}`
      if (isOurs === way in ways) unknown.push(way)
      found.add(way)
    }
  }
  assert.deepEqual(unknown, [], 'say how these are opened, or that we write what they answer')
  for (const way of Object.keys(ways))
    if (!way.startsWith('s3 ')) assert.ok(found.has(way), `${way}: there is no such route`)
})

/** What a script in the page may do. Runs there even if the page itself may run none. */
const attempt = `(async () => {
  const read = (() => { try { return document.cookie } catch { return 'refused' } })()
  try { document.cookie = 'planted=1; Path=/' } catch {}
  try { document.cookie = 'trivet_storage=' + 'x'.repeat(43) + '; Path=/buckets' } catch {}
  const answers = []
  for (const url of ${JSON.stringify(consoles)})
    for (const headers of [{}, { 'x-trivet-console': '1' }])
      answers.push(await fetch(url, { headers, credentials: 'include' }).then(({ status }) => status, () => 'refused'))
  return { origin: self.origin, read, answers }
})()`

type Attempt = { origin: string; read: string; answers: unknown[] }

for (const way of Object.keys(ways))
  test(`${way}: as a page, what somebody has stored neither acts nor reaches a console`, async () => {
    const { page, names, isSignedIn } = victim
    const before = await names()
    let opened = 0
    for (const key of Object.keys(contents))
      for (const { url, headers = {}, times = 1 } of (await ways[way]?.(key)) ?? [])
        for (let time = 0; time < times; time++) {
          await page.setExtraHTTPHeaders(headers)
          const response = await page.goto(url).catch((error: Error) => {
            assert.match(error.message, /Download is starting|ERR_ABORTED/, url)
          })
          await page.setExtraHTTPHeaders({})
          opened++
          // A download is saved, not shown. In a refusal by storage, which is JSON, nothing of the stranger's is.
          if (!response || (response.status() >= 400 && url.startsWith(urls.storage))) continue
          const { origin, read, answers } = (await page.evaluate(attempt)) as Attempt
          assert.deepEqual([origin, read], ['null', 'refused'], url)
          assert.ok(answers.every((answer) => answer === 'refused'), `${url}: ${answers}`)
          assert.deepEqual(await names(), before, url)
        }
    assert.ok(opened > 0)
    assert.deepEqual(reports, [], 'a script has run')
    await isSignedIn()
  }) // biome-ignore format: one line

test('the same page from a server that sends it as it is does act, so that the tests before would notice', async () => {
  const server = createServer((_req, res) =>
    res.setHeader('content-type', 'text/html').end(contents.page?.[1]),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { page, names } = await openVictim()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.waitForLoadState('networkidle')
  assert.deepEqual(reports, ['/ran'])
  assert.ok((await names()).includes('planted'))
  server.close()
})
