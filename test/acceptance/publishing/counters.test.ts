import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { renderNew } from '#publishing/posts/render.ts'
import { findPosts } from '#publishing/posts/store.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })
const { publishing } = system
const ctx = service.context(system.platform)
const admin = await publisher(system)
await setFlags(ctx, admin.handle, { is_admin: true })

type Writer = Awaited<ReturnType<typeof publisher>>
const write = async (by: Writer, content: string, more: object = {}): Promise<number> =>
  (await writePost(by, content, more)).id
const decide = async (what: 'suspend' | 'unsuspend', { handle }: Writer, node = system) => {
  const { status, text } = await node.publishing.bearer(admin.token)(
    `POST /api/admin/users/${handle}/${what}`,
  )
  assert.equal(status, 200, text)
}
const protect = async ({ api }: Writer, is_protected: boolean) => {
  assert.equal((await api('PATCH /api/users/me', { body: { is_protected } })).status, 200)
}
const interact = async (by: Writer, id: number) => {
  await by.api(`POST /api/posts/${id}/like`)
  await by.api(`POST /api/posts/${id}/repost`)
  await write(by, 'a reply', { type: 'reply', parentId: id })
  await write(by, 'a quote', { type: 'quote', quoteOfId: id })
}

const lists = { like_count: 'likes', repost_count: 'reposts', reply_count: 'replies', quote_count: 'quotes' }

/** What the four counters of a post say; each must equal the total of its list, and what the list holds. */
const countersOf = async (id: number, api = publishing) => {
  const post = (await api(`GET /api/posts/${id}`)).body.data
  for (const [counter, list] of Object.entries(lists)) {
    const { meta, data } = (await api(`GET /api/posts/${id}/${list}?limit=100`)).body
    assert.equal(meta.total, post[counter], list)
    assert.equal((data.users ?? data.posts).length, post[counter], list)
  }
  return Object.keys(lists).map((counter) => post[counter])
}
const followsOf = async ({ handle }: Writer) => {
  const { follower_count, following_count } = (await publishing(`GET /api/users/${handle}`)).body.data
  for (const [list, count] of Object.entries({ followers: follower_count, following: following_count })) {
    const { meta, data } = (await publishing(`GET /api/users/${handle}/${list}?limit=100`)).body
    assert.deepEqual([meta.total, data.users.length], [count, count], list)
  }
  return [follower_count, following_count]
}
const verified = async () => assert.deepEqual(await service.verify(ctx), [])

test('posts, likes and follows of a suspended account are not counted until the suspension ends', async () => {
  const [author, bad, good] = [await publisher(system), await publisher(system), await publisher(system)]
  const id = await write(author, 'count me')
  for (const one of [bad, good]) await interact(one, id)
  for (const one of [bad, good]) {
    await one.api(`POST /api/users/${author.handle}/follow`)
    await author.api(`POST /api/users/${one.handle}/follow`)
  }
  assert.deepEqual(await countersOf(id), [2, 2, 2, 2])
  for (let round = 0; round < 2; round++) {
    await decide('suspend', bad)
    await decide('suspend', bad)
    assert.deepEqual(await countersOf(id), [1, 1, 1, 1])
    assert.deepEqual(await followsOf(author), [1, 1])
    await verified()
    await decide('unsuspend', bad)
    await decide('unsuspend', bad)
    assert.deepEqual(await countersOf(id), [2, 2, 2, 2])
    assert.deepEqual(await followsOf(author), [2, 2])
    await verified()
  }
})

test('unfollows, blocks and deletions during a suspension are counted once', async () => {
  const [author, bad, good] = [await publisher(system), await publisher(system), await publisher(system)]
  const [kept, gone] = [await write(author, 'kept'), await write(author, 'gone')]
  const theirs = await write(bad, 'theirs')
  for (const id of [kept, gone]) await interact(bad, id)
  await interact(good, theirs)
  for (const [a, b] of [
    [bad, author],
    [author, bad],
    [good, bad],
    [bad, good],
  ] as const)
    await a.api(`POST /api/users/${b.handle}/follow`)
  await decide('suspend', bad)
  await decide('suspend', good)
  assert.equal((await author.api(`DELETE /api/posts/${gone}`)).status, 200)
  await author.api(`DELETE /api/users/${bad.handle}/follow`)
  await author.api(`POST /api/users/${good.handle}/block`)
  assert.deepEqual(await followsOf(author), [0, 0])
  await verified()
  await decide('unsuspend', bad)
  assert.deepEqual(await countersOf(kept), [1, 1, 1, 1])
  assert.deepEqual(await countersOf(theirs), [0, 0, 0, 0])
  assert.deepEqual(await followsOf(author), [1, 0])
  await decide('unsuspend', good)
  assert.deepEqual(await countersOf(theirs), [1, 1, 1, 1])
  assert.deepEqual(await followsOf(bad), [1, 2])
  await verified()
})

test('replies, quotes and reposts of a protected account are counted only below its own posts', async () => {
  const [author, quiet, friend] = [await publisher(system), await publisher(system), await publisher(system)]
  const id = await write(author, 'open to all')
  const own = await write(quiet, 'my thread')
  await write(quiet, 'goes on', { type: 'reply', parentId: own })
  await interact(quiet, id)
  await friend.api(`POST /api/users/${quiet.handle}/follow`)
  await protect(quiet, true)
  await write(quiet, 'said in private', { type: 'reply', parentId: id })
  await write(quiet, 'and on', { type: 'reply', parentId: own })
  assert.deepEqual(await countersOf(id), [1, 0, 0, 0])
  assert.equal((await friend.api(`GET /api/posts/${id}/replies`)).body.meta.total, 2)
  assert.deepEqual(await countersOf(own, friend.api), [0, 0, 2, 0])
  await verified()
  await friend.api(`POST /api/posts/${id}/repost`)
  for (let n = 0; n < 2; n++) {
    assert.equal((await quiet.api(`DELETE /api/posts/${id}/repost`)).status, 200)
    assert.deepEqual(await countersOf(id), [1, 1, 0, 0], 'it was not counted, so it is not taken off')
  }
  await friend.api(`DELETE /api/posts/${id}/repost`)
  await verified()
  await decide('suspend', quiet)
  assert.deepEqual(await countersOf(id), [0, 0, 0, 0])
  await decide('unsuspend', quiet)
  await verified()
  await protect(quiet, false)
  assert.deepEqual(await countersOf(id), [1, 0, 2, 1])
  await verified()
})

