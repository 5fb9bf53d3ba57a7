import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { effects, eventsAfter, lastId, typesOf, type Writer } from './support/events.ts'

const system = await boot()
const ctx = service.context(system.platform)

const follow = async (by: Writer, of: Writer) =>
  assert.equal((await by.api(`POST /api/users/${of.handle}/follow`)).status, 200)
const change = (of: Writer, body: object) => of.api('PATCH /api/users/me', { body })
const authorOf = ({ user }: Writer) => {
  const { id, username, handle, avatar_url, is_verified } = user
  return { id, username, handle, avatar_url, is_verified }
}
/** `ada` follows `ben`. */
const pair = async () => {
  const [ada, ben] = [await publisher(system), await publisher(system)]
  await follow(ada, ben)
  return { ada, ben }
}
const getPost = async (id: number) => (await system.publishing(`GET /api/posts/${id}`)).body.data

test('who follows an account receives its posts, replies, quotes and reposts as their own GET returns them', async () => {
  const { ada, ben } = await pair()
  const stranger = await publisher(system)
  const other = await writePost(stranger, 'somebody else')
  const ids: number[] = []
  const found = await effects(ada, async () => {
    ids.push((await writePost(ben, 'hello **there** #tides')).id)
    ids.push((await writePost(ben, 'yes', { type: 'reply', parentId: other.id })).id)
    ids.push((await writePost(ben, 'look', { type: 'quote', quoteOfId: other.id })).id)
    ids.push((await ben.api(`POST /api/posts/${other.id}/repost`)).body.data.post.id)
    await ben.api(`POST /api/posts/${other.id}/repost`)
  })
  assert.deepEqual(typesOf(found), Array(4).fill('post.created'))
  for (const [n, { id, subject, created_at, data }] of found.entries()) {
    assert.match(id, /^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(subject, `post/${ids[n]}`)
    assert.deepEqual(data, await getPost(ids[n]!))
  }
})

test('an edit is an event with the new text, and the earlier event keeps the old one', async () => {
  const { ada, ben } = await pair()
  const start = await lastId(ada)
  const { id } = await writePost(ben, 'frist #a')
  await ada.api(`POST /api/posts/${id}/like`)
  const [updated, ...others] = await effects(ada, () =>
    ben.api(`PATCH /api/posts/${id}`, { body: { content: 'first #b' } }),
  )
  assert.deepEqual(others, [])
  assert.equal(updated!.type, 'post.updated')
  assert.deepEqual(updated!.data, await getPost(id))
  assert.equal(updated!.data.like_count, 1)
  const same = () => ben.api(`PATCH /api/posts/${id}`, { body: { content: 'first #b' } })
  assert.deepEqual(await effects(ada, same), [], 'the same text changes nothing')
  const [created] = await eventsAfter(ada, start)
  assert.deepEqual(
    [created!.data.content, created!.data.hashtags, created!.data.edited_at, created!.data.like_count],
    ['frist #a', ['a'], null, 0],
  )
})

test('a deleted post is an event with the post as it was, and what was told of it before is left out', async () => {
  const { ada, ben } = await pair()
  const start = await lastId(ada)
  const { id } = await writePost(ben, 'to be deleted')
  await ben.api(`PATCH /api/posts/${id}`, { body: { content: 'soon to be deleted' } })
  const before = await getPost(id)
  const [deleted, ...others] = await effects(ada, () => ben.api(`DELETE /api/posts/${id}`))
  assert.deepEqual([deleted!.type, deleted!.subject, others], ['post.deleted', `post/${id}`, []])
  assert.deepEqual(deleted!.data, before)
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), ['post.deleted'])
})

test('a repost that is taken back is a deleted post; one that goes with its original is told to who reposted it', async () => {
  const { ada, ben } = await pair()
  const author = await publisher(system)
  const { id } = await writePost(author, 'original')
  const repost = async () => (await ben.api(`POST /api/posts/${id}/repost`)).body.data.post.id
  const first = await repost()
  const [back, ...none] = await effects(ada, () => ben.api(`DELETE /api/posts/${id}/repost`))
  assert.deepEqual(
    [back!.type, back!.subject, back!.data.type, none],
    ['post.deleted', `post/${first}`, 'repost', []],
  )
  assert.deepEqual(await effects(ada, () => ben.api(`DELETE /api/posts/${id}/repost`)), [])

  const second = await repost()
  const bens = await lastId(ben)
  const [gone, ...rest] = await effects(ada, () => author.api(`DELETE /api/posts/${id}`))
  assert.deepEqual([gone!.type, gone!.subject, rest], ['post.deleted', `post/${second}`, []])
  const [told, ...more] = await eventsAfter(ben, bens)
  assert.deepEqual([told!.type, told!.subject, more], ['post.deleted', `post/${second}`, []])
})

