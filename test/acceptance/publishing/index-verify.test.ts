import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { sql } = system
const found = async () =>
  (await service.verify(service.context(system.platform)))
    .filter(({ invariant }) => invariant === 'search index')
    .map(({ subject, detail }) => `${subject} ${detail}`)

test('verify finds posts that search or their hashtags miss, and those that have gone but are still found', async () => {
  const ada = await publisher(system)
  const { id } = await writePost(ada, 'on the #quay by the #Harbour')
  const gone = await writePost(ada, 'off the #quay')
  await ada.api(`DELETE /api/posts/${gone.id}`)
  assert.deepEqual(await found(), [])

  await sql`delete from publishing.post_words where post_id = ${id}`
  assert.deepEqual(await found(), [`post ${id} is public but cannot be found`])
  await sql`insert into publishing.post_words values (${id}, 'on the #quay by the #harbour')`

  await sql`delete from publishing.post_tags where post_id = ${id} and tag = 'harbour'`
  assert.deepEqual(await found(), [`post ${id} is public but cannot be found`])
  await sql`insert into publishing.post_tags values ('harbour', ${id})`

  await sql`insert into publishing.post_tags values ('quay', ${gone.id})`
  assert.deepEqual(await found(), [`post ${gone.id} can be found but is not public`])
  await sql`delete from publishing.post_tags where post_id = ${gone.id}`
  assert.deepEqual(await found(), [])
})

test('an edit moves a post from its old hashtags to the new ones', async () => {
  const ada = await publisher(system)
  const { id } = await writePost(ada, 'low #tide and #fog')
  const other = await writePost(ada, 'more #fog')
  await ada.api(`PATCH /api/posts/${id}`, { body: { content: 'high #tide and #wind' } })
  const tagged = async (tag: string) =>
    (await ada.api(`GET /api/hashtags/${tag}`)).body.data.posts.map((post: { id: number }) => post.id)
  assert.deepEqual(await tagged('tide'), [id])
  assert.deepEqual(await tagged('wind'), [id])
  assert.deepEqual(await tagged('fog'), [other.id])
  assert.deepEqual(await found(), [])
})
