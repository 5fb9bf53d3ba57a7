import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'

const system = await boot({ env: { RATE_LIMITS: 'on' } })
const second = await boot({
  env: { RATE_LIMITS: 'on' },
  database: { url: system.databaseUrl },
})
const { publishing } = system

type Writer = Awaited<ReturnType<typeof publisher>>
const makeKey = async ({ api }: Writer, more: object = {}) => {
  const { status, body, text } = await api('POST /api/developer/keys', { body: { name: 'script', ...more } })
  assert.equal(status, 201, text)
  return body.data
}
const post = (key: string, content = 'by script', api = publishing) =>
  api('POST /api/posts', { body: { content }, headers: { 'x-api-key': key } })
const postsOf = async (handle: string) => (await publishing(`GET /api/users/${handle}`)).body.data.post_count
const tally = (answers: { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(
      answers.map((a) => a.status),
      (s) => s,
    )
      .entries()
      .map(([s, all]) => [s, all.length]),
  )

test('an API key is shown once, listed without its secret, and can post until it is revoked', async () => {
  const mira = await publisher(system)
  const created = await makeKey(mira)
  const { id, key, prefix, ...rest } = created
  assert.deepEqual(rest, { name: 'script', dailyPostLimit: 100 })
  assert.match(key, /^f9k_[0-9A-Za-z]{30,}$/)
  assert.equal(prefix, key.slice(0, 12))
  const posted = await post(key)
  assert.equal(posted.status, 201)
  assert.equal(posted.body.data.post.viewer, undefined)
  assert.deepEqual(
    ['limit', 'remaining', 'reset'].map((name) => posted.headers.get(`ratelimit-${name}`)),
    ['30', '29', '60'],
  )
  const list = await mira.api('GET /api/developer/keys')
  const { created_at, last_used_at, ...item } = list.body.data.keys[0]
  assert.deepEqual(item, {
    id,
    name: 'script',
    key_prefix: prefix,
    daily_post_limit: 100,
    posts_today: 1,
    is_active: true,
  })
  assert.ok(last_used_at >= created_at)
  assert.ok(!list.text.includes(key))
  const usage = await mira.api('GET /api/developer/keys/usage')
  assert.deepEqual(usage.body.data.usage, [
    {
      id,
      name: 'script',
      key_prefix: prefix,
      daily_post_limit: 100,
      posts_today: 1,
      postsRemainingToday: 99,
      last_used_at,
    },
  ])
  assert.deepEqual(
    (await mira.api(`GET /api/developer/keys/${id}/usage`)).body.data.usage,
    usage.body.data.usage[0],
  )
  assert.equal((await post(key, 'other node', second.publishing)).status, 201)
  assert.equal((await mira.api(`DELETE /api/developer/keys/${id}`)).status, 200)
  const refused = await post(key)
  assert.equal(refused.status, 401)
  assert.match(refused.body.message, /invalid API key/i)
  await new Promise((resolve) => setTimeout(resolve, 900))
  assert.equal((await post(key, 'x', second.publishing)).status, 401)
  assert.equal((await mira.api('GET /api/developer/keys')).body.data.keys[0].is_active, false)
})

test('API keys are managed by their own account, with a bearer token only', async () => {
  const [mira, jonas] = [await publisher(system), await publisher(system)]
  const { id, key } = await makeKey(mira)
  for (const call of [`DELETE /api/developer/keys/${id}`, `GET /api/developer/keys/${id}/usage`]) {
    assert.equal((await jonas.api(call)).status, 404)
    assert.equal((await publishing(call)).status, 401)
    assert.equal((await publishing(call, { headers: { 'x-api-key': key } })).status, 401)
  }
  assert.deepEqual((await jonas.api('GET /api/developer/keys')).body.data.keys, [])
  assert.equal((await post(key)).status, 201)
  for (const text of ['', 'f9k_', 'f9k_nonsense', key.slice(0, -1), `${key}x`, 'x'.repeat(5000)])
    assert.equal((await post(text)).status, 401, text.slice(0, 50))
})

test('invalid input for API keys is refused, at both edges of every limit', async () => {
  const mira = await publisher(system)
  const status = async (body: object) => (await mira.api('POST /api/developer/keys', { body })).status
  for (const body of [
    {},
    { name: '' },
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { name: 5 },
    { name: 'x', daily_post_limit: 0 },
    { name: 'x', daily_post_limit: 1001 },
    { name: 'x', daily_post_limit: 1.5 },
    { name: 'x', dailyPostLimit: '7' },
  ])
    assert.equal(await status(body), 422, JSON.stringify(body))
  assert.equal((await makeKey(mira, { name: '名'.repeat(100), dailyPostLimit: 1000 })).dailyPostLimit, 1000)
  assert.equal((await makeKey(mira, { daily_post_limit: 1 })).dailyPostLimit, 1)
})

test('an account gets exactly five active API keys, however many are requested at once', async () => {
  const mira = await publisher(system)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      (n % 2 ? system : second).publishing('POST /api/developer/keys', {
        body: { name: `k${n}` },
        headers: { authorization: `Bearer ${mira.token}` },
      }),
    ),
  )
  assert.deepEqual(tally(answers), { 201: 5, 422: 7 })
  const sixth = answers.find(({ status }) => status === 422)!
  assert.match(sixth.body.message, /at most 5 active/)
  assert.deepEqual(sixth.body.errors, [{ field: 'keys', message: 'keys must be at most 5 active ones' }])
  const { keys } = (await mira.api('GET /api/developer/keys')).body.data
  await mira.api(`DELETE /api/developer/keys/${keys[0].id}`)
  assert.equal((await mira.api('POST /api/developer/keys', { body: { name: 'next' } })).status, 201)
  assert.equal((await mira.api('GET /api/developer/keys')).body.data.keys.length, 6)
})

