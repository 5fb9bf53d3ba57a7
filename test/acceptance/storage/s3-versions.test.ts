import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { storage } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { versionedBucket } from '#test/support/s3-versions.ts'

// The SDK of AWS with its default settings, in buckets with versions.
const system = await boot()
const owner = await s3Owner(system)
const { s3, api } = owner

const newBucket = (status?: 'Enabled' | 'Suspended') => versionedBucket(s3, status)
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })
const raw = (line: string, headers: Record<string, string> = {}, body?: string) =>
  signedRequest(system, owner.credentials, line, { headers, ...(body === undefined ? {} : { body }) })
const idOf = async (name: string) => {
  const { body } = await api('GET /buckets')
  return body.find((bucket: { name: string }) => bucket.name === name).id as string
}
const verified = async () => assert.deepEqual(await storage.verify(storage.context(system.platform)), [])

test('versioning is never enabled, Enabled or Suspended, and MFA delete is refused', async () => {
  const { Bucket, enable, suspend } = await newBucket()
  const status = async () => (await s3.send(new GetBucketVersioningCommand({ Bucket }))).Status
  assert.equal(await status(), undefined)
  await suspend()
  assert.equal(await status(), 'Suspended')
  await enable()
  assert.equal(await status(), 'Enabled')
  const natively = await api(`GET /buckets/${await idOf(Bucket)}`)
  assert.equal(natively.body.versioning_enabled, true)
  const put = (inner: string, headers = {}) =>
    raw(`PUT /${Bucket}?versioning`, headers, `<VersioningConfiguration>${inner}</VersioningConfiguration>`)
  assert.equal((await put('<Status>Enabled</Status><MfaDelete>Enabled</MfaDelete>')).code, 'NotImplemented')
  assert.equal((await put('<Status>Enabled</Status>', { 'x-amz-mfa': '1 2' })).code, 'NotImplemented')
  assert.equal((await put('<Status>Enabled</Status><MfaDelete>Disabled</MfaDelete>')).status, 200)
  assert.equal((await put('<Status>On</Status>')).code, 'MalformedXML')
  assert.equal((await put('')).code, 'MalformedXML')
})

test('each write makes a version, which is read by its id', async () => {
  const { put, read, history } = await newBucket('Enabled')
  const first = await put('k', 'one')
  const second = await put('k', 'two')
  assert.ok(first.VersionId && second.VersionId && first.VersionId !== second.VersionId)
  assert.deepEqual(await read('k'), { text: 'two', versionId: second.VersionId })
  assert.deepEqual(await read('k', first.VersionId), { text: 'one', versionId: first.VersionId })
  assert.deepEqual((await history('k')).versions, [`${second.VersionId}*`, first.VersionId])
  await refused(read('k', crypto.randomUUID()), 'NoSuchVersion')
  await refused(read('other', first.VersionId), 'NoSuchVersion')
  await refused(read('k', 'null'), 'NoSuchVersion')
  await refused(read('k', 'nonsense'), 'InvalidArgument')
})

test('deleting adds a marker, and deleting the marker brings the object back', async () => {
  const { Bucket, put, remove, read, history } = await newBucket('Enabled')
  const { VersionId } = await put('k', 'text')
  const gone = await remove('k')
  assert.equal(gone.DeleteMarker, true)
  assert.ok(gone.VersionId && gone.VersionId !== VersionId)
  const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket }))
  assert.equal(KeyCount, 0)
  assert.deepEqual(await history('k'), { versions: [VersionId], markers: [`-${gone.VersionId}*`] })

  const plain = await raw(`GET /${Bucket}/k`)
  assert.deepEqual([plain.status, plain.code], [404, 'NoSuchKey'])
  assert.equal(plain.headers['x-amz-delete-marker'], 'true')
  assert.equal(plain.headers['x-amz-version-id'], gone.VersionId)
  const head = await raw(`HEAD /${Bucket}/k`)
  assert.deepEqual([head.status, head.headers['x-amz-delete-marker']], [404, 'true'])
  const byId = await raw(`GET /${Bucket}/k?versionId=${gone.VersionId}`)
  assert.deepEqual([byId.status, byId.code], [405, 'MethodNotAllowed'])
  assert.equal(byId.headers['x-amz-delete-marker'], 'true')
  assert.equal(byId.headers.allow, 'DELETE')
  assert.ok(byId.headers['last-modified'])
  assert.equal((await read('k', VersionId)).text, 'text')

  const again = await remove('k', gone.VersionId)
  assert.deepEqual([again.DeleteMarker, again.VersionId], [true, gone.VersionId])
  assert.deepEqual(await read('k'), { text: 'text', versionId: VersionId })
  assert.deepEqual(await history('k'), { versions: [`${VersionId}*`], markers: [] })
})