test('likes go to the author of the post, once each, with who it was and how many there are', async () => {
  const { ada, ben } = await pair()
  const { id } = await writePost(ben, 'like me')
  const [liked, ...others] = await effects(ben, async () => {
    await ada.api(`POST /api/posts/${id}/like`)
    await ada.api(`POST /api/posts/${id}/like`)
    await ben.api(`POST /api/posts/${id}/like`)
  })
  assert.deepEqual(others, [], 'neither the same like again nor the own one')
  assert.deepEqual([liked!.type, liked!.subject], ['post.liked', `post/${id}`])
  assert.deepEqual(liked!.data, { id, like_count: 1, user: authorOf(ada) })
  const unliked = await effects(ben, async () => {
    await ada.api(`DELETE /api/posts/${id}/like`)
    await ada.api(`DELETE /api/posts/${id}/like`)
  })
  assert.deepEqual(typesOf(unliked), ['post.unliked'])
  assert.deepEqual(unliked[0]!.data, { id, like_count: 1, user: authorOf(ada) })
  const start = await lastId(ben)
  await ada.api(`POST /api/posts/${id}/like`)
  await ben.api(`DELETE /api/posts/${id}`)
  assert.deepEqual(await eventsAfter(ben, start), [], 'the post is gone')
})

test('a mention goes to who is mentioned, by a new post and by an edit, but only once', async () => {
  const [ada, ben, eve] = [await publisher(system), await publisher(system), await publisher(system)]
  let id = 0
  const [mentioned, ...others] = await effects(ada, async () => {
    id = (await writePost(ben, `hello @${ada.handle}, says @${ben.handle}`)).id
  })
  assert.deepEqual([mentioned!.type, mentioned!.subject, others], ['post.mentioned', `post/${id}`, []])
  assert.deepEqual(mentioned!.data, await getPost(id))
  const start = await lastId(eve)
  const edited = await effects(ada, () =>
    ben.api(`PATCH /api/posts/${id}`, { body: { content: `hello @${ada.handle} and @${eve.handle}` } }),
  )
  assert.deepEqual(edited, [], 'mentioned already')
  const [told, ...rest] = await eventsAfter(eve, start)
  assert.deepEqual([told!.type, rest], ['post.mentioned', []])
  assert.deepEqual(told!.data, await getPost(id))
})

test('follows go to who is followed', async () => {
  const [ada, ben] = [await publisher(system), await publisher(system)]
  const found = await effects(ben, async () => {
    await follow(ada, ben)
    await follow(ada, ben)
    await ada.api(`DELETE /api/users/${ben.handle}/follow`)
    await ada.api(`DELETE /api/users/${ben.handle}/follow`)
  })
  assert.deepEqual(typesOf(found), ['user.followed', 'user.unfollowed'])
  for (const { subject, data } of found) {
    assert.equal(subject, `user/${ben.user.id}`)
    assert.deepEqual(data, { user: authorOf(ada) })
  }
})

test('a protected account is told of requests, and of follows once it accepts them or is public again', async () => {
  const [ada, ben, eve] = [await publisher(system), await publisher(system), await publisher(system)]
  await change(ben, { is_protected: true })
  const asked = await effects(ben, async () => {
    await follow(ada, ben)
    await follow(eve, ben)
  })
  assert.deepEqual(typesOf(asked), ['user.follow_requested', 'user.follow_requested'])
  const accept = () => ben.api(`POST /api/follow-requests/${ada.handle}/accept`)
  const accepted = await effects(ben, accept)
  assert.deepEqual(typesOf(accepted), ['user.followed'])
  assert.deepEqual(accepted[0]!.data, { user: authorOf(ada) })
  const opened = await effects(ben, () => change(ben, { is_protected: false }))
  assert.deepEqual([typesOf(opened), opened[0]!.data], [['user.followed'], { user: authorOf(eve) }])
  await change(ben, { is_protected: true })
  const { handle } = await publisher(system)
  assert.deepEqual(await effects(ben, () => ben.api(`POST /api/follow-requests/${handle}/reject`)), [])
})

