import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { verify } from '#storage/verify/verify.ts'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { postForm, signedFields } from '#test/support/s3-form.ts'
import { versionedBucket } from '#test/support/s3-versions.ts'
import { addMember, createBucket, objectsIn, putObject } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'
import { effect, effects } from './event-scene.ts'

const system = await boot()
const owner = await s3Owner(system)
const { s3, api, credentials } = owner
const Bucket = 'tagged'
await s3.send(new CreateBucketCommand({ Bucket }))
const bucketId = (await api('GET /buckets')).body[0].id as string
const at = objectsIn(bucketId)

const put = (Key: string, Tagging?: string) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', ...(Tagging === undefined ? {} : { Tagging }) }))
const tagsOf = async (Key: string, VersionId?: string, bucket = Bucket) => {
  const { TagSet = [] } = await s3.send(
    new GetObjectTaggingCommand({ Bucket: bucket, Key, ...(VersionId ? { VersionId } : {}) }),
  )
  return Object.fromEntries(TagSet.map(({ Key: name, Value }) => [name, Value]))
}
const replace = (Key: string, tags: [string, string][], more: object = {}) =>
  s3.send(
    new PutObjectTaggingCommand({
      Bucket,
      Key,
      Tagging: { TagSet: tags.map(([name, Value]) => ({ Key: name, Value })) },
      ...more,
    }),
  )
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })

test('an upload may have tags, which are counted with the object and can be replaced and removed', async () => {
  await put('a', 'project=alpha+beta&owner%2Fname=%C3%84da&empty=')
  assert.deepEqual(await tagsOf('a'), { project: 'alpha beta', 'owner/name': 'Äda', empty: '' })
  assert.equal((await s3.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).TagCount, 3)
  assert.equal((await s3.send(new GetObjectCommand({ Bucket, Key: 'a' }))).TagCount, 3)
  await replace('a', [['only', 'one']])
  assert.deepEqual(await tagsOf('a'), { only: 'one' })
  assert.equal((await s3.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).TagCount, 1)
  await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key: 'a' }))
  assert.deepEqual(await tagsOf('a'), {})
  assert.equal((await s3.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).TagCount, undefined)
  await put('a', 'again=1')
  await put('a')
  assert.deepEqual(await tagsOf('a'), {}, 'a new content has its own tags')
})