test('the daily limit of an API key is exact on two nodes and resets at midnight UTC', async () => {
  const mira = await publisher(system)
  const { key, id } = await makeKey(mira, { daily_post_limit: 7 })
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => post(key, `n${n}`, (n % 2 ? system : second).publishing)),
  )
  assert.deepEqual(tally(answers), { 201: 7, 429: 9 })
  const refused = answers.find(({ status }) => status === 429)!
  assert.match(refused.body.message, /7.*midnight UTC/)
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 86_400)
  const rates = ['limit', 'remaining', 'reset'].map((name) => refused.headers.get(`ratelimit-${name}`))
  assert.deepEqual(rates, ['7', '0', String(wait)])
  assert.equal(await postsOf(mira.handle), 7)
  const usage = async () => (await mira.api(`GET /api/developer/keys/${id}/usage`)).body.data.usage
  assert.equal((await usage()).postsRemainingToday, 0)
  assert.equal((await mira.api('POST /api/posts', { body: { content: 'by token' } })).status, 201)
  const other = await makeKey(mira)
  assert.equal((await post(other.key)).status, 201)
  system.clock.advance(86_400_000)
  second.clock.advance(86_400_000)
  const again = await publishing('POST /api/auth/login', {
    body: { email: mira.email, password: 'correct horse' },
  })
  const api = publishing.bearer(again.body.data.accessToken)
  assert.equal((await api(`GET /api/developer/keys/${id}/usage`)).body.data.usage.posts_today, 0)
  assert.equal((await post(key)).status, 201)
})

test('posts that wait for each other on two nodes share one burst', async () => {
  const mira = await publisher(system)
  const { release } = await hold(
    system,
    (tx) => tx`select from publishing.users where handle = ${mira.handle} for no key update`,
  )
  const sending = Array.from({ length: 40 }, (_, n) =>
    (n % 2 ? system : second).publishing.bearer(mira.token)('POST /api/posts', {
      body: { content: `n${n}` },
    }),
  )
  await waitingForLocks(system, 2)
  await release()
  const answers = await Promise.all(sending)
  assert.deepEqual(tally(answers), { 201: 30, 429: 10 })
  const accepted = answers.filter(({ status }) => status === 201)
  const remaining = accepted.map(({ headers }) => Number(headers.get('ratelimit-remaining')))
  assert.deepEqual(
    remaining.sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, left) => left),
  )
  assert.equal(await postsOf(mira.handle), 30)
})

