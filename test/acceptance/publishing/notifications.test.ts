import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { notificationsOf, toldTo, unreadOf } from './support/notifications.ts'

const system = await boot()
const ctx = service.context(system.platform)

let count = 0
/** Two accounts, `ada` and `ben`, with a number behind. */
const pair = async () => {
  count++
  const ada = await publisher(system, { handle: `ada_${count}` })
  const ben = await publisher(system, { handle: `ben_${count}` })
  return { ada, ben, adas: `by ada_${count}`, bens: `by ben_${count}` }
}
type Writer = Awaited<ReturnType<typeof publisher>>
const protect = ({ api }: Writer, is_protected: boolean) =>
  api('PATCH /api/users/me', { body: { is_protected } })

afterEach(async () => assert.deepEqual(await service.verify(ctx), []))

test('likes, reposts, replies, quotes, mentions and follows are told to the account concerned, newest first', async () => {
  const { ada, ben, bens } = await pair()
  const post = await writePost(ada, 'the post')
  await ben.api(`POST /api/posts/${post.id}/like`)
  await ben.api(`POST /api/posts/${post.id}/repost`)
  const reply = await writePost(ben, 'a reply', { type: 'reply', parentId: post.id })
  const quote = await writePost(ben, 'a quote', { type: 'quote', quoteOfId: post.id })
  const mention = await writePost(ben, `hello @${ada.handle}`)
  await ben.api(`POST /api/users/${ada.handle}/follow`)
  const { listed, meta } = await notificationsOf(ada)
  assert.deepEqual(
    listed.map(({ type, post }) => [type, post?.id ?? null]),
    [
      ['follow', null],
      ['mention', mention.id],
      ['quote', quote.id],
      ['reply', reply.id],
      ['repost', post.id],
      ['like', post.id],
    ],
  )
  assert.ok(listed.every(({ actor, is_read }) => `by ${actor.handle}` === bens && !is_read))
  assert.equal(listed[5]!.post!.content, 'the post')
  assert.deepEqual([meta.total, meta.unread_count, meta.page, meta.hasNext], [6, 6, 1, false])
  assert.equal(await unreadOf(ada), 6)
  assert.equal(await unreadOf(ben), 0)
})

test('nobody is told of their own acts, nor twice of one post that both replies and mentions', async () => {
  const { ada, ben, bens } = await pair()
  const post = await writePost(ada, `me, @${ada.handle}`)
  await ada.api(`POST /api/posts/${post.id}/like`)
  await ada.api(`POST /api/posts/${post.id}/repost`)
  await writePost(ada, 'on', { type: 'reply', parentId: post.id })
  assert.deepEqual(await toldTo(ada), [])
  await writePost(ben, `@${ada.handle} @${ada.handle} yes`, { type: 'reply', parentId: post.id })
  await writePost(ben, `@${ada.handle} said`, { type: 'quote', quoteOfId: post.id })
  assert.deepEqual(await toldTo(ada), [`quote ${bens}`, `reply ${bens}`])
})

test('what is undone is taken back: likes, reposts, follows and deleted posts', async () => {
  const { ada, ben, bens } = await pair()
  const post = await writePost(ada, 'the post')
  for (const [doing, undoing] of [
    [`POST /api/posts/${post.id}/like`, `DELETE /api/posts/${post.id}/like`],
    [`POST /api/posts/${post.id}/repost`, `DELETE /api/posts/${post.id}/repost`],
    [`POST /api/users/${ada.handle}/follow`, `DELETE /api/users/${ada.handle}/follow`],
  ] as const) {
    for (const call of [doing, doing, undoing, doing]) await ben.api(call)
    assert.equal((await toldTo(ada)).length, 1, doing)
    await ben.api(undoing)
    assert.deepEqual(await toldTo(ada), [], undoing)
  }
  for (const more of [{ type: 'reply', parentId: post.id }, { type: 'quote', quoteOfId: post.id }, {}]) {
    const { id } = await writePost(ben, `for @${ada.handle}`, more)
    assert.equal((await toldTo(ada)).length, 1)
    await ben.api(`DELETE /api/posts/${id}`)
    assert.deepEqual(await toldTo(ada), [])
  }
  await ben.api(`POST /api/posts/${post.id}/like`)
  await ben.api(`POST /api/posts/${post.id}/repost`)
  const reply = await writePost(ben, 'stays', { type: 'reply', parentId: post.id })
  await ada.api(`DELETE /api/posts/${post.id}`)
  const { listed } = await notificationsOf(ada)
  assert.deepEqual(
    listed.map(({ type, post }) => [type, post?.id]),
    [['reply', reply.id]],
    `a deleted post takes its likes and reposts with it: ${bens}`,
  )
})

