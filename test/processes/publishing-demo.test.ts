import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'

const system = await boot()
const { publishing } = system

test('publishing demo: the home timeline has every kind of post, and a second run adds nothing', async () => {
  const ctx = service.context(system.platform)
  const logins = await service.demo(ctx)
  assert.deepEqual(await service.demo(ctx), logins)
  const { login: email, password } = logins[0]!
  const session = await publishing('POST /api/auth/login', { body: { email, password } })
  const home = await publishing.bearer(session.body.data.accessToken)('GET /api/timeline/home?limit=100')
  assert.ok(home.body.data.posts.length > 20)
  const times = home.body.data.posts.map(({ created_at }: { created_at: string }) => Date.parse(created_at))
  assert.deepEqual(
    times,
    times.toSorted((a: number, b: number) => b - a),
    'newest first',
  )
  assert.ok(times[0] - times.at(-1) > 6 * 86_400_000, 'posts of a week')
  const types = new Set(home.body.data.posts.map(({ type }: { type: string }) => type))
  assert.deepEqual(types, new Set(['post', 'reply', 'quote', 'repost']))
  assert.equal((await publishing('GET /api/users/quiet_ana/posts')).status, 403)
  assert.equal((await publishing('GET /api/users/cheap_lamps')).status, 403)
  const explore = (await publishing('GET /')).text
  assert.match(explore, /المدينة|مدينة/)
  assert.doesNotMatch(explore, /LAMPS/)
  const { avatar_url, banner_url } = (await publishing('GET /api/users/mira')).body.data
  for (const url of [avatar_url, banner_url]) assert.equal((await fetch(url)).status, 200)
  const { data, meta } = (
    await publishing.bearer(session.body.data.accessToken)('GET /api/notifications?limit=100')
  ).body
  assert.deepEqual(
    new Set(data.notifications.map(({ type }: { type: string }) => type)),
    new Set(['like', 'repost', 'reply', 'quote', 'mention', 'follow', 'follow_accepted']),
  )
  assert.ok(meta.unread_count > 5 && meta.unread_count < meta.total, 'some are read, some are not')
  assert.deepEqual(await service.verify(ctx), [])
})