test('suspensions on two nodes while everybody likes, follows and writes leave every counter exact', async () => {
  const writers = await Promise.all(Array.from({ length: 4 }, () => publisher(system)))
  const [bad] = writers as [Writer]
  const posts = await Promise.all(writers.map((one) => write(one, 'busy')))
  const nodes = [system, other]
  const deeds = (round: number) =>
    writers.flatMap(({ token, handle }, n) => {
      const api = nodes[(n + round) % 2]!.publishing.bearer(token)
      const id = posts[(n + round) % posts.length]!
      return [
        api(`POST /api/posts/${id}/like`),
        api(`POST /api/posts/${id}/repost`),
        api('POST /api/posts', { body: { content: 'so?', type: 'reply', parentId: id } }),
        api(`${round % 3 === 0 ? 'DELETE' : 'POST'} /api/users/${bad.handle}/follow`),
        api(`POST /api/users/${writers[round % 4]!.handle}/follow`),
        api(`DELETE /api/posts/${posts[round % 4]}/like`),
        publishing(`GET /api/users/${handle}`),
      ]
    })
  for (let round = 0; round < 6; round++) {
    const [what, undo] =
      round % 2 === 0 ? (['suspend', 'unsuspend'] as const) : (['unsuspend', 'suspend'] as const)
    const [answers] = await Promise.all([
      Promise.all(deeds(round)),
      decide(what, bad, nodes[round % 2]),
      decide(round < 4 ? undo : what, bad, nodes[(round + 1) % 2]),
    ])
    for (const { status, text } of answers) assert.ok(status < 500, text)
    await verified()
  }
})

test('an account that is suspended right after posting still receives the post it wrote', async () => {
  const author = await publisher(system)
  const id = await write(author, 'my last words')
  const [row] = await findPosts(ctx.db.sql, [id])
  await decide('suspend', author)
  const me = { userId: author.user.id, handle: author.handle, isAdmin: false }
  assert.equal((await renderNew(ctx, me, row!)).content, 'my last words')
})

test('suspending an account reconciles more likes than fit in one chunk', async () => {
  const [author, bad] = [await publisher(system), await publisher(system)]
  const first = await write(author, 'many')
  await system.sql`
    insert into publishing.posts (author_id, type, content, content_html, audience, created_at)
    select ${author.user.id}, 'post', 'one of many', '', 'public', now() from generate_series(1, 1200)`
  await system.sql`
    insert into publishing.likes (post_id, user_id, created_at)
    select id, ${bad.user.id}, now() from publishing.posts where author_id = ${author.user.id}`
  await system.sql`update publishing.posts set like_count = 1 where author_id = ${author.user.id}`
  await system.sql`update publishing.users set post_count = 1201 where id = ${author.user.id}`
  await system.sql`
    insert into publishing.post_words select id, content from publishing.posts
    where author_id = ${author.user.id} and id <> ${first}`
  await system.sql`
    insert into platform.events (service, owner, type, subject, data)
    select 'publishing', 'by/' || author_id, 'post.created', 'post/' || id, json_build_object('content', content)
    from publishing.posts
    where author_id = ${author.user.id} and id <> ${first}`
  const likes = async () =>
    (
      await system.sql`
        select sum(like_count)::int as n from publishing.posts where author_id = ${author.user.id}`
    )[0]!.n
  await decide('suspend', bad)
  assert.equal(await likes(), 0)
  await verified()
  await decide('unsuspend', bad)
  assert.equal(await likes(), 1201)
  await verified()
})

test('the reconcile job finishes a suspension that a crash has interrupted', async () => {
  const [author, bad] = [await publisher(system), await publisher(system)]
  const id = await write(author, 'half done')
  await interact(bad, id)
  await system.sql`
    update publishing.users set is_suspended = true, reconcile_mark = reconcile_mark + 1 where id = ${bad.user.id}`
  const job = service.jobs(ctx).find(({ name }) => name === 'publishing.reconcile-accounts')
  await job!.run(undefined as never)
  await verified()
  const counts = await system.sql`
    select like_count, repost_count, reply_count, quote_count from publishing.posts where id = ${id}`
  assert.deepEqual(Object.values(counts[0]!), [0, 0, 0, 0])
  assert.equal((await system.sql`select from publishing.users where reconcile_mark > 0`).length, 0)
})

test('rows of accounts, posts and tags cannot be deleted, and verify finds references to missing ones', async () => {
  for (const table of ['users', 'posts', 'tags'])
    await assert.rejects(async () => void (await system.sql.unsafe(`delete from publishing.${table}`)))
  const writer = await publisher(system)
  const { id } = (await writer.api('POST /api/posts', { body: { content: 'lost' } })).body.data.post
  await system.sql`update publishing.posts set author_id = 987654 where id = ${id}`
  const found = (await service.verify(ctx)).filter(({ invariant }) => invariant === 'references')
  assert.deepEqual(
    found.map(({ subject }) => subject),
    [`post ${id}`],
  )
})
