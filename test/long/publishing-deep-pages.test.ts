import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { reconcileMarkedAccounts } from '#publishing/reconcile/reconcile.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

const system = await boot()
const { publishing, sql } = system
const ctx = service.context(system.platform)
const star = await publisher(system)
const many = 2_603

/** As many accounts that follow the star and are followed by it. */
await sql`
  insert into publishing.users (email, handle, username, password_hash, follower_count, following_count, created_at)
  select n || '@crowd.example', 'crowd_' || n, 'Crowd', '-', 1, 1, now() from generate_series(1, ${many}::int) n`
const crowd = sql`select id from publishing.users where handle like 'crowd%' order by id`
await sql`
  insert into publishing.follows (follower_id, followee_id, is_accepted, created_at)
  select c.id, ${star.user.id}, true, now() from (${crowd}) c`
await sql`
  insert into publishing.follows (follower_id, followee_id, is_accepted, created_at)
  select ${star.user.id}, c.id, true, now() from (${crowd}) c`
await sql`
  with added as (
    insert into publishing.posts (author_id, type, content, content_html, audience, hashtags, created_at)
    select ${star.user.id}, 'post', 'number ' || n, '', 'public', '{deep}', now() from generate_series(1, ${many}::int) n
    returning id, content
  ), worded as (insert into publishing.post_words select id, content from added),
  tagged as (insert into publishing.tags values ('deep', ${many}))
  insert into publishing.post_tags select 'deep', id from added`
const first = (await sql<{ id: number }[]>`select min(id) as id from publishing.posts`)[0]!.id
await sql`
  insert into publishing.likes (post_id, user_id, created_at) select ${first}, c.id, now() from (${crowd}) c`
for (const [type, column] of [
  ['reply', 'parent_id'],
  ['quote', 'quote_of_id'],
  ['repost', 'repost_of_id'],
] as const)
  await sql`
    with added as (
      insert into publishing.posts (author_id, type, content, content_html, audience, created_at, root_id, ${sql(column)})
      select c.id, ${type}, ${type === 'repost' ? '' : 'below'}, '', 'public', now(), ${type === 'reply' ? first : null}, ${first} from (${crowd}) c
      returning id, type)
    insert into publishing.post_words select id, 'below' from added where type <> 'repost'`
await sql`
  update publishing.posts set like_count = ${many}, reply_count = ${many}, quote_count = ${many}, repost_count = ${many}
  where id = ${first}`
await sql`update publishing.users set post_count = 3 where handle like 'crowd%'`
await sql`
  update publishing.users set follower_count = ${many}, following_count = ${many}, post_count = ${many}
  where id = ${star.user.id}`

type Entry = { id: number }
const lists = {
  posts: `/api/users/${star.handle}/posts`,
  tag: '/api/hashtags/deep',
  likes: `/api/posts/${first}/likes`,
  replies: `/api/posts/${first}/replies`,
  quotes: `/api/posts/${first}/quotes`,
  reposts: `/api/posts/${first}/reposts`,
  followers: `/api/users/${star.handle}/followers`,
  following: `/api/users/${star.handle}/following`,
}
const page = async (path: string, number: number, limit = 100) => {
  const { status, body, text } = await publishing(`GET ${path}?limit=${limit}&page=${number}`)
  assert.equal(status, 200, text)
  return { ...body.meta, ids: (body.data.posts ?? body.data.users).map(({ id }: Entry) => id) }
}
const whole = async (path: string) => {
  const ids: number[] = []
  for (let number = 1; ; number++) {
    const { ids: more, hasNext, total } = await page(path, number)
    ids.push(...more)
    if (hasNext) continue
    assert.equal(ids.length, total, path)
    assert.equal(new Set(ids).size, total, path)
    return ids
  }
}
const sorted = (ids: number[], path: string) =>
  ids.toSorted((a, b) => (path === lists.replies ? a - b : b - a))

test('every list shows each entry once and in order, on shallow and deep pages', async () => {
  for (const path of Object.values(lists)) {
    const ids = await whole(path)
    assert.equal(ids.length, many)
    assert.deepEqual(ids, sorted(ids, path), path)
    for (const [number, limit] of [
      [1302, 2],
      [53, 49],
      [many, 1],
      [27, 100],
    ] as const)
      assert.deepEqual((await page(path, number, limit)).ids, ids.slice((number - 1) * limit).slice(0, limit))
    assert.deepEqual((await page(path, 5_000_000, 100)).ids, [])
  }
})

