import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Answer } from '#test/support/client.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_lists', username: 'Mira Leuchtturm' })

const write = (content: string, more: object = {}, by = mira) => writePost(by, content, more)
type Listed = { id: number; content: string }
const ids = (posts: Listed[]) => posts.map(({ id }) => id)

const walk = async (path: string, api = publishing, meanwhile = async () => {}) => {
  const seen: Listed[] = []
  let cursor: string | null = null
  do {
    const query: string = `limit=3${cursor ? `&cursor=${cursor}` : ''}`
    const { status, body }: Answer = await api(`GET ${path}?${query}`)
    assert.equal(status, 200)
    assert.equal(body.meta, undefined)
    seen.push(...body.data.posts)
    cursor = body.data.nextCursor
    await meanwhile()
  } while (cursor)
  return seen
}

test('paging by cursor shows every existing post exactly once while others are being written', async () => {
  const written: number[] = []
  for (let n = 0; n < 10; n++) written.unshift((await write(`walk ${n} #walk`)).id)
  for (const path of ['/api/timeline/explore', '/api/timeline/hashtag/walk']) {
    const seen = ids(await walk(path, publishing, async () => void (await write('meanwhile #walk'))))
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter((id) => written.includes(id)),
      written,
    )
  }
  const reader = await publisher(system)
  await reader.api('POST /api/users/mira_lists/follow')
  const home = ids(await walk('/api/timeline/home', reader.api, async () => void (await write('meanwhile'))))
  assert.equal(new Set(home).size, home.length)
  assert.deepEqual(
    home.filter((id) => written.includes(id)),
    written,
  )
})

test('a cursor keeps working after its post has been deleted', async () => {
  const [c, b, a] = [await write('c #stand'), await write('b #stand'), await write('a #stand')]
  const first = await publishing('GET /api/timeline/hashtag/stand?limit=2')
  assert.deepEqual(ids(first.body.data.posts), [a.id, b.id])
  await mira.api(`DELETE /api/posts/${b.id}`)
  const next = await publishing(
    `GET /api/timeline/hashtag/stand?limit=2&cursor=${first.body.data.nextCursor}`,
  )
  assert.deepEqual(ids(next.body.data.posts), [c.id])
  assert.equal(next.body.data.nextCursor, null)
})

test('timelines respond 400 to malformed cursors, 422 to bad limits, and home needs a token', async () => {
  const cursors = [
    'x',
    '%00',
    'null',
    '-1',
    Buffer.from('before:0').toString('base64url'),
    'YmVmb3JlOjE=',
    '',
    '%ED%A0%80',
    'x&cursor=y',
  ]
  for (const cursor of cursors)
    for (const path of ['explore', 'hashtag/walk']) {
      const { status, body } = await publishing(`GET /api/timeline/${path}?cursor=${cursor}`)
      assert.equal(status, 400, cursor)
      assert.deepEqual([body.success, body.message], [false, 'cursor is not valid'])
    }
  const good = Buffer.from('before:5').toString('base64url')
  assert.equal((await publishing(`GET /api/timeline/explore?cursor=${good}&cursor=${good}`)).status, 400)
  assert.equal((await mira.api('GET /api/timeline/home?cursor=%00')).status, 400)
  for (const limit of ['0', '101', 'x', '1.5', ''])
    assert.equal((await publishing(`GET /api/timeline/explore?limit=${limit}`)).status, 422, limit)
  assert.equal((await publishing('GET /api/timeline/explore?limit=100')).status, 200)
  assert.equal((await publishing('GET /api/timeline/home')).status, 401)
})

test('posts with a hashtag are listed by page, in any case of the tag; an unknown tag has none', async () => {
  for (const text of ['Ärger 1 #Äpfel', 'Ärger 2 #äpfel', 'Ärger 3 #ÄPFEL']) await write(text)
  const { body } = await publishing(`GET /api/hashtags/${encodeURIComponent('ÄPFEL')}?limit=2`)
  assert.deepEqual(
    [body.meta.total, body.meta.totalPages, body.meta.hasNext, body.data.posts.length],
    [3, 2, true, 2],
  )
  assert.equal(body.data.posts[0].content, 'Ärger 3 #ÄPFEL')
  assert.equal((await publishing(`GET /api/hashtags/${encodeURIComponent('#äpfel')}`)).body.meta.total, 3)
  for (const path of ['hashtags', 'timeline/hashtag'])
    assert.equal((await publishing(`GET /api/${path}/a%00b`)).status, 404)
  assert.equal((await publishing(`GET /api/hashtags/${'x'.repeat(4000)}`)).body.meta.total, 0)
  const none = await publishing('GET /api/hashtags/neverused')
  assert.deepEqual([none.status, none.body.data.posts, none.body.meta.total], [200, [], 0])
})

