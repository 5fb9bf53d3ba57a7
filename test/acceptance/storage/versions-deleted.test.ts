import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket, objectPath, putObject } from '#test/support/storage.ts'

const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
const { api } = await storageOwner(system)

const written = async (name: string, texts: string[], more: object = {}) => {
  const id = await createBucket(api, name, more)
  for (const text of texts) await putObject(api, objectPath(id, 'a/k'), text)
  const listed = async () => (await api(`GET /buckets/${id}/versions?objectKey=a/k`)).body
  const remove = (versionId: string, as = api) =>
    as(`DELETE /buckets/${id}/versions?objectKey=a/k&versionId=${versionId}`)
  return { id, listed, remove }
}
const sizes = (versions: { size_bytes: number }[]) => versions.map(({ size_bytes }) => size_bytes)

test('an earlier version is deleted for good, and the others stay', async () => {
  const { listed, remove } = await written('earlier', ['1', '22', '333'])
  const [, second] = await listed()
  const { status, body } = await remove(second.version_id)
  assert.deepEqual([status, body.deleted], [200, true])
  assert.deepEqual(sizes(await listed()), [3, 1])
  assert.equal((await remove(second.version_id)).status, 404)
})

test('when the current version is deleted, the one before it becomes the current one', async () => {
  const { id, listed, remove } = await written('current', ['1', '22'])
  const [current] = await listed()
  assert.equal((await remove(current.version_id)).status, 200)
  assert.equal((await api(`GET /buckets/${id}/objects/a/k`)).text, '1')
  assert.equal((await api(`GET /buckets/${id}`)).body.total_size_bytes, 1)
})

test('what was stored without versioning can be deleted by its id, too', async () => {
  const { id, listed, remove } = await written('without', ['1'], { versioningEnabled: false })
  const [only] = await listed()
  assert.equal((await remove(only.version_id)).status, 200)
  assert.equal((await api(`GET /buckets/${id}/objects/a/k`)).status, 404)
})

test('members may not delete versions, strangers do not find them, and ids must be ids', async () => {
  const { id, listed, remove } = await written('rights', ['1', '22'])
  const [, first] = await listed()
  const member = await addMember(system, api, 'member')
  assert.equal((await remove(first.version_id, member.api)).status, 403)
  const stranger = await storageOwner(system)
  assert.equal((await remove(first.version_id, stranger.api)).status, 404)
  assert.equal((await remove('not-an-id')).status, 400)
  assert.equal((await api(`DELETE /buckets/${id}/versions?versionId=${first.version_id}`)).status, 400)
  assert.equal((await remove(id)).status, 404)
  assert.deepEqual(sizes(await listed()), [2, 1])
})

test('a version tells the SHA-256 that its upload was verified with', async () => {
  const id = await createBucket(api, 'checksums')
  const value = createHash('sha256').update('text').digest('base64')
  await putObject(api, objectPath(id, 'k'), 'text', { 'content-digest': `sha-256=:${value}:` })
  await putObject(api, objectPath(id, 'k'), 'other')
  const { body } = await api(`GET /buckets/${id}/versions?objectKey=k`)
  const expected = { algorithm: 'SHA256', value, type: 'FULL_OBJECT' }
  assert.deepEqual(
    body.map(({ checksum }: { checksum: object }) => checksum),
    [null, expected],
  )
})

test('lists in Form R tell when each object changed last', async () => {
  const id = await createBucket(api, 'changed')
  const { updated_at } = await putObject(api, objectPath(id, 'k'), 'text')
  const { body } = await api(`GET /buckets/${id}/objects?limit=10`)
  assert.equal(body.objects[0].updatedAt, updated_at)
})