test('deleting what is not there, or is deleted already, adds a marker each time', async () => {
  const { remove, history, put } = await newBucket('Enabled')
  const first = await remove('k')
  const second = await remove('k')
  assert.deepEqual((await history('k')).markers, [`-${second.VersionId}*`, `-${first.VersionId}`])
  const { VersionId } = await put('k', 'text')
  const third = await remove('k')
  assert.deepEqual(await history('k'), {
    versions: [VersionId],
    markers: [`-${third.VersionId}*`, `-${second.VersionId}`, `-${first.VersionId}`],
  })
  for (const marker of [second, first, third]) await remove('k', marker.VersionId)
  assert.deepEqual(await history('k'), { versions: [`${VersionId}*`], markers: [] })
})

test('deleting a version removes it for good, and the one before becomes the latest', async () => {
  const { Bucket, put, remove, read, history } = await newBucket('Enabled')
  const [a, b, c] = [await put('k', 'a'), await put('k', 'bb'), await put('k', 'ccc')]
  const gone = await remove('k', c.VersionId)
  assert.deepEqual([gone.DeleteMarker, gone.VersionId], [undefined, c.VersionId])
  assert.equal((await read('k')).text, 'bb')
  await remove('k', a.VersionId)
  assert.deepEqual((await history('k')).versions, [`${b.VersionId}*`])
  await refused(read('k', a.VersionId), 'NoSuchVersion')
  await remove('k', a.VersionId)
  const { body } = await api(`GET /buckets/${await idOf(Bucket)}`)
  assert.deepEqual([body.object_count, body.total_size_bytes], [1, 2])
  await remove('k', b.VersionId)
  await refused(read('k'), 'NoSuchKey')
  assert.deepEqual(await history('k'), { versions: [], markers: [] })
  await s3.send(new DeleteBucketCommand({ Bucket }))
  await verified()
})

test('a version below a marker can be deleted, and a marker between versions, without changing the rest', async () => {
  const { put, remove, read, history } = await newBucket('Enabled')
  const a = await put('k', 'a')
  const m = await remove('k')
  const b = await put('k', 'b')
  await remove('k', m.VersionId)
  assert.deepEqual(await history('k'), { versions: [`${b.VersionId}*`, a.VersionId], markers: [] })
  assert.equal((await read('k', a.VersionId)).text, 'a')
  const n = await remove('k')
  await remove('k', b.VersionId)
  assert.deepEqual(await history('k'), { versions: [a.VersionId], markers: [`-${n.VersionId}*`] })
  await remove('k', a.VersionId)
  assert.deepEqual(await history('k'), { versions: [], markers: [`-${n.VersionId}*`] })
  await verified()
})

test('many versions, markers and keys are deleted at once, each with its result', async () => {
  const { Bucket, put, remove, history } = await newBucket('Enabled')
  const a = await put('a', '1')
  await put('b', '1')
  const marker = await remove('c')
  const { ETag } = await put('d', '1')
  const deleteAll = (Objects: object[], Quiet = false) =>
    s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: Objects as never, Quiet } }))
  const { Deleted = [], Errors = [] } = await deleteAll([
    { Key: 'a', VersionId: a.VersionId },
    { Key: 'b' },
    { Key: 'c', VersionId: marker.VersionId },
    { Key: 'd', ETag: '"other"' },
    { Key: 'e', VersionId: crypto.randomUUID() },
  ])
  assert.deepEqual(Deleted[0], { Key: 'a', VersionId: a.VersionId })
  assert.deepEqual([Deleted[1]?.Key, Deleted[1]?.DeleteMarker], ['b', true])
  assert.deepEqual((await history('b')).markers, [`-${Deleted[1]?.DeleteMarkerVersionId}*`])
  assert.deepEqual(Deleted[2], {
    Key: 'c',
    VersionId: marker.VersionId,
    DeleteMarker: true,
    DeleteMarkerVersionId: marker.VersionId,
  })
  assert.equal(Deleted[3]?.Key, 'e')
  assert.deepEqual(
    Errors.map(({ Key, Code }) => [Key, Code]),
    [['d', 'PreconditionFailed']],
  )
  const quiet = await deleteAll(
    [
      { Key: 'd', ETag },
      { Key: 'x', ETag },
    ],
    true,
  )
  assert.deepEqual([quiet.Deleted, quiet.Errors?.map(({ Key }) => Key)], [undefined, ['x']])
})

