import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Client, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { addMember } from '#test/support/storage.ts'

const system = await boot()
const owner = await s3Owner(system)
const { s3, api, credentials } = owner
const { slug, id: orgId } = owner.organization
const member = await addMember(system, api, 'member')
const { body: memberKey } = await member.api('POST /auth/api-keys', { body: { label: 's3' } })
const theirs = s3Client(system, memberKey)

/** A bucket with the objects `a` and `open/a`. */
const bucketOf = async (more: object = {}) => {
  const Bucket = `b-${crypto.randomUUID()}`
  await s3.send(new CreateBucketCommand({ Bucket, ...more }))
  for (const Key of ['a', 'open/a']) await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  const { body } = await api('GET /buckets')
  const { id } = body.find(({ name }: { name: string }) => name === Bucket)
  return { Bucket, id: id as string, arn: `arn:aws:s3:::${Bucket}` }
}
const put = (Bucket: string, ...Statement: object[]) => {
  const Policy = JSON.stringify({ Version: '2012-10-17', Id: 'mine', Statement }, null, 2)
  return s3.send(new PutBucketPolicyCommand({ Bucket, Policy })).then(() => Policy)
}
const policyOf = async (Bucket: string) => (await s3.send(new GetBucketPolicyCommand({ Bucket }))).Policy
const isPublic = async (Bucket: string) =>
  (await s3.send(new GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic
const refused = (work: Promise<unknown>, name: string, message = /./) =>
  assert.rejects(work, (error: Error) => error.name === name && message.test(error.message))
const anonymous = async (Bucket: string, key: string) =>
  (await fetch(`${system.urls.s3}/${slug}.${Bucket}/${key}`)).status
const visibility = async (id: string) => (await api(`GET /buckets/${id}`)).body.visibility

const everybody = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject' }

test('a policy by which everybody may read makes the bucket public, and its end makes it private', async () => {
  const { Bucket, id, arn } = await bucketOf()
  await refused(policyOf(Bucket), 'NoSuchBucketPolicy')
  await refused(isPublic(Bucket), 'NoSuchBucketPolicy')
  const text = await put(Bucket, { Sid: 'read', ...everybody, Resource: [`${arn}/*`] })
  assert.equal(await policyOf(Bucket), text, 'as it was put')
  assert.equal(await isPublic(Bucket), true)
  assert.equal(await visibility(id), 'public')
  assert.equal(await anonymous(Bucket, 'a'), 200)
  for (const more of ['versionId=null', 'tagging', 'acl', 'attributes'])
    assert.equal(await anonymous(Bucket, `a?${more}`), 403, more)
  assert.deepEqual((await api(`GET /buckets/${id}/policy`)).body, [])
  await put(Bucket, { ...everybody, Resource: `${arn}/open/*` })
  assert.deepEqual([await anonymous(Bucket, 'a'), await anonymous(Bucket, 'open/a')], [403, 200])
  assert.deepEqual([await visibility(id), await isPublic(Bucket)], ['private', true])
  await put(Bucket, { ...everybody, Resource: `${arn}/*` })
  await s3.send(new DeleteBucketPolicyCommand({ Bucket }))
  assert.equal(await anonymous(Bucket, 'a'), 403)
  await refused(policyOf(Bucket), 'NoSuchBucketPolicy')
  await s3.send(new DeleteBucketPolicyCommand({ Bucket }))
})

test('a bucket that is public by its ACL stays so whatever becomes of its policy', async () => {
  const { Bucket, arn } = await bucketOf({ ACL: 'public-read' })
  await refused(policyOf(Bucket), 'NoSuchBucketPolicy')
  await put(Bucket, { Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: `${arn}/open/*` })
  assert.equal(await isPublic(Bucket), false)
  assert.deepEqual([await anonymous(Bucket, 'a'), await anonymous(Bucket, 'open/a')], [200, 403])
  await s3.send(new DeleteBucketPolicyCommand({ Bucket }))
  assert.deepEqual([await anonymous(Bucket, 'a'), await anonymous(Bucket, 'open/a')], [200, 200])
})

test('an ACL that closes the bucket ends what the policy had opened', async () => {
  const { Bucket, arn } = await bucketOf()
  await put(Bucket, { ...everybody, Resource: `${arn}/*` })
  await s3.send(new PutBucketAclCommand({ Bucket, ACL: 'private' }))
  assert.equal(await anonymous(Bucket, 'a'), 403)
  await refused(policyOf(Bucket), 'NoSuchBucketPolicy')
})

test('denials hold for users and roles, over S3 and natively', async () => {
  const { Bucket, id, arn } = await bucketOf()
  const Principal = { AWS: `arn:aws:iam::${orgId}:user/${member.id}` }
  const text = await put(
    Bucket,
    { Effect: 'Deny', Principal, Action: ['s3:DeleteObject'], Resource: `${arn}/*` },
    { Effect: 'Deny', Principal: { AWS: [`arn:aws:iam::${orgId}:role/member`] }, Action: 's3:ListBucket', Resource: arn },
  )
  assert.equal(await policyOf(Bucket), text)
  assert.equal(await isPublic(Bucket), false)
  await refused(theirs.send(new DeleteObjectCommand({ Bucket, Key: 'a' })), 'AccessDenied', /statements\[0\]/)
  await refused(theirs.send(new ListObjectsV2Command({ Bucket })), 'AccessDenied')
  assert.equal((await member.api(`DELETE /buckets/${id}/objects/a`)).status, 403)
  await theirs.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'x' }))
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' }))
  const { body } = await api(`GET /buckets/${id}/policy`)
  assert.deepEqual(
    body.map(({ action, subjectId }: Record<string, string>) => [action, subjectId]),
    [['object.delete', member.id], ['object.list', 'member']],
  )
}) // biome-ignore format: as a table

