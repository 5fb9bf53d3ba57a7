import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const [mira, jonas, haruka] = [
  await publisher(system, { handle: 'Mira', username: 'Mira O' }),
  await publisher(system, { handle: 'jonas' }),
  await publisher(system, { handle: 'haruka' }),
]

type Writer = { api: typeof publishing }
const read = async (id: number, api = publishing) => (await api(`GET /api/posts/${id}`)).body.data

test('creating a post returns all of its fields', async () => {
  const post = await writePost(mira, '  Low tide at **noon** #Tides with @JONAS and @nobody_here  ')
  const { id, created_at, ...rest } = post
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const base = publishing.base
  assert.deepEqual(rest, {
    content: 'Low tide at **noon** #Tides with @JONAS and @nobody_here',
    content_html: `Low tide at <strong>noon</strong> <a href="${base}/tags/tides" rel="tag">#Tides</a> with <a href="${base}/@jonas">@JONAS</a> and @nobody_here`,
    type: 'post',
    url: `${base}/@Mira/${id}`,
    author: { id: mira.user.id, username: 'Mira O', handle: 'Mira', avatar_url: null, is_verified: false },
    language: 'en',
    parent_id: null,
    root_id: null,
    quote_of_id: null,
    repost_of_id: null,
    quoted_post: null,
    reposted_post: null,
    reply_settings: 'everyone',
    like_count: 0,
    repost_count: 0,
    quote_count: 0,
    reply_count: 0,
    hashtags: ['tides'],
    mentions: ['jonas'],
    edited_at: null,
    viewer: { liked: false, reposted: false },
  })
  const { viewer: _, ...seen } = post
  assert.deepEqual(await read(id), seen)
  assert.deepEqual(await read(id, mira.api), post)
})

