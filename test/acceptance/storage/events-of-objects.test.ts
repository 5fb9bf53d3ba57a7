import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tidy } from '#storage/upkeep.ts'
import { verify } from '#storage/verify/verify.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectsIn, putObject } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'
import { type Event, effect, effects, now, since, typesOf } from './event-scene.ts'

const system = await boot()
const { api } = await storageOwner(system)
const bucketId = await createBucket(api, 'happenings')
const at = objectsIn(bucketId)
const { ctx } = bytesOf(system)

const listed = async (key: string, bucket = bucketId) =>
  (await api(`GET /buckets/${bucket}/objects?prefix=${key}`)).body[0]
const put = (key: string, text: string, headers = {}) => putObject(api, at(key), text, headers)
/** The object of an event without what only events have. */
const objectOf = ({ data: { reason: _, previous: __, ...object } }: Event) => object

test('an upload is object.created with the object as it is listed, its metadata included', async () => {
  const event = await effect(api, () =>
    put('a', 'one', { 'x-meta-camera': 'north', 'content-type': 'text/plain' }),
  )
  assert.equal(event.type, 'object.created')
  assert.equal(event.data.reason, 'upload')
  assert.equal(event.subject, `object/${event.data.id}`)
  assert.deepEqual(objectOf(event), await listed('a'))
  assert.deepEqual(event.data.metadata, { camera: 'north' })
})

test('a form upload, a signed PUT, a copy and a completed multipart upload are object.created with their reason', async () => {
  const form = new FormData()
  form.set('file', new Blob(['form']), 'form')
  const uploaded = await effect(api, () => api(`POST ${at('upload')}`, { raw: form }))
  assert.deepEqual([uploaded.type, uploaded.data.reason], ['object.created', 'upload'])

  const { url } = (
    await api(`POST /buckets/${bucketId}/signed-url`, { body: { objectKey: 'signed', method: 'PUT' } })
  ).body
  const signed = await effect(api, async () => {
    const { pathname, search } = new URL(url)
    assert.equal((await system.storage(`PUT ${pathname}${search}`, { raw: 'signed' })).status, 201)
  })
  assert.deepEqual(
    [signed.type, signed.data.reason, signed.data.object_key],
    ['object.created', 'upload', 'signed'],
  )

  const copied = await effect(api, () =>
    api(`POST ${at('form')}/copy`, { body: { destinationKey: 'copied' } }),
  )
  assert.deepEqual([copied.type, copied.data.reason], ['object.created', 'copy'])
  assert.deepEqual(objectOf(copied), await listed('copied'))

  const completed = await effect(api, async () => {
    const { uploadId } = (
      await api(`POST /buckets/${bucketId}/multipart/initiate`, { body: { objectKey: 'parts' } })
    ).body
    const session = `/buckets/${bucketId}/multipart/${uploadId}`
    await api(`PUT ${session}/parts/1`, { raw: 'part' })
    assert.equal((await api(`POST ${session}/complete`, { body: {} })).status, 201)
    assert.equal((await api(`POST ${session}/complete`, { body: {} })).status, 200)
  })
  assert.deepEqual([completed.type, completed.data.reason], ['object.created', 'multipart'])
  assert.deepEqual(objectOf(completed), await listed('parts'))
})

test('what is overwritten, by whatever means, is object.updated, and so is a restored version', async () => {
  const first = await put('changing', 'one')
  const second = await effect(api, () => put('changing', 'two'))
  assert.deepEqual([second.type, second.data.reason], ['object.updated', 'overwritten'])
  assert.equal(second.subject, `object/${first.id}`)
  assert.deepEqual(objectOf(second), await listed('changing'))
  await put('source', 'three')
  const copied = await effect(api, () =>
    api(`POST ${at('source')}/copy`, { body: { destinationKey: 'changing' } }),
  )
  assert.deepEqual([copied.type, copied.data.reason], ['object.updated', 'overwritten'])
  const versions = (await api(`GET /buckets/${bucketId}/versions?objectKey=changing`)).body
  const restored = await effect(api, () =>
    api(`POST ${at('changing')}/restore`, { body: { versionId: versions.at(-1).version_id } }),
  )
  assert.deepEqual([restored.type, restored.data.reason], ['object.updated', 'restored'])
  assert.equal(restored.data.etag, first.etag)
})

test('a moved object is object.updated with the place where it was', async () => {
  const { id } = await put('from', 'moving')
  const other = await createBucket(api, 'elsewhere')
  const moved = await effect(api, () =>
    api(`POST ${at('from')}/move`, { body: { destinationKey: 'to', destinationBucketId: other } }),
  )
  assert.deepEqual(
    [moved.type, moved.subject, moved.data.reason],
    ['object.updated', `object/${id}`, 'moved'],
  )
  assert.deepEqual(moved.data.previous, { bucket_id: bucketId, object_key: 'from' })
  assert.deepEqual(objectOf(moved), await listed('to', other))

  const replaced = await put('taken', 'old')
  const { id: arriving } = await put('arriving', 'new')
  const [purged, updated, ...rest] = await effects(api, () =>
    api(`POST ${at('arriving')}/move`, { body: { destinationKey: 'taken' } }),
  )
  assert.deepEqual(rest, [])
  assert.deepEqual([purged!.type, purged!.subject], ['object.purged', `object/${replaced.id}`])
  assert.deepEqual([updated!.type, updated!.subject], ['object.updated', `object/${arriving}`])
})

