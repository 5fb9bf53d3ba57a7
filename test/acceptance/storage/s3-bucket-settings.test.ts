import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CreateBucketCommand,
  DeleteBucketOwnershipControlsCommand,
  DeleteBucketTaggingCommand,
  DeletePublicAccessBlockCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketTaggingCommand,
  GetPublicAccessBlockCommand,
  PutBucketAclCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Client, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { addMember } from '#test/support/storage.ts'

const system = await boot()
const owner = await s3Owner(system)
const { s3, api, credentials } = owner
const { slug } = owner.organization

const bucketOf = async (more: object = {}) => {
  const Bucket = `b-${crypto.randomUUID()}`
  await s3.send(new CreateBucketCommand({ Bucket, ...more }))
  const { body } = await api('GET /buckets')
  return { Bucket, id: body.find(({ name }: { name: string }) => name === Bucket).id as string }
}
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })
const tag = (Bucket: string, tags: [string, string][]) =>
  s3.send(
    new PutBucketTaggingCommand({
      Bucket,
      Tagging: { TagSet: tags.map(([Key, Value]) => ({ Key, Value })) },
    }),
  )
const many = (count: number): [string, string][] => Array.from({ length: count }, (_, n) => [`t${n}`, ''])

test('a bucket has up to 50 tags, which are replaced and removed as a whole', async () => {
  const { Bucket, id } = await bucketOf()
  const tags = () => s3.send(new GetBucketTaggingCommand({ Bucket }))
  await refused(tags(), 'NoSuchTagSet')
  await tag(Bucket, many(50))
  assert.equal((await tags()).TagSet?.length, 50)
  await refused(tag(Bucket, many(51)), 'InvalidTag')
  await refused(
    tag(Bucket, [
      ['a', '1'],
      ['a', '2'],
    ]),
    'InvalidTag',
  )
  await tag(Bucket, [['team', 'Häfen']])
  assert.deepEqual((await tags()).TagSet, [{ Key: 'team', Value: 'Häfen' }])
  const names = ['zebra', '10', 'a', '2']
  await tag(
    Bucket,
    names.map((name) => [name, 'x']),
  )
  assert.deepEqual(
    (await tags()).TagSet?.map(({ Key }) => Key),
    names,
    'in the order in which they were put',
  )
  await s3.send(new DeleteBucketTaggingCommand({ Bucket }))
  await refused(tags(), 'NoSuchTagSet')
  const { body } = await api('GET /audit-logs?action=bucket.updated')
  const rows = body.rows.filter((row: { resource_id: string }) => row.resource_id === id)
  assert.deepEqual(rows[0].payload, { changed: 'tags' })
})

test('who may not change a bucket may not change its settings, and another organization does not find it', async () => {
  const { Bucket } = await bucketOf()
  const member = await addMember(system, api, 'member')
  const { body: key } = await member.api('POST /auth/api-keys', { body: { label: 's3' } })
  const theirs = s3Client(system, key)
  const TagSet = [{ Key: 'a', Value: 'b' }]
  await refused(theirs.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } })), 'AccessDenied')
  await refused(theirs.send(new GetBucketTaggingCommand({ Bucket })), 'NoSuchTagSet')
  await refused(theirs.send(new DeletePublicAccessBlockCommand({ Bucket })), 'AccessDenied')
  const { s3: foreign } = await s3Owner(system)
  await refused(foreign.send(new GetBucketTaggingCommand({ Bucket })), 'NoSuchBucket')
})

const block = (Bucket: string, PublicAccessBlockConfiguration: object) =>
  s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }))
const anonymous = async (Bucket: string, id: string) => [
  (await fetch(`${system.urls.s3}/${slug}.${Bucket}/a`)).status,
  (await system.storage(`GET /public/objects/${id}/a`)).status,
]

test('a public access block is returned as it was put, and what it leaves out is false', async () => {
  const { Bucket } = await bucketOf()
  const found = async () =>
    (await s3.send(new GetPublicAccessBlockCommand({ Bucket }))).PublicAccessBlockConfiguration
  await refused(found(), 'NoSuchPublicAccessBlockConfiguration')
  await block(Bucket, { BlockPublicAcls: true })
  assert.deepEqual(await found(), {
    BlockPublicAcls: true,
    IgnorePublicAcls: false,
    BlockPublicPolicy: false,
    RestrictPublicBuckets: false,
  })
  await s3.send(new DeletePublicAccessBlockCommand({ Bucket }))
  await refused(found(), 'NoSuchPublicAccessBlockConfiguration')
  const body =
    '<PublicAccessBlockConfiguration><BlockPublicAcls>maybe</BlockPublicAcls></PublicAccessBlockConfiguration>'
  const line = `PUT /${Bucket}?publicAccessBlock`
  assert.equal((await signedRequest(system, credentials, line, { body })).code, 'MalformedXML')
})

test('BlockPublicAcls keeps a bucket from becoming public, over S3 and natively', async () => {
  const { Bucket, id } = await bucketOf()
  await block(Bucket, { BlockPublicAcls: true })
  await refused(s3.send(new PutBucketAclCommand({ Bucket, ACL: 'public-read' })), 'AccessDenied')
  await s3.send(new PutBucketAclCommand({ Bucket, ACL: 'private' }))
  assert.equal((await api(`PATCH /buckets/${id}`, { body: { visibility: 'public' } })).status, 403)
  assert.equal((await api(`GET /buckets/${id}`)).body.visibility, 'private')
  await s3.send(new DeletePublicAccessBlockCommand({ Bucket }))
  await s3.send(new PutBucketAclCommand({ Bucket, ACL: 'public-read' }))
})