test('conditions of deletes are about the present content, or about the version that is named', async () => {
  const { put, remove, read } = await newBucket('Enabled')
  const a = await put('k', 'a')
  await put('k', 'b')
  await refused(remove('k', undefined, { IfMatch: a.ETag }), 'PreconditionFailed')
  await refused(remove('missing', undefined, { IfMatch: '*' }), 'PreconditionFailed')
  await refused(remove('k', a.VersionId, { IfMatch: '"other"' }), 'PreconditionFailed')
  await remove('k', a.VersionId, { IfMatch: a.ETag })
  await refused(read('k', a.VersionId), 'NoSuchVersion')
  assert.equal((await read('k')).text, 'b')
})

test('copies and parts are made from a version, and say from which', async () => {
  const { Bucket, put, remove, read } = await newBucket('Enabled')
  const old = await put('from', 'old')
  await put('from', 'new')
  const CopySource = `${Bucket}/from?versionId=${old.VersionId}`
  const copied = await s3.send(new CopyObjectCommand({ Bucket, Key: 'to', CopySource }))
  assert.equal(copied.CopySourceVersionId, old.VersionId)
  assert.deepEqual(await read('to'), { text: 'old', versionId: copied.VersionId })
  await s3.send(new CopyObjectCommand({ Bucket, Key: 'from', CopySource }))
  assert.equal((await read('from')).text, 'old')

  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }))
  const part = { Bucket, Key: 'parts', UploadId, PartNumber: 1 }
  const { CopyPartResult, CopySourceVersionId } = await s3.send(
    new UploadPartCopyCommand({ ...part, CopySource }),
  )
  assert.equal(CopySourceVersionId, old.VersionId)
  const Parts = [{ PartNumber: 1, ETag: CopyPartResult?.ETag }]
  const completion = new CompleteMultipartUploadCommand({
    Bucket,
    Key: 'parts',
    UploadId,
    MultipartUpload: { Parts },
  })
  const done = await s3.send(completion)
  assert.deepEqual(await read('parts'), { text: 'old', versionId: done.VersionId })
  assert.equal((await s3.send(completion)).VersionId, done.VersionId)

  const marker = await remove('from')
  const copyFrom = (source: string) =>
    s3.send(new CopyObjectCommand({ Bucket, Key: 'x', CopySource: `${Bucket}/${source}` }))
  await refused(copyFrom('from'), 'NoSuchKey')
  await refused(copyFrom(`from?versionId=${marker.VersionId}`), 'InvalidRequest')
  await refused(copyFrom(`from?versionId=${crypto.randomUUID()}`), 'NoSuchVersion')
})

test('natively deleted objects are markers, and what was deleted here can be recovered natively', async () => {
  const { Bucket, put, remove, history, read } = await newBucket('Enabled')
  const id = await idOf(Bucket)
  const { VersionId } = await put('k', 'text')
  assert.equal((await api(`DELETE /buckets/${id}/objects/k`)).status, 200)
  const { markers } = await history('k')
  assert.equal(markers.length, 1)
  await remove('k', markers[0]?.slice(1, -1))
  assert.equal((await read('k')).versionId, VersionId)
  await remove('k')
  await remove('k')
  const { body: deleted } = await api(`GET /buckets/${id}/objects?includeDeleted=true`)
  assert.equal(deleted.total, 1)
  assert.equal((await api(`POST /buckets/${id}/objects/k/recover`)).status, 200)
  assert.deepEqual(await history('k'), { versions: [`${VersionId}*`], markers: [] })
  await remove('k')
  assert.equal((await api(`DELETE /buckets/${id}/objects/k?permanent=true`)).status, 200)
  assert.deepEqual(await history('k'), { versions: [], markers: [] })
  await remove('never')
  assert.equal((await api(`POST /buckets/${id}/objects/never/recover`)).status, 404)
  assert.equal((await api(`DELETE /buckets/${id}/objects/never?permanent=true`)).status, 404)
})

