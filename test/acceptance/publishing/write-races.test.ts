import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import type { Answer } from '#test/support/client.ts'
import { publisher } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'

const system = await boot({ env: { RATE_LIMITS: 'on' } })
const other = await boot({ database: { url: system.databaseUrl } })
const nodes = [system, other]
const { publishing } = system

type Writer = Awaited<ReturnType<typeof publisher>>
const writers = await Promise.all(Array.from({ length: 6 }, () => publisher(system)))
const publish = async ({ api }: Writer, body: object = { content: 'a post' }) =>
  (await api('POST /api/posts', { body })).body.data.post.id as number
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const nothingIsWrong = async () =>
  assert.deepEqual(await service.verify(service.context(system.platform)), [])

test('of forty posts that one account sends at once thirty are accepted, each told what is left of the burst', async () => {
  const mira = await publisher(system)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      mira.api('POST /api/posts', { body: { content: `post ${n} #burst` } }),
    ),
  )
  const accepted = answers.filter(({ status }) => status === 201)
  assert.deepEqual(
    accepted.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, left) => left),
  )
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, 10)
  for (const { headers } of refused) {
    assert.equal(headers.get('ratelimit-remaining'), '0')
    assert.ok(Number(headers.get('retry-after')) >= 1)
  }
  for (const [n, { body, status }] of answers.entries())
    if (status === 201) assert.equal(body.data.post.content, `post ${n} #burst`, 'each gets its own post')
  assert.equal(new Set(accepted.map(({ body }) => body.data.post.id)).size, 30)
  assert.equal((await publishing('GET /api/hashtags/burst')).body.meta.total, 30)
  await nothingIsWrong()
})

test('posts and replies of one account with two keys at once use exactly the daily limit of each key', async () => {
  const mira = await publisher(system)
  const parentId = await publish(writers[0]!)
  const limits = [4, 6]
  const keys: string[] = []
  for (const daily_post_limit of limits) {
    const { body } = await mira.api('POST /api/developer/keys', {
      body: { name: 'script', daily_post_limit },
    })
    keys.push(body.data.key)
  }
  const bodyOf = (n: number) =>
    n % 3 === 0 ? { content: `reply ${n}`, type: 'reply', parentId } : { content: `post ${n}` }
  const sendTo = (n: number) => nodes[n % 2]!.publishing
  const byKey = await Promise.all(
    keys.map((key) =>
      Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          sendTo(n)('POST /api/posts', { body: bodyOf(n), headers: { 'x-api-key': key } }),
        ),
      ),
    ),
  )
  for (const [n, answers] of byKey.entries()) {
    const limit = limits[n]!
    assert.deepEqual(statuses(answers), [...Array(limit).fill(201), ...Array(10 - limit).fill(429)])
    const refused = answers.find(({ status }) => status === 429)!
    assert.equal(refused.body.message, `Daily limit of ${limit} posts reached; it resets at midnight UTC`)
  }
  const { usage } = (await mira.api('GET /api/developer/keys/usage')).body.data
  for (const { postsRemainingToday } of usage) assert.equal(postsRemainingToday, 0)
  await nothingIsWrong()
})

test('likes and unlikes of one post by many accounts on two nodes leave the exact count', async () => {
  const id = await publish(writers[0]!)
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      writers.flatMap(({ token }, n) =>
        nodes.flatMap((node) => {
          const api = node.publishing.bearer(token)
          return [api(`POST /api/posts/${id}/like`), ...(n % 2 ? [api(`DELETE /api/posts/${id}/like`)] : [])]
        }),
      ),
    )
    for (const { status, text } of answers) assert.equal(status, 200, text)
    await nothingIsWrong()
  }
  const last = await Promise.all(writers.map(({ api }) => api(`DELETE /api/posts/${id}/like`)))
  assert.equal(Math.min(...last.map(({ body }) => body.data.like_count)), 0)
})

test('follows, unfollows, requests and blocks between the same accounts at once keep every counter exact', async () => {
  const [a, b] = writers as [Writer, Writer]
  await writers[2]!.api('PATCH /api/users/me', { body: { is_protected: true } })
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(
      [a, b, writers[2]!].flatMap(({ token }, n) =>
        nodes.flatMap((node) => {
          const api = node.publishing.bearer(token)
          return [a, b, writers[2]!]
            .filter((_, target) => target !== n)
            .flatMap(({ handle }) => [
              api(`POST /api/users/${handle}/follow`),
              api(`POST /api/follow-requests/${handle}/accept`),
              api(`DELETE /api/users/${handle}/follow`),
              ...(round % 2 ? [api(`POST /api/users/${handle}/block`)] : []),
            ])
        }),
      ),
    )
    for (const { status, text } of answers) assert.ok(status < 500, text)
    await nothingIsWrong()
    for (const { api } of [a, b, writers[2]!])
      for (const { handle } of [a, b, writers[2]!]) await api(`DELETE /api/users/${handle}/block`)
  }
})

test('a post that is deleted while somebody likes, reposts or replies to it responds 404 and counts nothing', async () => {
  const [author, reader] = writers as [Writer, Writer]
  const id = await publish(author)
  const { release } = await hold(
    system,
    (tx) => tx`select from publishing.posts where id = ${id} for no key update`,
  )
  const deleting = author.api(`DELETE /api/posts/${id}`)
  await waitingForLocks(system, 1)
  const acting = [
    reader.api(`POST /api/posts/${id}/like`),
    reader.api(`POST /api/posts/${id}/repost`),
    reader.api('POST /api/posts', { body: { content: 'late', type: 'reply', parentId: id } }),
  ]
  await waitingForLocks(system, 4)
  await release()
  assert.equal((await deleting).status, 200)
  assert.deepEqual(statuses(await Promise.all(acting)), [404, 404, 404])
  await nothingIsWrong()
})

test('an account that is suspended while it posts and likes is refused and nothing is counted', async () => {
  const mira = await publisher(system)
  const id = await publish(writers[0]!)
  const { release } = await hold(
    system,
    (tx) =>
      tx`update publishing.users set is_suspended = true, reconcile_mark = 1 where handle = ${mira.handle}`,
  )
  const acting = [
    ...Array.from({ length: 3 }, (_, n) => mira.api('POST /api/posts', { body: { content: `late ${n}` } })),
    mira.api(`POST /api/posts/${id}/like`),
  ]
  await waitingForLocks(system, 2)
  await release()
  const answers = await Promise.all(acting)
  assert.deepEqual(statuses(answers), [403, 403, 403, 403])
  for (const { body } of answers) assert.equal(body.message, 'Account suspended')
  const { like_count } = (await publishing(`GET /api/posts/${id}`)).body.data
  assert.equal(like_count, 0)
})