test('an invalid post is refused field by field and does not count', async () => {
  const before = (await mira.api('GET /api/users/me')).body.data.post_count
  const refused = async (body: unknown, field: string) => {
    const answer = await mira.api('POST /api/posts', { body })
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.body.success, false)
    assert.deepEqual(
      answer.body.errors.map((e: { field: string }) => e.field),
      [field],
    )
  }
  await refused({}, 'content')
  await refused({ content: 5 }, 'content')
  await refused({ content: '' }, 'content')
  await refused({ content: ' \n ' }, 'content')
  await refused({ content: '😀'.repeat(281) }, 'content')
  await refused({ content: 'a\u0000b' }, 'content')
  await refused({ content: 'x', type: 'repost' }, 'type')
  await refused({ content: 'x', type: 'reply' }, 'parentId')
  await refused({ content: 'x', type: 'quote' }, 'quoteOfId')
  await refused({ content: 'x', type: 'reply', parentId: '1' }, 'parentId')
  await refused({ content: 'x', type: 'reply', parentId: 2 ** 60 }, 'parentId')
  await refused({ content: 'x', replySettings: 'nobody' }, 'replySettings')
  await refused([], 'body')
  const lone = await mira.api('POST /api/posts', {
    raw: '{"content":"\\ud800"}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(lone.status, 422)
  const malformed = await mira.api('POST /api/posts', {
    raw: '{"content"',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(malformed.status, 400)
  const form = await mira.api('POST /api/posts', {
    raw: 'content=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(form.status, 415)
  assert.equal((await publishing('POST /api/posts', { body: { content: 'x' } })).status, 401)
  const gone = await mira.api('POST /api/posts', {
    body: { content: 'x', type: 'reply', parentId: 999_999_999 },
  })
  assert.equal(gone.status, 404)
  assert.equal((await mira.api('GET /api/users/me')).body.data.post_count, before)
})

test('the length of a post is counted in characters after NFC, at both edges', async () => {
  assert.equal((await writePost(mira, '😀'.repeat(280))).content.length, 560)
  const composed = await writePost(mira, 'e\u0301'.repeat(280))
  assert.equal(composed.content, 'é'.repeat(280))
  assert.equal((await writePost(mira, 'x')).content, 'x')
})

test('hashtags are recognized in any script, but not inside words, code or URLs', async () => {
  const post = await writePost(
    mira,
    '#Ünïcode #日本語 #1 #a1 x#no `#code` https://e.example/#frag #हिन्दी #same #SAME [#in](https://e.example) ##two',
  )
  assert.deepEqual(post.hashtags, ['ünïcode', '日本語', 'a1', 'हिन्दी', 'same'])
  const long = await writePost(mira, `#${'a'.repeat(101)} #${'b'.repeat(100)}`)
  assert.deepEqual(long.hashtags, ['b'.repeat(100)])
  for (const [tag, count] of [
    ['日本語', 1],
    ['SAME', 1],
    ['%C3%9Cn%C3%AFcode', 1],
    ['frag', 0],
    ['code', 0],
  ])
    assert.equal((await publishing(`GET /api/hashtags/${tag}`)).body.meta.total, count, String(tag))
})

test('the Markdown of a post becomes safe HTML', async () => {
  const html = async (content: string) => (await writePost(mira, content)).content_html
  const rel = 'rel="nofollow ugc noopener noreferrer"'
  assert.equal(
    await html('**b** *i* ~~s~~ `c<` <script>'),
    '<strong>b</strong> <em>i</em> <s>s</s> <code>c&lt;</code> &lt;script&gt;',
  )
  assert.equal(
    await html('[t](https://e.example/?a=1&b="2")'),
    `<a href="https://e.example/?a=1&amp;b=%222%22" ${rel}>t</a>`,
  )
  assert.equal(
    await html('see https://e.example/a_b.'),
    `see <a href="https://e.example/a_b" ${rel}>https://e.example/a_b</a>.`,
  )
  assert.equal(await html('[x](javascript:alert(1))'), '[x](javascript:alert(1))')
  assert.equal(await html('[x](data:text/html,1)'), '[x](data:text/html,1)')
  assert.equal(await html('# no\n> quote'), '# no<br>\n&gt; quote')
  assert.ok(!(await html('![i](https://e.example/i.png "t")')).includes('<img'))
  assert.equal(await html('mail me@mira.example & <b>'), 'mail me@mira.example &amp; &lt;b&gt;')
})

test('replies, quotes and reposts are counted exactly under concurrent requests', async () => {
  const root = await writePost(mira, 'root')
  const work = [mira, jonas, haruka].flatMap((who) => [
    writePost(who, 'r', { type: 'reply', parentId: root.id }),
    writePost(who, 'q', { type: 'quote', quote_of_id: root.id }),
    who.api(`POST /api/posts/${root.id}/repost`),
    who.api(`POST /api/posts/${root.id}/repost`),
    who.api(`POST /api/posts/${root.id}/like`),
    who.api(`POST /api/posts/${root.id}/like`),
  ])
  await Promise.all(work)
  const { like_count, repost_count, quote_count, reply_count } = await read(root.id)
  assert.deepEqual([like_count, repost_count, quote_count, reply_count], [3, 3, 3, 3])
  const reply = await writePost(jonas, 'deep', { type: 'reply', parentId: root.id })
  const deeper = await writePost(mira, 'deeper', { type: 'reply', parentId: reply.id })
  assert.deepEqual([deeper.parent_id, deeper.root_id], [reply.id, root.id])
  assert.equal((await read(root.id)).reply_count, 4)
  const replies = await publishing(`GET /api/posts/${root.id}/replies?limit=2`)
  assert.deepEqual(
    [replies.body.meta.total, replies.body.meta.totalPages, replies.body.data.posts.length],
    [4, 2, 2],
  )
  assert.ok(replies.body.data.posts[0].id < replies.body.data.posts[1].id)
  const quotes = await publishing(`GET /api/posts/${root.id}/quotes`)
  assert.equal(quotes.body.meta.total, 3)
  assert.equal(quotes.body.data.posts[0].quoted_post.id, root.id)
  assert.equal((await publishing(`GET /api/posts/${root.id}/likes`)).body.data.users.length, 3)
  const reposts = await publishing(`GET /api/posts/${root.id}/reposts?limit=1&page=3`)
  assert.deepEqual(reposts.body.meta, {
    total: 3,
    page: 3,
    limit: 1,
    totalPages: 3,
    hasNext: false,
    hasPrev: true,
  })
  assert.deepEqual((await read(root.id, jonas.api)).viewer, { liked: true, reposted: true })
  const undone = await jonas.api(`DELETE /api/posts/${root.id}/repost`)
  assert.deepEqual(undone.body.data, { reposted: false, repost_count: 2 })
  assert.deepEqual((await jonas.api(`DELETE /api/posts/${root.id}/like`)).body.data, {
    liked: false,
    like_count: 2,
  })
  assert.deepEqual((await jonas.api(`DELETE /api/posts/${root.id}/like`)).body.data.like_count, 2)
})

test('reposting a post twice creates one repost', async () => {
  const post = await writePost(mira, 'repeat me')
  const first = await jonas.api(`POST /api/posts/${post.id}/repost`)
  assert.equal(first.status, 201)
  assert.equal(first.body.data.post.type, 'repost')
  assert.equal(first.body.data.post.reposted_post.content, 'repeat me')
  const again = await jonas.api(`POST /api/posts/${post.id}/repost`)
  assert.equal(again.status, 200)
  assert.equal(again.body.data.post.id, first.body.data.post.id)
  const ofRepost = await haruka.api(`POST /api/posts/${first.body.data.post.id}/repost`)
  assert.equal(ofRepost.body.data.post.repost_of_id, post.id)
})

test('editing a post keeps its history and updates its hashtags', async () => {
  const post = await writePost(mira, 'first #early')
  system.clock.advance(1000)
  const edited = await mira.api(`PATCH /api/posts/${post.id}`, { body: { content: 'second #late' } })
  assert.equal(edited.status, 200)
  assert.deepEqual(edited.body.data.post.hashtags, ['late'])
  assert.ok(edited.body.data.post.edited_at > post.created_at)
  assert.equal((await publishing('GET /api/hashtags/early')).body.meta.total, 0)
  assert.equal((await publishing('GET /api/hashtags/late')).body.meta.total, 1)
  const history = await publishing(`GET /api/posts/${post.id}/history`)
  assert.deepEqual(
    history.body.data.history.map((v: { content: string }) => v.content),
    ['first #early', 'second #late'],
  )
  assert.equal((await jonas.api(`PATCH /api/posts/${post.id}`, { body: { content: 'x' } })).status, 404)
  assert.equal((await mira.api(`PATCH /api/posts/${post.id}`, { body: { content: ' ' } })).status, 422)
  assert.equal((await publishing(`PATCH /api/posts/${post.id}`, { body: { content: 'x' } })).status, 401)
  assert.equal((await read(post.id)).content, 'second #late')
})

test('every text of a history has the time at which it was written', async () => {
  const post = await writePost(mira, 'one')
  const times = [post.created_at]
  for (const content of ['two', 'three']) {
    system.clock.advance(60_000)
    const edited = await mira.api(`PATCH /api/posts/${post.id}`, { body: { content } })
    times.push(edited.body.data.post.edited_at)
  }
  const { history } = (await publishing(`GET /api/posts/${post.id}/history`)).body.data
  assert.deepEqual(
    history.map((entry: { content: string; created_at: string }) => [entry.content, entry.created_at]),
    [['one', times[0]], ['two', times[1]], ['three', times[2]]],
  ) // biome-ignore format: one line
})

test('a repost has no text to edit', async () => {
  const post = await writePost(mira, 'to be repeated')
  const repost = (await jonas.api(`POST /api/posts/${post.id}/repost`)).body.data.post
  const { status, body } = await jonas.api(`PATCH /api/posts/${repost.id}`, { body: { content: 'mine' } })
  assert.equal(status, 422)
  assert.deepEqual(
    body.errors.map(({ field }: { field: string }) => field),
    ['content'],
  )
})

test('a mention is a link and listed only as long as the account exists', async () => {
  const [gone, bad] = [await publisher(system), await publisher(system)]
  const text = `for @${gone.handle}, @${bad.handle.toUpperCase()} and @jonas`
  const post = await writePost(mira, text)
  const quote = await writePost(mira, 'see', { type: 'quote', quoteOfId: post.id })
  const link = (handle: string, shown = handle) => `<a href="${publishing.base}/@${handle}">@${shown}</a>`
  const upper = bad.handle.toUpperCase()
  const expected = async (html: string, mentions: string[]) => {
    const { quoted_post } = await read(quote.id)
    for (const { content, content_html, mentions: listed } of [await read(post.id), quoted_post])
      assert.deepEqual(
        { content, content_html, listed },
        { content: text, content_html: html, listed: mentions },
      )
  }
  const jonasLink = link('jonas')
  await expected(`for ${link(gone.handle)}, ${link(bad.handle, upper)} and ${jonasLink}`, [
    gone.handle,
    bad.handle,
    'jonas',
  ])
  await gone.api('DELETE /api/users/me', { body: { password: 'correct horse' } })
  await expected(`for @${gone.handle}, ${link(bad.handle, upper)} and ${jonasLink}`, [bad.handle, 'jonas'])
  const ctx = service.context(system.platform)
  await setFlags(ctx, bad.handle, { is_suspended: true })
  await expected(`for @${gone.handle}, @${upper} and ${jonasLink}`, ['jonas'])
  await setFlags(ctx, bad.handle, { is_suspended: false })
  // Somebody else with the same handle is not who was meant.
  await publisher(system, { handle: gone.handle })
  await expected(`for @${gone.handle}, ${link(bad.handle, upper)} and ${jonasLink}`, [bad.handle, 'jonas'])
})

test('deleting a post keeps its replies, removes its reposts and empties its quotes', async () => {
  const post = await writePost(mira, 'short lived #gone')
  const reply = await writePost(jonas, 'a reply', { type: 'reply', parentId: post.id })
  const quote = await writePost(jonas, 'a quote', { type: 'quote', quoteOfId: post.id })
  const repost = (await haruka.api(`POST /api/posts/${post.id}/repost`)).body.data.post
  const count = async (handle: string) => (await publishing(`GET /api/users/${handle}`)).body.data.post_count
  const before = await count('haruka')
  assert.equal((await jonas.api(`DELETE /api/posts/${post.id}`)).status, 404)
  const deleted = await mira.api(`DELETE /api/posts/${post.id}`)
  assert.deepEqual(deleted.body.data, { id: post.id, deleted: true })
  assert.equal((await mira.api(`DELETE /api/posts/${post.id}`)).status, 404)
  for (const path of ['', '/replies', '/likes', '/history'])
    assert.equal((await publishing(`GET /api/posts/${post.id}${path}`)).status, 404)
  assert.equal((await publishing(`GET /api/posts/${repost.id}`)).status, 404)
  assert.equal(await count('haruka'), before - 1)
  assert.equal((await read(reply.id)).parent_id, post.id)
  assert.equal((await read(quote.id)).quoted_post, null)
  assert.equal((await publishing('GET /api/hashtags/gone')).body.meta.total, 0)
  const late = await jonas.api('POST /api/posts', {
    body: { content: 'late', type: 'reply', parentId: post.id },
  })
  assert.equal(late.status, 404)
})

test('the reply settings of the first post apply to the whole thread', async () => {
  await mira.api('POST /api/users/jonas/follow')
  const stranger = await publisher(system)
  const tryReply = async ({ api }: Writer, parentId: number) =>
    (await api('POST /api/posts', { body: { content: 'hi', type: 'reply', parentId } })).status
  const following = await writePost(mira, 'for @haruka', { replySettings: 'following' })
  assert.equal(following.reply_settings, 'following')
  assert.equal(await tryReply(stranger, following.id), 403)
  assert.equal(await tryReply(jonas, following.id), 201)
  assert.equal(await tryReply(haruka, following.id), 201)
  assert.equal(await tryReply(mira, following.id), 201)
  const mentioned = await writePost(mira, 'only @haruka', { reply_settings: 'mentioned' })
  assert.equal(await tryReply(jonas, mentioned.id), 403)
  const inside = await writePost(haruka, 'yes', { type: 'reply', parentId: mentioned.id })
  assert.equal(await tryReply(jonas, inside.id), 403)
  assert.equal(await tryReply(mira, inside.id), 201)
  assert.equal((await jonas.api(`POST /api/posts/${mentioned.id}/like`)).status, 200)
})

test('somebody whom the author has only asked to follow may not reply to those who are followed', async () => {
  const [author, quiet] = [await publisher(system), await publisher(system)]
  await quiet.api('PATCH /api/users/me', { body: { is_protected: true } })
  const asked = await author.api(`POST /api/users/${quiet.handle}/follow`)
  assert.equal(asked.body.data.status, 'requested')
  const post = await writePost(author, 'for those I follow', { replySettings: 'following' })
  const reply = () =>
    quiet.api('POST /api/posts', { body: { content: 'me?', type: 'reply', parentId: post.id } })
  assert.equal((await reply()).status, 403)
  await quiet.api(`POST /api/follow-requests/${author.handle}/accept`)
  assert.equal((await reply()).status, 201)
})

test('whom the author of a thread blocks cannot reply anywhere in it', async () => {
  const [author, between, blocked] = [
    await publisher(system),
    await publisher(system),
    await publisher(system),
  ]
  const root = await writePost(author, 'a thread')
  const reply = await writePost(between, 'goes on', { type: 'reply', parentId: root.id })
  const further = () =>
    blocked.api('POST /api/posts', { body: { content: 'and on', type: 'reply', parentId: reply.id } })
  await author.api(`POST /api/users/${blocked.handle}/block`)
  assert.equal((await further()).status, 403)
  await author.api(`DELETE /api/users/${blocked.handle}/block`)
  assert.equal((await further()).status, 201)
})

test('the posts of an account are listed by page and type, and match its counter', async () => {
  const someone = await publisher(system)
  const root = await writePost(someone, 'one')
  await writePost(someone, 'two', { type: 'reply', parentId: root.id })
  await writePost(someone, 'three', { type: 'quote', quoteOfId: root.id })
  await someone.api(`POST /api/posts/${root.id}/repost`)
  const list = async (query = '') => (await publishing(`GET /api/users/${someone.handle}/posts${query}`)).body
  const all = await list()
  assert.deepEqual(
    all.data.posts.map((p: { type: string }) => p.type),
    ['repost', 'quote', 'reply', 'post'],
  )
  assert.equal(all.meta.total, 4)
  assert.equal((await publishing(`GET /api/users/${someone.handle}`)).body.data.post_count, 4)
  for (const type of ['post', 'reply', 'quote', 'repost'])
    assert.equal((await list(`?type=${type}`)).meta.total, 1)
  const second = await list('?page=2&limit=3')
  assert.equal(second.data.posts[0].content, 'one')
  assert.deepEqual([second.meta.hasNext, second.meta.hasPrev], [false, true])
  assert.deepEqual((await list('?page=99')).data.posts, [])
  for (const query of ['?limit=0', '?limit=101', '?page=0', '?limit=x', '?type=x', '?page=1e99'])
    assert.equal((await publishing(`GET /api/users/${someone.handle}/posts${query}`)).status, 422, query)
  assert.equal((await publishing('GET /api/users/no_such_one/posts')).status, 404)
})

test('malformed post ids respond 404', async () => {
  for (const id of ['0', '-1', 'abc', '1.5', '9007199254740993', '%00', '1e3'])
    assert.equal((await publishing(`GET /api/posts/${id}`)).status, 404, id)
})

test('verify finds nothing wrong after all tests of posts', async () => {
  assert.deepEqual(await service.verify(service.context(system.platform)), [])
})