test('a changed profile is told to its followers, what an operator decides to the account as well', async () => {
  const { ada, ben } = await pair()
  const profile = async () => (await system.publishing(`GET /api/users/${ben.handle}`)).body.data
  const [updated, ...others] = await effects(ada, () => change(ben, { bio: 'New', username: 'Ben II' }))
  assert.deepEqual([updated!.type, updated!.subject, others], ['user.updated', `user/${ben.user.id}`, []])
  assert.deepEqual(updated!.data, await profile())
  assert.deepEqual(await effects(ada, () => change(ben, { bio: 'New' })), [], 'nothing changed')
  const bens = await lastId(ben)
  const [verified, ...rest] = await effects(ada, () => setFlags(ctx, ben.handle, { is_verified: true }))
  assert.deepEqual([verified!.type, verified!.data.is_verified, rest], ['user.updated', true, []])
  const [told, ...more] = await eventsAfter(ben, bens)
  assert.deepEqual([told!.type, told!.data, more], ['user.updated', verified!.data, []])
  const admin = () => setFlags(ctx, ben.handle, { is_admin: true })
  assert.deepEqual(await effects(ada, admin), [], 'the profile does not show it')
})

test('a deleted account is told to its followers as it was, and all its posts to everybody', async () => {
  const { ada, ben } = await pair()
  const muting = await publisher(system)
  await follow(muting, ben)
  await muting.api(`POST /api/users/${ben.handle}/mute`)
  const { id } = await writePost(ben, 'the last one')
  const [post, profile] = [
    await getPost(id),
    (await system.publishing(`GET /api/users/${ben.handle}`)).body.data,
  ]
  const [adas, mutings] = [await lastId(ada), await lastId(muting)]
  const all = (await system.publishing('GET /api/events?scope=public&limit=500')).body.data.next
  assert.equal((await ben.api('DELETE /api/users/me', { body: { password } })).status, 200)
  const [deleted, ...others] = await eventsAfter(ada, adas)
  assert.deepEqual([deleted!.type, deleted!.subject, others], ['user.deleted', `user/${ben.user.id}`, []])
  assert.deepEqual(deleted!.data, profile)
  assert.deepEqual(await eventsAfter(muting, mutings), [])
  const { events } = (await system.publishing(`GET /api/events?scope=public&after=${all}`)).body.data
  assert.deepEqual(typesOf(events), ['post.deleted'])
  assert.deepEqual(events[0].data, post)
})

test('nobody receives what they did themselves, nor what concerns others', async () => {
  const { ada, ben } = await pair()
  const start = await lastId(ben)
  const { id } = await writePost(ben, `me, @${ben.handle}`)
  await ben.api(`POST /api/posts/${id}/repost`)
  await ben.api(`PATCH /api/posts/${id}`, { body: { content: 'me again' } })
  await change(ben, { bio: 'Me' })
  await ben.api(`POST /api/users/${ada.handle}/follow`)
  await ben.api(`DELETE /api/posts/${id}`)
  assert.deepEqual(await eventsAfter(ben, start), [])
  const stranger = await publisher(system)
  assert.deepEqual(await eventsAfter(stranger, start), [])
  assert.deepEqual(await eventsAfter(stranger, start, `&subject=post/${id}`), [])
})

test('a key posts and reads events, but does not manage webhooks', async () => {
  const { ada, ben } = await pair()
  const { key } = (await ben.api('POST /api/developer/keys', { body: { name: 'script' } })).body.data
  const withKey = system.publishing.with({ 'x-api-key': key })
  const posted = await effects(ada, () => withKey('POST /api/posts', { body: { content: 'by script' } }))
  assert.deepEqual(typesOf(posted), ['post.created'])
  const { status, body } = await withKey('GET /api/events?types=user.*')
  assert.equal(status, 200)
  assert.deepEqual(typesOf(body.data.events), ['user.followed'], 'a key reads, too')
  assert.equal((await withKey('GET /api/webhooks')).status, 401)
})
