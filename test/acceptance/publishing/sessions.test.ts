import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { password, publisher } from '#test/support/factories.ts'
import { browserOf, form } from './support/forms.ts'

const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })
const { publishing, clock } = system

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

type Session = {
  id: number
  kind: string
  device: string | null
  created_at: string
  last_used_at: string
  expires_at: string
  is_current: boolean
}
type Writer = Awaited<ReturnType<typeof publisher>>

const sessionsOf = async ({ api }: Pick<Writer, 'api'>) => {
  const { status, body, text } = await api('GET /api/users/me/sessions')
  assert.equal(status, 200, text)
  return body.data.sessions as Session[]
}
const logIn = async (email: string, agent: string) => {
  const { status, body, text } = await publishing.with({ 'user-agent': agent })('POST /api/auth/login', {
    body: { email, password },
  })
  assert.equal(status, 200, text)
  const { accessToken, refreshToken } = body.data as { accessToken: string; refreshToken: string }
  return { api: publishing.bearer(accessToken), accessToken, refreshToken }
}
const signIn = async (email: string, agent: string) => {
  const sent = form({ email, password }, { 'user-agent': agent })
  const cookie = (await publishing('POST /sign-in', sent)).headers.get('set-cookie')!.split(';')[0]!
  return publishing.with({ cookie })
}
const refresh = (refreshToken: string) => publishing('POST /api/auth/refresh', { body: { refreshToken } })

test('sessions are listed with the device, and say which of them is asking', async () => {
  const writer = await publisher(system)
  await logIn(writer.email, 'curl/8.14.1')
  await signIn(writer.email, firefox)
  await signIn(writer.email, iphone)
  const listed = await sessionsOf(writer)
  assert.deepEqual(listed.map(({ kind, device, is_current }) => [kind, device, is_current]).sort(), [
    ['browser', 'Firefox on Linux', false],
    ['browser', 'Safari on iPhone', false],
    ['program', 'curl', false],
    ['program', 'node', true],
  ])
  for (const { created_at, last_used_at, expires_at } of listed) {
    assert.equal(created_at, last_used_at)
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * 86_400_000)
  }
})

test('what is listed of a device is short, whatever the program calls itself', async () => {
  const writer = await publisher(system)
  const names: [string, string | null][] = [
    ['x'.repeat(5_000), 'x'.repeat(40)],
    ['<script>alert(1)</script>', null],
    ['Mozilla/5.0', null],
    ['python-requests/2.32 ("Firefox")', 'python-requests'],
    [`Firefox/1 ${'('.repeat(4_000)}`, 'Firefox'],
  ]
  for (const [agent] of names) await logIn(writer.email, agent)
  const devices = (await sessionsOf(writer)).map(({ device }) => device).filter((device) => device !== 'node')
  assert.deepEqual(devices.sort(), names.map(([, device]) => device).sort())
})

test('a session that is ended is refused with its next request, and by another node within a second', async () => {
  const writer = await publisher(system)
  const program = await logIn(writer.email, 'curl/8')
  const elsewhere = other.publishing.bearer(program.accessToken)
  const { browser, cookie } = await browserOf(publishing, writer.email)
  const browserElsewhere = other.publishing.with({ cookie })
  const me = 'GET /api/users/me'
  for (const [client, call] of [
    [program.api, me],
    [elsewhere, me],
    [browser, 'GET /home'],
    [browserElsewhere, 'GET /home'],
  ] as const)
    assert.equal((await client(call)).status, 200)

  for (const { id, is_current } of await sessionsOf(writer)) {
    if (is_current) continue
    const { status, body } = await writer.api(`DELETE /api/users/me/sessions/${id}`)
    assert.deepEqual([status, body.data], [200, { id, ended: true }])
    assert.equal((await writer.api(`DELETE /api/users/me/sessions/${id}`)).status, 404, 'it is gone')
  }
  const refused = await program.api(me)
  assert.equal(refused.status, 401)
  assert.match(refused.body.message, /has ended: sign in again/)
  assert.equal((await browser('GET /home')).status, 401)
  assert.equal((await refresh(program.refreshToken)).status, 401)
  for (const [client, call] of [
    [elsewhere, me],
    [browserElsewhere, 'GET /home'],
  ] as const)
    await until('the other node refuses it', async () => (await client(call)).status === 401, {
      withinMs: 1_000,
    })
  assert.equal((await writer.api(me)).status, 200)
})

