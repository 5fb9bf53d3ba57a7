import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import RssParser from 'rss-parser'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_feeds', username: 'Mira & <Sons>' })
const other = await publisher(system, { handle: 'other_feeds', username: 'Other' })

const write = (content: string, more: object = {}, by = mira) => writePost(by, content, more)
const feedOf = (handle: string) => `/api/users/${handle}/feed`
const formats = ['rss', 'atom', 'json']

test('an account without posts has an empty, valid feed in each format', async () => {
  for (const format of formats) {
    const { status, headers, text } = await publishing(`GET ${feedOf('other_feeds')}.${format}`)
    assert.equal(status, 200)
    assert.ok(headers.get('etag'))
    assert.ok(headers.get('last-modified'))
    if (format === 'json') assert.deepEqual(JSON.parse(text).items, [])
    else assert.deepEqual((await new RssParser().parseString(text)).items, [])
  }
})

test('RSS has all required elements, in order and in the right format', async () => {
  const post = await write('Low tide at **noon** ]]> <b>&amp; #tides\u0007\u000b')
  const path = `${feedOf('mira_feeds')}.rss?count=5`
  const { headers, text } = await publishing(`GET ${path}`)
  assert.match(headers.get('content-type')!, /^application\/rss\+xml; charset=utf-8$/)
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  const feed = await new RssParser({ customFields: { feed: ['language', 'ttl'] } }).parseString(text)
  assert.equal(feed.title, 'Mira & <Sons> (@mira_feeds)')
  assert.equal(feed.link, `${publishing.base}/@mira_feeds`)
  assert.ok(feed.description)
  assert.equal(feed.language, 'en')
  assert.equal(feed.feedUrl, publishing.base + path)
  assert.ok(Number(feed.ttl) > 0)
  assert.ok(text.indexOf('<atom:link') < text.indexOf('<item>'))
  const [item] = feed.items
  assert.equal(item!.link, post.url)
  assert.equal(item!.guid, post.url)
  assert.equal((await fetch(item!.guid!)).status, 200)
  assert.match(text, /<guid isPermaLink="true">/)
  assert.equal(item!.title, 'Low tide at noon ]]> <b>&amp; #tides')
  assert.equal(item!.creator, 'Mira & <Sons> (@mira_feeds)')
  assert.equal(item!.pubDate, new Date(Math.floor(Date.parse(post.created_at) / 1000) * 1000).toUTCString())
  assert.match(item!.content!, /<strong>noon<\/strong> \]\]&gt; &lt;b&gt;&amp;amp;/)
  assert.match(item!.content!, new RegExp(`href="${publishing.base}/tags/tides"`))
})

test('a post without visible characters has a title in feeds', async () => {
  const author = await publisher(system)
  for (const content of ['\ufffe', '\u200b', '\u0001\u0002', '\u202e\u2066'])
    assert.equal((await author.api('POST /api/posts', { body: { content } })).status, 201)
  const today = `Post of ${system.clock.now().toISOString().slice(0, 10)}`
  for (const format of ['rss', 'atom']) {
    const { text } = await publishing(`GET ${feedOf(author.handle)}.${format}`)
    const { items } = await new RssParser().parseString(text)
    assert.deepEqual(
      items.map(({ title }) => title),
      [today, today, today, today],
    )
  }
})

test('Atom and JSON Feed contain the same posts as RSS', async () => {
  const post = await write('the same in three formats')
  const atom = (await publishing(`GET ${feedOf('mira_feeds')}.atom`)).text
  const parsed = await new RssParser().parseString(atom)
  assert.equal(parsed.items[0]!.link, post.url)
  assert.match(atom, /<link rel="self" type="application\/atom\+xml" href="[^"]+feed\.atom"\/>/)
  const json = JSON.parse((await publishing(`GET ${feedOf('mira_feeds')}.json?count=1`)).text)
  assert.equal(json.version, 'https://jsonfeed.org/version/1.1')
  assert.equal(json.feed_url, `${publishing.base}${feedOf('mira_feeds')}.json?count=1`)
  assert.deepEqual(
    json.items.map(({ id, title }: { id: string; title: string }) => [id, title]),
    [[post.url, 'the same in three formats']],
  )
})