test('what cannot be said is NotImplemented, what is malformed MalformedPolicy, and nothing changes', async () => {
  const { Bucket, arn } = await bucketOf()
  const text = await put(Bucket, { ...everybody, Resource: `${arn}/open/*` })
  const deny = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: `${arn}/*` }
  const bad = (more: object) => put(Bucket, { ...deny, ...more })
  await refused(bad({ Condition: { Bool: { 'aws:SecureTransport': 'false' } } }), 'NotImplemented', /Statement\[0\]\.Condition\.Bool/)
  await refused(bad({ Principal: undefined, NotPrincipal: '*' }), 'NotImplemented', /NotPrincipal/)
  await refused(put(Bucket, deny, { ...everybody, Action: 's3:PutObject', Resource: `${arn}/*` }), 'NotImplemented', /Statement\[1\]\.Action/)
  await refused(bad({ Resource: 'arn:aws:s3:::other/*' }), 'MalformedPolicy')
  await refused(bad({ Principal: { AWS: `arn:aws:iam::${orgId}:user/${crypto.randomUUID()}` } }), 'MalformedPolicy')
  await refused(bad({ Principal: { AWS: `arn:aws:iam::${orgId}:role/boss` } }), 'MalformedPolicy')
  await refused(bad({ Condition: { IpAddress: { 'aws:SourceIp': 'here' } } }), 'MalformedPolicy')
  await refused(bad({ Condition: { DateLessThan: { 'aws:CurrentTime': 'tomorrow' } } }), 'MalformedPolicy')
  for (const body of ['', '{', '[]', 'null', '{"Statement":[{}]}', '{"Statement":"\\u0000"}'])
    assert.equal((await signedRequest(system, credentials, `PUT /${Bucket}?policy`, { body })).code, 'MalformedPolicy', body)
  assert.equal(await policyOf(Bucket), text)
}) // biome-ignore format: as a table

