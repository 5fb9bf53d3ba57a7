import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { openEventStream } from '#test/support/event-stream.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { effects, eventsAfter, lastId, typesOf, type Writer } from './support/events.ts'

const system = await boot()
const ctx = service.context(system.platform)

const act = async ({ api }: Writer, route: string, of: Writer, what: string) =>
  assert.equal((await api(`${route} /api/users/${of.handle}/${what}`)).status, 200)
const protect = ({ api }: Writer, is_protected: boolean) =>
  api('PATCH /api/users/me', { body: { is_protected } })
const people = async (): Promise<[Writer, Writer, Writer]> => [
  await publisher(system),
  await publisher(system),
  await publisher(system),
]
const everybody = { api: system.publishing }
const publicly = (after: string) => eventsAfter(everybody, after, '&scope=public')
const lastPublic = async () =>
  (await system.publishing('GET /api/events?scope=public&limit=500')).body.data.next as string

const listen = (t: TestContext, query: string, headers: Record<string, string> = {}) => {
  const stream = openEventStream(`${system.urls.publishing}/api/events${query}`, headers)
  t.after(stream.close)
  return stream
}
const bearer = ({ token }: Writer) => ({ authorization: `Bearer ${token}` })

test('a muted account is heard of no more, and again once it is not muted', async () => {
  const [ada, ben] = await people()
  const own = await writePost(ada, 'mine')
  await act(ada, 'POST', ben, 'follow')
  const start = await lastId(ada)
  await writePost(ben, `for @${ada.handle}`)
  await ben.api(`POST /api/posts/${own.id}/like`)
  const all = ['post.created', 'post.mentioned', 'post.liked']
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), all)
  await act(ada, 'POST', ben, 'mute')
  assert.deepEqual(await eventsAfter(ada, start), [])
  await act(ada, 'DELETE', ben, 'mute')
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), all)
})

test('a block tells the blocked account nothing, and the blocker whom it has lost as a follower', async () => {
  const [ada, ben] = await people()
  const own = await writePost(ada, 'mine')
  await act(ada, 'POST', ben, 'follow')
  await act(ben, 'POST', ada, 'follow')
  const start = await lastId(ada)
  await ben.api(`POST /api/posts/${own.id}/like`)
  const bens = await lastId(ben)
  await act(ada, 'POST', ben, 'block')
  await act(ada, 'POST', ben, 'block')
  assert.deepEqual(await eventsAfter(ben, bens), [])
  const [lost, ...others] = await eventsAfter(ada, start)
  assert.deepEqual([lost!.type, lost!.subject], ['user.unfollowed', `user/${ada.user.id}`])
  assert.equal(lost!.data.user.handle, ben.handle)
  assert.deepEqual(others, [], 'the like is hidden')
  await writePost(ben, `still here, @${ada.handle}`)
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), ['user.unfollowed'])
  await act(ada, 'DELETE', ben, 'block')
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), [
    'post.liked',
    'user.unfollowed',
    'post.mentioned',
  ])
})

test('a block of somebody who did not follow is no event at all', async () => {
  const [ada, ben] = await people()
  await act(ada, 'POST', ben, 'follow')
  assert.deepEqual(await effects(ada, () => act(ada, 'POST', ben, 'block')), [])
})

test('posts of a protected account are for its followers alone, whatever it was when it wrote them', async () => {
  const [ada, ben, eve] = await people()
  await act(ada, 'POST', ben, 'follow')
  const [start, all, eves] = [await lastId(ada), await lastPublic(), await lastId(eve)]
  await writePost(ben, `hello @${eve.handle}`)
  const { id } = await writePost(ben, 'gone soon')
  await ben.api(`DELETE /api/posts/${id}`)
  assert.deepEqual(typesOf(await publicly(all)), ['post.created', 'post.deleted'])
  await protect(ben, true)
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), ['post.created', 'post.deleted', 'user.updated'])
  assert.deepEqual(await publicly(all), [])
  assert.deepEqual(await eventsAfter(eve, eves), [], 'a mention in a post that one may not see')
  await protect(ben, false)
  assert.deepEqual(typesOf(await publicly(all)), ['post.created', 'post.deleted'])
  assert.deepEqual(typesOf(await eventsAfter(eve, eves)), ['post.mentioned'])
})

test('nothing comes from a suspended account, and it reads nothing itself', async () => {
  const [ada, ben] = await people()
  const own = await writePost(ada, 'mine')
  await act(ada, 'POST', ben, 'follow')
  const [start, all, bens] = [await lastId(ada), await lastPublic(), await lastId(ben)]
  await writePost(ben, 'hello')
  await ben.api(`POST /api/posts/${own.id}/like`)
  const { key } = (await ben.api('POST /api/developer/keys', { body: { name: 'reader' } })).body.data
  const byKey = () => system.publishing('GET /api/events', { headers: { 'x-api-key': key } })
  assert.equal((await byKey()).status, 200)
  await setFlags(ctx, ben.handle, { is_suspended: true })
  assert.equal((await byKey()).status, 403)
  assert.deepEqual(await eventsAfter(ada, start), [])
  assert.deepEqual(await publicly(all), [])
  assert.equal((await ben.api('GET /api/events')).status, 403)
  await setFlags(ctx, ben.handle, { is_suspended: false })
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), [
    'post.created', 'post.liked', 'user.updated', 'user.updated',
  ]) // biome-ignore format: one line
  assert.deepEqual(typesOf(await eventsAfter(ben, bens)), ['user.updated', 'user.updated'])
})

