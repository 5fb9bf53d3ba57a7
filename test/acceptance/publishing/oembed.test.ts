import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_embeds', username: 'Mira & <Sons>' })
const jonas = await publisher(system, { handle: 'jonas_embeds', username: 'Jonas' })

const profileUrl = `${publishing.base}/@mira_embeds`
const postUrl = (
  await mira.api('POST /api/posts', { body: { content: 'Tides & **moons** ]]> <b>\u0007\ufffe' } })
).body.data.post.url as string
const ask = (url: string, more = '') => publishing(`GET /oembed?url=${encodeURIComponent(url)}${more}`)

test('oEmbed describes profiles and posts, within the requested size', async () => {
  const profile = await ask(profileUrl, '&maxwidth=300&maxheight=200')
  assert.equal(profile.status, 200)
  assert.deepEqual([profile.body.width, profile.body.height], [300, 200])
  assert.match(profile.body.html, /<iframe src="[^"]+\/widget\/embed\/mira_embeds"/)
  const post = await ask(`${postUrl}?from=elsewhere#top`, '&maxwidth=10000')
  assert.equal(post.status, 200)
  assert.equal(post.body.author_name, 'Mira & <Sons> (@mira_embeds)')
  assert.match(post.body.html, /^<blockquote.*Tides &amp; <strong>moons<\/strong> \]\]&gt; &lt;b&gt;/s)
  for (const size of ['0', '-1', '1.5', '10001', 'wide', ''])
    for (const name of ['maxwidth', 'maxheight'])
      assert.equal((await ask(profileUrl, `&${name}=${size}`)).status, 422, `${name}=${size}`)
})

test('oEmbed covers only what is public, and only addresses of this server', async () => {
  const id = postUrl.split('/').at(-1)
  for (const url of [
    'https://example.com/@mira_embeds',
    `${publishing.base}/@nobody_embeds`,
    `${publishing.base}/@jonas_embeds/${id}`,
    `${profileUrl}/999999999`,
    `${publishing.base}/tags/tides`,
    'javascript:alert(1)',
    'x',
  ])
    assert.equal((await ask(url)).status, 404, url)
  await jonas.api('PATCH /api/users/me', { body: { is_protected: true } })
  assert.equal((await ask(`${publishing.base}/@jonas_embeds`)).status, 401)
  assert.equal((await publishing('GET /oembed')).status, 422)
  const yaml = await ask(profileUrl, '&format=yaml')
  assert.equal(yaml.status, 501)
  assert.equal(yaml.body.success, false)
})

test('oEmbed responses can be cached as long as they say, and posts have a height', async () => {
  const { headers, body } = await ask(postUrl)
  assert.equal(headers.get('cache-control'), `public, max-age=${body.cache_age}`)
  assert.ok(body.height > 100 && body.height < 400, body.height)
  assert.equal((await ask(postUrl, '&maxheight=120')).body.height, 120)
  assert.doesNotMatch(body.html, /[\u0007\ufffe]/)
  const path = `GET /oembed?url=${encodeURIComponent(postUrl)}`
  assert.equal((await publishing(path, { headers: { 'if-none-match': headers.get('etag')! } })).status, 304)
})

test('oEmbed responds in XML, and pages link to both formats', async () => {
  const page = (await publishing(`GET ${new URL(postUrl).pathname}`)).text
  const found = /type="text\/xml\+oembed"[^>]* href="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
  const { status, headers, text } = await publishing(`GET ${found.slice(publishing.base.length)}`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/xml; charset=utf-8')
  assert.ok(text.startsWith('<?xml version="1.0" encoding="utf-8"?>'))
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe]/)
  const element = (name: string) =>
    new RegExp(`<${name}>(.*?)</${name}>`, 's')
      .exec(text)![1]!
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  const json = (await ask(postUrl)).body
  for (const name of ['version', 'type', 'author_name', 'author_url', 'title', 'provider_name'])
    assert.equal(element(name), json[name], name)
  assert.equal(element('html'), json.html.replace(/[\u0007\ufffe]/g, ''))
  assert.equal(element('width'), String(json.width))
  assert.match((await ask(profileUrl, '&format=xml')).text, /<height>480<\/height>/)
  assert.equal((await ask(`${profileUrl}/999999999`, '&format=xml')).status, 404)
})