test('deleting, recovering and purging are one event each, with the object as it is returned', async () => {
  await put('life', 'text')
  let answer = { body: null as never as Record<string, unknown> }
  const deleted = await effect(api, async () => {
    answer = await api(`DELETE ${at('life')}`)
  })
  assert.equal(deleted.type, 'object.deleted')
  assert.deepEqual(deleted.data, answer.body.object)
  const recovered = await effect(api, async () => {
    answer = await api(`POST ${at('life')}/recover`)
  })
  assert.equal(recovered.type, 'object.recovered')
  assert.deepEqual(recovered.data, answer.body.object)
  const purged = await effect(api, () => api(`DELETE ${at('life')}?permanent=true`))
  assert.equal(purged.type, 'object.purged')
  assert.deepEqual(purged.data, recovered.data)
})

test('a batch deletion is one event for each object that was deleted, also of 1,000 keys', async () => {
  const keys = Array.from({ length: 1000 }, (_, n) => `batch/${n}`)
  await put(keys[0]!, 'x')
  const copies = keys.slice(1).map((destinationKey) => ({ body: { destinationKey } }))
  for (let n = 0; n < copies.length; n += 100)
    await Promise.all(copies.slice(n, n + 100).map((copy) => api(`POST ${at(keys[0]!)}/copy`, copy)))
  const start = await now(api)
  const { body } = await api(`POST /buckets/${bucketId}/objects/delete`, {
    body: { keys: [...keys.slice(1), 'none'] },
  })
  assert.equal(body.deleted.length, 999)
  const first = await since(api, start, '&types=object.deleted')
  const rest = await since(api, first.at(-1)!.id, '&types=object.deleted')
  const deleted = [...first, ...rest].map(({ data }) => data.object_key)
  assert.deepEqual(deleted.sort(), keys.slice(1).sort())
})

test('what a job removes after its retention, and what goes with a deleted bucket, is object.purged', async () => {
  const { id } = await put('expiring', 'x')
  await api(`DELETE ${at('expiring')}`)
  await system.sql`update storage.objects set deleted_at = deleted_at - interval '31 days' where id = ${id}`
  const expired = await effects(api, () => tidy(ctx))
  assert.deepEqual(
    expired.map(({ type, subject }) => [type, subject]),
    [['object.purged', `object/${id}`]],
  )
  const doomed = await createBucket(api, 'doomed')
  const kept = await putObject(api, `/buckets/${doomed}/objects/x`, 'x')
  await api(`DELETE /buckets/${doomed}/objects/x`)
  const [purged, deleted, ...others] = await effects(api, () => api(`DELETE /buckets/${doomed}`))
  assert.deepEqual(others, [])
  assert.deepEqual([purged!.type, purged!.subject], ['object.purged', `object/${kept.id}`])
  assert.deepEqual([deleted!.type, deleted!.subject], ['bucket.deleted', `bucket/${doomed}`])
})

test('what is refused is no event', async () => {
  await put('guarded', 'x')
  assert.deepEqual(
    await effects(api, async () => {
      for (const [call, options] of [
        [`PUT ${at('guarded')}`, { raw: 'y', headers: { 'if-none-match': '*' } }],
        [`DELETE ${at('nothing')}`, {}],
        [`POST ${at('guarded')}/recover`, {}],
        [`POST ${at('nothing')}/copy`, { body: { destinationKey: 'z' } }],
      ] as const)
        assert.ok((await api(call, options)).status >= 400, call)
    }),
    [],
  )
})

test('uploads that arrive together have an event each, and those of one key are in order', async () => {
  const start = await now(api)
  await Promise.all(Array.from({ length: 40 }, (_, n) => put(`many/${n % 8}`, `content ${n}`)))
  const events = await since(api, start)
  assert.equal(events.length, 40)
  assert.equal(typesOf(events).filter((type) => type === 'object.created').length, 8)
  for (let n = 0; n < 8; n++) {
    const of = events.filter(({ data }) => data.object_key === `many/${n}`)
    assert.deepEqual(new Set(of.map(({ subject }) => subject)).size, 1)
    assert.equal(of[0]!.type, 'object.created')
    assert.deepEqual(objectOf(of.at(-1)!), await listed(`many/${n}`))
  }
})

test('verify finds an event without its change, a change without its event, and nothing otherwise', async () => {
  const invariants = async () =>
    (await verify(ctx)).map(({ invariant, subject }) => `${subject}: ${invariant}`)
  assert.deepEqual(await invariants(), [])
  const [changed, silent, gone] = [await put('v/1', 'x'), await put('v/2', 'x'), await put('v/3', 'x')]
  await system.sql`update storage.objects set object_key = 'v/other' where id = ${changed.id}`
  await system.sql`delete from platform.events where subject = ${`object/${silent.id}`}`
  await system.sql`update platform.events set type = 'object.purged' where subject = ${`object/${gone.id}`}`
  const found = await invariants()
  assert.deepEqual(
    found.sort(),
    [
      `object/${changed.id}: the last event of an object agrees with it`,
      `object/${silent.id}: every object has an event, unless it was removed with its time`,
      `object/${gone.id}: the last event of an object agrees with it`,
    ].sort(),
  )
})
