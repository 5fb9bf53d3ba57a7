import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketLifecycleCommand,
  GetBucketLifecycleConfigurationCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type LifecycleRule,
  ListPartsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { md5Header, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'

const system = await boot()
const { s3, api, credentials } = await s3Owner(system)
const Bucket = 'ruled'
await s3.send(new CreateBucketCommand({ Bucket }))
const { id: bucketId } = (await api('GET /buckets')).body[0]

const put = (...Rules: LifecycleRule[]) =>
  s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }))
const get = async () => (await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules
const native = async () => (await api(`GET /buckets/${bucketId}/lifecycle`)).body.rules

test('a new bucket says how long it keeps what is deleted', async () => {
  assert.deepEqual(await get(), [
    {
      ID: 'default',
      Filter: { Prefix: '' },
      Status: 'Enabled',
      Expiration: { ExpiredObjectDeleteMarker: true },
      NoncurrentVersionExpiration: { NoncurrentDays: 30 },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
    },
  ])
})

test('rules are returned as they were put, and are those of the native API', async () => {
  const rules: LifecycleRule[] = [
    { ID: 'all', Filter: { Prefix: '' }, Status: 'Enabled', Expiration: { Days: 365 } },
    { ID: 'one tag', Filter: { Tag: { Key: 'a', Value: 'b' } }, Status: 'Disabled', Expiration: { Days: 1 } },
    {
      ID: 'large',
      Filter: { ObjectSizeGreaterThan: 0 },
      Status: 'Enabled',
      Expiration: { Date: new Date('2030-01-01T00:00:00Z') },
    },
    {
      ID: 'several <&> conditions',
      Filter: {
        And: {
          Prefix: 'logs/',
          Tags: [
            { Key: 'a', Value: 'b' },
            { Key: 'c', Value: '' },
          ],
          ObjectSizeGreaterThan: 500,
          ObjectSizeLessThan: 64_000,
        },
      },
      Status: 'Enabled',
      NoncurrentVersionExpiration: { NoncurrentDays: 2, NewerNoncurrentVersions: 3 },
    },
    {
      ID: 'small',
      Filter: { ObjectSizeLessThan: 1 },
      Status: 'Enabled',
      NoncurrentVersionExpiration: { NoncurrentDays: 2 },
    },
    {
      ID: 'rest',
      Filter: { Prefix: 'x/' },
      Status: 'Enabled',
      Expiration: { ExpiredObjectDeleteMarker: true },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    },
  ]
  await put(...rules)
  assert.deepEqual(await get(), rules)
  const several = (await native())[3]
  assert.deepEqual(
    [several.prefix, several.tags, several.min_size_bytes, several.max_size_bytes],
    ['logs/', { a: 'b', c: '' }, 501, 63_999],
  )
  assert.equal((await native())[2].expiration_date, '2030-01-01T00:00:00.000Z')

  await put({ Prefix: 'old style/', Status: 'Enabled', Expiration: { Days: 1 } })
  const [old] = (await get()) ?? []
  assert.deepEqual([old?.Filter, old?.Prefix], [{ Prefix: 'old style/' }, undefined])
  assert.ok(old?.ID, 'an id is made up')
})

test('without rules there is no configuration', async () => {
  await s3.send(new DeleteBucketLifecycleCommand({ Bucket }))
  await assert.rejects(get(), { name: 'NoSuchLifecycleConfiguration' })
  assert.deepEqual(await native(), [])
  const other = new GetBucketLifecycleConfigurationCommand({ Bucket: 'nowhere' })
  await assert.rejects(s3.send(other), { name: 'NoSuchBucket' })
})

const send = (text: string) =>
  signedRequest(system, credentials, `PUT /${Bucket}?lifecycle`, {
    body: text,
    headers: md5Header(text),
  })
const rule = (content: string, filter = '<Filter/>', status = '<Status>Enabled</Status>') =>
  `<LifecycleConfiguration><Rule>${filter}${status}${content}</Rule></LifecycleConfiguration>`
const days = '<Expiration><Days>1</Days></Expiration>'

test('what S3 refuses is refused with its codes, and changes nothing', async () => {
  await put({ ID: 'kept', Filter: { Prefix: '' }, Status: 'Enabled', Expiration: { Days: 1 } })
  const refused: [code: string, text: string][] = [
    ['MalformedXML', ''],
    ['MalformedXML', '<LifecycleConfiguration/>'],
    ['MalformedXML', '<Other/>'],
    ['MalformedXML', `<LifecycleConfiguration><Rule>`],
    ['MalformedXML', rule(days, '')],
    ['MalformedXML', rule(days, '<Filter/><Prefix/>')],
    [
      'MalformedXML',
      rule(days, '<Filter><Prefix>a</Prefix><ObjectSizeLessThan>5</ObjectSizeLessThan></Filter>'),
    ],
    ['MalformedXML', rule(days, '<Filter><Other/></Filter>')],
    ['MalformedXML', rule(days, '<Filter><Tag><Key>a</Key></Tag></Filter>')],
    ['InvalidArgument', rule(days, '<Filter><Tag><Key>a?</Key><Value>b</Value></Tag></Filter>')],
    ['InvalidArgument', rule(days, '<Filter><Tag><Key>a</Key><Value>b;</Value></Tag></Filter>')],
    ['MalformedXML', rule(days, '<Filter/>', '')],
    ['MalformedXML', rule(days, '<Filter/>', '<Status>enabled</Status>')],
    ['MalformedXML', rule('<Expiration/>')],
    ['MalformedXML', rule('<Expiration><Days>x</Days></Expiration>')],
    ['MalformedXML', rule('<Expiration><Days>1</Days><Days>1</Days></Expiration>')],
    ['MalformedXML', rule('<Expiration><Days>1</Days><Date>2030-01-01T00:00:00Z</Date></Expiration>')],
    ['MalformedXML', rule('<Expiration><Date>soon</Date></Expiration>')],
    [
      'MalformedXML',
      rule('<Expiration><ExpiredObjectDeleteMarker>maybe</ExpiredObjectDeleteMarker></Expiration>'),
    ],
    ['MalformedXML', rule('<NoncurrentVersionExpiration/>')],
    ['MalformedXML', rule(`${days}<Unknown/>`)],
    ['InvalidRequest', rule('')],
    ['InvalidArgument', rule('<Expiration><Days>0</Days></Expiration>')],
    ['InvalidArgument', rule('<Expiration><Days>-1</Days></Expiration>')],
    ['InvalidArgument', rule('<Expiration><Days>2147483648</Days></Expiration>')],
    ['InvalidArgument', rule('<Expiration><Date>2030-01-01T00:00:01Z</Date></Expiration>')],
    [
      'InvalidArgument',
      rule('<NoncurrentVersionExpiration><NoncurrentDays>0</NoncurrentDays></NoncurrentVersionExpiration>'),
    ],
    [
      'InvalidArgument',
      rule(
        '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>101</NewerNoncurrentVersions></NoncurrentVersionExpiration>',
      ),
    ],
    [
      'InvalidArgument',
      rule(
        '<AbortIncompleteMultipartUpload><DaysAfterInitiation>0</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
      ),
    ],
    ['InvalidArgument', rule(`<ID>${'x'.repeat(256)}</ID>${days}`)],
    ['InvalidRequest', rule(days, `<Prefix>${'x'.repeat(1025)}</Prefix>`)],
    [
      'InvalidRequest',
      rule(
        '<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
        '<Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter>',
      ),
    ],
    [
      'InvalidRequest',
      rule(
        '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>',
        '<Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter>',
      ),
    ],
    [
      'InvalidRequest',
      rule(
        days,
        '<Filter><And><Tag><Key>a</Key><Value>b</Value></Tag><Tag><Key>a</Key><Value>c</Value></Tag></And></Filter>',
      ),
    ],
    [
      'InvalidRequest',
      rule(
        days,
        '<Filter><And><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan><ObjectSizeLessThan>5</ObjectSizeLessThan></And></Filter>',
      ),
    ],
    [
      'InvalidArgument',
      `<LifecycleConfiguration>${[1, 2].map((n) => `<Rule><ID>a</ID><Filter/><Status>Enabled</Status><Expiration><Days>${n}</Days></Expiration></Rule>`).join('')}</LifecycleConfiguration>`,
    ],
    ['NotImplemented', rule('<Transition><Days>1</Days><StorageClass>GLACIER</StorageClass></Transition>')],
    [
      'NotImplemented',
      rule(
        `${days}<NoncurrentVersionTransition><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionTransition>`,
      ),
    ],
  ]
  for (const [code, text] of refused) {
    const answer = await send(text)
    assert.equal(answer.code, code, `${text}\n${answer.text}`)
    assert.equal(answer.status, code === 'NotImplemented' ? 501 : 400, text)
  }
  assert.match((await send(refused.at(-1)![1])).text, /NoncurrentVersionTransition is not implemented/)
  assert.deepEqual(
    (await get())?.map(({ ID }) => ID),
    ['kept'],
  )
  assert.equal((await send(rule(days))).status, 200)
  const wrong = await signedRequest(system, credentials, `PUT /${Bucket}?lifecycle`, {
    body: rule(days),
    headers: md5Header('x'),
  })
  assert.equal(wrong.code, 'BadDigest')
})

test('responses say when a rule will delete an object, and when an upload will fail', async () => {
  await put(
    { ID: 'tmp é', Filter: { Prefix: 'tmp/' }, Status: 'Enabled', Expiration: { Days: 3 } },
    { ID: 'off', Filter: { Prefix: 'tmp/' }, Status: 'Disabled', Expiration: { Days: 1 } },
    {
      ID: 'tagged',
      Filter: { And: { Prefix: 'tmp/', Tags: [{ Key: 'short', Value: 'yes' }] } },
      Status: 'Enabled',
      Expiration: { Days: 1 },
    },
    {
      ID: 'dated',
      Filter: { Prefix: 'old/' },
      Status: 'Enabled',
      Expiration: { Date: new Date('2030-01-01') },
    },
    {
      ID: 'uploads',
      Filter: { Prefix: 'tmp/' },
      Status: 'Enabled',
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
    },
  )
  const midnightAfter = (time: Date | undefined, days: number) => {
    const day = 24 * 3600_000
    return new Date(Math.ceil((time as Date).getTime() / day + days) * day).toUTCString()
  }
  const store = async (Key: string, more: object = {}) => {
    const { Expiration } = await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', ...more }))
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key }))
    assert.equal(head.Expiration, Expiration)
    for (const which of ['first', 'second', 'cached']) {
      const { Body, ...got } = await s3.send(new GetObjectCommand({ Bucket, Key }))
      await Body?.transformToByteArray()
      assert.equal(got.Expiration, Expiration, which)
    }
    return { Expiration, stored: head.LastModified }
  }
  const plain = await store('tmp/a')
  assert.equal(plain.Expiration, `expiry-date="${midnightAfter(plain.stored, 3)}", rule-id="tmp%20%C3%A9"`)
  const tagged = await store('tmp/b', { Tagging: 'short=yes' })
  assert.equal(tagged.Expiration, `expiry-date="${midnightAfter(tagged.stored, 1)}", rule-id="tagged"`)
  const dated = await store('old/a')
  assert.equal(dated.Expiration, `expiry-date="Tue, 01 Jan 2030 00:00:00 GMT", rule-id="dated"`)
  assert.equal((await store('other')).Expiration, undefined)

  const source = `${Bucket}/tmp/b`
  const copied = await s3.send(new CopyObjectCommand({ Bucket, Key: 'tmp/c', CopySource: source }))
  assert.equal(copied.Expiration, tagged.Expiration, 'tags are copied with the object')
  const replaced = { TaggingDirective: 'REPLACE' as const, Tagging: 'short=no' }
  const other = await s3.send(
    new CopyObjectCommand({ Bucket, Key: 'tmp/d', CopySource: source, ...replaced }),
  )
  assert.equal(other.Expiration, plain.Expiration)
  const away = await s3.send(new CopyObjectCommand({ Bucket, Key: 'other', CopySource: source }))
  assert.equal(away.Expiration, undefined)

  const Key = 'tmp/parts'
  const { UploadId, AbortDate, AbortRuleId } = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key }),
  )
  const parts = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId }))
  const days = ((AbortDate as Date).getTime() - system.clock.now().getTime()) / (24 * 3600_000)
  assert.ok(days > 1.9 && days <= 2, String(days))
  assert.deepEqual([parts.AbortDate, parts.AbortRuleId, AbortRuleId], [AbortDate, 'uploads', 'uploads'])
  const free = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'free' }))
  assert.equal(free.AbortDate, undefined)
  const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'x' }))
  const complete = new CompleteMultipartUploadCommand({
    Bucket,
    Key,
    UploadId,
    MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
  })
  for (const which of ['first', 'again'])
    assert.equal((await s3.send(complete)).Expiration, plain.Expiration, which)
})
