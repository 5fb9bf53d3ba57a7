import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CopyObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { storage } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { versionedBucket } from '#test/support/s3-versions.ts'

// What was stored before versioning was enabled, or while it was suspended, has the version id `null`.
const system = await boot()
const owner = await s3Owner(system)
const { s3, api } = owner

const newBucket = (status?: 'Enabled' | 'Suspended') => versionedBucket(s3, status)
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })
const idOf = async (name: string) => {
  const { body } = await api('GET /buckets')
  return body.find((bucket: { name: string }) => bucket.name === name).id as string
}
const verified = async () => assert.deepEqual(await storage.verify(storage.context(system.platform)), [])

test('an object that was stored before versioning was enabled is the null version', async () => {
  const { put, read, enable, history, remove, list } = await newBucket()
  const before = await put('k', 'before')
  assert.equal(before.VersionId, undefined)
  const never = await list()
  assert.deepEqual(
    never.Versions?.map(({ VersionId, IsLatest }) => [VersionId, IsLatest]),
    [['null', true]],
  )
  assert.equal((await read('k', 'null')).text, 'before')
  await enable()
  assert.deepEqual(await read('k'), { text: 'before', versionId: 'null' })
  const { VersionId } = await put('k', 'after')
  assert.deepEqual(await history('k'), { versions: [`${VersionId}*`, 'null'], markers: [] })
  assert.deepEqual(await read('k', 'null'), { text: 'before', versionId: 'null' })
  const gone = await remove('k', 'null')
  assert.deepEqual([gone.VersionId, gone.DeleteMarker], ['null', undefined])
  assert.deepEqual(await history('k'), { versions: [`${VersionId}*`], markers: [] })
  await refused(read('k', 'null'), 'NoSuchVersion')
})

test('a write while versioning is suspended replaces the null version and keeps the others', async () => {
  const { Bucket, put, read, suspend, enable, history } = await newBucket()
  await put('k', 'null one')
  await enable()
  const { VersionId } = await put('k', 'kept')
  await suspend()
  assert.equal((await put('k', 'null two')).VersionId, 'null')
  assert.deepEqual(await history('k'), { versions: ['null*', VersionId], markers: [] })
  assert.equal((await put('k', 'null three')).VersionId, 'null')
  assert.deepEqual(await history('k'), { versions: ['null*', VersionId], markers: [] })
  assert.equal((await read('k')).text, 'null three')
  assert.equal((await read('k', VersionId)).text, 'kept')
  const { body } = await api(`GET /buckets/${await idOf(Bucket)}`)
  assert.deepEqual([body.object_count, body.total_size_bytes], [1, 'null three'.length])
  await enable()
  const next = await put('k', 'next')
  assert.deepEqual(await history('k'), { versions: [`${next.VersionId}*`, 'null', VersionId], markers: [] })
  await verified()
})

test('a delete while versioning is suspended puts a null marker in the place of the null version', async () => {
  const { put, read, remove, suspend, history } = await newBucket('Enabled')
  const { VersionId } = await put('k', 'kept')
  await suspend()
  const gone = await remove('k')
  assert.deepEqual([gone.DeleteMarker, gone.VersionId], [true, 'null'])
  assert.deepEqual(await history('k'), { versions: [VersionId], markers: ['-null*'] })
  await remove('k')
  assert.deepEqual(await history('k'), { versions: [VersionId], markers: ['-null*'] })
  await put('k', 'null one')
  assert.deepEqual(await history('k'), { versions: ['null*', VersionId], markers: [] })
  await remove('k')
  assert.deepEqual(await history('k'), { versions: [VersionId], markers: ['-null*'] })
  await refused(read('k', 'null'), 'MethodNotAllowed')
  const back = await remove('k', 'null')
  assert.deepEqual([back.DeleteMarker, back.VersionId], [true, 'null'])
  assert.deepEqual(await read('k'), { text: 'kept', versionId: VersionId })
  await verified()
})