test('tags are returned in the order in which they were put', async () => {
  const names = ['zebra', '10', 'a', '2', 'longest of all']
  const inOrder = async (Key: string) =>
    (await s3.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet?.map((tag) => tag.Key)
  await put('ordered', names.map((name) => `${encodeURIComponent(name)}=x`).join('&'))
  assert.deepEqual(await inOrder('ordered'), names)
  await replace('ordered', names.toReversed().map((name) => [name, 'x']))
  assert.deepEqual(await inOrder('ordered'), names.toReversed())
  await s3.send(new CopyObjectCommand({ Bucket, Key: 'copied', CopySource: `${Bucket}/ordered` }))
  assert.deepEqual(await inOrder('copied'), names.toReversed())
}) // biome-ignore format: as a list

test('a change of tags leaves content, entity tag and time of the object as they are', async () => {
  await put('same')
  const before = await s3.send(new HeadObjectCommand({ Bucket, Key: 'same' }))
  system.clock.advance(5_000)
  await replace('same', [['a', 'b']])
  const after = await s3.send(new HeadObjectCommand({ Bucket, Key: 'same' }))
  assert.equal(after.ETag, before.ETag)
  assert.deepEqual(after.LastModified, before.LastModified)
})

test('a copy has the tags of its source, unless it replaces them', async () => {
  await put('source', 'a=1')
  const copy = (Key: string, more: object) =>
    s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/source`, ...more }))
  await copy('copy', {})
  assert.deepEqual(await tagsOf('copy'), { a: '1' })
  await copy('copy', { MetadataDirective: 'REPLACE', Metadata: { m: 'n' } })
  assert.deepEqual(await tagsOf('copy'), { a: '1' })
  await copy('copy', { TaggingDirective: 'REPLACE', Tagging: 'b=2' })
  assert.deepEqual(await tagsOf('copy'), { b: '2' })
  await copy('copy', { TaggingDirective: 'REPLACE' })
  assert.deepEqual(await tagsOf('copy'), {})
  await refused(copy('copy', { TaggingDirective: 'MERGE' }), 'InvalidArgument')
  const native = await api(`POST ${at('source')}/copy`, { body: { destinationKey: 'native' } })
  assert.equal(native.status, 201)
  assert.deepEqual(await tagsOf('native'), { a: '1' })
})

test('an upload in parts has the tags that it began with', async () => {
  const upload = { Bucket, Key: 'parts' }
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...upload, Tagging: 'in=parts' }))
  const { ETag } = await s3.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: 'p' }))
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] }
  await s3.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload }))
  assert.deepEqual(await tagsOf('parts'), { in: 'parts' })
  await refused(s3.send(new CreateMultipartUploadCommand({ ...upload, Tagging: 'a=1&a=2' })), 'InvalidTag')
})

test('a form may have tags, as a document', async () => {
  const post = (tagging: string) => {
    const conditions = [{ bucket: Bucket }, ['eq', '$key', 'form'], ['starts-with', '$tagging', '']]
    const fields = signedFields(credentials, conditions, { now: system.clock.now() })
    return postForm(system, Bucket, { key: 'form', tagging, ...fields })
  }
  const tagging = '<Tagging><TagSet><Tag><Key>by</Key><Value>form</Value></Tag></TagSet></Tagging>'
  assert.equal((await post(tagging)).status, 204)
  assert.deepEqual(await tagsOf('form'), { by: 'form' })
  assert.equal((await post('by=form')).code, 'MalformedXML')
  assert.equal((await post(tagging.replace('by', 'aws:by'))).code, 'InvalidTag')
})

test('each version has tags of its own, and a restored one brings them back', async () => {
  const id = await createBucket(api, 'tagged-versions')
  const bucket = 'tagged-versions'
  const key = 'v'
  const write = async (Tagging: string) => {
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: Tagging, Tagging }))
    return (await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))).VersionId as string
  }
  const first = await write('n=1')
  const second = await write('n=2')
  assert.deepEqual(await tagsOf(key, first, bucket), { n: '1' })
  assert.deepEqual(await tagsOf(key, second, bucket), { n: '2' })
  const changed = await replace(key, [['n', 'one']], { Bucket: bucket, VersionId: first })
  assert.equal(changed.VersionId, first)
  assert.deepEqual(await tagsOf(key, first, bucket), { n: 'one' })
  assert.deepEqual(await tagsOf(key, undefined, bucket), { n: '2' })
  await api(`POST ${objectsIn(id)(key)}/restore`, { body: { versionId: first } })
  assert.deepEqual(await tagsOf(key, undefined, bucket), { n: 'one' })
  assert.deepEqual(await tagsOf(key, second, bucket), { n: '2' })
  await api(`DELETE ${objectsIn(id)(key)}`)
  await refused(tagsOf(key, undefined, bucket), 'NoSuchKey')
  await replace(key, [['n', 'two']], { Bucket: bucket, VersionId: second })
  await s3.send(new DeleteObjectTaggingCommand({ Bucket: bucket, Key: key, VersionId: first }))
  assert.deepEqual(await tagsOf(key, second, bucket), { n: 'two' })
  await refused(tagsOf(key, crypto.randomUUID(), bucket), 'NoSuchVersion')
})

const long = (length: number) => 'k'.repeat(length)
const many = (count: number): [string, string][] => Array.from({ length: count }, (_, n) => [`t${n}`, ''])

test('tags are valid up to the limits, and InvalidTag beyond them, in documents and in headers', async () => {
  await put('limits')
  const valid: [string, string][][] = [
    many(10),
    [[long(128), long(256)]],
    [['a b+c-d=e.f_g:h/i@j', 'Ünïcode 日本 1½']],
    [['__proto__', 'constructor']],
    [],
  ]
  for (const tags of valid) {
    await replace('limits', tags)
    assert.deepEqual(Object.entries(await tagsOf('limits')).sort(), [...tags].sort())
    const header = tags.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    await put('limits', header.join('&'))
    assert.deepEqual(Object.entries(await tagsOf('limits')).sort(), [...tags].sort())
  }
  await replace('limits', [['kept', 'yes']])
  const invalid: [string, string][][] = [
    many(11),
    [[long(129), '']],
    [['a', long(257)]],
    [['', 'v']],
    [
      ['a', '1'],
      ['a', '2'],
    ],
    [['a?b', '']],
    [['a', 'b&c']],
    [['a', 'b\nc']],
    [['aws:mine', '']],
  ]
  for (const tags of invalid) {
    await refused(replace('limits', tags), 'InvalidTag')
    const header = tags.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    await refused(put('limits', header.join('&')), 'InvalidTag')
  }
  await refused(put('limits', 'a=%C3%28'), 'InvalidArgument')
  assert.deepEqual(await tagsOf('limits'), { kept: 'yes' })
})

test('a document that is no tag set is MalformedXML, and a missing object NoSuchKey', async () => {
  await put('documents')
  const send = (body: string, key = 'documents') =>
    signedRequest(system, credentials, `PUT /${Bucket}/${key}?tagging`, { body })
  for (const body of [
    '',
    '<Tagging/>',
    '<Tagging><TagSet/><TagSet/></Tagging>',
    '<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>',
    '<Tagging><TagSet><Tag><Key>a</Key><Key>b</Key><Value/></Tag></TagSet></Tagging>',
  ])
    assert.equal((await send(body)).code, 'MalformedXML', body)
  assert.equal((await send('<Tagging><TagSet/></Tagging>')).status, 200)
  assert.equal((await send('<Tagging><TagSet/></Tagging>', 'missing')).code, 'NoSuchKey')
  await refused(tagsOf('missing'), 'NoSuchKey')
})

const native = (method: string, objectKey: string, more: object = {}, query = '') =>
  api(`${method} /buckets/${bucketId}/object-tags?objectKey=${encodeURIComponent(objectKey)}${query}`, more)

test('the native API shows, replaces and removes the same tags, in both forms', async () => {
  await put('a/native key', 'from=s3')
  const found = await native('GET', 'a/native key')
  assert.equal(found.status, 200, found.text)
  assert.deepEqual(found.body.tags, { from: 's3' })
  assert.match(found.body.versionId, /^[0-9a-f-]{36}$/)
  const replaced = await native('PUT', 'a/native key', { body: { tags: { by: 'hand' } } })
  assert.deepEqual([replaced.status, replaced.body.tags], [200, { by: 'hand' }])
  assert.deepEqual(await tagsOf('a/native key'), { by: 'hand' })
  const formR = await native('GET', 'a/native key', { headers: { 'x-api-form': 'R' } })
  assert.deepEqual(Object.keys(formR.body).sort(), ['requestId', 'tags', 'versionId'])
  const removed = await native('DELETE', 'a/native key')
  assert.deepEqual([removed.status, removed.body.tags], [200, {}])
  const version = `&versionId=${found.body.versionId}`
  assert.equal((await native('PUT', 'a/native key', { body: { tags: { v: '1' } } }, version)).status, 200)
  assert.deepEqual((await native('GET', 'a/native key', {}, version)).body.tags, { v: '1' })
})

test('the native API refuses what S3 refuses, with 400, 404 and 403', async () => {
  await putObject(api, at('guarded'), 'x')
  const invalid: unknown[] = [{}, { tags: null }, { tags: { a: 1 } }, { tags: { 'a?': '' } }]
  invalid.push({ tags: Object.fromEntries(many(11)) }, { tags: { [long(129)]: '' } }, { tags: [] })
  for (const body of invalid) {
    const { status, text } = await native('PUT', 'guarded', { body })
    assert.equal(status, 400, `${JSON.stringify(body)}: ${text}`)
  }
  assert.equal((await api(`GET /buckets/${bucketId}/object-tags`)).status, 400)
  assert.equal((await native('GET', 'nothing')).status, 404)
  assert.equal((await native('GET', 'guarded', {}, `&versionId=${crypto.randomUUID()}`)).status, 404)
  const { api: foreign } = await s3Owner(system)
  assert.equal((await foreign(`GET /buckets/${bucketId}/object-tags?objectKey=guarded`)).status, 404)
  const member = await addMember(system, api, 'member')
  const deny = (action: string) => ({
    effect: 'deny',
    action,
    resourceType: 'object',
    resourceId: 'guarded',
    subjectType: 'role',
    subjectId: 'member',
  })
  const path = `/buckets/${bucketId}/object-tags?objectKey=guarded`
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [deny('object.write')] } })
  assert.equal((await member.api(`GET ${path}`)).status, 200)
  assert.equal((await member.api(`PUT ${path}`, { body: { tags: {} } })).status, 403)
  assert.equal((await member.api(`DELETE ${path}`)).status, 403)
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [deny('object.read')] } })
  assert.equal((await member.api(`GET ${path}`)).status, 403)
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [] } })
})

test('a change of tags is one event and one row of the audit log; that of an old version is no event', async () => {
  await putObject(api, at('told'), 'one')
  const event = await effect(api, () => native('PUT', 'told', { body: { tags: { a: 'b' } } }))
  assert.deepEqual([event.type, event.data.reason], ['object.updated', 'tagged'])
  const { body } = await api('GET /audit-logs?action=object.tagged&objectKey=told')
  assert.equal(body.total, 1)
  assert.equal(body.rows[0].payload.tags, 1)
  const id = await createBucket(api, 'told-versions')
  const path = objectsIn(id)('old')
  await putObject(api, path, 'one')
  await putObject(api, path, 'two')
  const { body: versions } = await api(`GET /buckets/${id}/versions?objectKey=old`)
  const old = versions[1].version_id
  const quiet = await effects(api, () =>
    api(`PUT /buckets/${id}/object-tags?objectKey=old&versionId=${old}`, { body: { tags: { a: 'b' } } }),
  )
  assert.deepEqual(quiet, [])
  const { ctx } = bytesOf(system)
  assert.deepEqual(await verify(ctx), [])
})

test('a delete marker has no tags, nor an ACL, nor attributes: 405 by its id, 404 as the latest of its key', async () => {
  const { Bucket: name, put: write, remove } = await versionedBucket(s3, 'Enabled')
  await write('a', 'x')
  const { VersionId } = await remove('a')
  const send = (line: string, body?: string) =>
    signedRequest(system, credentials, line, {
      headers: { 'x-amz-object-attributes': 'ETag' },
      ...(body === undefined ? {} : { body }),
    })
  const tags = '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>'
  for (const [method, what, body] of [
    ['GET', 'tagging'],
    ['PUT', 'tagging', tags],
    ['DELETE', 'tagging'],
    ['GET', 'acl'],
    ['GET', 'attributes'],
  ] as const) {
    const marker = await send(`${method} /${name}/a?${what}&versionId=${VersionId}`, body)
    assert.deepEqual([marker.status, marker.code], [405, 'MethodNotAllowed'], `${method} ${what}`)
    assert.equal(marker.headers['x-amz-delete-marker'], 'true')
    assert.match(marker.text, new RegExp(`<Method>${method}</Method>`))
    const latest = await send(`${method} /${name}/a?${what}`, body)
    assert.deepEqual([latest.status, latest.code], [404, 'NoSuchKey'], `${method} ${what}`)
    const none = await send(`${method} /${name}/a?${what}&versionId=${crypto.randomUUID()}`, body)
    assert.deepEqual([none.status, none.code], [404, 'NoSuchVersion'], `${method} ${what}`)
  }
})
