import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const [owner, friend, stranger] = [await publisher(system), await publisher(system), await publisher(system)]
type Writer = Awaited<ReturnType<typeof publisher>>
const follow = async (me: Writer, other: Writer) =>
  (await me.api(`POST /api/users/${other.handle}/follow`)).body.data.status
const profile = async (handle: string) => (await publishing(`GET /api/users/${handle}`)).body.data

test('following is idempotent, counted once, and undone', async () => {
  const [a, b] = [await publisher(system), await publisher(system)]
  const statuses = await Promise.all(Array.from({ length: 5 }, () => follow(a, b)))
  assert.deepEqual(new Set(statuses), new Set(['following']))
  assert.equal((await profile(b.handle)).follower_count, 1)
  assert.equal((await profile(a.handle)).following_count, 1)
  const followers = await publishing(`GET /api/users/${b.handle}/followers`)
  assert.equal(followers.body.data.users[0].handle, a.handle)
  assert.equal(followers.body.meta.total, 1)
  assert.equal((await publishing(`GET /api/users/${a.handle}/following`)).body.data.users[0].id, b.user.id)
  for (let i = 0; i < 2; i++)
    assert.equal((await a.api(`DELETE /api/users/${b.handle}/follow`)).body.data.status, 'none')
  assert.equal((await profile(b.handle)).follower_count, 0)
  assert.equal((await a.api(`POST /api/users/${a.handle}/follow`)).status, 422)
  assert.equal((await a.api('POST /api/users/no_such_one/follow')).status, 404)
  assert.equal((await publishing(`POST /api/users/${a.handle}/follow`)).status, 401)
})

test('two accounts that follow each other at once both succeed', async () => {
  const [a, b] = [await publisher(system), await publisher(system)]
  await Promise.all([follow(a, b), follow(b, a), follow(a, b), follow(b, a)])
  const { follower_count, following_count } = await profile(a.handle)
  assert.deepEqual([follower_count, following_count], [1, 1])
})

test('posts of a protected account are visible to its owner and accepted followers only', async () => {
  const post = await writePost(owner, 'quiet #secretgarden word')
  const root = await writePost(stranger, 'open')
  const reply = await writePost(owner, 'my reply', { type: 'reply', parentId: root.id })
  const quote = await writePost(stranger, 'look', { type: 'quote', quoteOfId: post.id })
  const earlier = (await stranger.api(`POST /api/posts/${post.id}/repost`)).body.data.post
  assert.equal((await publishing('GET /api/hashtags/secretgarden')).body.meta.total, 1)
  assert.equal((await owner.api('PATCH /api/users/me', { body: { is_protected: true } })).status, 200)

  assert.equal(await follow(friend, owner), 'requested')
  assert.equal(await follow(friend, owner), 'requested')
  const requests = await owner.api('GET /api/follow-requests')
  assert.deepEqual([requests.body.meta.total, requests.body.data.users[0].handle], [1, friend.handle])
  assert.equal((await friend.api(`GET /api/posts/${post.id}`)).status, 404)
  const accepted = await owner.api(`POST /api/follow-requests/${friend.handle}/accept`)
  assert.deepEqual(accepted.body.data, { status: 'accepted', handle: friend.handle })
  assert.equal((await owner.api(`POST /api/follow-requests/${friend.handle}/accept`)).status, 404)

  assert.equal((await profile(owner.handle)).is_protected, true)
  const path = `GET /api/posts/${post.id}`
  const list = `GET /api/users/${owner.handle}/posts`
  for (const api of [publishing, stranger.api]) {
    assert.equal((await api(list)).status, 403)
    for (const end of ['', '/history', '/replies', '/quotes', '/likes', '/reposts'])
      assert.equal((await api(path + end)).status, 404, end)
    assert.equal((await api(`GET /api/posts/${quote.id}`)).body.data.quoted_post, null)
    assert.equal((await api(`GET /api/posts/${earlier.id}`)).body.data.reposted_post, null)
    assert.deepEqual((await api(`GET /api/posts/${root.id}/replies`)).body.data.posts, [])
  }
  for (const verb of ['POST /api/posts/ID/like', 'POST /api/posts/ID/repost'])
    assert.equal((await stranger.api(verb.replace('ID', post.id))).status, 404)
  for (const more of [
    { type: 'reply', parentId: post.id },
    { type: 'quote', quoteOfId: post.id },
  ])
    assert.equal((await stranger.api('POST /api/posts', { body: { content: 'x', ...more } })).status, 404)
  for (const { api } of [owner, friend]) {
    assert.equal((await api(list)).status, 200)
    assert.equal((await api(path)).status, 200)
    assert.equal((await api(`GET /api/posts/${quote.id}`)).body.data.quoted_post.id, post.id)
    assert.equal((await api(`GET /api/posts/${root.id}/replies`)).body.data.posts[0].id, reply.id)
  }
  assert.equal((await friend.api(`POST /api/posts/${post.id}/repost`)).status, 403)
  const places = [
    'timeline/explore?limit=100',
    'hashtags/secretgarden',
    'timeline/hashtag/secretgarden',
    'search?q=quiet',
  ]
  const shownIn = async (api = publishing) => {
    const pages = await Promise.all(
      places.map(async (place) => (await api(`GET /api/${place}`)).body.data.posts),
    )
    return pages.filter((posts) => posts.some(({ id }: { id: number }) => id === post.id)).length
  }
  assert.equal(await shownIn(), 0)
  assert.equal(await shownIn(friend.api), 0)
  assert.equal((await friend.api('GET /api/timeline/home')).body.data.posts[0].id, reply.id)

  const waiting = await publisher(system)
  assert.equal(await follow(waiting, owner), 'requested')
  await owner.api('PATCH /api/users/me', { body: { isProtected: false } })
  assert.equal((await publishing(path)).status, 200)
  assert.equal(await shownIn(), places.length)
  assert.equal((await profile(owner.handle)).follower_count, 2)
})

