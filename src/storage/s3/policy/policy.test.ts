import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { PolicyStatement } from '../../policies/schema.ts'
import { expressPolicy } from './express.ts'
import { translatePolicy } from './translate.ts'

const orgId = '0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41'
const userId = '0195941f-4c1d-7b3e-9a52-6d0c8e2f7a42'
const place = { id: '0195941f-4c1d-7b3e-9a52-6d0c8e2f7a43', name: 'photos', orgId }
const bucket = 'arn:aws:s3:::photos'
const user = { AWS: `arn:aws:iam::${orgId}:user/${userId}` }
const allow = { Effect: 'Allow', Principal: user, Action: 's3:GetObject', Resource: `${bucket}/*` }

const translate = (...Statement: object[]) =>
  translatePolicy(JSON.stringify({ Version: '2012-10-17', Statement }), place)
const brief = ({ effect, action, resourceType, resourceId, subjectId, conditions }: PolicyStatement) =>
  [effect, action, resourceType, resourceId, subjectId, ...(conditions ? [conditions] : [])] as const

test('that everybody may read everything is the visibility, and anything less a statement', () => {
  for (const Principal of ['*', { AWS: '*' }, { AWS: ['*'] }])
    for (const Resource of [`${bucket}/*`, [bucket, `${bucket}/*`], '*'])
      assert.deepEqual(translate({ ...allow, Principal, Resource }), { isPublic: true, statements: [] })
  const { isPublic, statements } = translate({ ...allow, Principal: '*', Resource: `${bucket}/open/*` })
  assert.equal(isPublic, false)
  assert.deepEqual(statements.map(brief), [['allow', 'object.read', 'object', 'open/*', '*']])
  const Condition = { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } }
  const inside = translate({ ...allow, Principal: '*', Condition })
  assert.equal(inside.isPublic, false)
  assert.deepEqual(inside.statements.map(brief), [
    ['allow', 'object.read', 'object', '*', '*', { ipCidr: '10.0.0.0/8' }],
  ])
})

test('actions, principals, resources and conditions are translated where ours say the same', () => {
  const cases: [object, unknown[]][] = [
    [{ Effect: 'Deny', Action: ['s3:DeleteObject', 's3:DeleteObjectVersion'] }, [
      ['deny', 'object.delete', 'object', '*', userId],
      ['deny', 'object.purge', 'object', '*', userId],
    ]],
    [{ Effect: 'Deny', Action: 's3:*', Resource: [bucket, `${bucket}/*`] }, [
      ['deny', 'object.*', 'object', '*', userId],
      ['deny', 'object.list', 'bucket', 'photos', userId],
      ['deny', 'bucket.*', 'bucket', 'photos', userId],
      ['deny', 'policy.*', 'bucket', 'photos', userId],
    ]],
    [{ Effect: 'Deny', Principal: '*', Action: 'S3:putobject', Resource: [`${bucket}/a/*`, `${bucket}/b`] }, [
      ['deny', 'object.write', 'object', 'a/*', '*'],
      ['deny', 'object.write', 'object', 'b', '*'],
    ]],
    [{ Principal: { AWS: [`arn:aws:iam::${orgId}:role/member`, user.AWS] }, Action: 's3:PutBucketPolicy', Resource: bucket }, [
      ['allow', 'policy.write', 'bucket', 'photos', 'member'],
      ['allow', 'policy.write', 'bucket', 'photos', userId],
    ]],
    [{ Action: ['s3:GetBucketLocation', 's3:ListBucket'], Resource: bucket }, [
      ['allow', 'object.list', 'bucket', 'photos', userId],
      ['allow', 'bucket.read', 'bucket', 'photos', userId],
    ]],
    [{ Action: 's3:ListBucket', Resource: bucket, Condition: { StringLike: { 's3:prefix': ['home/*', 'a*'] } } }, [
      ['allow', 'object.list', 'bucket', 'photos', userId, { prefix: ['home/', 'a'] }],
    ]],
    [{ Effect: 'Deny', Condition: {
      NotIpAddress: { 'aws:SourceIp': ['10.0.0.0/8', '::1'] },
      DateGreaterThanEquals: { 'aws:CurrentTime': '2026-01-01T00:00:00Z' },
      DateLessThan: { 'aws:currenttime': '2027-01-01T00:00:00Z' },
    } }, [
      ['deny', 'object.read', 'object', '*', userId, {
        notIpCidr: ['10.0.0.0/8', '::1'],
        notBefore: '2026-01-01T00:00:00Z',
        expiresAt: '2027-01-01T00:00:00Z',
      }],
    ]],
  ]
  for (const [statement, expected] of cases)
    assert.deepEqual(translate({ ...allow, ...statement }).statements.map(brief), expected, JSON.stringify(statement))
}) // biome-ignore format: as a table

