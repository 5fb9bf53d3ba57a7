import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { publisher } from '#test/support/factories.ts'
import { browserOf } from './support/forms.ts'
import { jpeg } from './support/images.ts'

/** Calls `count` times, a few at once, and tells how often each status came. */
const tally = async (count: number, call: (n: number) => ReturnType<Client>) => {
  const statuses: Record<number, number> = {}
  for (let n = 0; n < count; n += 10)
    for (const { status } of await Promise.all(
      Array.from({ length: Math.min(10, count - n) }, (_, i) => call(n + i)),
    ))
      statuses[status] = (statuses[status] ?? 0) + 1
  return statuses
}

test('an account may make 300 changes in a minute, with tokens and forms together, not counting posts', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const writer = await publisher(system)
  const other = await publisher(system)
  const { key } = (await writer.api('POST /api/developer/keys', { body: { name: 'script' } })).body.data
  const first = (await writer.api('POST /api/posts', { body: { content: 'first' } })).body.data.post
  const { send } = await browserOf(system.publishing, writer.email)

  const like = (n: number) => writer.api(`${n % 2 ? 'DELETE' : 'POST'} /api/posts/${first.id}/like`)
  assert.deepEqual(await tally(296, like), { 200: 296 })
  const changes = [
    await writer.api('PATCH /api/users/me', { body: { bio: 'new' } }),
    await writer.api(`PATCH /api/posts/${first.id}`, { body: { content: 'edited' } }),
    await send('/compose', { content: 'edited by form', edit: String(first.id) }),
  ]
  assert.deepEqual(
    changes.map(({ status }) => status),
    [200, 200, 303],
  )
  assert.equal(changes[1]!.headers.get('ratelimit-limit'), '300')
  assert.equal(changes[1]!.headers.get('ratelimit-remaining'), '1')

  const refused = [
    await writer.api(`PATCH /api/posts/${first.id}`, { body: { content: 'too many' } }),
    await writer.api(`POST /api/users/${other.handle}/follow`),
    await writer.api('POST /api/developer/keys', { body: { name: 'another' } }),
    await writer.api('PUT /api/users/me/avatar', { raw: Uint8Array.from(await jpeg()) }),
    await writer.api('DELETE /api/users/me/banner'),
    await writer.api(`DELETE /api/posts/${first.id}`),
    await writer.api(`POST /api/posts/${first.id}/repost`),
    await send('/settings', { username: 'Too many' }),
    await send('/compose', { content: 'too many', edit: String(first.id) }),
    await send(`/posts/${first.id}`, { action: 'delete' }),
  ]
  for (const answer of refused) {
    assert.equal(answer.status, 429, answer.text)
    const wait = Number(answer.headers.get('retry-after'))
    assert.ok(wait >= 1 && wait <= 60, String(wait))
  }
  assert.equal(refused[0]!.body.message, 'Too many requests')
  assert.equal((await system.publishing(`GET /api/posts/${first.id}`)).body.data.content, 'edited by form')

  // Posts have the burst, and others have changes of their own.
  const script = system.publishing.with({ 'x-api-key': key })
  for (const api of [writer.api, script])
    assert.equal((await api('POST /api/posts', { body: { content: 'a post' } })).status, 201)
  assert.equal((await send('/compose', { content: 'by form' })).status, 303)
  assert.equal((await other.api(`POST /api/posts/${first.id}/like`)).status, 200)

  system.clock.advance(61_000)
  assert.equal((await writer.api(`DELETE /api/posts/${first.id}`)).status, 200)
})

test('posts count against the burst limit only', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on' } })
  const { api } = await publisher(system)
  for (let n = 0; n < 5; n++) await api('POST /api/posts', { body: { content: `post ${n}` } })
  const { headers } = await api('PATCH /api/users/me', { body: { bio: 'x' } })
  assert.equal(headers.get('ratelimit-remaining'), '299')
})

