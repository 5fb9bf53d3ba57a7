import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import type { Answer, Client } from '#test/support/client.ts'
import { password, publisher } from '#test/support/factories.ts'

const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })
const writers = await Promise.all(Array.from({ length: 5 }, () => publisher(system)))

// The same disorder in every run.
let seed = 7
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}
const anyOf = <T>(list: readonly T[]): T => list[random(list.length)]!

const posts: number[] = []
const write = async (api: Client, body: object) => {
  const answer = await api('POST /api/posts', { body })
  if (answer.status === 201) posts.push(answer.body.data.post.id)
  return answer
}

const deeds: ((api: Client) => Promise<Answer>)[] = [
  (api) => write(api, { content: `a post #one #two @${anyOf(writers).handle}` }),
  (api) => write(api, { content: 'a reply #two #one', type: 'reply', parentId: anyOf(posts) }),
  (api) => write(api, { content: 'a quote #three', type: 'quote', quoteOfId: anyOf(posts) }),
  (api) => api(`POST /api/posts/${anyOf(posts)}/like`),
  (api) => api(`DELETE /api/posts/${anyOf(posts)}/like`),
  (api) => api(`POST /api/posts/${anyOf(posts)}/repost`),
  (api) => api(`DELETE /api/posts/${anyOf(posts)}/repost`),
  (api) => api(`DELETE /api/posts/${anyOf(posts)}`),
  (api) => api(`PATCH /api/posts/${anyOf(posts)}`, { body: { content: `edited ${random(99)} #three #one` } }),
  (api) => api(`POST /api/users/${anyOf(writers).handle}/follow`),
  (api) => api(`DELETE /api/users/${anyOf(writers).handle}/follow`),
  (api) => api(`POST /api/users/${anyOf(writers).handle}/block`),
  (api) => api(`DELETE /api/users/${anyOf(writers).handle}/block`),
  (api) => api('PATCH /api/users/me', { body: { is_protected: random(2) === 0 } }),
]

test('concurrent actions of many accounts on two nodes cause no error and keep every counter exact', async () => {
  for (const { api } of writers) await write(api, { content: 'to begin with #one' })
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => {
        const node = random(2) === 0 ? system : other
        return anyOf(deeds)(node.publishing.bearer(anyOf(writers).token))
      }),
    )
    for (const { status, text } of answers) assert.ok(status < 500, text)
  }
  assert.deepEqual(await service.verify(service.context(system.platform)), [])
})

test('an account that is deleted while others reply to, like and follow it leaves nothing behind', async () => {
  const leaver = await publisher(system)
  const mine: number[] = []
  for (let n = 0; n < 5; n++)
    mine.push(
      (await leaver.api('POST /api/posts', { body: { content: `bye ${n} #four` } })).body.data.post.id,
    )
  const answers = await Promise.all([
    ...writers.flatMap(({ api }) => [
      api(`POST /api/users/${leaver.handle}/follow`),
      api(`POST /api/posts/${anyOf(mine)}/like`),
      api(`POST /api/posts/${anyOf(mine)}/repost`),
      api('POST /api/posts', { body: { content: 'wait', type: 'reply', parentId: anyOf(mine) } }),
    ]),
    leaver.api('DELETE /api/users/me', { body: { password } }),
    leaver.api('POST /api/posts', { body: { content: 'too late?' } }),
  ])
  for (const { status, text } of answers) assert.ok(status < 500, text)
  for (const id of mine) assert.equal((await system.publishing(`GET /api/posts/${id}`)).status, 404)
  assert.equal((await system.publishing('GET /api/hashtags/four')).body.meta.total, 0)
  assert.deepEqual(await service.verify(service.context(system.platform)), [])
})
