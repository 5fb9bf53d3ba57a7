import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const pings: string[] = []
let status = 202
const hub = createServer(async (req, res) => {
  const body = (await Array.fromAsync(req)).join('')
  const fields = new URLSearchParams(body)
  assert.equal(req.method, 'POST')
  assert.match(req.headers['content-type']!, /^application\/x-www-form-urlencoded/)
  assert.equal(fields.get('hub.mode'), 'publish')
  if (status < 300) pings.push(fields.get('hub.url')!)
  res.writeHead(status).end()
})
await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve))
after(() => void hub.close())
const hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`

const system = await boot({ env: { PUBLISHING_WEBSUB_HUB: hubUrl } })
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_hub' })
const shy = await publisher(system, { handle: 'shy_hub' })
await shy.api('PATCH /api/users/me', { body: { is_protected: true } })

const job = service
  .jobs(service.context(system.platform))
  .find(({ name }) => name === 'publishing.tell-websub-hub')!
const run = async () => {
  pings.length = 0
  await job.run(undefined as never)
  return pings.toSorted()
}
const topics = (path: string) =>
  ['atom', 'json', 'rss'].map((format) => `${publishing.base}${path}.${format}`)
const both = [...topics('/api/users/mira_hub/feed'), ...topics('/feed')].toSorted()

test('feeds that the hub is told of name it, in the document and in a Link header', async () => {
  for (const [format, pattern] of [
    ['rss', `<atom:link href="${hubUrl}" rel="hub"/>`],
    ['atom', `<link rel="hub" href="${hubUrl}"/>`],
    ['json', `"hubs":[{"type":"WebSub","url":"${hubUrl}"}]`],
  ] as const)
    for (const path of [`/api/users/mira_hub/feed.${format}`, `/feed.${format}`]) {
      const { text, headers } = await publishing(`GET ${path}`)
      assert.ok(text.includes(pattern), path)
      assert.equal(headers.get('link'), `<${hubUrl}>; rel="hub", <${publishing.base}${path}>; rel="self"`)
    }
  for (const path of ['/feed.rss?count=5', '/api/hashtags/x/feed.rss', '/api/search/feed.rss?q=x']) {
    const { text, headers } = await publishing(`GET ${path}`)
    assert.doesNotMatch(text, /rel="hub"/)
    assert.equal(headers.get('link'), null)
  }
})

test('the hub is told once of feeds that changed, and of none that is not public', async () => {
  await writePost(mira, 'news')
  await writePost(mira, 'more news')
  await writePost(shy, 'for friends')
  assert.deepEqual(await run(), both)
  assert.deepEqual(await run(), [])
  const { id } = await writePost(mira, 'a typo')
  assert.deepEqual(await run(), both)
  await mira.api(`PATCH /api/posts/${id}`, { body: { content: 'no typo' } })
  assert.deepEqual(await run(), both)
  await mira.api(`DELETE /api/posts/${id}`)
  assert.deepEqual(await run(), both)
})

test('what the hub did not accept is told again until it does', async () => {
  await writePost(mira, 'while the hub is down')
  status = 503
  assert.deepEqual(await run(), [])
  status = 202
  assert.deepEqual(await run(), both)
  assert.deepEqual(await run(), [])
})