test('token refreshes and sign-outs together are limited to 60 a minute per address', async (t) => {
  const system = await boot({ t, env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } })
  const from = (ip: string) => system.publishing.with({ 'x-forwarded-for': ip, 'x-forwarded-proto': 'https' })
  const guess = (ip: string, path = 'refresh') =>
    from(ip)(`POST /api/auth/${path}`, { body: { refreshToken: 'x'.repeat(43) } })
  assert.deepEqual(await tally(59, () => guess('203.0.113.1')), { 401: 59 })
  const last = await guess('203.0.113.1', 'logout')
  assert.equal(last.headers.get('ratelimit-remaining'), '0')
  for (const path of ['refresh', 'logout']) {
    const refused = await guess('203.0.113.1', path)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal(refused.body.message, 'Too many requests')
  }
  assert.equal((await guess('203.0.113.2')).status, 401)
})

test('a post can be edited 1,000 times, and its history is listed by page', async () => {
  const system = await boot()
  const { api, handle } = await publisher(system)
  const { id } = (await api('POST /api/posts', { body: { content: 'version 0' } })).body.data.post
  const edit = (content: string) => api(`PATCH /api/posts/${id}`, { body: { content } })
  await system.sql`
    insert into publishing.post_versions (post_id, content, created_at)
    select ${id}::bigint, 'version ' || n, ${system.clock.now()}::timestamptz from generate_series(0, 998) n`
  assert.equal((await edit('version 1000')).status, 200)
  const refused = await edit('version 1001')
  assert.equal(refused.status, 422)
  assert.match(refused.body.errors[0].message, /^content cannot be changed.*at most 1000 times/)

  const history = async (query = '') => (await system.publishing(`GET /api/posts/${id}/history${query}`)).body
  const plain = await history()
  assert.equal(plain.data.history.length, 100)
  assert.equal(plain.data.history[0].content, 'version 0')
  assert.deepEqual(plain.meta, {
    total: 1001,
    page: 1,
    limit: 100,
    totalPages: 11,
    hasNext: true,
    hasPrev: false,
  })
  const last = await history('?page=11')
  assert.deepEqual(
    last.data.history.map(({ content }: { content: string }) => content),
    ['version 1000'],
  )
  assert.deepEqual((await history('?page=12')).data.history, [])
  assert.equal((await history('?page=2&limit=3')).data.history[0].content, 'version 3')
  for (const bad of ['page=0', 'limit=0', 'limit=101', 'page=x'])
    assert.equal((await system.publishing(`GET /api/posts/${id}/history?${bad}`)).status, 422, bad)

  const page = async (query: string) =>
    (await system.publishing(`GET /@${handle}/${id}/history${query}`, { headers: { accept: 'text/html' } }))
      .text
  assert.match(await page(''), /Current.*version 1000.*version 997.*page=2/s)
  assert.match(await page('?page=51'), /First version.*version 0/s)
})

test('all active API keys are listed, and the newest 100 of the revoked ones', async () => {
  const system = await boot()
  const { api, user } = await publisher(system)
  const create = async () => (await api('POST /api/developer/keys', { body: { name: 'live' } })).body.data.id
  const oldest = await create()
  await system.sql`
    insert into publishing.api_keys (user_id, name, key_prefix, hash, daily_post_limit, posts_day, created_at, revoked_at)
    select ${user.id}::bigint, 'revoked ' || n, 'f9k_', sha256(n::text::bytea), 100, now(), now(), now()
    from generate_series(1, 101) n`
  const newest = await create()
  type Listed = { id: number; name: string; is_active: boolean }
  const keys: Listed[] = (await api('GET /api/developer/keys')).body.data.keys
  assert.equal(keys.length, 102)
  assert.deepEqual([keys[0]!.id, keys.at(-1)!.id], [newest, oldest])
  assert.deepEqual([keys[1]!.name, keys.at(-2)!.name], ['revoked 101', 'revoked 2'])
  assert.equal((await api('GET /api/developer/keys/usage')).body.data.usage.length, 102)
})