test('an edit tells those it mentions anew, and takes back what those were told whom it no longer mentions', async () => {
  const { ada, ben, bens } = await pair()
  const cleo = await publisher(system)
  const { id } = await writePost(ben, `@${ada.handle} look`)
  const edit = (content: string) => ben.api(`PATCH /api/posts/${id}`, { body: { content } })
  await ada.api('POST /api/notifications/read', { body: { all: true } })
  await edit(`@${ada.handle} @${cleo.handle} look`)
  assert.deepEqual([await toldTo(ada), await unreadOf(ada)], [[`mention ${bens}`], 0], 'told once')
  assert.deepEqual(await toldTo(cleo), [`mention ${bens}`])
  await edit('look')
  assert.deepEqual([await toldTo(ada), await toldTo(cleo)], [[], []])
  const reply = await writePost(ben, 'yes', {
    type: 'reply',
    parentId: (await writePost(ada, 'no?')).id,
  })
  await ben.api(`PATCH /api/posts/${reply.id}`, { body: { content: `yes @${ada.handle}` } })
  assert.deepEqual(await toldTo(ada), [`reply ${bens}`], 'a reply that mentions later is still one')
})

test('a request to follow is told until it is withdrawn, rejected or accepted, and acceptance to the one who asked', async () => {
  const { ada, ben, adas, bens } = await pair()
  await protect(ada, true)
  const ask = () => ben.api(`POST /api/users/${ada.handle}/follow`)
  await ask()
  await ask()
  assert.deepEqual(await toldTo(ada), [`follow_request ${bens}`])
  await ben.api(`DELETE /api/users/${ada.handle}/follow`)
  assert.deepEqual(await toldTo(ada), [])
  await ask()
  await ada.api(`POST /api/follow-requests/${ben.handle}/reject`)
  assert.deepEqual([await toldTo(ada), await toldTo(ben)], [[], []])
  await ask()
  await ada.api(`POST /api/follow-requests/${ben.handle}/accept`)
  assert.deepEqual([await toldTo(ada), await unreadOf(ada)], [[`follow ${bens}`], 0])
  assert.deepEqual(await toldTo(ben), [`follow_accepted ${adas}`])
  await ben.api(`DELETE /api/users/${ada.handle}/follow`)
  assert.deepEqual([await toldTo(ada), await toldTo(ben)], [[], []])
  await ask()
  await protect(ada, false)
  assert.deepEqual(await toldTo(ada), [`follow ${bens}`], 'going public accepts')
  assert.deepEqual(await toldTo(ben), [`follow_accepted ${adas}`])
})

test('a mute keeps new notifications away for good and hides the older ones until it ends', async () => {
  const { ada, ben, bens } = await pair()
  const post = await writePost(ada, 'the post')
  await ben.api(`POST /api/posts/${post.id}/like`)
  await ada.api(`POST /api/users/${ben.handle}/mute`)
  await ben.api(`POST /api/posts/${post.id}/repost`)
  await writePost(ben, 'hey', { type: 'reply', parentId: post.id })
  assert.deepEqual([await toldTo(ada), await unreadOf(ada)], [[], 0])
  await ada.api(`DELETE /api/users/${ben.handle}/mute`)
  assert.deepEqual(await toldTo(ada), [`like ${bens}`])
})