test('a pending follow request does not allow replying to, liking, quoting or reposting a protected post', async () => {
  const [shy, asking] = [await publisher(system), await publisher(system)]
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const post = await writePost(shy, 'only for friends')
  const deeds = () => [
    asking.api('POST /api/posts', { body: { content: 'me too', type: 'reply', parentId: post.id } }),
    asking.api('POST /api/posts', { body: { content: 'look', type: 'quote', quoteOfId: post.id } }),
    asking.api(`POST /api/posts/${post.id}/like`),
    asking.api(`POST /api/posts/${post.id}/repost`),
  ]
  const statuses = async () => (await Promise.all(deeds())).map(({ status }) => status)
  assert.deepEqual(await statuses(), [404, 404, 404, 404])
  assert.equal(await follow(asking, shy), 'requested')
  assert.deepEqual(await statuses(), [404, 404, 404, 404])
  const seen = (await shy.api(`GET /api/posts/${post.id}`)).body.data
  assert.deepEqual([seen.like_count, seen.reply_count, seen.quote_count, seen.repost_count], [0, 0, 0, 0])
  assert.equal((await profile(asking.handle)).post_count, 0)
})

test('a follow request can be rejected or withdrawn', async () => {
  const [closed, asker] = [await publisher(system), await publisher(system)]
  await closed.api('PATCH /api/users/me', { body: { is_protected: true } })
  assert.equal(await follow(asker, closed), 'requested')
  assert.equal(
    (await closed.api(`POST /api/follow-requests/${asker.handle}/reject`)).body.data.status,
    'rejected',
  )
  assert.equal((await closed.api(`POST /api/follow-requests/${asker.handle}/reject`)).status, 404)
  assert.equal(await follow(asker, closed), 'requested')
  await asker.api(`DELETE /api/users/${closed.handle}/follow`)
  assert.equal((await closed.api('GET /api/follow-requests')).body.meta.total, 0)
})

test('a block ends follows both ways and prevents all interactions', async () => {
  const [a, b] = [await publisher(system), await publisher(system)]
  await Promise.all([follow(a, b), follow(b, a)])
  const [mine, theirs] = [await writePost(a, 'mine'), await writePost(b, 'theirs')]
  assert.equal((await a.api(`POST /api/users/${b.handle}/block`)).status, 200)
  const { follower_count, following_count } = await profile(a.handle)
  assert.deepEqual([follower_count, following_count], [0, 0])
  for (const [who, other, post] of [
    [a, b, theirs],
    [b, a, mine],
  ] as const) {
    assert.equal((await who.api(`POST /api/users/${other.handle}/follow`)).status, 403)
    assert.equal((await who.api(`POST /api/posts/${post.id}/like`)).status, 403)
    assert.equal((await who.api(`POST /api/posts/${post.id}/repost`)).status, 403)
    for (const more of [
      { type: 'reply', parentId: post.id },
      { type: 'quote', quoteOfId: post.id },
    ])
      assert.equal((await who.api('POST /api/posts', { body: { content: 'x', ...more } })).status, 403)
  }
  await a.api(`DELETE /api/users/${b.handle}/block`)
  assert.equal((await b.api(`POST /api/posts/${mine.id}/like`)).status, 200)
})

test('a mute hides an account from the home timeline and nowhere else', async () => {
  const [me, loud] = [await publisher(system), await publisher(system)]
  await follow(me, loud)
  const post = await writePost(loud, 'loud')
  const home = async () =>
    (await me.api('GET /api/timeline/home')).body.data.posts.map((p: { id: number }) => p.id)
  assert.deepEqual(await home(), [post.id])
  await me.api(`POST /api/users/${loud.handle}/mute`)
  assert.deepEqual(await home(), [])
  assert.equal((await me.api(`GET /api/posts/${post.id}`)).status, 200)
  assert.equal((await me.api(`POST /api/posts/${post.id}/like`)).status, 200)
  await me.api(`DELETE /api/users/${loud.handle}/mute`)
  assert.deepEqual(await home(), [post.id])
})