const found = async (q: string, more = '') => {
  const { status, body, text } = await publishing(`GET /api/search?q=${encodeURIComponent(q)}${more}`)
  assert.equal(status, 200, text)
  return body
}

test('search finds words in any order, parts of words and any script, newest first', async () => {
  const posts = [
    await write('The Harbour lights went out'),
    await write('lights of a far harbour, again'),
    await write('東京タワーの夜景がきれい'),
    await write('a 100% sure_thing'),
    await write('1000 sure things'),
    await write("it's \\ back & forth | (x:*)"),
    await write('ΟΔΥΣΣΕΥΣ Straße'),
    await write('party 🎉 time'),
  ]
  const search = async (q: string) =>
    (await found(q)).data.posts.map((p: Listed) => posts.findIndex(({ id }) => id === p.id))
  assert.deepEqual(await search('lights harbour'), [1, 0])
  assert.deepEqual(await search('LIGHTS out'), [0])
  assert.deepEqual(await search('arbou'), [1, 0])
  assert.deepEqual(await search('夜景'), [2])
  assert.deepEqual(await search('京'), [2])
  assert.deepEqual(await search('タワー'), [2])
  assert.deepEqual(await search('100%'), [3])
  assert.deepEqual(await search('%'), [3])
  assert.deepEqual(await search('sure_'), [3])
  assert.deepEqual(await search('100'), [4, 3])
  assert.deepEqual(await search("it's \\"), [5])
  assert.deepEqual(await search('(x:*)'), [5])
  assert.deepEqual(await search('& |'), [5])
  assert.deepEqual(await search('straße'), [6])
  assert.deepEqual(await search('🎉'), [7])
  assert.deepEqual(await search('harbourlights'), [])
  assert.deepEqual(await search('x'.repeat(280)), [])
  assert.deepEqual(await search('ｓｔｒａßｅ'), [6], 'full-width letters are those letters')
  const wide = await write('ＷＩＤＥ ﬁsh')
  for (const q of ['wide', 'ｗｉｄｅ', 'fish']) assert.equal((await found(q)).data.posts[0]?.id, wide.id, q)
  const page = await found('harbour', '&limit=1&page=2')
  assert.deepEqual([page.meta.total, page.meta.page, page.data.posts[0].id], [2, 2, posts[0]!.id])
  assert.equal((await publishing('GET /api/search?q=harbour&type=post')).body.meta.total, 2)
})

test('search requires every word, however many there are', async () => {
  const words = Array.from({ length: 40 }, (_, n) => `w${n}`)
  const { id } = await write(words.join(' '))
  assert.deepEqual(ids((await found(words.toReversed().join(' '))).data.posts), [id])
  assert.deepEqual((await found([...words, 'zz'].join(' '))).data.posts, [])
  assert.deepEqual((await found(`${words.slice(0, 20).join(' ')} longer`)).data.posts, [])
})

test('the total of a search for a common word is exact', async () => {
  const one = await publisher(system)
  for (let n = 0; n < 15; n++) await write(`frequent ${n}`, {}, one)
  assert.equal((await found('frequent', '&limit=5')).meta.total, 15)
  assert.equal((await found('freq', '&limit=5&page=3')).data.posts.length, 5)
})

test('a search with thousands of matches counts all of them and returns every page', async () => {
  const many = 1_205
  const bulk = async (text: string) => {
    await system.sql`
      with added as (
        insert into publishing.posts (author_id, type, content, content_html, audience, created_at)
        select ${mira.user.id}, 'post', ${text}::text || ' ' || n, '', 'public', now() from generate_series(1, ${many}::int) n
        returning id, content)
      insert into publishing.post_words select id, content from added`
    await system.sql`update publishing.users set post_count = post_count + ${many} where id = ${mira.user.id}`
  }
  const walkAll = async (q: string) => {
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const { data, meta } = await found(q, `&limit=100&page=${page}`)
      assert.deepEqual([meta.total, meta.totalPages], [many, 13])
      seen.push(...data.posts.map(({ content }: Listed) => content.split(' ').at(-1)))
      if (!meta.hasNext) return seen
    }
  }
  const expected = Array.from({ length: many }, (_, n) => String(many - n))
  await bulk('plankton drifts')
  assert.deepEqual(await walkAll('drift plankton'), expected)
  assert.deepEqual((await found('plankton', '&limit=100&page=14')).data.posts, [])
  for (let n = 0; n < 30; n++) await publisher(system, { username: 'Swarm member', handle: `swarm_${n}` })
  const users = await found('swarm', '&type=user&limit=20&page=2')
  assert.deepEqual([users.meta.total, users.data.users.length], [30, 10])
})