test('BlockPublicPolicy refuses policies by which everybody could read, and no others', async () => {
  const { Bucket, id } = await bucketOf()
  await block(Bucket, { BlockPublicPolicy: true })
  const put = async (body: object) => (await api(`PUT /buckets/${id}/policy`, { body })).status
  const statement = {
    effect: 'allow',
    action: 'object.read',
    resourceType: 'object',
    resourceId: 'open/*',
    subjectType: 'role',
    subjectId: 'anonymous',
  }
  assert.equal(await put({ visibility: 'public' }), 403)
  assert.equal(await put({ statements: [statement] }), 403)
  assert.equal(await put({ statements: [{ ...statement, subjectId: '*', action: 'object.*' }] }), 403)
  assert.equal(await put({ statements: [{ ...statement, conditions: { ipCidr: '0.0.0.0/0' } }] }), 403)
  assert.deepEqual((await api(`GET /buckets/${id}/policy`)).body, [])
  assert.equal(await put({ statements: [{ ...statement, conditions: { ipCidr: '10.0.0.0/8' } }] }), 200)
  assert.equal(await put({ statements: [{ ...statement, effect: 'deny' }] }), 200)
  assert.equal(await put({ statements: [{ ...statement, subjectId: 'member' }] }), 200)
})

test('IgnorePublicAcls and RestrictPublicBuckets stop reads without credentials at once, over S3 and natively', async () => {
  const { Bucket, id } = await bucketOf({ ACL: 'public-read' })
  await s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }))
  assert.deepEqual(await anonymous(Bucket, id), [200, 200])
  for (const name of ['IgnorePublicAcls', 'RestrictPublicBuckets']) {
    await block(Bucket, { [name]: true })
    assert.deepEqual(await anonymous(Bucket, id), [403, 403], name)
    assert.equal((await api(`GET /buckets/${id}`)).body.visibility, 'public')
    const { url } = (await api(`POST /buckets/${id}/signed-url`, { body: { objectKey: 'a' } })).body
    const { pathname, search } = new URL(url)
    assert.equal((await system.storage(`GET ${pathname}${search}`)).status, 200, 'signed URLs still work')
    await s3.send(new DeletePublicAccessBlockCommand({ Bucket }))
    assert.deepEqual(await anonymous(Bucket, id), [200, 200])
  }
})

test('what a policy opens to everybody can be read without a signature, unless that is restricted', async () => {
  const { Bucket, id } = await bucketOf()
  for (const Key of ['a', 'closed']) await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  const statement = {
    effect: 'allow',
    action: 'object.read',
    resourceType: 'object',
    resourceId: 'a*',
    subjectType: 'role',
    subjectId: 'anonymous',
  }
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [statement] } })
  assert.deepEqual(await anonymous(Bucket, id), [200, 200])
  assert.equal((await fetch(`${system.urls.s3}/${slug}.${Bucket}/closed`)).status, 403)
  assert.equal((await fetch(`${system.urls.s3}/${slug}.${Bucket}/a-missing`)).status, 404)
  await block(Bucket, { RestrictPublicBuckets: true })
  assert.deepEqual(await anonymous(Bucket, id), [403, 403])
})

test('ownership is that of the bucket owner unless something else was set', async () => {
  const { Bucket } = await bucketOf()
  const found = async () =>
    (await s3.send(new GetBucketOwnershipControlsCommand({ Bucket }))).OwnershipControls?.Rules
  const put = (ObjectOwnership: string) =>
    s3.send(
      new PutBucketOwnershipControlsCommand({
        Bucket,
        OwnershipControls: { Rules: [{ ObjectOwnership: ObjectOwnership as 'ObjectWriter' }] },
      }),
    )
  assert.deepEqual(await found(), [{ ObjectOwnership: 'BucketOwnerEnforced' }])
  for (const ownership of ['BucketOwnerPreferred', 'ObjectWriter', 'BucketOwnerEnforced']) {
    await put(ownership)
    assert.deepEqual(await found(), [{ ObjectOwnership: ownership }])
  }
  await put('ObjectWriter')
  await refused(put('Somebody'), 'MalformedXML')
  await s3.send(new DeleteBucketOwnershipControlsCommand({ Bucket }))
  assert.deepEqual(await found(), [{ ObjectOwnership: 'BucketOwnerEnforced' }])
})

test('a bucket may have tags from the start', async () => {
  const Tags = [
    { Key: 'team', Value: 'north sea' },
    { Key: 'empty', Value: '' },
  ]
  const { Bucket } = await bucketOf({ CreateBucketConfiguration: { Tags } })
  const { TagSet = [] } = await s3.send(new GetBucketTaggingCommand({ Bucket }))
  assert.deepEqual(new Set(TagSet.map(({ Key }) => Key)), new Set(['team', 'empty']))
  await refused(bucketOf({ CreateBucketConfiguration: { Tags: [{ Key: 'a?', Value: '' }] } }), 'InvalidTag')
})

test('S3 Control, which clients send to the same address, is not allowed, and no object of that name is meant', async () => {
  const headers = { 'x-amz-account-id': '000000000000' }
  const path = '/v20180820/tags/arn%3Aaws%3As3%3A%3A%3Abucket'
  for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
    const { status, code } = await signedRequest(system, credentials, `${method} ${path}`, { headers })
    assert.deepEqual([status, code], [405, 'MethodNotAllowed'], method)
  }
})
