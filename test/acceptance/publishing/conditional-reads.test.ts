import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

const system = await boot({ env: { RATE_LIMITS: 'off' } })
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_tags' })
const write = async (content: string) =>
  (await mira.api('POST /api/posts', { body: { content } })).body.data.post.id as number
const id = await write('low tide #harbour')

const addresses = [
  '/api/users/mira_tags',
  '/api/users/mira_tags/posts',
  '/api/users/mira_tags/followers',
  '/api/users/mira_tags/following',
  `/api/posts/${id}`,
  `/api/posts/${id}/history`,
  `/api/posts/${id}/likes`,
  `/api/posts/${id}/reposts`,
  `/api/posts/${id}/replies`,
  `/api/posts/${id}/quotes`,
  '/api/timeline/explore',
  '/api/timeline/hashtag/harbour',
  '/api/hashtags/harbour',
  '/api/search?q=tide',
]

test('public JSON has a tag, and a client that sends it back gets 304 without a body', async () => {
  for (const path of addresses)
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding }
      const first = await publishing(`GET ${path}`, { headers })
      const etag = first.headers.get('etag')!
      assert.match(etag, /^"[\w-]+"$/, path)
      assert.equal(first.headers.get('cache-control'), 'public, no-cache', path)
      assert.match(first.headers.get('vary')!, /Authorization/, path)
      const again = await publishing(`GET ${path}`, { headers: { ...headers, 'if-none-match': etag } })
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], path)
      assert.equal(again.headers.get('content-length'), null, path)
      const other = await publishing(`GET ${path}`, { headers: { ...headers, 'if-none-match': '"x"' } })
      assert.deepEqual([other.status, other.body.success], [200, true], path)
      const head = await publishing(`HEAD ${path}`, { headers })
      assert.deepEqual([head.status, head.headers.get('etag')], [200, etag], path)
    }
})

test('a change of anything that it shows changes the tag', async () => {
  const ana = await publisher(system)
  const quote = { content: 'worth a look #harbour', type: 'quote', quoteOfId: id }
  const quoted = (await ana.api('POST /api/posts', { body: quote })).body.data.post.id as number
  const lists = ['/api/timeline/explore', '/api/timeline/hashtag/harbour', '/api/search?q=harbour']
  const ofPost = [`/api/posts/${id}`, '/api/users/mira_tags/posts', ...lists]
  const ofQuote = [`/api/posts/${quoted}`, `/api/posts/${id}/quotes`]
  const ofPeople = [`/api/posts/${id}/likes`]
  const edit = (content: string) => mira.api(`PATCH /api/posts/${id}`, { body: { content } })
  const rename = (username: string) => mira.api('PATCH /api/users/me', { body: { username } })
  const changes: [what: string, change: () => Promise<{ status: number }>, shownBy: string[]][] = [
    ['its text', () => edit('high tide #harbour'), [...ofPost, ...ofQuote]],
    ['a like', () => ana.api(`POST /api/posts/${id}/like`), [...ofPost, ...ofQuote, ...ofPeople]],
    ['a repost', () => ana.api(`POST /api/posts/${id}/repost`), [...ofPost, ...ofQuote]],
    ['a like of the quote', () => mira.api(`POST /api/posts/${quoted}/like`), [...ofQuote, ...lists]],
    ['the name of its author', () => rename('Mira of the tides'), [...ofPost, ...ofQuote, '/api/users/mira_tags']],
    ['its deletion', () => ana.api(`DELETE /api/posts/${quoted}`), [`/api/posts/${id}/quotes`, ...lists]],
  ] // biome-ignore format: one change on a line
  for (const [what, change, shownBy] of changes) {
    // Without credentials, and as one of the readers.
    const readers = [publishing, ana.api]
    const reads = shownBy.flatMap((path) => readers.map((read) => ({ path, read })))
    const tags = await Promise.all(
      reads.map(async ({ path, read }) => (await read(`GET ${path}`)).headers.get('etag')!),
    )
    const { status } = await change()
    assert.ok(status < 300, `${what}: ${status}`)
    for (const [n, { path, read }] of reads.entries()) {
      const after = await read(`GET ${path}`, { headers: { 'if-none-match': tags[n]! } })
      assert.equal(after.status, 200, `${what}: ${path}`)
      assert.notEqual(after.headers.get('etag'), tags[n], `${what}: ${path}`)
    }
  }
})

test('what a signed-in reader gets is for that reader alone, with a tag of its own', async () => {
  const ana = await publisher(system)
  await ana.api(`POST /api/posts/${id}/like`)
  for (const path of [`/api/posts/${id}`, '/api/timeline/explore']) {
    const open = await publishing(`GET ${path}`)
    const hers = await ana.api(`GET ${path}`)
    assert.equal(hers.headers.get('cache-control'), 'private, no-cache')
    assert.notEqual(hers.headers.get('etag'), open.headers.get('etag'))
    const again = await ana.api(`GET ${path}`, { headers: { 'if-none-match': hers.headers.get('etag')! } })
    assert.equal(again.status, 304)
    const stale = await ana.api(`GET ${path}`, { headers: { 'if-none-match': open.headers.get('etag')! } })
    assert.equal(stale.status, 200, 'the tag of what everybody sees')
  }
})

test('If-Match with another tag is refused with 412; what only its owner may read is never stored', async () => {
  const { status, body } = await publishing(`GET /api/posts/${id}`, { headers: { 'if-match': '"x"' } })
  assert.deepEqual([status, body.success], [412, false])
  for (const path of ['/api/users/me', '/api/notifications', '/api/timeline/home'])
    assert.equal((await mira.api(`GET ${path}`)).headers.get('cache-control'), 'no-store', path)
  const missing = await publishing('GET /api/posts/999999999')
  assert.deepEqual([missing.status, missing.headers.get('cache-control')], [404, 'no-store'])
})

test('a list still links to its next page', async () => {
  await write('another #harbour')
  const { headers } = await publishing('GET /api/hashtags/harbour?limit=1')
  assert.match(headers.get('link')!, /page=2/)
  const head = await publishing('HEAD /api/hashtags/harbour?limit=1')
  assert.equal(head.headers.get('link'), headers.get('link'))
})
