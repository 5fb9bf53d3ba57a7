import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })
const reader = await publisher(system)
const [ann, ben, stranger] = [await publisher(system), await publisher(system), await publisher(system)]
type Writer = typeof reader

const write = async (by: Writer, content: string): Promise<number> => (await writePost(by, content)).id
const here = reader.api
const there = other.publishing.with({ authorization: `Bearer ${reader.token}` })
const home = async (api = here, limit = 20): Promise<number[]> => {
  const { status, body, text } = await api(`GET /api/timeline/home?limit=${limit}`)
  assert.equal(status, 200, text)
  return body.data.posts.map(({ id }: { id: number }) => id)
}

// More than are read anew each time.
const written: number[] = []
for (const followed of [ann, ben]) await here(`POST /api/users/${followed.handle}/follow`)
for (let n = 0; n < 40; n++)
  for (const writer of [ann, stranger, ben]) {
    const id = await write(writer, `number ${n}`)
    if (writer !== stranger) written.unshift(id)
  }

test('the home timeline has the posts of followed accounts, newest first, down to the oldest', async () => {
  for (const limit of [1, 20, 79, 80, 100]) assert.deepEqual(await home(here, limit), written.slice(0, limit))
})

test('a new post is in the home timeline at once, on every node', async () => {
  for (let n = 0; n < 5; n++) {
    assert.equal((await home(there))[0], written[0])
    written.unshift(await write(n % 2 ? ann : ben, `news ${n}`))
    assert.equal((await home(there))[0], written[0])
    assert.equal((await home())[0], written[0])
  }
})

test('a deleted post leaves the home timeline at once, and another one takes its place', async () => {
  await home()
  const [gone] = written.splice(3, 1)
  const author = (await here(`GET /api/posts/${gone}`)).body.data.author.handle === ann.handle ? ann : ben
  assert.equal((await author.api(`DELETE /api/posts/${gone}`)).status, 200)
  for (const limit of [20, 70]) assert.deepEqual(await home(here, limit), written.slice(0, limit))
})

test('posts of a suspended account leave the home timeline and come back when the suspension ends', async () => {
  const admin = await publisher(system)
  const byAnn = (await ann.api(`GET /api/users/${ann.handle}/posts?limit=100`)).body.data.posts.map(
    ({ id }: { id: number }) => id,
  )
  await setFlags(service.context(system.platform), admin.handle, { is_admin: true })
  for (const [word, expected] of [
    ['suspend', written.filter((id) => !byAnn.includes(id))],
    ['unsuspend', written],
  ] as const) {
    assert.equal((await admin.api(`POST /api/admin/users/${ann.handle}/${word}`)).status, 200)
    assert.deepEqual(await home(here, 100), expected.slice(0, 100))
  }
})

test('the home timeline is complete below thousands of newer posts of other accounts', async () => {
  await system.sql`
    insert into publishing.posts (author_id, type, content, content_html, audience, created_at)
    select ${stranger.user.id}, 'post', 'noise', 'noise', 'public', now() from generate_series(1, 4200)`
  for (const limit of [1, 20, 100]) assert.deepEqual(await home(here, limit), written.slice(0, limit))
  const paged: number[] = []
  for (let cursor = ''; ; ) {
    const { body } = await here(`GET /api/timeline/home?limit=7${cursor && `&cursor=${cursor}`}`)
    paged.push(...body.data.posts.map(({ id }: { id: number }) => id))
    cursor = body.data.nextCursor
    if (cursor === null) break
  }
  assert.deepEqual(paged, written)
})

test('old pages have the posts of followed accounts that were silent since, each once', async () => {
  const late = await publisher(system)
  const silent = await Promise.all(Array.from({ length: 30 }, () => publisher(system)))
  const old: number[] = []
  for (let n = 0; n < 2; n++) for (const writer of silent) old.unshift(await write(writer, 'long ago'))
  for (const { handle } of [...silent, ann]) await late.api(`POST /api/users/${handle}/follow`)
  const newer = await system.sql<{ id: number }[]>`
    insert into publishing.posts (author_id, type, content, content_html, audience, created_at)
    select ${ann.user.id}, 'post', 'noise', 'noise', 'public', now() from generate_series(1, 4000)
    returning id`
  const isWanted = new Set([...newer.map(({ id }) => id), ...old])
  const seen: number[] = []
  for (let cursor = ''; ; ) {
    // Pages that hold fewer than the accounts that are followed, once what is newer has been passed.
    const limit = seen.length < 4000 ? 100 : 20
    const { body } = await late.api(`GET /api/timeline/home?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.data.posts.map(({ id }: { id: number }) => id).filter((id: number) => isWanted.has(id)))
    cursor = body.data.nextCursor
    if (cursor === null) break
  }
  assert.deepEqual(
    seen,
    [...isWanted].toSorted((a, b) => b - a),
  )
})