test('a search with many matches returns the same pages whether it scans from the newest or the oldest post', async () => {
  const found = async (number: number, limit: number) => {
    const { status, body, text } = await publishing(`GET /api/search?q=number&limit=${limit}&page=${number}`)
    assert.equal(status, 200, text)
    assert.equal(body.meta.total, many)
    return body.data.posts.map(({ id }: Entry) => id)
  }
  const ids = (await whole(lists.posts)).sort((a, b) => b - a)
  for (const [number, limit] of [
    [1, 100],
    [13, 100],
    [14, 100],
    [15, 100],
    [26, 100],
    [27, 100],
    [28, 100],
    [many, 1],
    [many + 1, 1],
    [38, 69],
  ] as const)
    assert.deepEqual(
      await found(number, limit),
      ids.slice((number - 1) * limit, number * limit),
      `page ${number} of ${limit}`,
    )
})

test('deep pages stay correct after suspensions, protection, deletions, new posts and edits', async () => {
  const crowd = (n: number) => `crowd_${n}`
  const expected = async (change: number) => {
    for (const [name, path] of Object.entries(lists)) {
      const ids = await whole(path)
      assert.equal(ids.length, many + (name === 'posts' || name === 'tag' ? 0 : change), name)
      assert.deepEqual(ids, sorted(ids, path), name)
    }
  }
  await setFlags(ctx, crowd(100), { is_suspended: true })
  await setFlags(ctx, crowd(2_000), { is_suspended: true })
  await expected(-2)
  await setFlags(ctx, crowd(100), { is_suspended: false })
  await expected(-1)
  await setFlags(ctx, crowd(2_000), { is_suspended: false })
  await expected(0)

  // Who sees more than others has pages of their own.
  await sql`update publishing.users set is_protected = true, reconcile_mark = 1 where handle = ${crowd(50)}`
  await reconcileMarkedAccounts(ctx)
  const last = async (api = publishing) => {
    const { meta, data } = (await api(`GET ${lists.replies}?limit=100&page=27`)).body
    return [meta.total, data.posts.length]
  }
  assert.deepEqual(await last(), [many - 1, 2])
  assert.deepEqual(await last(star.api), [many, 3])
  await sql`update publishing.users set is_protected = false, reconcile_mark = 1 where handle = ${crowd(50)}`
  await reconcileMarkedAccounts(ctx)
  await expected(0)

  const before = await whole(lists.posts)
  const doomed = [before.at(-2)!, before[1_200]!]
  for (const id of doomed) assert.equal((await star.api(`DELETE /api/posts/${id}`)).status, 200)
  const added = await star.api('POST /api/posts', { body: { content: 'one more #deep' } })
  const after = [added.body.data.post.id, ...before.filter((id) => !doomed.includes(id))]
  assert.deepEqual(await whole(lists.posts), after)
  assert.deepEqual(await whole(lists.tag), after)
  const early = after.at(-5)!
  await star.api(`PATCH /api/posts/${early}`, { body: { content: 'no tag any more' } })
  assert.deepEqual(
    await whole(lists.tag),
    after.filter((id) => id !== early),
  )
  await star.api(`PATCH /api/posts/${early}`, { body: { content: 'again #deep' } })
  assert.deepEqual(await whole(lists.tag), after)
})

test('deleting posts while deep pages are read leaves no wrong page behind', async () => {
  const before = await whole(lists.posts)
  const doomed = Array.from({ length: 12 }, (_, n) => before.at(-10 - n * 150)!)
  const answers = await Promise.all([
    ...doomed.map((id) => star.api(`DELETE /api/posts/${id}`)),
    ...Array.from({ length: 12 }, (_, n) => publishing(`GET ${lists.posts}?limit=100&page=${15 + (n % 10)}`)),
    ...Array.from({ length: 6 }, (_, n) => publishing(`GET ${lists.tag}?limit=100&page=${15 + n}`)),
  ])
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const after = before.filter((id) => !doomed.includes(id))
  assert.deepEqual(await whole(lists.posts), after)
  assert.deepEqual(await whole(lists.tag), after)
  assert.deepEqual(await service.verify(ctx), [])
})