test('a suspended account is locked out and hidden everywhere until the suspension ends', async () => {
  const [admin, bad, reader] = [await publisher(system), await publisher(system), await publisher(system)]
  const ctx = service.context(system.platform)
  const post = await writePost(bad, 'suspicious #badtag text')
  await follow(reader, bad)
  const repost = (await reader.api(`POST /api/posts/${post.id}/repost`)).body.data.post
  const { key } = (await bad.api('POST /api/developer/keys', { body: { name: 'k' } })).body.data
  const suspend = `POST /api/admin/users/${bad.handle}/suspend`
  assert.equal((await publishing(suspend)).status, 401)
  assert.equal((await admin.api(suspend)).status, 403)
  const { setFlags } = await import('#publishing/admin/flags.ts')
  await setFlags(ctx, admin.handle, { is_admin: true })
  assert.deepEqual((await admin.api(suspend)).body.data, { handle: bad.handle, is_suspended: true })
  assert.equal((await admin.api('POST /api/admin/users/no_such_one/suspend')).status, 404)

  assert.equal((await publishing(`GET /api/users/${bad.handle}`)).status, 403)
  assert.equal((await publishing(`GET /api/users/${bad.handle}/posts`)).status, 403)
  assert.equal((await publishing(`GET /api/posts/${post.id}`)).status, 404)
  assert.equal((await reader.api(`GET /api/posts/${repost.id}`)).body.data.reposted_post, null)
  assert.deepEqual((await reader.api('GET /api/timeline/home')).body.data.posts, [])
  for (const path of ['timeline/explore?limit=100', 'hashtags/badtag', 'search?q=suspicious'])
    assert.ok(!(await publishing(`GET /api/${path}`)).text.includes('suspicious #badtag'), path)
  assert.deepEqual((await publishing(`GET /api/search?type=user&q=${bad.handle}`)).body.data.users, [])
  const login = (password: string) =>
    publishing('POST /api/auth/login', { body: { email: bad.email, password } })
  assert.equal((await login('correct horse')).status, 403)
  assert.equal((await login('wrong horse')).status, 401)
  const { refreshToken } = bad
  assert.equal((await publishing('POST /api/auth/refresh', { body: { refreshToken } })).status, 403)
  assert.equal((await bad.api('GET /api/users/me')).status, 403)
  assert.equal(
    (await bad.api('POST /api/posts', { raw: 'x', headers: { 'content-type': 'text/plain' } })).status,
    403,
  )
  const byKey = await publishing('POST /api/posts', { body: { content: 'x' }, headers: { 'x-api-key': key } })
  assert.equal(byKey.status, 403)

  assert.equal((await admin.api(`POST /api/admin/users/${bad.handle}/unsuspend`)).status, 200)
  assert.equal((await publishing(`GET /api/posts/${post.id}`)).status, 200)
  assert.equal((await publishing('GET /api/hashtags/badtag')).body.meta.total, 1)
  assert.equal((await publishing('POST /api/auth/refresh', { body: { refreshToken } })).status, 200)
  await admin.api(`POST /api/admin/users/${bad.handle}/verify`)
  assert.equal((await publishing(`GET /api/posts/${post.id}`)).body.data.author.is_verified, true)
})

test('deleting an account deletes everything in it and frees its handle', async () => {
  const [leaver, other] = [await publisher(system), await publisher(system)]
  const post = await writePost(leaver, 'farewell')
  const theirs = await writePost(other, 'stays')
  const reply = await writePost(leaver, 'bye', { type: 'reply', parentId: theirs.id })
  await leaver.api(`POST /api/posts/${theirs.id}/like`)
  await other.api(`POST /api/posts/${post.id}/repost`)
  await Promise.all([follow(leaver, other), follow(other, leaver)])
  const { key } = (await leaver.api('POST /api/developer/keys', { body: { name: 'k' } })).body.data
  assert.equal((await leaver.api('DELETE /api/users/me', { body: {} })).status, 422)
  assert.equal((await leaver.api('DELETE /api/users/me', { body: { password: 'wrong horse' } })).status, 401)
  assert.equal(
    (await leaver.api('DELETE /api/users/me', { body: { password: 'correct horse' } })).status,
    200,
  )
  assert.equal((await leaver.api('GET /api/users/me')).status, 401)
  assert.equal((await publishing(`GET /api/users/${leaver.handle}`)).status, 404)
  for (const { id } of [post, reply]) assert.equal((await publishing(`GET /api/posts/${id}`)).status, 404)
  const { like_count, reply_count } = (await publishing(`GET /api/posts/${theirs.id}`)).body.data
  assert.deepEqual([like_count, reply_count], [0, 0])
  const { follower_count, following_count, post_count } = await profile(other.handle)
  assert.deepEqual([follower_count, following_count, post_count], [0, 0, 1])
  const byKey = await publishing('POST /api/posts', { body: { content: 'x' }, headers: { 'x-api-key': key } })
  assert.equal(byKey.status, 401)
  const { refreshToken } = leaver
  assert.equal((await publishing('POST /api/auth/refresh', { body: { refreshToken } })).status, 401)
  await publisher(system, { handle: leaver.handle, email: leaver.email })
})

test('verify finds nothing wrong after all tests of visibility', async () => {
  assert.deepEqual(await service.verify(service.context(system.platform)), [])
})