test('versions and markers hold a bucket, objects deleted before it had versions do not', async () => {
  const held = await newBucket('Enabled')
  const { VersionId } = await held.put('k', 'text')
  const marker = await held.remove('k')
  await refused(s3.send(new DeleteBucketCommand({ Bucket: held.Bucket })), 'BucketNotEmpty')
  await held.remove('k', VersionId)
  await refused(s3.send(new DeleteBucketCommand({ Bucket: held.Bucket })), 'BucketNotEmpty')
  await held.remove('k', marker.VersionId)
  await s3.send(new DeleteBucketCommand({ Bucket: held.Bucket }))
  const plain = await newBucket()
  await plain.put('k', 'text')
  const gone = await plain.remove('k')
  assert.deepEqual([gone.DeleteMarker, gone.VersionId], [undefined, undefined])
  await plain.enable()
  assert.deepEqual(await plain.history('k'), { versions: [], markers: [] })
  await s3.send(new DeleteBucketCommand({ Bucket: plain.Bucket }))
})

test('deleting a version needs the right to purge its object, deleting a marker the right to recover it', async () => {
  const { Bucket, put, remove } = await newBucket('Enabled')
  const { VersionId } = await put('k', 'text')
  const id = await idOf(Bucket)
  const { body: found } = await api(`GET /buckets/${id}/objects`)
  const statement = {
    effect: 'deny',
    action: 'object.purge',
    resourceType: 'object',
    resourceId: found[0].id,
    subjectType: 'role',
    subjectId: '*',
  }
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [statement] } })
  await refused(remove('k', VersionId), 'AccessDenied')
  const marker = await remove('k')
  await refused(remove('k', VersionId), 'AccessDenied')
  await remove('k', marker.VersionId)
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })
  await remove('k', VersionId)
})

test('what is done to versions is in the audit log', async () => {
  const { put, remove } = await newBucket('Enabled')
  const key = crypto.randomUUID()
  const { VersionId } = await put(key, 'text')
  const marker = await remove(key)
  const second = await remove(key)
  await remove(key, second.VersionId)
  await remove(key, marker.VersionId)
  await remove(key, VersionId)
  const { body } = await api(`GET /audit-logs?objectKey=${key}`)
  assert.deepEqual(body.rows.map(({ action }: { action: string }) => action).reverse(), [
    'object.uploaded',
    'object.deleted',
    'marker.added',
    'marker.removed',
    'object.recovered',
    'version.purged',
  ])
})

test('50 writes and deletes at once leave as many versions and markers, and the latest is the one that is read', async () => {
  const { Bucket, put, remove, list, read } = await newBucket('Enabled')
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, n) => (n % 3 === 2 ? remove('k') : put('k', String(n)))),
  )
  const { Versions = [], DeleteMarkers = [] } = await list({ Prefix: 'k' })
  const all = [...Versions, ...DeleteMarkers]
  assert.deepEqual(
    all.map(({ VersionId }) => VersionId).sort(),
    results.map(({ VersionId }) => VersionId).sort(),
  )
  assert.equal(all.filter(({ IsLatest }) => IsLatest).length, 1)
  const latest = Versions.find(({ IsLatest }) => IsLatest)
  if (latest) assert.equal((await read('k')).versionId, latest.VersionId)
  else await refused(read('k'), 'NoSuchKey')
  await Promise.all(all.map(({ VersionId }) => remove('k', VersionId)))
  assert.equal((await raw(`HEAD /${Bucket}/k`)).headers['x-amz-delete-marker'], undefined)
  await s3.send(new DeleteBucketCommand({ Bucket }))
  await verified()
})

test('a head that was cached before versioning was enabled says its version afterwards', async () => {
  const { Bucket, put, enable } = await newBucket()
  await put('k', 'text')
  const head = () => s3.send(new HeadObjectCommand({ Bucket, Key: 'k' }))
  assert.equal((await head()).VersionId, undefined)
  await enable()
  assert.equal((await head()).VersionId, 'null')
})

test('parts of uploads are not in the history of their key', async () => {
  const { Bucket, history } = await newBucket('Enabled')
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'k' }))
  await s3.send(new UploadPartCommand({ Bucket, Key: 'k', UploadId, PartNumber: 1, Body: 'part' }))
  assert.deepEqual(await history('k'), { versions: [], markers: [] })
})