test('only who may read or change the policy does, and another organization does not find the bucket', async () => {
  const { Bucket, arn } = await bucketOf()
  const Policy = JSON.stringify({ Statement: { ...everybody, Resource: `${arn}/*` } })
  await refused(theirs.send(new PutBucketPolicyCommand({ Bucket, Policy })), 'AccessDenied')
  await refused(theirs.send(new GetBucketPolicyCommand({ Bucket })), 'AccessDenied')
  await refused(theirs.send(new DeleteBucketPolicyCommand({ Bucket })), 'AccessDenied')
  await refused(theirs.send(new GetBucketPolicyStatusCommand({ Bucket })), 'AccessDenied')
  const { s3: foreign } = await s3Owner(system)
  await refused(foreign.send(new GetBucketPolicyCommand({ Bucket })), 'NoSuchBucket')
  assert.equal(await anonymous(Bucket, 'a'), 403)
})

test('a native policy is shown in the words of S3 if they say the same, and can be put back', async () => {
  const { Bucket, id, arn } = await bucketOf()
  const statement = { effect: 'deny', action: 'object.write', resourceType: 'object', resourceId: 'a/*', subjectType: 'user', subjectId: member.id, conditions: { ipCidr: ['10.0.0.0/8'] } }
  const natively = (...statements: object[]) => api(`PUT /buckets/${id}/policy`, { body: { statements } })
  assert.equal((await natively(statement)).status, 200)
  const text = (await policyOf(Bucket)) as string
  assert.deepEqual(JSON.parse(text), {
    Version: '2012-10-17',
    Statement: [{
      Effect: 'Deny',
      Principal: { AWS: `arn:aws:iam::${orgId}:user/${member.id}` },
      Action: 's3:PutObject',
      Resource: `${arn}/a/*`,
      Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
    }],
  })
  await s3.send(new PutBucketPolicyCommand({ Bucket, Policy: text }))
  assert.equal(await policyOf(Bucket), text)
  const { body } = await api(`GET /buckets/${id}/policy`)
  assert.deepEqual(body, [{ ...statement, conditions: { ipCidr: '10.0.0.0/8' } }])
  await natively(statement, { ...statement, action: 'object.sign' })
  await refused(policyOf(Bucket), 'NotImplemented', /statements\[1\]/)
  await natively({ ...statement, subjectId: '*', action: 'object.read', effect: 'allow', conditions: null })
  assert.equal(await isPublic(Bucket), true)
}) // biome-ignore format: as a table

test('BlockPublicPolicy refuses a public document, and leaves the policy as it was', async () => {
  const { Bucket, arn } = await bucketOf()
  const PublicAccessBlockConfiguration = { BlockPublicPolicy: true }
  await s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }))
  for (const Resource of [`${arn}/*`, `${arn}/open/*`])
    await refused(put(Bucket, { ...everybody, Resource }), 'AccessDenied')
  await refused(policyOf(Bucket), 'NoSuchBucketPolicy')
  await put(Bucket, { ...everybody, Effect: 'Deny', Resource: `${arn}/*` })
  await s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: {} }))
  await put(Bucket, { ...everybody, Resource: `${arn}/*` })
  assert.equal(await anonymous(Bucket, 'a'), 200)
  const RestrictPublicBuckets = true
  await s3.send(
    new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: { RestrictPublicBuckets } }),
  )
  assert.equal(await anonymous(Bucket, 'a'), 403)
})

test('operators and keys of conditions that are called like parts of every object are refused', async () => {
  const { Bucket, arn } = await bucketOf()
  const text = JSON.stringify({ Version: '2012-10-17', Statement: [{ ...everybody, Resource: `${arn}/*`, Condition: 'HERE' }] })
  for (const name of ['__proto__', '\\u005f_proto__', 'constructor', 'toString'])
    for (const condition of [`{"${name}": {"aws:SourceIp": "10.0.0.0/8"}}`, `{"IpAddress": {"${name}": "10.0.0.0/8"}}`]) {
      const Policy = text.replace('"HERE"', condition)
      await assert.rejects(s3.send(new PutBucketPolicyCommand({ Bucket, Policy })), /not supported|malformed/i)
      await refused(policyOf(Bucket), 'NoSuchBucketPolicy')
    }
}) // biome-ignore format: one line
