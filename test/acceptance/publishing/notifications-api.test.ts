import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { notificationsOf, toldTo, unreadOf } from './support/notifications.ts'

const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })
const { publishing } = system
const ctx = service.context(system.platform)
const job = service.jobs(ctx).find(({ name }) => name === 'publishing.forget-old-notifications')!

/** An account that `fans` accounts have started to follow. */
const popular = async (fans: number) => {
  const star = await publisher(system)
  for (let n = 0; n < fans; n++) await (await publisher(system)).api(`POST /api/users/${star.handle}/follow`)
  return star
}
const mark = ({ api }: { api: typeof publishing }, body: unknown) =>
  api('POST /api/notifications/read', { body })
const idsOf = async (who: Awaited<ReturnType<typeof publisher>>) =>
  (await notificationsOf(who, '?limit=100')).listed.map(({ id }) => id)

test('notifications are paged like all lists, with exact limits', async () => {
  const star = await popular(5)
  const first = await notificationsOf(star, '?limit=2')
  assert.deepEqual(
    [first.listed.length, first.meta],
    [2, { total: 5, page: 1, limit: 2, totalPages: 3, hasNext: true, hasPrev: false, unread_count: 5 }],
  )
  const last = await notificationsOf(star, '?limit=2&page=3')
  assert.deepEqual([last.listed.length, last.meta.hasNext, last.meta.hasPrev], [1, false, true])
  assert.deepEqual((await notificationsOf(star, '?limit=100&page=1000000000')).listed, [])
  for (const query of ['limit=0', 'limit=101', 'page=0', 'page=1000000001', 'limit=x', 'unread=1', 'unread='])
    assert.equal((await star.api(`GET /api/notifications?${query}`)).status, 422, query)
})

test('types and unread choose from the list, while unread_count is of all types', async () => {
  const star = await popular(1)
  const { id } = await writePost(star, 'the post')
  const fan = await publisher(system)
  await fan.api(`POST /api/posts/${id}/like`)
  await fan.api(`POST /api/posts/${id}/repost`)
  const by = `by ${fan.handle}`
  assert.deepEqual(await toldTo(star, '?types=like'), [`like ${by}`])
  assert.deepEqual(await toldTo(star, '?types=like,repost'), [`repost ${by}`, `like ${by}`])
  const { meta } = await notificationsOf(star, '?types=mention')
  assert.deepEqual([meta.total, meta.unread_count], [0, 3])
  const { listed } = await notificationsOf(star, '?types=like')
  await mark(star, { ids: [listed[0]!.id] })
  assert.deepEqual(await toldTo(star, '?types=like,repost&unread=true'), [`repost ${by}`])
  assert.deepEqual((await toldTo(star, '?types=like,repost&unread=false')).length, 2)
  for (const types of ['', 'likes', 'like,', ',like', 'like reply', 'LIKE', `${'like,'.repeat(40)}like`]) {
    const { status, body } = await star.api(`GET /api/notifications?types=${encodeURIComponent(types)}`)
    assert.equal(status, 422, types)
    assert.match(body.message, /^types must /)
  }
})

test('notifications are marked as read by ids, before an id, or all at once', async () => {
  const star = await popular(6)
  const [f, e, d, c, b, a] = (await idsOf(star)) as [number, number, number, number, number, number]
  const marked = await mark(star, { ids: [f, a, a] })
  assert.deepEqual([marked.status, marked.body.data], [200, { marked: 2, unread_count: 4 }])
  assert.deepEqual((await mark(star, { ids: [f] })).body.data, { marked: 0, unread_count: 4 })
  assert.deepEqual((await mark(star, { before: d })).body.data, { marked: 2, unread_count: 2 })
  const { listed } = await notificationsOf(star)
  assert.deepEqual(
    listed.filter(({ is_read }) => !is_read).map(({ id }) => id),
    [e, d],
    `the two others, ${b} and ${c}, come before`,
  )
  assert.deepEqual((await mark(star, { all: true })).body.data, { marked: 2, unread_count: 0 })
  assert.deepEqual((await mark(star, { all: true })).body.data, { marked: 0, unread_count: 0 })
})

test('marking needs exactly one of ids, before and all, each of the right kind and size', async () => {
  const star = await popular(1)
  const [id] = (await idsOf(star)) as [number]
  const wrong = [
    {},
    { ids: [id], all: true },
    { before: id, all: true },
    { ids: [] },
    { ids: Array.from({ length: 101 }, () => id) },
    { ids: id },
    { ids: [String(id)] },
    { ids: [0] },
    { ids: [-1] },
    { ids: [1.5] },
    { ids: [2 ** 53] },
    { ids: [null] },
    { before: 0 },
    { before: '7' },
    { before: 2 ** 53 },
    { all: false },
    { all: 'true' },
    { all: null },
  ]
  for (const body of wrong) assert.equal((await mark(star, body)).status, 422, JSON.stringify(body))
  for (const raw of ['', '[', 'null']) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await star.api('POST /api/notifications/read', { raw, headers })
    assert.ok(status === 400 || status === 422, `${raw}: ${status}`)
  }
  assert.equal(await unreadOf(star), 1)
  const most = { ids: Array.from({ length: 100 }, (_, n) => (n === 0 ? id : Number.MAX_SAFE_INTEGER)) }
  assert.deepEqual((await mark(star, most)).body.data, { marked: 1, unread_count: 0 })
  assert.equal((await mark(star, { before: Number.MAX_SAFE_INTEGER })).status, 200)
})

