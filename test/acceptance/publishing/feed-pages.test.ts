import assert from 'node:assert/strict'
import { test } from 'node:test'
import RssParser from 'rss-parser'
import { boot } from '#test/support/boot.ts'
import type { Answer } from '#test/support/client.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_walks', username: 'Mira' })
const texts = Array.from({ length: 7 }, (_, n) => `walk number ${n} #walking`)
for (const text of texts) await writePost(mira, text)

type JsonFeed = { next_url?: string; feed_url: string; items: { title: string }[] }
const pathOf = (url: string) => url.slice(publishing.base.length)

const feeds = {
  account: '/api/users/mira_walks/feed',
  hashtag: '/api/hashtags/walking/feed',
  explore: '/feed',
  search: '/api/search/feed?q=walk+number',
}
const at = (path: string, format: string) => path.replace(/feed(?=\?|$)/, `feed.${format}`)

test('the feeds of an account, a hashtag, a search and all posts lead to older posts page by page', async () => {
  for (const [kind, path] of Object.entries(feeds)) {
    const seen: string[] = []
    let next: string | undefined = `${at(path, 'json')}${path.includes('?') ? '&' : '?'}count=3`
    while (next !== undefined) {
      const { status, text, headers }: Answer = await publishing(`GET ${next}`)
      assert.equal(status, 200, `${kind} ${next}`)
      assert.match(headers.get('content-type')!, /^application\/feed\+json/)
      const feed = JSON.parse(text) as JsonFeed
      assert.equal(feed.feed_url, publishing.base + next)
      seen.push(...feed.items.map(({ title }) => title))
      next = feed.next_url && pathOf(feed.next_url)
    }
    assert.deepEqual(seen, texts.toReversed(), kind)
    for (const [format, link] of [
      ['rss', /<atom:link href="([^"]+)" rel="next"\/>/],
      ['atom', /<link rel="next" href="([^"]+)"\/>/],
    ] as const) {
      const first = `${at(path, format)}${path.includes('?') ? '&' : '?'}count=3`
      const found = link.exec((await publishing(`GET ${first}`)).text)?.[1]?.replaceAll('&amp;', '&')
      const second = await publishing(`GET ${pathOf(found!)}`)
      const { items } = await new RssParser().parseString(second.text)
      assert.deepEqual(
        items.map(({ title }) => title),
        texts.toReversed().slice(3, 6),
        `${kind} ${format}`,
      )
    }
  }
})

test('feeds of all posts and of searches respond 304 until something changes', async () => {
  for (const path of ['/feed.rss', '/feed.atom', '/feed.json', '/api/search/feed.atom?q=walk']) {
    const { headers } = await publishing(`GET ${path}`)
    const known = { 'if-none-match': headers.get('etag')! }
    assert.equal(headers.get('cache-control'), 'public, no-cache')
    assert.equal((await publishing(`GET ${path}`, { headers: known })).status, 304)
    const { id } = await writePost(mira, 'one more walk')
    assert.equal((await publishing(`GET ${path}`, { headers: known })).status, 200)
    await mira.api(`DELETE /api/posts/${id}`)
  }
})

test('feeds of all posts and of searches show only what is public', async () => {
  const shy = await publisher(system)
  await writePost(shy, 'a secret walk')
  const shown = async () =>
    Promise.all(
      ['/feed.rss', '/api/search/feed.rss?q=secret'].map(async (path) =>
        (await publishing(`GET ${path}`)).text.includes('a secret walk'),
      ),
    )
  assert.deepEqual(await shown(), [true, true])
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  assert.deepEqual(await shown(), [false, false])
})

test('malformed cursors, pages and searches of feeds are refused', async () => {
  for (const path of ['/feed.rss?cursor=x', '/api/users/mira_walks/feed.json?cursor=!'])
    assert.equal((await publishing(`GET ${path}`)).status, 400, path)
  for (const path of ['/feed.rss?count=51', '/api/search/feed.rss', '/api/search/feed.rss?q=x&page=0'])
    assert.equal((await publishing(`GET ${path}`)).status, 422, path)
  const { headers } = await publishing('GET /feed.rss')
  const wrong = await publishing('GET /feed.rss', { headers: { 'if-match': '"another"' } })
  assert.equal(wrong.status, 412)
  const right = await publishing('GET /feed.rss', { headers: { 'if-match': headers.get('etag')! } })
  assert.equal(right.status, 200)
})

test('an edited post has the time of its edit in RSS, and its lines reach readers', async () => {
  const post = await writePost(mira, 'first line\nsecond line\nthird line')
  await mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'first line\nsecond line\nthird line!' } })
  const { text } = await publishing('GET /api/users/mira_walks/feed.rss?count=1')
  const updated = /<atom:updated>([^<]+)<\/atom:updated>/.exec(text)![1]!
  assert.ok(Date.parse(updated) >= Date.parse(post.created_at))
  const { items } = await new RssParser().parseString(text)
  assert.match(items[0]!.contentSnippet!, /first line\s+second line\s+third line!/)
  await mira.api(`DELETE /api/posts/${post.id}`)
})

test('titles that look like markup are escaped by number in RSS, and invisible ones are replaced', async () => {
  const odd = await writePost(mira, '<script>alert(1)</script> & more')
  const blank = await writePost(mira, '\u3164\u2800')
  const { text } = await publishing('GET /api/users/mira_walks/feed.rss?count=2')
  assert.match(text, /<title>&#x3C;script&#x3E;alert\(1\)&#x3C;\/script&#x3E; &#x26; more<\/title>/)
  assert.match(text, /<title>Post of \d{4}-\d\d-\d\d<\/title>/)
  for (const { id } of [odd, blank]) await mira.api(`DELETE /api/posts/${id}`)
})

test('pages lead to the feeds of what they show', async () => {
  for (const [page, feed] of [
    ['/', '/feed.rss'],
    ['/search?q=walk', '/api/search/feed.rss?q=walk'],
    ['/tags/walking', '/api/hashtags/walking/feed.rss'],
    ['/@mira_walks', '/api/users/mira_walks/feed.rss'],
  ] as const) {
    const { text } = await publishing(`GET ${page}`)
    const found = /<link rel="alternate" type="application\/rss\+xml"[^>]* href="([^"]+)"/.exec(text)?.[1]
    assert.equal(found, publishing.base + feed, page)
    assert.equal((await publishing(`GET ${feed}`)).status, 200)
  }
})
