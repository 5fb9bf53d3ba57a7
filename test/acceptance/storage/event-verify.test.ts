import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { storage as service } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket, objectPath, putObject } from '#test/support/storage.ts'
import { tampering } from '#test/support/tampering.ts'

const system = await boot()
const { remove, repeat, alter, undo } = tampering(system, 'storage')
const findings = async () =>
  (await service.verify(service.context(system.platform))).map(({ subject }) => subject)

afterEach(async () => {
  await undo()
  assert.deepEqual(await findings(), [])
})

const scene = async () => {
  const owner = await storageOwner(system)
  const bucket = await createBucket(owner.api, 'scene')
  const object = await putObject(owner.api, objectPath(bucket, 'a.txt'), 'first')
  return { ...owner, bucket, object: object.id as string }
}

test('verify finds an object, a bucket and a key whose only event is missing', async () => {
  const { api, bucket, object } = await scene()
  const key = (await api('POST /auth/api-keys', { body: { label: 'k' } })).body.id
  for (const subject of [`object/${object}`, `bucket/${bucket}`, `api_key/${key}`]) {
    await remove(subject)
    assert.deepEqual(await findings(), [subject])
    await undo()
  }
})

test('verify finds that the last event of an object is missing, or tells something else', async () => {
  const { api, bucket, object } = await scene()
  const subject = `object/${object}`
  await putObject(api, objectPath(bucket, 'a.txt'), 'second, and longer')
  await remove(subject)
  assert.deepEqual(await findings(), [subject], 'the overwriting was not told')
  await undo()
  await api(`DELETE ${objectPath(bucket, 'a.txt')}`)
  await remove(subject)
  assert.deepEqual(await findings(), [subject], 'the deletion was not told')
  await undo()
  await alter(subject, { size_bytes: 1 })
  assert.deepEqual(await findings(), [subject])
})

test('verify finds events of what did not happen', async () => {
  const { bucket, object } = await scene()
  for (const subject of [`object/${object}`, `bucket/${bucket}`]) {
    await repeat(subject)
    assert.deepEqual(await findings(), [subject], 'created twice')
    await undo()
  }
  await repeat(`object/${object}`, { type: 'object.deleted' })
  assert.deepEqual(await findings(), [], 'its data says that it is there')
  await repeat(`object/${object}`, { type: 'object.purged' })
  assert.deepEqual(await findings(), [`object/${object}`])
  await undo()
  const missing = '019a8c1e-7d20-7b3a-9c4e-5f60718293a4'
  await repeat(`bucket/${bucket}`, { subject: `bucket/${missing}` })
  assert.deepEqual(await findings(), [`bucket/${missing}`])
})

test('verify finds members and policies that the last event tells otherwise', async () => {
  const { api, bucket } = await scene()
  const member = await addMember(system, api, 'member')
  await api(`PATCH /members/${member.id}`, { body: { role: 'admin' } })
  await alter(`member/${member.id}`, { role: 'member' })
  assert.deepEqual(await findings(), [`member/${member.id}`])
  await undo()
  const statements = [
    { effect: 'deny', action: 'object.delete', resourceType: 'object', resourceId: '*', subjectType: 'role', subjectId: 'member' },
  ] // biome-ignore format: one line
  await api(`PUT /buckets/${bucket}/policy`, { body: { statements } })
  await alter(`bucket/${bucket}`, { statements: [] })
  assert.deepEqual(await findings(), [`bucket/${bucket}`])
})