test('all other sessions end at once, and API keys stay', async () => {
  const writer = await publisher(system)
  const { key } = (await writer.api('POST /api/developer/keys', { body: { name: 'x' } })).body.data
  const programs = await Promise.all(['a/1', 'b/1', 'c/1'].map((agent) => logIn(writer.email, agent)))
  const { browser } = await browserOf(publishing, writer.email)
  const { status, body } = await writer.api('DELETE /api/users/me/sessions')
  assert.deepEqual([status, body.data], [200, { ended: 4 }])
  for (const { api } of programs) assert.equal((await api('GET /api/users/me')).status, 401)
  assert.equal((await browser('GET /home')).status, 401)
  assert.equal((await sessionsOf(writer)).length, 1)
  assert.deepEqual((await writer.api('DELETE /api/users/me/sessions')).body.data, { ended: 0 })
  const posted = await publishing.with({ 'x-api-key': key })('POST /api/posts', { body: { content: 'x' } })
  assert.equal(posted.status, 201)
})

test('sessions of another account are not found and stay, and no API key sees or ends sessions', async () => {
  const [writer, stranger] = [await publisher(system), await publisher(system)]
  const [own] = await sessionsOf(writer)
  assert.equal((await stranger.api(`DELETE /api/users/me/sessions/${own!.id}`)).status, 404)
  for (const id of ['0', '-1', 'x', '9007199254740993', '9007199254740991'])
    assert.equal((await writer.api(`DELETE /api/users/me/sessions/${id}`)).status, 404, id)
  await stranger.api('DELETE /api/users/me/sessions')
  assert.equal((await sessionsOf(writer)).length, 1)

  const { key } = (await writer.api('POST /api/developer/keys', { body: { name: 'x' } })).body.data
  const { browser } = await browserOf(publishing, writer.email)
  for (const client of [publishing, publishing.with({ 'x-api-key': key }), browser])
    for (const call of ['GET ', 'DELETE ', `DELETE /${own!.id}`]) {
      const [method, id = ''] = call.split(' ')
      assert.equal((await client(`${method} /api/users/me/sessions${id}`)).status, 401)
    }
})

test('signing out ends the access token, too, and a new password every session but the new one', async () => {
  const writer = await publisher(system)
  const program = await logIn(writer.email, 'curl/8')
  await publishing('POST /api/auth/logout', { body: { refreshToken: program.refreshToken } })
  assert.equal((await program.api('GET /api/users/me')).status, 401)
  await browserOf(publishing, writer.email)
  const { body } = await writer.api('PATCH /api/users/me/password', {
    body: { current_password: password, new_password: 'another horse' },
  })
  const listed = await sessionsOf({ api: publishing.bearer(body.data.accessToken) })
  assert.deepEqual(
    listed.map(({ is_current }) => is_current),
    [true],
  )
})

test('on the pages, one session is ended with its button, and all others with another', async () => {
  const writer = await publisher(system)
  const { browser, send } = await browserOf(publishing, writer.email)
  const phone = await signIn(writer.email, iphone)
  const shown = (await browser('GET /settings/sessions')).text
  for (const words of ['Safari on iPhone', 'node', 'This one', 'End all other sessions'])
    assert.ok(shown.includes(words), words)
  const ended = (await sessionsOf(writer)).find(({ device }) => device === 'Safari on iPhone')!
  const action = `/settings/sessions/${ended.id}/end`
  assert.ok(shown.includes(`action="${action}"`))
  assert.equal((await browser(`POST ${action}`, form({}))).status, 403, 'without the token of our own form')
  assert.equal((await send(action)).status, 303)
  assert.equal((await phone('GET /home')).status, 401)
  assert.equal((await send(action)).status, 404)
  assert.equal((await send('/settings/sessions/end-others')).headers.get('location'), '/settings/sessions')
  assert.equal((await writer.api('GET /api/users/me')).status, 401)
  const left = (await browser('GET /settings/sessions')).text
  assert.ok(left.includes('This one') && !left.includes('End all other sessions'))
})

test('a refreshed session stays one session, and its use is written every few minutes at most', async () => {
  const writer = await publisher(system)
  const { browser } = await browserOf(publishing, writer.email)
  const usesOf = async () =>
    Object.fromEntries((await sessionsOf(writer)).map(({ kind, last_used_at }) => [kind, last_used_at]))
  const versions = async () =>
    (
      await system.sql<{ xmin: string }[]>`
        select xmin::text from publishing.sessions where user_id = ${writer.user.id} order by id`
    ).map(({ xmin }) => xmin)
  const [begun, rows] = [await usesOf(), await versions()]
  clock.advance(4 * 60_000)
  for (let n = 0; n < 3; n++) await browser('GET /home')
  assert.deepEqual(await usesOf(), begun)
  assert.deepEqual(await versions(), rows, 'nothing was written')

  clock.advance(2 * 60_000)
  await Promise.all([browser('GET /home'), browser('GET /home')])
  const used = await usesOf()
  for (const kind of ['browser', 'program']) assert.ok(used[kind]! > begun[kind]!, kind)
  const written = await versions()
  await browser('GET /home')
  assert.deepEqual(await versions(), written)

  const { body } = await refresh(writer.refreshToken)
  const again = await refresh(body.data.refreshToken)
  assert.equal((await sessionsOf({ api: publishing.bearer(again.body.data.accessToken) })).length, 2)
})