test('what ours cannot say is NotImplemented and names the part', () => {
  const everybody = { Principal: '*' }
  const cases: [object, string][] = [
    [{ Action: 's3:GetObjectVersion' }, 'Statement[0].Action'],
    [{ Action: 's3:GetObjectTorrent' }, 'Statement[0].Action'],
    [{ Action: 's3:Get?bject' }, 'Statement[0].Action'],
    [{ Action: 's3:PutBucketTagging', Resource: bucket }, 'Statement[0].Action'],
    [{ Effect: 'Deny', Action: 's3:GetBucketTagging', Resource: bucket }, 'Statement[0].Action'],
    [{ ...everybody, Action: ['s3:GetObject', 's3:GetObjectVersion'] }, 'Statement[0].Action'],
    [{ ...everybody, Action: 's3:PutObject' }, 'Statement[0].Action'],
    [{ ...everybody, Action: 's3:ListBucket', Resource: bucket }, 'Statement[0].Action'],
    [{ ...everybody, Action: 's3:*' }, 'Statement[0].Action'],
    [{ ...everybody, Action: 's3:Get*' }, 'Statement[0].Action'],
    [{ Resource: `${bucket}/a?b` }, 'Statement[0].Resource'],
    [{ Resource: `${bucket}/home/\${aws:username}/*` }, 'Statement[0].Resource'],
    [{ Resource: `${bucket}/${userId}` }, 'Statement[0].Resource'],
    [{ Resource: 'arn:aws:s3:::ph*' }, 'Statement[0].Resource'],
    [{ Principal: { AWS: orgId } }, 'Statement[0].Principal'],
    [{ Principal: { AWS: `arn:aws:iam::${orgId}:root` } }, 'Statement[0].Principal'],
    [{ Principal: { Service: 'logging.s3.amazonaws.com' } }, 'Statement[0].Principal.Service'],
    [{ Principal: undefined, NotPrincipal: user }, 'Statement[0].NotPrincipal'],
    [{ Action: undefined, NotAction: 's3:GetObject' }, 'Statement[0].NotAction'],
    [{ Resource: undefined, NotResource: `${bucket}/a` }, 'Statement[0].NotResource'],
    [{ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': false } } }, 'Statement[0].Condition.Bool.aws:SecureTransport'],
    [{ Condition: { StringLike: { 's3:prefix': 'a*' } } }, 'Statement[0].Condition.StringLike.s3:prefix'],
    [{ Effect: 'Deny', Action: 's3:ListBucket', Resource: bucket, Condition: { StringLike: { 's3:prefix': 'a*' } } }, 'Statement[0].Condition.StringLike.s3:prefix'],
    [{ Action: 's3:ListBucket', Resource: bucket, Condition: { StringLike: { 's3:prefix': 'a' } } }, 'Statement[0].Condition.StringLike.s3:prefix'],
    [{ Condition: { DateLessThan: { 'aws:CurrentTime': ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'] } } }, 'Statement[0].Condition.DateLessThan.aws:CurrentTime'],
  ]
  for (const [statement, Part] of cases)
    assert.throws(() => translate({ ...allow, ...statement }), { code: 'NotImplemented', fields: { Part } }, JSON.stringify(statement))
}) // biome-ignore format: as a table

test('what is no policy is MalformedPolicy', () => {
  const documents = [
    '', 'x', '[]', '"*"', 'null', '{}',
    JSON.stringify({ Statement: [] }),
    JSON.stringify({ Statement: 'x' }),
    JSON.stringify({ Version: '2020-01-01', Statement: [allow] }),
    JSON.stringify({ Statement: [allow], More: 1 }),
    JSON.stringify({ Id: 1, Statement: [allow] }),
    JSON.stringify({ Statement: [{ ...allow, Sid: 'a' }, { ...allow, Sid: 'a' }] }),
    JSON.stringify({ Statement: [allow], Id: 'x'.repeat(20 * 1024) }),
  ] // biome-ignore format: as a table
  for (const text of documents)
    assert.throws(() => translatePolicy(text, place), { code: 'MalformedPolicy' }, text.slice(0, 60))
  const statements = [
    { Effect: undefined }, { Effect: 'allow' }, { Principal: undefined }, { Action: undefined }, { Resource: undefined },
    { Principal: 'me' }, { Principal: {} }, { Principal: { Aws: '*' } }, { Principal: { AWS: 'arn:aws:iam::123456789012:user/me' } },
    { Principal: { AWS: `arn:aws:iam::${orgId}:group/x` } }, { Principal: { AWS: 1 } },
    { Action: [] }, { Action: 'ec2:Run' }, { Action: 'GetObject' }, { Action: 's3:ListBucket' }, { Action: 's3:GetObject', Resource: bucket },
    { Resource: 'arn:aws:s3:::other/*' }, { Resource: `${bucket}/` }, { Resource: `${bucket}/a\u0000` }, { Resource: `${bucket}/\ud800` },
    { Resource: `${bucket}/${'x'.repeat(1025)}` }, { Condition: [] }, { Condition: { IpAddress: 'x' } }, { Condition: { IpAddress: { 'aws:SourceIp': 1 } } }, { More: 1 },
  ] // biome-ignore format: as a table
  for (const statement of statements)
    assert.throws(() => translate({ ...allow, ...statement }), { code: 'MalformedPolicy' }, JSON.stringify(statement).slice(0, 80))
}) // biome-ignore format: as a table

test('a statement of ours that can be said is translated back to one that means the same', () => {
  const native = fc.record({
    effect: fc.constantFrom('allow' as const, 'deny' as const),
    action: fc.constantFrom('object.read', 'object.write', 'object.delete', 'object.purge', 'object.*', 'object.list', 'bucket.read', 'bucket.update', 'bucket.delete', 'policy.read', 'policy.write', 'object.sign', '*'),
    resourceType: fc.constantFrom('bucket' as const, 'object' as const),
    resourceId: fc.constantFrom('*', 'photos', 'a/*', 'a?', place.id),
    subjectType: fc.constantFrom('user' as const, 'role' as const, 'api_key' as const),
    subjectId: fc.constantFrom('*', userId, 'member', 'anonymous'),
    conditions: fc.constantFrom(null, { ipCidr: ['10.0.0.0/8'] }, { prefix: 'a/' }, { maxSizeBytes: 1 }),
  })
  let said = 0
  fc.assert(
    fc.property(native, (statement) => {
      let document: string
      try {
        document = expressPolicy([statement], place)
      } catch (error) {
        assert.equal((error as { code: string }).code, 'NotImplemented')
        return
      }
      said++
      const { isPublic, statements } = translatePolicy(document, place)
      if (isPublic) return assert.deepEqual([statement.effect, statement.action, statement.subjectId], ['allow', 'object.read', '*'])
      assert.equal(statements.length, 1)
      assert.equal(statements[0]?.effect, statement.effect)
      assert.equal(statements[0]?.action, statement.action)
      assert.equal(statements[0]?.subjectId, statement.subjectId)
      assert.ok(isDeepStrictEqual(expressPolicy(statements, place), document), 'stable')
    }),
    { numRuns: 2000 },
  )
  assert.ok(said > 100, String(said))
}) // biome-ignore format: as a table

test('a document that says too much by multiplying its lists is refused before they are multiplied', () => {
  const Principal = { AWS: Array.from({ length: 50 }, () => user.AWS) }
  const Resource = (count: number) => Array.from({ length: count }, (_, n) => `${bucket}/${n}`)
  assert.equal(translate({ ...allow, Principal, Resource: Resource(4) }).statements.length, 200)
  for (const count of [5, 500])
    assert.throws(() => translate({ ...allow, Principal, Resource: Resource(count) }), /200 statements/)
  const some = { ...allow, Principal, Resource: Resource(4) }
  assert.throws(() => translate(some, allow), /200 statements/)
})