test('a feed responds 304 until a post is added, edited or deleted, or the profile changes', async () => {
  const path = `GET ${feedOf('mira_feeds')}.rss`
  const first = await write('conditional')
  const second = await write('conditional too')
  const read = async (name: 'etag' | 'last-modified') => (await publishing(path)).headers.get(name)!
  const changes = {
    edit: () => mira.api(`PATCH /api/posts/${first.id}`, { body: { content: 'conditional, edited' } }),
    delete: () => mira.api(`DELETE /api/posts/${first.id}`),
    add: () => write('one more'),
    profile: () => mira.api('PATCH /api/users/me', { body: { username: 'Mira' } }),
    deleteNewest: () => mira.api(`DELETE /api/posts/${second.id}`),
  }
  for (const [name, change] of Object.entries(changes)) {
    const tags = [
      { 'if-none-match': await read('etag') },
      { 'if-none-match': `"x", W/${await read('etag')}` },
    ]
    const validators = [...tags, { 'if-modified-since': await read('last-modified') }]
    for (const headers of tags) {
      const known = await publishing(path, { headers })
      assert.equal(known.status, 304, name)
      assert.equal(known.text, '')
      assert.equal(known.headers.get('etag'), await read('etag'))
      assert.equal(known.headers.get('content-length'), null)
      assert.equal(known.headers.get('content-type'), null)
    }
    await change()
    for (const headers of validators)
      assert.equal((await publishing(path, { headers })).status, 200, `${name} ${JSON.stringify(headers)}`)
  }
  assert.equal((await publishing(path, { headers: { 'if-none-match': '*' } })).status, 304)
  const never = await publishing(path, { headers: { 'if-modified-since': 'yesterday' } })
  assert.equal(never.status, 200)
})

test('a feed changes when a post that it quotes or reposts changes, whatever validator the reader uses', async () => {
  const quoted = await publisher(system)
  const original = await write('a saying', {}, quoted)
  await write('well said', { type: 'quote', quoteOfId: original.id })
  const path = `GET ${feedOf('mira_feeds')}.rss?count=1`
  const change = (body: object) => quoted.api('PATCH /api/users/me', { body })
  const changes: [() => Promise<unknown>, RegExp][] = [
    [
      () => quoted.api(`PATCH /api/posts/${original.id}`, { body: { content: 'another saying' } }),
      /another saying/,
    ],
    [() => change({ username: 'Renamed Sage' }), /Renamed Sage/],
    [() => change({ is_protected: true }), /^(?!.*another saying)/s],
    [() => change({ is_protected: false }), /another saying/],
    [() => quoted.api(`DELETE /api/posts/${original.id}`), /^(?!.*another saying)/s],
  ]
  for (const [act, expected] of changes) {
    const { headers } = await publishing(path)
    const validators = [
      { 'if-none-match': headers.get('etag')! },
      { 'if-modified-since': headers.get('last-modified')! },
    ]
    assert.equal((await publishing(path, { headers: validators[0]! })).status, 304)
    await act()
    for (const known of validators) {
      const { status, text } = await publishing(path, { headers: known })
      assert.equal(status, 200, `${expected} ${JSON.stringify(known)}`)
      assert.match(text, expected)
    }
  }
})