test('the burst limit of thirty posts in sixty seconds is shared by all keys and tokens of an account, on two nodes', async () => {
  const mira = await publisher(system)
  const keys = [await makeKey(mira), await makeKey(mira)]
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const { publishing: api } = n % 2 ? system : second
      return n % 3 === 0
        ? api.bearer(mira.token)('POST /api/posts', { body: { content: `n${n}` } })
        : post(keys[n % 2]!.key, `n${n}`, api)
    }),
  )
  assert.deepEqual(tally(answers), { 201: 30, 429: 10 })
  assert.equal(await postsOf(mira.handle), 30)
  const refused = answers.find(({ status }) => status === 429)!
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 60, String(wait))
  assert.deepEqual(
    ['limit', 'remaining'].map((name) => refused.headers.get(`ratelimit-${name}`)),
    ['30', '0'],
  )
  const { usage } = (await mira.api('GET /api/developer/keys/usage')).body.data
  const byKeys = usage.reduce((sum: number, u: { posts_today: number }) => sum + u.posts_today, 0)
  assert.ok(byKeys < 30)
  const invalid = await mira.api('POST /api/posts', { body: { content: '' } })
  assert.equal(invalid.status, 422)
  system.clock.advance(61_000)
  assert.equal((await mira.api('POST /api/posts', { body: { content: 'later' } })).status, 201)
})

test('the window of a burst is sixty seconds, not fifty-nine', async () => {
  const { api } = await publisher(system)
  const write = () => api('POST /api/posts', { body: { content: 'tick' } })
  const first = await write()
  await Promise.all(Array.from({ length: 29 }, write))
  const sinceFirst = () => system.platform.clock.now().getTime() - Date.parse(first.body.data.post.created_at)
  system.clock.advance(59_100 - sinceFirst())
  const refused = await write()
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  system.clock.advance(60_050 - sinceFirst())
  assert.equal((await write()).status, 201)
})

test('a post that waits for its account is refused if its key is used up meanwhile', async () => {
  const mira = await publisher(system)
  const { id, key } = await makeKey(mira, { daily_post_limit: 5 })
  const afterUsing = async (count: number) => {
    const { release } = await hold(system, async (tx) => {
      await tx`select from publishing.users where handle = ${mira.handle} for no key update`
      await tx`update publishing.api_keys set posts_today = ${count}, posts_day = ${system.clock.now()} where id = ${id}`
    })
    const sending = post(key)
    await waitingForLocks(system, 1)
    await release()
    return sending
  }
  assert.equal((await afterUsing(3)).status, 201)
  const { usage } = (await mira.api(`GET /api/developer/keys/${id}/usage`)).body.data
  assert.equal(usage.postsRemainingToday, 1)
  const refused = await afterUsing(5)
  assert.equal(refused.status, 429)
  assert.match(refused.body.message, /^Daily limit of 5 posts reached/)
})

test('posting with an Idempotency-Key is done once, and a refused post does not count', async () => {
  const mira = await publisher(system)
  const { key, id } = await makeKey(mira, { daily_post_limit: 2 })
  const headers = { 'x-api-key': key, 'idempotency-key': 'once' }
  const body = { content: 'only once' }
  const first = await publishing('POST /api/posts', { body, headers })
  const again = await publishing('POST /api/posts', { body, headers })
  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  const other = await publishing('POST /api/posts', { body: { content: 'another' }, headers })
  assert.equal(other.status, 422)
  assert.equal(other.body.errors[0].field, 'Idempotency-Key')
  for (const bad of [{ content: '' }, { content: 'x', type: 'reply', parentId: 99_999_999 }])
    assert.ok(
      (await publishing('POST /api/posts', { body: bad, headers: { 'x-api-key': key } })).status >= 400,
    )
  const usage = (await mira.api(`GET /api/developer/keys/${id}/usage`)).body.data.usage
  assert.equal(usage.posts_today, 1)
  assert.equal(await postsOf(mira.handle), 1)
  const parallel = await Promise.all(
    Array.from({ length: 6 }, () =>
      publishing('POST /api/posts', { body, headers: { ...headers, 'idempotency-key': 'race' } }),
    ),
  )
  assert.ok(parallel.every(({ status }) => status === 201 || status === 409))
  assert.equal(await postsOf(mira.handle), 2)
  const full = await publishing('POST /api/posts', {
    body,
    headers: { ...headers, 'idempotency-key': 'third' },
  })
  assert.equal(full.status, 429)
  await makeKey(mira)
})

