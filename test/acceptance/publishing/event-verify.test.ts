import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { tampering } from '#test/support/tampering.ts'

const system = await boot()
const { remove, repeat, alter, undo } = tampering(system, 'publishing')
const findings = async () =>
  (await service.verify(service.context(system.platform))).map(({ subject }) => subject)

afterEach(async () => {
  await undo()
  assert.deepEqual(await findings(), [])
})

test('verify finds posts whose creation, change or deletion was not told', async () => {
  const ada = await publisher(system)
  await writePost(ada, 'the first, whose event is kept')
  const { id } = await writePost(ada, 'hello')
  await remove(`post/${id}`)
  assert.deepEqual(await findings(), [`post ${id}`])
  await undo()
  await ada.api(`PATCH /api/posts/${id}`, { body: { content: 'hello again' } })
  await remove(`post/${id}`)
  assert.deepEqual(await findings(), [`post ${id}`], 'the last that was told is the old text')
  await undo()
  await ada.api(`DELETE /api/posts/${id}`)
  await remove(`post/${id}`)
  assert.deepEqual(await findings(), [`post ${id}`])
})

test('verify finds events of posts that were told twice, otherwise, or do not exist', async () => {
  const ada = await publisher(system)
  const { id } = await writePost(ada, 'hello')
  await repeat(`post/${id}`)
  assert.deepEqual(await findings(), [`post ${id}`])
  await undo()
  await alter(`post/${id}`, { content: 'something else' })
  assert.deepEqual(await findings(), [`post ${id}`])
  await undo()
  await repeat(`post/${id}`, { type: 'post.deleted' })
  assert.deepEqual(await findings(), [`post ${id}`])
  await undo()
  await repeat(`post/${id}`, { subject: 'post/987654321' })
  assert.deepEqual(await findings(), ['post 987654321'])
})

test('verify finds follows, likes and profiles that the last event tells otherwise', async () => {
  const [ada, ben] = [await publisher(system), await publisher(system)]
  const { id } = await writePost(ben, 'hello')
  await ada.api(`POST /api/posts/${id}/like`)
  await repeat(`post/${id}`, { type: 'post.unliked' })
  assert.deepEqual(await findings(), [`like of post ${id} by ${ada.user.id}`])
  await undo()
  await ada.api(`POST /api/users/${ben.handle}/follow`)
  await repeat(`user/${ben.user.id}`, { type: 'user.unfollowed' })
  assert.deepEqual(await findings(), [`follow of ${ben.user.id} by ${ada.user.id}`])
  await undo()
  await ada.api('PATCH /api/users/me', { body: { bio: 'New' } })
  await alter(`user/${ada.user.id}`, { bio: 'Old' })
  assert.deepEqual(await findings(), [`account ${ada.user.id}`])
})