test('a feed leaves out replies and reposts unless they are requested', async () => {
  const original = await write('to be repeated', {}, other)
  await mira.api(`POST /api/posts/${original.id}/repost`)
  await write('a reply of mine', { type: 'reply', parentId: original.id })
  const titles = async (query: string) =>
    JSON.parse((await publishing(`GET ${feedOf('mira_feeds')}.json?count=2${query}`)).text).items.map(
      ({ title }: { title: string }) => title,
    )
  assert.ok(!(await titles('')).includes('a reply of mine'))
  assert.equal((await titles('&include=replies'))[0], 'a reply of mine')
  assert.equal((await titles('&include=reposts'))[0], 'Reposted @other_feeds: to be repeated')
  assert.deepEqual(await titles('&include=replies,reposts'), [
    'a reply of mine',
    'Reposted @other_feeds: to be repeated',
  ])
  await other.api(`DELETE /api/posts/${original.id}`)
  assert.ok(!(await titles('&include=reposts')).includes('Reposted @other_feeds: to be repeated'))
})

test('the count of a feed is 1 to 50', async () => {
  for (const count of ['1', '50'])
    assert.equal((await publishing(`GET ${feedOf('mira_feeds')}.rss?count=${count}`)).status, 200)
  for (const query of ['count=0', 'count=51', 'count=x', 'count=', 'include=everything']) {
    const { status, body } = await publishing(`GET ${feedOf('mira_feeds')}.rss?${query}`)
    assert.equal(status, 422, query)
    assert.equal(body.success, false)
  }
})

test('only accepted followers read the feed of a protected account; suspended and unknown accounts have none', async () => {
  const shy = await publisher(system)
  await write('for friends', {}, shy)
  const path = `GET ${feedOf(shy.handle)}.rss`
  assert.equal((await publishing(path)).status, 200)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  for (const format of formats) {
    const { status, body } = await publishing(`GET ${feedOf(shy.handle)}.${format}`)
    assert.equal(status, 403)
    assert.equal(body.success, false)
  }
  assert.equal((await other.api(path)).status, 403)
  const own = await shy.api(path)
  assert.equal(own.status, 200)
  assert.match(own.headers.get('cache-control')!, /private/)
  assert.equal((await publishing(path)).status, 403)
  assert.equal((await publishing(`GET ${feedOf('nobody_here')}.rss`)).status, 404)
  assert.equal((await publishing(`GET ${feedOf('no-handle!')}.rss`)).status, 404)
})

test('feeds on another node show new posts, edits, deletions and profile changes within a second', async () => {
  const node = await boot({ database: { url: system.databaseUrl } })
  const post = await write('seen from elsewhere #elsewhere')
  const paths = [`${feedOf('mira_feeds')}.rss?count=1`, '/api/hashtags/elsewhere/feed.rss']
  const changes: [() => Promise<unknown>, RegExp][] = [
    [
      () => mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'corrected #elsewhere' } }),
      /corrected/,
    ],
    [() => mira.api('PATCH /api/users/me', { body: { username: 'Mira Elsewhere' } }), /Mira Elsewhere/],
    [() => mira.api(`DELETE /api/posts/${post.id}`), /^(?!.*corrected)/s],
    [() => write('one more from #elsewhere'), /one more from/],
  ]
  for (const [act, expected] of changes) {
    const etags = await Promise.all(
      paths.map(async (path) => (await node.publishing(`GET ${path}`)).headers.get('etag')!),
    )
    await act()
    for (const [n, path] of paths.entries())
      await eventually(
        async () => {
          const { status, text } = await node.publishing(`GET ${path}`, {
            headers: { 'if-none-match': etags[n]! },
          })
          assert.equal(status, 200, `${path} ${expected}`)
          assert.match(text, expected)
        },
        { withinMs: 1_000 },
      )
  }
})

test('the self link of a feed is a valid URL, whatever was requested', async () => {
  const { hostname, port } = new URL(publishing.base)
  const path = `${feedOf('mira_feeds')}.atom?count=1&x="<>%zz|^`
  const text = await new Promise<string>((resolve, reject) =>
    get({ hostname, port, path }, async (res) =>
      resolve((await Array.fromAsync(res)).map(String).join('')),
    ).on('error', reject),
  )
  const self = /<link rel="self"[^>]* href="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
  assert.equal(self, `${publishing.base}${feedOf('mira_feeds')}.atom?count=1&x=%22%3C%3E%25zz%7C%5E`)
})