test('posts written in one batch are accepted or refused independently of each other', async () => {
  const unlimited = await boot({ database: { url: system.databaseUrl } })
  const writers = await Promise.all(Array.from({ length: 12 }, () => publisher(unlimited)))
  const [first, shy, spent, revoked] = writers as [Writer, Writer, Writer, Writer]
  const keys = await Promise.all(
    writers.map((writer) => makeKey(writer, { daily_post_limit: writer === spent ? 1 : 100 })),
  )
  const root = (await post(keys[0].key, 'the first of all')).body.data.post
  assert.equal((await post(keys[2].key)).status, 201)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const bodies = writers.map((_, n) =>
    n % 3 === 0
      ? { content: `reply ${n} #everybody`, type: 'reply', parentId: root.id }
      : n % 3 === 1
        ? { content: `quote ${n} #everybody #tag${n}`, type: 'quote', quoteOfId: root.id }
        : { content: `post ${n} #everybody` },
  )
  const revoking = revoked.api(`DELETE /api/developer/keys/${keys[3].id}`)
  const answers = await Promise.all(
    bodies.flatMap((body, n) =>
      [publishing, second.publishing].map((api) =>
        api('POST /api/posts', { body, headers: { 'x-api-key': keys[n].key } }),
      ),
    ),
  )
  assert.equal((await revoking).status, 200)
  assert.deepEqual(await service.verify(service.context(system.platform)), [])
  // Counters that another node has changed are heard of a little later.
  await new Promise((resolve) => setTimeout(resolve, 900))

  const written: Record<number, number> = {}
  for (const [at, { status, body, text }] of answers.entries()) {
    const n = Math.floor(at / 2)
    if (n === 3 && status === 401) continue
    assert.equal(status, n === 2 ? 429 : 201, text)
    if (n === 2) continue
    const { post: made } = body.data
    assert.deepEqual([made.content, made.author.handle], [bodies[n]!.content, writers[n]!.handle])
    assert.equal(made.parent_id ?? made.quote_of_id, n % 3 === 2 ? null : root.id)
    written[n] = (written[n] ?? 0) + 1
  }
  const sum = (counts: (n: number) => boolean) =>
    Object.entries(written).reduce((total, [n, times]) => total + (counts(Number(n)) ? times : 0), 0)
  const { reply_count, quote_count } = (await publishing(`GET /api/posts/${root.id}`)).body.data
  // What the protected account writes counts below its own posts only, and has no public tags.
  assert.deepEqual([reply_count, quote_count], [sum((n) => n % 3 === 0), sum((n) => n % 3 === 1 && n !== 1)])
  const tagged = await publishing('GET /api/timeline/hashtag/everybody?limit=100')
  assert.equal(
    tagged.body.data.posts.length,
    sum((n) => n !== 1),
  )
  for (const [n, { handle, api }] of writers.entries()) {
    const before = n === 0 || n === 2 ? 1 : 0
    const { post_count } = (await api(`GET /api/users/${handle}`)).body.data
    assert.equal(post_count, before + (written[n] ?? 0))
    const { posts_today } = (await api('GET /api/developer/keys')).body.data.keys[0]
    assert.equal(posts_today, post_count)
  }
  const { handle } = first
  const [newest] = (await publishing(`GET /api/users/${handle}/posts`)).body.data.posts
  assert.equal(newest.content, bodies[0]!.content)
})

test('a post with an API key that is revoked meanwhile is refused and not counted', async () => {
  const mira = await publisher(system)
  const { id, key } = await makeKey(mira)
  assert.equal((await post(key)).status, 201)
  const { release: revoke } = await hold(
    system,
    (tx) => tx`update publishing.api_keys set revoked_at = now() where id = ${id}`,
  )
  const late = post(key, 'too late')
  await waitingForLocks(system, 1)
  await revoke()
  assert.equal((await late).status, 401)
  assert.equal(await postsOf(mira.handle), 1)
  assert.equal((await publishing('GET /api/search?q=too+late')).body.meta.total, 0)
})