test('search finds accounts and hashtags', async () => {
  await write('about #lighthouses and #light')
  await write('again #light')
  const users = await found('@Mira_l', '&type=user')
  assert.deepEqual(users.data.posts, [])
  assert.deepEqual(
    users.data.users.map((u: { handle: string }) => u.handle),
    ['mira_lists'],
  )
  assert.equal(users.meta.total, 1)
  assert.equal((await found('leuchtt', '&type=user')).meta.total, 1)
  const tags = await found('#light', '&type=hashtag')
  assert.deepEqual(tags.data.hashtags, [
    { tag: 'light', post_count: 2 },
    { tag: 'lighthouses', post_count: 1 },
  ])
  assert.equal(tags.meta.total, 2)
  assert.equal(tags.data.posts.length, 2)
  assert.equal((await found('zzz_none', '&type=hashtag')).meta.total, 0)
  assert.deepEqual((await found('zzz_none', '&type=hashtag')).data, { posts: [], hashtags: [] })
})

test('search responds 422 to invalid input', async () => {
  for (const query of [
    '',
    '?q=',
    '?q=%20',
    '?q=%23',
    '?q=x&type=all',
    '?q=x&limit=0',
    '?q=x&limit=101',
    '?q=x&page=0',
    '?q=%00',
    `?q=${'x'.repeat(281)}`,
  ])
    assert.equal((await publishing(`GET /api/search${query}`)).status, 422, query)
})

test('reads and searches are rate limited per address, with headers', async (t) => {
  const limited = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const { status, headers } = await limited.publishing('GET /api/timeline/explore')
  assert.equal(status, 200)
  assert.deepEqual([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')], ['500', '499'])
  assert.equal(headers.get('ratelimit-policy'), '"publishing.reads";q=500;w=900')
  assert.match(headers.get('ratelimit')!, /^"publishing.reads";r=499;t=\d+$/)
  for (let n = 0; n < 100; n++) {
    const answer = await limited.publishing('GET /api/search?q=x')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('ratelimit-remaining'), String(99 - n))
  }
  const refused = await limited.publishing('GET /api/search?q=x')
  assert.equal(refused.status, 429)
  assert.equal(refused.body.success, false)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  for (let n = 102; n < 500; n++)
    assert.equal((await fetch(`${limited.urls.publishing}/api/posts/1`)).status, 404)
  assert.equal((await limited.publishing('GET /api/users/nobody')).status, 429)
  assert.equal((await limited.publishing('GET /healthz')).status, 200)
  limited.clock.advance(900_000)
  assert.equal((await limited.publishing('GET /api/search?q=x')).status, 200)
})

test('the posts of one type are counted and paged exactly while posts are added and deleted', async () => {
  const author = await publisher(system)
  const write = async (more: object = {}) =>
    (await author.api('POST /api/posts', { body: { content: 'of a type', ...more } })).body.data.post
      .id as number
  const ids: Record<string, number[]> = { post: [await write()], reply: [], quote: [], repost: [] }
  for (let n = 0; n < 7; n++) {
    const post = await write()
    ids.post!.unshift(post)
    ids.reply!.unshift(await write({ type: 'reply', parentId: post }))
    ids.quote!.unshift(await write({ type: 'quote', quoteOfId: post }))
    ids.repost!.unshift((await author.api(`POST /api/posts/${post}/repost`)).body.data.post.id)
  }
  const check = async () => {
    for (const [type, expected] of Object.entries(ids)) {
      const walked: number[] = []
      for (const page of [1, 2, 3, 4]) {
        const path = `GET /api/users/${author.handle}/posts?type=${type}&limit=3&page=${page}`
        const { data, meta } = (await publishing(path)).body
        assert.equal(meta.total, expected.length, type)
        assert.equal(meta.hasNext, page * 3 < expected.length)
        walked.push(...data.posts.map(({ id }: { id: number }) => id))
      }
      assert.deepEqual(walked, expected, type)
    }
  }
  await check()
  for (const type of ['post', 'reply', 'quote']) {
    // The last post has no repost that would go with it.
    const id = type === 'post' ? ids.post!.pop() : ids[type]!.shift()
    assert.equal((await author.api(`DELETE /api/posts/${id}`)).status, 200)
  }
  await check()
})
