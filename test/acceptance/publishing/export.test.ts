import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf } from './support/forms.ts'

const system = await boot()
const { publishing } = system
const path = 'GET /api/users/me/export'

test('an export has everything of the account, and no secret', async () => {
  const [writer, friend] = [await publisher(system), await publisher(system)]
  const { key } = (await writer.api('POST /api/developer/keys', { body: { name: 'bot' } })).body.data
  const first = await writePost(writer, 'One "quoted" \\ text\nand 🦭')
  for (const content of ['Two', 'Three'])
    await writer.api(`PATCH /api/posts/${first.id}`, { body: { content } })
  const theirs = await writePost(friend, 'Theirs')
  const reply = await writePost(writer, 'A reply', { type: 'reply', parentId: theirs.id })
  const gone = await writePost(writer, 'Gone')
  await writer.api(`DELETE /api/posts/${gone.id}`)
  await writer.api(`POST /api/posts/${theirs.id}/like`)
  await writer.api(`POST /api/users/${friend.handle}/follow`)
  await friend.api(`POST /api/users/${writer.handle}/follow`)
  const [blocked, muted] = [await publisher(system), await publisher(system)]
  await writer.api(`POST /api/users/${blocked.handle}/block`)
  await writer.api(`POST /api/users/${muted.handle}/mute`)

  const { status, headers, body, text } = await writer.api(path)
  assert.equal(status, 200)
  assert.equal(headers.get('content-disposition'), `attachment; filename="${writer.handle}.json"`)
  assert.deepEqual(
    [body.profile.email, body.profile.notification_mails, body.profile.language],
    [writer.email, 'none', null],
  )
  const texts = body.posts.map(({ id, content, versions }: { [each: string]: never }) => [
    id,
    content,
    versions,
  ])
  assert.deepEqual(
    texts.map(([id, content]: unknown[]) => [id, content]),
    [
      [first.id, 'Three'],
      [reply.id, 'A reply'],
    ],
  )
  assert.deepEqual(
    texts[0][2].map(({ content }: { content: string }) => content),
    ['One "quoted" \\ text\nand 🦭', 'Two'],
  )
  assert.deepEqual(
    body.likes.map(({ id, handle }: { [each: string]: never }) => [id, handle]),
    [[theirs.id, friend.handle]],
  )
  for (const [name, other] of Object.entries({ following: friend, followers: friend, blocked, muted }))
    assert.deepEqual(
      body[name].map(({ id, handle }: { [each: string]: never }) => [id, handle]),
      [[other.user.id, other.handle]],
      name,
    )
  assert.deepEqual(
    body.keys.map(({ name }: { name: string }) => name),
    ['bot'],
  )
  for (const secret of [key, 'argon2', 'password', friend.email, 'Theirs', 'Gone'])
    assert.ok(!text.includes(secret), secret)
})

test('an empty account has an export, too, and lists that are longer than a batch are whole', async () => {
  const writer = await publisher(system)
  const empty = (await writer.api(path)).body
  for (const name of ['posts', 'likes', 'following', 'followers', 'blocked', 'muted', 'keys'])
    assert.deepEqual(empty[name], [])
  const post = await writePost(writer, 'x')
  const { id } = writer.user
  await system.sql`
    insert into publishing.post_versions (post_id, content, created_at)
    select ${post.id}, 'version ' || n, now() from generate_series(1, 401) n`
  await system.sql`update publishing.posts set edited_at = now() where id = ${post.id}`
  await system.sql`
    insert into publishing.api_keys (user_id, name, key_prefix, hash, daily_post_limit, posts_day, created_at, revoked_at)
    select ${id}, 'key ' || n, 'f9k_x', decode(md5(${id} || ' ' || n), 'hex'), 1, now(), now(), now()
    from generate_series(1, 400) n`
  const { body } = await writer.api(path)
  const named = (list: Record<string, string>[], field: string) => list.map((each) => each[field])
  assert.deepEqual(
    named(body.posts[0].versions, 'content'),
    Array.from({ length: 401 }, (_, n) => `version ${n + 1}`),
  )
  assert.deepEqual(
    named(body.keys, 'name'),
    Array.from({ length: 400 }, (_, n) => `key ${n + 1}`),
  )
})

test('only a bearer token of the account exports it, and on the pages its session', async () => {
  const writer = await publisher(system)
  const { key } = (await writer.api('POST /api/developer/keys', { body: { name: 'x' } })).body.data
  const { browser } = await browserOf(publishing, writer.email)
  for (const client of [publishing, publishing.with({ 'x-api-key': key }), browser])
    assert.equal((await client(path)).status, 401)
  assert.match((await browser('GET /settings/account')).text, /href="\/settings\/export"/)
  const { status, body, headers } = await browser('GET /settings/export')
  assert.deepEqual([status, body.profile.handle], [200, writer.handle])
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal((await publishing('GET /settings/export')).status, 401)
})

test('an account is exported five times an hour at most, with tokens and on the pages together', async (t) => {
  const limited = await boot({ env: { RATE_LIMITS: 'on' }, t })
  const writer = await publisher(limited)
  const { browser } = await browserOf(limited.publishing, writer.email)
  for (let n = 0; n < 4; n++) assert.equal((await writer.api(path)).status, 200)
  assert.equal((await browser('GET /settings/export')).status, 200)
  for (const refused of [await writer.api(path), await browser('GET /settings/export')]) {
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 3_000)
  }
  assert.equal((await (await publisher(limited)).api(path)).status, 200, 'others are not affected')
})