test('what happened before a follow is read once one follows, and no more after it', async () => {
  const [ada, ben] = await people()
  const start = await lastId(ada)
  await writePost(ben, 'early')
  assert.deepEqual(await eventsAfter(ada, start), [])
  await act(ada, 'POST', ben, 'follow')
  assert.deepEqual(typesOf(await eventsAfter(ada, start)), ['post.created'])
  await act(ada, 'DELETE', ben, 'follow')
  assert.deepEqual(await eventsAfter(ada, start), [])
})

test('everybody reads the posts of public accounts without credentials, and nothing else', async () => {
  const [ada, ben] = await people()
  const all = await lastPublic()
  const { id } = await writePost(ben, `hello @${ada.handle}`)
  await ada.api(`POST /api/posts/${id}/like`)
  await act(ada, 'POST', ben, 'follow')
  await ben.api('PATCH /api/users/me', { body: { bio: 'New' } })
  await ben.api(`PATCH /api/posts/${id}`, { body: { content: 'hello' } })
  const read = await publicly(all)
  assert.deepEqual(typesOf(read), ['post.created', 'post.updated'])
  assert.deepEqual(read[1]!.data, (await system.publishing(`GET /api/posts/${id}`)).body.data)
  await ben.api(`DELETE /api/posts/${id}`)
  assert.deepEqual(typesOf(await publicly(all)), ['post.deleted'])
  assert.deepEqual(
    typesOf(await eventsAfter(ben, all, '&scope=public')),
    ['post.deleted'],
    'also with a token',
  )
  assert.deepEqual(await eventsAfter(everybody, all, '&scope=public&types=user.*,post.liked'), [])
})

test('without credentials and scope, with others and with wrong parameters, reading is refused', async () => {
  const ada = await publisher(system)
  assert.equal((await system.publishing('GET /api/events')).status, 401)
  assert.equal((await system.publishing.with({ 'x-api-key': 'f9k_wrong' })('GET /api/events')).status, 401)
  assert.equal((await system.publishing('GET /api/webhooks?scope=public')).status, 401)
  for (const [query, field] of [
    ['after=42', 'after'],
    ['limit=501', 'limit'],
    ['types=order.*', 'types'],
    ['subject=42', 'subject'],
    ['scope=private', 'scope'],
  ] as const) {
    const { status, body } = await ada.api(`GET /api/events?${query}`)
    assert.equal(status, 422, query)
    assert.equal(body.success, false)
    assert.equal(body.errors[0].field, field)
  }
})

test('pages of events continue where the last one ended, also for an account with many whom it follows', async () => {
  const [ada, ...others] = [await publisher(system), ...(await people()), ...(await people())]
  for (const other of others) await act(ada, 'POST', other, 'follow')
  const start = await lastId(ada)
  const written: number[] = []
  for (const [n, other] of [...others, ...others].entries()) written.push((await writePost(other, `${n}`)).id)
  const read: number[] = []
  for (let after = start; ; ) {
    const { events, next } = (await ada.api(`GET /api/events?limit=5&after=${after}`)).body.data
    if (events.length === 0) break
    read.push(...events.map((event: { data: { id: number } }) => event.data.id))
    after = next
  }
  assert.deepEqual(read, written)
  const [one] = await eventsAfter(ada, start, `&subject=post/${written[3]}`)
  assert.equal(one!.data.id, written[3])
  assert.equal((await eventsAfter(ada, start, '&types=post.created,user.*')).length, written.length)
})

test('a stream sends an account what concerns it, as it happens and by the same rules', async (t) => {
  const [ada, ben, eve] = await people()
  await act(ada, 'POST', ben, 'follow')
  const stream = listen(t, '', bearer(ada))
  assert.equal((await stream.opened).status, 200)
  const { id } = await writePost(ben, 'hello')
  await writePost(eve, 'from a stranger')
  await writePost(ada, 'from myself')
  await act(eve, 'POST', ada, 'follow')
  const received = await stream.until(2)
  assert.deepEqual(
    received.map(({ event }) => event),
    ['post.created', 'user.followed'],
  )
  assert.deepEqual(received[0]!.data.data, (await system.publishing(`GET /api/posts/${id}`)).body.data)
  await act(ada, 'POST', ben, 'mute')
  await writePost(ben, 'unheard')
  await act(ada, 'POST', eve, 'block')
  await stream.until(3)
  await act(ada, 'DELETE', ben, 'mute')
  await writePost(ben, 'heard again')
  assert.deepEqual(
    (await stream.until(4)).slice(2).map(({ event }) => event),
    ['user.unfollowed', 'post.created'],
  )
})

test('a public stream needs no credentials and continues after an id', async (t) => {
  const [ada, ben] = await people()
  await protect(ben, true)
  const all = await lastPublic()
  const live = listen(t, '?scope=public')
  await live.opened
  await writePost(ben, 'for followers')
  const { id } = await writePost(ada, 'for all')
  await ada.api(`POST /api/posts/${id}/like`)
  // Who reads later than the deletion is not told of the creation.
  await live.until(1)
  await ada.api(`DELETE /api/posts/${id}`)
  const last = (await live.until(2)).at(-1)!
  assert.deepEqual([last.event, last.data.subject], ['post.deleted', `post/${id}`])
  const later = await listen(t, `?scope=public&after=${all}`).until(1)
  assert.deepEqual([later[0]!.event, later[0]!.id], ['post.deleted', last.id])
})

test('a stream ends soon after the account is suspended', async (t) => {
  const ada = await publisher(system)
  const stream = listen(t, '', bearer(ada))
  await stream.opened
  await setFlags(ctx, ada.handle, { is_suspended: true })
  const begun = performance.now()
  await stream.ended
  assert.ok(performance.now() - begun < 2_000)
})