test('a hashtag has feeds in all three formats', async () => {
  const post = await write('fog #Leuchtturm')
  for (const format of formats) {
    const path = `GET /api/hashtags/LEUCHTTURM/feed.${format}`
    const { status, text, headers } = await publishing(path)
    assert.equal(status, 200)
    assert.ok(text.includes(post.url))
    const etag = headers.get('etag')!
    assert.equal((await publishing(path, { headers: { 'if-none-match': etag } })).status, 304)
  }
  const path = 'GET /api/hashtags/leuchtturm/feed.rss'
  const shows = async (pattern: RegExp) => assert.match((await publishing(path)).text, pattern)
  await shows(/fog/)
  await mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'haze #leuchtturm' } })
  await shows(/haze/)
  await mira.api('PATCH /api/users/me', { body: { username: 'Keeper' } })
  await shows(/Keeper/)
  await mira.api('PATCH /api/users/me', { body: { is_protected: true } })
  await shows(/^(?!.*haze)/s)
  await mira.api('PATCH /api/users/me', { body: { is_protected: false } })
  await shows(/haze/)
  await write('another beam #leuchtturm', {}, other)
  await shows(/another beam/)
  await mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'no tag any more' } })
  await shows(/^(?!.*haze)/s)
  assert.equal((await publishing('GET /api/hashtags/never_used/feed.rss')).status, 200)
  const head = await publishing(`HEAD ${feedOf('mira_feeds')}.rss`)
  assert.equal(head.status, 200)
  assert.ok(head.headers.get('etag'))
})

test('Last-Modified of a feed is never in the future, and If-Modified-Since misses no change', async () => {
  const quick = await publisher(system)
  const path = `GET ${feedOf(quick.handle)}.rss`
  const first = await write('quick', {}, quick)
  for (let edit = 0; edit < 2; edit++) {
    const { headers, text } = await publishing(path)
    const modified = headers.get('last-modified') as string
    const answeredAt = Date.parse(headers.get('date') as string)
    assert.ok(Date.parse(modified) <= answeredAt, `${modified} is after ${headers.get('date')}`)
    assert.ok(Date.parse(/<lastBuildDate>([^<]+)/.exec(text)?.[1] as string) <= answeredAt)
    await quick.api(`PATCH /api/posts/${first.id}`, { body: { content: `quick ${edit}` } })
    const after = await publishing(path, { headers: { 'if-modified-since': modified } })
    assert.equal(after.status, 200)
    assert.match(after.text, new RegExp(`quick ${edit}`))
  }
  // When the seconds that the changes were given have passed, the date decides again. Each address is drawn anew.
  for (let count = 1; ; count++) {
    assert.ok(count <= 50)
    const drawn = `${path}?count=${count}`
    const modified = (await publishing(drawn)).headers.get('last-modified') as string
    if ((await publishing(drawn, { headers: { 'if-modified-since': modified } })).status === 304) break
    await sleep(300)
  }
})

test('a reader that asks by date alone is told of a quoted post that was deleted long after', async () => {
  const [quoted, quoting] = [await publisher(system), await publisher(system)]
  const original = await write('a saying to be taken back', {}, quoted)
  await write('well said', { type: 'quote', quoteOfId: original.id }, quoting)
  const path = `GET ${feedOf(quoting.handle)}.rss`
  system.clock.advance(60_000)
  const { headers } = await publishing(path)
  const known = { headers: { 'if-modified-since': headers.get('last-modified') as string } }
  system.clock.advance(60_000)
  await quoted.api(`DELETE /api/posts/${original.id}`)
  system.clock.advance(60_000)
  const { status, text } = await publishing(path, known)
  assert.equal(status, 200)
  assert.doesNotMatch(text, /taken back/)
})