test('null versions and markers are deleted, copied and read by their name', async () => {
  const { Bucket, put, remove, read, suspend } = await newBucket('Suspended')
  await put('k', 'text')
  const copied = await s3.send(
    new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/k?versionId=null` }),
  )
  assert.deepEqual([copied.CopySourceVersionId, copied.VersionId], ['null', 'null'])
  assert.equal((await read('copy', 'null')).text, 'text')
  await remove('k')
  await suspend()
  const head = await signedRequest(system, owner.credentials, `HEAD /${Bucket}/k`)
  assert.deepEqual([head.headers['x-amz-delete-marker'], head.headers['x-amz-version-id']], ['true', 'null'])
  const Objects = [
    { Key: 'k', VersionId: 'null' },
    { Key: 'copy', VersionId: 'null' },
  ]
  const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  assert.deepEqual(Deleted, [
    { Key: 'k', VersionId: 'null', DeleteMarker: true, DeleteMarkerVersionId: 'null' },
    { Key: 'copy', VersionId: 'null' },
  ])
})

test('the native API replaces the current content while versioning is off, and keeps what it kept', async () => {
  const { Bucket, put, suspend, enable, history } = await newBucket()
  const id = await idOf(Bucket)
  await put('k', 'null one')
  await enable()
  await put('k', 'replaced')
  await suspend()
  assert.equal((await api(`PUT /buckets/${id}/objects/k`, { raw: Buffer.from('native') })).status, 200)
  const { versions } = await history('k')
  assert.deepEqual([versions.length, versions[0]], [2, 'null*'])
  const { body } = await api(`GET /buckets/${id}/versions?objectKey=k`)
  assert.equal(body.length, 2)
  assert.equal((await api(`DELETE /buckets/${id}/objects/k`)).status, 200)
  const { markers } = await history('k')
  assert.notEqual(markers[0], '-null*')
  assert.equal((await api(`POST /buckets/${id}/objects/k/recover`)).status, 200)
  await verified()
})

test('objects that are moved natively take their history to the other key', async () => {
  const { Bucket, put, remove, suspend, history, read } = await newBucket('Enabled')
  const id = await idOf(Bucket)
  const [a, b] = [await put('from', 'a'), await put('from', 'b')]
  const c = await put('to', 'c')
  const marker = await remove('to')
  const d = await put('to', 'd')
  const move = (key: string, destinationKey: string) =>
    api(`POST /buckets/${id}/objects/${key}/move`, { body: { destinationKey } })
  assert.equal((await move('from', 'to')).status, 200)
  assert.deepEqual(await history('from'), { versions: [], markers: [] })
  assert.deepEqual(await history('to'), {
    versions: [`${b.VersionId}*`, a.VersionId, d.VersionId, c.VersionId],
    markers: [`-${marker.VersionId}`],
  })
  await remove('to', b.VersionId)
  assert.equal((await read('to')).text, 'a')
  await suspend()
  await put('x', 'null one')
  await put('y', 'null two')
  assert.equal((await move('x', 'y')).status, 200)
  assert.deepEqual(await history('y'), { versions: ['null*'], markers: [] })
  await verified()
})

test('50 writes and deletes at once while versioning is suspended leave one null version or marker', async () => {
  const { put, remove, suspend, list } = await newBucket('Enabled')
  const { VersionId } = await put('k', 'kept')
  await suspend()
  await Promise.all(Array.from({ length: 50 }, (_, n) => (n % 2 ? remove('k') : put('k', String(n)))))
  const { Versions = [], DeleteMarkers = [] } = await list({ Prefix: 'k' })
  const all = [...Versions, ...DeleteMarkers]
  assert.deepEqual(all.map((entry) => entry.VersionId).sort(), [VersionId, 'null'].sort())
  assert.deepEqual(
    all.filter(({ IsLatest }) => IsLatest).map((entry) => entry.VersionId),
    ['null'],
  )
  await verified()
})

/** A bucket with one key, as S3 documents its behaviour. */
type Entry = { id: string; isMarker: boolean; text: string }
type Model = { history: Entry[]; status: 'never' | 'Enabled' | 'Suspended' }

test('random sequences of everything leave the history that the rules of S3 describe', async () => {
  const { put, remove, enable, suspend, read, list } = await newBucket()
  const model: Model = { history: [], status: 'never' }
  const withoutNull = () => model.history.filter(({ id }) => id !== 'null')
  const chance = randomOf(20_261_116)
  for (let step = 0; step < 150; step++) {
    const dice = chance(100)
    const some = model.history[chance(model.history.length)]
    if (dice < 40) {
      const text = `text ${step}`
      const { VersionId: id = 'null' } = await put('k', text)
      assert.equal(id === 'null', model.status !== 'Enabled')
      model.history = [{ id, isMarker: false, text }, ...(id === 'null' ? withoutNull() : model.history)]
    } else if (dice < 60) {
      const { VersionId: id = 'null', DeleteMarker } = await remove('k')
      assert.equal(DeleteMarker === true, model.status !== 'never')
      const rest = id === 'null' ? withoutNull() : model.history
      model.history = DeleteMarker ? [{ id, isMarker: true, text: '' }, ...rest] : rest
    } else if (dice < 90 && some && model.status !== 'never') {
      const { DeleteMarker = false } = await remove('k', some.id)
      assert.equal(DeleteMarker, some.isMarker)
      model.history = model.history.filter((entry) => entry !== some)
    } else if (step > 10 && dice >= 94) {
      model.status = chance(2) === 0 ? 'Enabled' : 'Suspended'
      await (model.status === 'Enabled' ? enable() : suspend())
    }
    const { Versions = [], DeleteMarkers = [] } = await list()
    const expected = (isMarker: boolean) =>
      model.history.flatMap((entry, at) => (entry.isMarker === isMarker ? [[entry.id, at === 0]] : []))
    const shown = (entries: typeof DeleteMarkers) =>
      entries.map(({ VersionId, IsLatest }) => [VersionId, IsLatest])
    assert.deepEqual(shown(Versions), expected(false), `step ${step}`)
    assert.deepEqual(shown(DeleteMarkers), expected(true), `step ${step}`)
    const [top] = model.history
    if (!top || top.isMarker) await refused(read('k'), 'NoSuchKey')
    else assert.equal((await read('k')).text, top.text)
  }
  await verified()
})

/** Numbers below a limit that are the same in every run. */
const randomOf = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return limit === 0 ? 0 : (state >> 8) % limit
  }
}
