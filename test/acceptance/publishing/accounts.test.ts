import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { password, publisher } from '#test/support/factories.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'MiraCase' })

const register = (more: object) =>
  publishing('POST /api/auth/register', {
    body: { email: 'new@example.com', password, handle: 'new_one', username: 'New', ...more },
  })

test('registration returns a profile, an access token and a refresh token', async () => {
  const { status, body } = await register({ email: 'fresh@example.com', handle: 'fresh_1' })
  assert.equal(status, 201)
  const { user, accessToken, refreshToken, expiresIn } = body.data
  const { id, created_at, ...profile } = user
  assert.deepEqual(profile, {
    username: 'New',
    handle: 'fresh_1',
    bio: null,
    avatar_url: null,
    banner_url: null,
    location: null,
    website: null,
    language: null,
    is_verified: false,
    is_protected: false,
    follower_count: 0,
    following_count: 0,
    post_count: 0,
  })
  assert.ok(Number.isInteger(id) && created_at.endsWith('Z'))
  assert.equal(expiresIn, 900)
  assert.equal((await publishing.bearer(accessToken)('GET /api/users/me')).body.data.id, id)
  assert.ok(refreshToken)
})

test('handles and emails are unique ignoring case; reserved and malformed ones are refused', async () => {
  assert.equal((await register({ handle: 'miracase' })).status, 409)
  assert.equal((await register({ email: mira.email.toUpperCase() })).status, 409)
  for (const handle of [
    'ab',
    'x'.repeat(31),
    'has space',
    'dash-ed',
    'ümlaut',
    'admin',
    'Support',
    'api',
    '',
    5,
  ])
    assert.equal((await register({ handle })).status, 422, String(handle))
  for (const bad of [
    { email: 'x' },
    { password: 'short' },
    { username: '' },
    { username: ' ' },
    { username: 'x'.repeat(51) },
  ])
    assert.equal((await register(bad)).status, 422, JSON.stringify(bad))
})

test('the names of our own pages cannot be registered as handles', async () => {
  const pages =
    'api widget oembed docs metrics healthz readyz home tags search compose keys settings requests blocked muted posts media'
  for (const handle of [...pages.split(' '), 'Blocked']) {
    const { status, body } = await register({ handle })
    assert.equal(status, 422, handle)
    assert.deepEqual(body.errors, [{ field: 'handle', message: 'handle is reserved' }])
  }
})

test('a profile is public, found in any case, and changed field by field', async () => {
  const change = {
    bio: 'b'.repeat(500),
    location: 'Whitby',
    website: 'https://mira.example',
    avatar_url: 'https://mira.example/a.png',
    banner_url: null,
    username: 'M',
  }
  const { body } = await mira.api('PATCH /api/users/me', { body: change })
  for (const [field, value] of Object.entries(change)) assert.equal(body.data[field], value)
  const { email, unconfirmed_email: _, notification_mails: __, ...seenByAll } = body.data
  assert.equal(email, mira.email)
  assert.deepEqual((await publishing('GET /api/users/MIRACASE')).body.data, seenByAll)
  for (const bad of [
    { bio: 'b'.repeat(501) },
    { website: 'javascript:1' },
    { is_protected: 'yes' },
    { username: '' },
  ])
    assert.equal((await mira.api('PATCH /api/users/me', { body: bad })).status, 422, JSON.stringify(bad))
  assert.equal(
    (await mira.api('PATCH /api/users/me', { body: { avatarUrl: null } })).body.data.avatar_url,
    null,
  )
  assert.equal((await publishing('PATCH /api/users/me', { body: change })).status, 401)
  for (const handle of ['no_such_one', 'x', '%00', 'a%2Fb', 'x'.repeat(300)]) {
    const missing = await publishing(`GET /api/users/${handle}`)
    assert.equal(missing.status, 404, handle)
    assert.match(missing.body.message, /not found/i)
  }
})

test('a changed profile is visible on another node within a second', async (t) => {
  const other = await boot({ t, database: { url: system.databaseUrl } })
  const read = async () => (await other.publishing('GET /api/users/MiraCase')).body.data
  const before = await read()
  await mira.api('PATCH /api/users/me', { body: { location: 'Elsewhere' } })
  const { id } = (await mira.api('POST /api/posts', { body: { content: 'hi' } })).body.data.post
  assert.equal((await other.publishing(`GET /api/posts/${id}`)).body.data.like_count, 0)
  await mira.api(`POST /api/posts/${id}/like`)
  await eventually(
    async () => {
      const after = await read()
      assert.deepEqual([after.location, after.post_count], ['Elsewhere', before.post_count + 1])
      assert.equal((await other.publishing(`GET /api/posts/${id}`)).body.data.like_count, 1)
    },
    { withinMs: 1_000 },
  )
})

test('a refresh token works once; using it again revokes all tokens of the sign-in', async () => {
  const refresh = (refreshToken: string) => publishing('POST /api/auth/refresh', { body: { refreshToken } })
  const first = (await publishing('POST /api/auth/login', { body: { email: mira.email, password } })).body
    .data
  const second = await refresh(first.refreshToken)
  assert.equal(second.status, 200)
  assert.equal((await refresh(first.refreshToken)).status, 401)
  assert.equal((await refresh(second.body.data.refreshToken)).status, 401)
  const third = (await publishing('POST /api/auth/login', { body: { email: mira.email, password } })).body
    .data
  assert.equal(
    (await publishing('POST /api/auth/logout', { body: { refresh_token: third.refreshToken } })).status,
    200,
  )
  assert.equal((await refresh(third.refreshToken)).status, 401)
  assert.equal((await refresh('nonsense')).status, 401)
  assert.equal((await publishing('POST /api/auth/refresh', { body: {} })).status, 422)
})

test('sign-in responds alike to a wrong password and an unknown account; access tokens expire after 15 minutes', async () => {
  const logIn = (body: object) => publishing('POST /api/auth/login', { body })
  const wrong = await logIn({ email: mira.email, password: 'wrong horse' })
  const unknown = await logIn({ email: 'nobody@example.com', password })
  assert.deepEqual([wrong.status, unknown.status], [401, 401])
  assert.equal(wrong.body.message, unknown.body.message)
  for (const body of [{}, { email: mira.email }, { email: 5, password }])
    assert.equal((await logIn(body)).status, 422)
  const { accessToken } = (await logIn({ email: mira.email, password })).body.data
  const api = publishing.bearer(accessToken)
  assert.equal((await api('GET /api/users/me')).status, 200)
  system.clock.advance(15 * 60_000)
  assert.equal((await api('GET /api/users/me')).status, 401)
  for (const authorization of ['Bearer x', 'Basic eDp4', 'Bearer', `Bearer ${accessToken}x`])
    assert.equal((await publishing('GET /api/users/me', { headers: { authorization } })).status, 401)
})

test('unknown paths and wrong methods respond with the error envelope', async () => {
  const unknown = await publishing('GET /api/nothing')
  assert.deepEqual([unknown.status, unknown.body.success], [404, false])
  const wrong = await publishing('PUT /api/posts')
  assert.deepEqual([wrong.status, wrong.body.success], [405, false])
  assert.match(wrong.headers.get('allow') ?? '', /POST/)
  assert.equal((await publishing('HEAD /api/timeline/explore')).status, 200)
})