test('the notifications of somebody else cannot be listed or marked', async () => {
  const [star, stranger] = [await popular(2), await publisher(system)]
  const ids = await idsOf(star)
  const { status, body } = await mark(stranger, { ids })
  assert.deepEqual([status, body.message], [404, 'Notification not found'])
  await mark(stranger, { all: true })
  await mark(stranger, { before: ids[0]! + 1 })
  assert.equal(await unreadOf(star), 2)
  assert.deepEqual(await idsOf(stranger), [])
  const key = (await star.api('POST /api/developer/keys', { body: { name: 'script' } })).body.data.key
  for (const call of [
    'GET /api/notifications',
    'GET /api/notifications/unread-count',
    'POST /api/notifications/read',
  ]) {
    const body = call.startsWith('POST') ? { body: { all: true } } : {}
    assert.equal((await publishing(call, body)).status, 401, call)
    assert.equal((await publishing.with({ 'x-api-key': key })(call, body)).status, 401, `${call} with a key`)
  }
})

test('likes and unlikes that race on two nodes leave one notification or none, as the like itself', async () => {
  const star = await publisher(system)
  const { id } = await writePost(star, 'the post')
  const fans = await Promise.all(Array.from({ length: 4 }, () => publisher(system)))
  const nodes = [publishing, other.publishing]
  for (let round = 0; round < 5; round++)
    await Promise.all(
      fans.flatMap(({ token }) =>
        ['POST', 'POST', 'DELETE', 'POST', 'DELETE'].map((method, n) =>
          nodes[n % 2]!.bearer(token)(`${method} /api/posts/${id}/like`),
        ),
      ),
    )
  const { users } = (await publishing(`GET /api/posts/${id}/likes?limit=100`)).body.data
  const liking = users.map(({ handle }: { handle: string }) => `like by ${handle}`)
  assert.deepEqual((await toldTo(star)).sort(), liking.sort())
  await Promise.all(fans.map(({ api }) => api(`POST /api/posts/${id}/like`)))
  assert.equal(await unreadOf(star), 4)
  assert.deepEqual(await service.verify(ctx), [])
})

test('follows, requests and blocks that race leave no notification without its cause', async () => {
  const [star, fan] = [await publisher(system), await publisher(system)]
  const protect = (is_protected: boolean) => star.api('PATCH /api/users/me', { body: { is_protected } })
  const calls = [
    () => fan.api(`POST /api/users/${star.handle}/follow`),
    () => fan.api(`DELETE /api/users/${star.handle}/follow`),
    () => star.api(`POST /api/follow-requests/${fan.handle}/accept`),
    () => star.api(`POST /api/follow-requests/${fan.handle}/reject`),
    () => star.api(`POST /api/users/${fan.handle}/block`),
    () => star.api(`DELETE /api/users/${fan.handle}/block`),
    () => fan.api(`POST /api/users/${star.handle}/follow`),
  ]
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all([protect(round % 2 === 0), ...calls.map((call) => call())])
    assert.ok(answers.every(({ status }) => status < 500))
  }
  assert.deepEqual(await service.verify(ctx), [])
})

test('marking as read while notifications are taken back changes neither what is left nor fails', async () => {
  const star = await publisher(system)
  const { id } = await writePost(star, 'the post')
  const fans = await Promise.all(Array.from({ length: 6 }, () => publisher(system)))
  for (const { api } of fans) await api(`POST /api/posts/${id}/like`)
  const ids = await idsOf(star)
  const answers = await Promise.all([
    ...fans.slice(0, 3).map(({ api }) => api(`DELETE /api/posts/${id}/like`)),
    mark(star, { ids }),
    mark(star, { all: true }),
    mark(star, { before: ids[2] }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 200],
  )
  const { meta } = await notificationsOf(star)
  assert.deepEqual([meta.total, meta.unread_count], [3, 0])
})

test('the job forgets what was read more than 90 days ago, in batches, and nothing that is unread', async () => {
  const star = await popular(3)
  const [newest, middle, oldest] = (await idsOf(star)) as [number, number, number]
  const day = 86_400_000
  const age = (id: number, ms: number) => system.sql`
    update publishing.notifications set created_at = ${new Date(ctx.clock.now().getTime() - ms)} where id = ${id}`
  await age(oldest, 91 * day)
  await age(middle, 91 * day)
  await age(newest, 89 * day)
  await mark(star, { ids: [newest, oldest] })
  await system.sql`
    insert into publishing.notifications (user_id, actor_id, type, post_id, is_read, created_at)
    select ${star.user.id}, ${star.user.id}::bigint + n, 'like', n, true, now() - interval '1 year'
    from generate_series(1, 2500) n`
  await job.run(undefined as never)
  assert.deepEqual(await idsOf(star), [newest, middle])
  const [{ count }] = (await system.sql`
    select count(*)::int from publishing.notifications where user_id = ${star.user.id}`) as [
    { count: number },
  ]
  assert.equal(count, 2)
})