test('a block hides what each of the two was told of the other, mentions included', async () => {
  const { ada, ben, bens } = await pair()
  const post = await writePost(ada, 'the post')
  await ben.api(`POST /api/posts/${post.id}/like`)
  await ben.api(`POST /api/users/${ada.handle}/follow`)
  const bensPost = await writePost(ben, 'mine')
  await ada.api(`POST /api/posts/${bensPost.id}/like`)
  await ada.api(`POST /api/users/${ben.handle}/block`)
  await writePost(ben, `@${ada.handle} why?`)
  await writePost(ada, `@${ben.handle} because`)
  for (const each of [ada, ben]) assert.deepEqual([await toldTo(each), await unreadOf(each)], [[], 0])
  await ada.api(`DELETE /api/users/${ben.handle}/block`)
  assert.deepEqual(await toldTo(ada), [`like ${bens}`], 'the follow ended with the block')
})

test('a protected account that one does not follow is heard of by likes and follows only', async () => {
  const { ada, ben, bens } = await pair()
  await protect(ben, true)
  const post = await writePost(ada, 'the post')
  await ben.api(`POST /api/posts/${post.id}/like`)
  await ben.api(`POST /api/posts/${post.id}/repost`)
  await writePost(ben, 'a reply', { type: 'reply', parentId: post.id })
  await writePost(ben, 'a quote', { type: 'quote', quoteOfId: post.id })
  await writePost(ben, `a mention of @${ada.handle}`)
  await ben.api(`POST /api/users/${ada.handle}/follow`)
  assert.deepEqual([await toldTo(ada), await unreadOf(ada)], [[`follow ${bens}`, `like ${bens}`], 2])
  await ada.api(`POST /api/users/${ben.handle}/follow`)
  await ben.api(`POST /api/follow-requests/${ada.handle}/accept`)
  assert.equal((await toldTo(ada)).length, 7, 'an approved follower may read all of them')
})

test('a suspended account vanishes from notifications, and comes back with its posts', async () => {
  const { ada, ben, bens } = await pair()
  const post = await writePost(ada, 'the post')
  await ben.api(`POST /api/posts/${post.id}/like`)
  await writePost(ben, 'a reply', { type: 'reply', parentId: post.id })
  await setFlags(ctx, ben.handle, { is_suspended: true })
  assert.deepEqual([await toldTo(ada), await unreadOf(ada)], [[], 0])
  assert.equal((await ben.api('GET /api/notifications')).status, 403)
  await setFlags(ctx, ben.handle, { is_suspended: false })
  assert.deepEqual(await toldTo(ada), [`reply ${bens}`, `like ${bens}`])
})

test('deleting an account removes its notifications both ways', async () => {
  const { ada, ben } = await pair()
  const post = await writePost(ada, 'the post')
  const bensPost = await writePost(ben, `mine, @${ada.handle}`)
  for (const [who, { id }, other] of [
    [ben, post, ada],
    [ada, bensPost, ben],
  ] as const) {
    await who.api(`POST /api/posts/${id}/like`)
    await who.api(`POST /api/posts/${id}/repost`)
    await writePost(who, 'a reply', { type: 'reply', parentId: id })
    await who.api(`POST /api/users/${other.handle}/follow`)
  }
  assert.equal((await ben.api('DELETE /api/users/me', { body: { password } })).status, 200)
  assert.deepEqual(await toldTo(ada), [])
  const left = await system.sql`
    select from publishing.notifications where ${ben.user.id as number} in (user_id, actor_id)`
  assert.equal(left.length, 0)
})

test('verify finds notifications that tell of something that is not so', async () => {
  const { ada, ben } = await pair()
  const { id } = await writePost(ada, 'never liked')
  const types = ['like', 'repost', 'reply', 'quote', 'mention', 'follow', 'follow_request', 'follow_accepted']
  for (const type of types)
    await system.sql`
      insert into publishing.notifications (user_id, actor_id, type, post_id, created_at)
      values (${ada.user.id}, ${ben.user.id}, ${type}, ${type.startsWith('follow') ? null : id}, now())`
  const found = await service.verify(ctx)
  assert.deepEqual(
    found.map(({ invariant, detail }) => [invariant, detail]),
    types.map((type) => ['notifications', `tells of a ${type.replace('_', ' ')} that does not exist`]),
  )
  await system.sql`delete from publishing.notifications where user_id = ${ada.user.id}`
})
