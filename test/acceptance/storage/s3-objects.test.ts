import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
  type S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Client, s3Owner } from '#test/support/s3-endpoint.ts'

// The SDK of AWS with its default settings.
const system = await boot()
const owner = await s3Owner(system)
const { s3 } = owner

const bucketOf = async (client: S3Client = s3) => {
  const Bucket = `b-${crypto.randomUUID()}`
  await client.send(new CreateBucketCommand({ Bucket }))
  return Bucket
}
const put = (Bucket: string, Key: string, Body: string | Buffer, more: object = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
const read = async (Bucket: string, Key: string, more: object = {}) => {
  const found = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }))
  return { ...found, bytes: Buffer.from((await found.Body?.transformToByteArray()) ?? []) }
}
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })

test('buckets are created, listed, found and deleted', async () => {
  const Bucket = await bucketOf()
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}))
  assert.ok(Buckets.some(({ Name, CreationDate }) => Name === Bucket && CreationDate instanceof Date))
  await s3.send(new HeadBucketCommand({ Bucket }))
  const { LocationConstraint } = await s3.send(new GetBucketLocationCommand({ Bucket }))
  assert.equal(LocationConstraint, 'eu-central-1')
  await refused(s3.send(new CreateBucketCommand({ Bucket })), 'BucketAlreadyOwnedByYou')
  await refused(s3.send(new CreateBucketCommand({ Bucket: 'xn' })), 'InvalidBucketName')
  await put(Bucket, 'a', 'a')
  await refused(s3.send(new DeleteBucketCommand({ Bucket })), 'BucketNotEmpty')
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' }))
  await s3.send(new DeleteBucketCommand({ Bucket }))
  await refused(s3.send(new HeadBucketCommand({ Bucket })), 'NotFound')
  await refused(s3.send(new DeleteBucketCommand({ Bucket })), 'NoSuchBucket')
})

test('what is written is read back with its type and metadata, here and with the native API', async () => {
  const Bucket = await bucketOf()
  const Metadata = { author: 'ada', town: 'Zürich' }
  const written = await put(Bucket, 'notes/hello.txt', 'hello', { ContentType: 'text/plain', Metadata })
  const md5 = createHash('md5').update('hello').digest('hex')
  assert.equal(written.ETag, `"${md5}"`)
  const found = await read(Bucket, 'notes/hello.txt')
  assert.equal(found.bytes.toString(), 'hello')
  assert.equal(found.ContentType, 'text/plain')
  assert.equal(found.ETag, written.ETag)
  assert.equal(found.Metadata?.author, 'ada')
  assert.equal(found.Metadata?.town, '=?UTF-8?B?WsO8cmljaA==?=')
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'notes/hello.txt' }))
  assert.equal(head.ContentLength, 5)
  assert.equal(head.LastModified?.getTime(), found.LastModified?.getTime())
  const { body: buckets } = await owner.api('GET /buckets')
  const { id } = buckets.find(({ name }: { name: string }) => name === Bucket)
  const { body: natively } = await owner.api(`GET /buckets/${id}/objects`)
  assert.deepEqual(natively[0].metadata, Metadata)
  await refused(s3.send(new GetObjectCommand({ Bucket, Key: 'missing' })), 'NoSuchKey')
  await refused(s3.send(new HeadObjectCommand({ Bucket, Key: 'missing' })), 'NotFound')
  await refused(s3.send(new GetObjectCommand({ Bucket: 'no-such-bucket', Key: 'a' })), 'NoSuchBucket')
})

const oddKeys = [
  'a b+c',
  '/leading',
  'double//slash',
  './dots/../in/path',
  'ünï/çødé/日本語/😀',
  'quotes\'"&<>',
  'percent%20%2F',
  '!*()~-_.$@=;:?#[]',
  'trailing/',
  `long/${'x'.repeat(1000)}`,
]

test('odd keys are kept byte for byte', async () => {
  const Bucket = await bucketOf()
  for (const key of oddKeys) await put(Bucket, key, key)
  for (const key of oddKeys) assert.equal((await read(Bucket, key)).bytes.toString(), key)
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }))
  assert.deepEqual(new Set(Contents.map(({ Key }) => Key)), new Set(oddKeys))
  const encoded = await s3.send(new ListObjectsV2Command({ Bucket, EncodingType: 'url' }))
  assert.deepEqual(
    new Set((encoded.Contents ?? []).map(({ Key = '' }) => decodeURIComponent(Key))),
    new Set(oddKeys),
  )
  for (const key of oddKeys) {
    const CopySource = `${Bucket}/${encodeURIComponent(key).replaceAll('%2F', '/')}`
    await s3.send(new CopyObjectCommand({ Bucket, Key: `copy of ${key}`.slice(0, 1000), CopySource }))
  }
  const Objects = oddKeys.map((Key) => ({ Key }))
  const { Deleted = [], Errors = [] } = await s3.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
  )
  assert.deepEqual(Errors, [])
  assert.deepEqual(
    Deleted.map(({ Key }) => Key),
    oddKeys,
  )
  const left = await s3.send(new ListObjectsV2Command({ Bucket }))
  assert.ok((left.Contents ?? []).every(({ Key }) => Key?.startsWith('copy of')))
  assert.equal(left.KeyCount, oddKeys.length)
  await refused(put(Bucket, 'x'.repeat(1025), ''), 'KeyTooLongError')
})

test('ranges and conditions of reads', async () => {
  const Bucket = await bucketOf()
  const bytes = randomBytes(100_000)
  const { ETag } = await put(Bucket, 'data', bytes)
  const part = await read(Bucket, 'data', { Range: 'bytes=10-19' })
  assert.equal(part.ContentRange, 'bytes 10-19/100000')
  assert.ok(part.bytes.equals(bytes.subarray(10, 20)))
  assert.ok((await read(Bucket, 'data', { Range: 'bytes=-7' })).bytes.equals(bytes.subarray(-7)))
  await refused(read(Bucket, 'data', { Range: 'bytes=100000-' }), 'InvalidRange')
  await refused(read(Bucket, 'data', { IfMatch: '"other"' }), 'PreconditionFailed')
  const isNotModified = ({ $metadata }: S3ServiceException) => $metadata.httpStatusCode === 304
  await assert.rejects(read(Bucket, 'data', { IfNoneMatch: ETag }), isNotModified)
  await assert.rejects(read(Bucket, 'data', { IfModifiedSince: new Date(Date.now() + 5000) }), isNotModified)
  const shown = await read(Bucket, 'data', {
    ResponseContentType: 'image/png',
    ResponseCacheControl: 'no-cache',
  })
  assert.deepEqual([shown.ContentType, shown.CacheControl], ['image/png', 'no-cache'])
  assert.equal((await read(Bucket, 'data', { PartNumber: 1 })).bytes.length, 100_000)
  await refused(read(Bucket, 'data', { PartNumber: 2 }), 'InvalidPartNumber')
})

test('of 50 writes with If-None-Match: * one succeeds', async () => {
  const Bucket = await bucketOf()
  const attempts = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => put(Bucket, 'one', String(n), { IfNoneMatch: '*' })),
  )
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const attempt of attempts)
    if (attempt.status === 'rejected') assert.equal(attempt.reason.name, 'PreconditionFailed')
  await refused(put(Bucket, 'one', 'x', { IfMatch: '"other"' }), 'PreconditionFailed')
  const { ETag } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'one' }))
  await put(Bucket, 'one', 'x', { IfMatch: ETag })
})

test('If-Match finds no object to match: 404, for uploads, copies and uploads in parts, and under a marker', async () => {
  const Bucket = await bucketOf()
  await put(Bucket, 'source', 'x')
  const begun = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'missing' }))
  const upload = { Bucket, Key: 'missing', UploadId: begun.UploadId }
  const { ETag } = await s3.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'x' }))
  const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] }
  const writes = (IfMatch: string) => [
    put(Bucket, 'missing', 'x', { IfMatch }),
    s3.send(new CopyObjectCommand({ Bucket, Key: 'missing', CopySource: `${Bucket}/source`, IfMatch })),
    s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload, IfMatch })),
  ]
  const allRefused = (name: string, ...tags: string[]) =>
    Promise.all(tags.flatMap(writes).map((write) => refused(write, name)))
  await allRefused('NoSuchKey', '*', '"other"')
  await put(Bucket, 'missing', 'x')
  await allRefused('PreconditionFailed', '"other"')
  await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }))
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'missing' }))
  await allRefused('NoSuchKey', '*', '"other"')
  const { id } = (await owner.api('GET /buckets')).body.find(({ name }: { name: string }) => name === Bucket)
  const native = await owner.api(`PUT /buckets/${id}/objects/missing`, {
    body: Buffer.from('x'),
    headers: { 'if-match': '*' },
  })
  assert.equal(native.status, 412, 'natively as in HTTP')
}) // biome-ignore format: as a list

for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)
  test(`${ChecksumAlgorithm} is verified, kept and returned`, async () => {
    const Bucket = await bucketOf()
    const body = randomBytes(20_000)
    const field = `Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32'
    const written = await put(Bucket, 'a', body, { ChecksumAlgorithm })
    const found = await read(Bucket, 'a', { ChecksumMode: 'ENABLED' })
    assert.equal(found[field], written[field])
    assert.ok(found[field])
    const attributes = await s3.send(
      new GetObjectAttributesCommand({
        Bucket,
        Key: 'a',
        ObjectAttributes: ['Checksum', 'ETag', 'ObjectSize', 'StorageClass'],
      }),
    )
    assert.equal(attributes.Checksum?.[field], written[field])
    assert.equal(attributes.ObjectSize, 20_000)
    const wrong = (await put(Bucket, 'b', 'other', { ChecksumAlgorithm }))[field]
    await refused(put(Bucket, 'c', body, { [field]: wrong }), 'BadDigest')
    await refused(s3.send(new HeadObjectCommand({ Bucket, Key: 'c' })), 'NotFound')
  })

test('lists are paged by key and grouped by delimiter, in both versions', async () => {
  const Bucket = await bucketOf()
  const keys = ['a', 'b/1', 'b/2', 'c/1', 'c/2/3', 'd']
  for (const key of keys) await put(Bucket, key, key)
  const pages: unknown[] = []
  let token: string | undefined
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket, Delimiter: '/', MaxKeys: 1, ContinuationToken: token }),
    )
    assert.equal(page.KeyCount, 1)
    pages.push(page.Contents?.[0]?.Key ?? page.CommonPrefixes?.[0]?.Prefix)
    token = page.NextContinuationToken
  } while (token)
  assert.deepEqual(pages, ['a', 'b/', 'c/', 'd'])
  const first: unknown[] = []
  let marker: string | undefined
  do {
    const page = await s3.send(new ListObjectsCommand({ Bucket, Delimiter: '/', MaxKeys: 1, Marker: marker }))
    first.push(page.Contents?.[0]?.Key ?? page.CommonPrefixes?.[0]?.Prefix)
    marker = page.NextMarker
  } while (marker)
  assert.deepEqual(first, pages)
  const after = await s3.send(new ListObjectsV2Command({ Bucket, StartAfter: 'b/1', Prefix: '' }))
  assert.deepEqual(
    after.Contents?.map(({ Key }) => Key),
    ['b/2', 'c/1', 'c/2/3', 'd'],
  )
  const inC = await s3.send(
    new ListObjectsV2Command({ Bucket, Prefix: 'c/', Delimiter: '/', FetchOwner: true }),
  )
  assert.deepEqual(
    inC.Contents?.map(({ Key }) => Key),
    ['c/1'],
  )
  assert.deepEqual(inC.CommonPrefixes, [{ Prefix: 'c/2/' }])
  assert.ok(inC.Contents?.[0]?.Owner?.ID)
  assert.ok(inC.Contents?.[0]?.LastModified instanceof Date)
  const none = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 0 }))
  assert.deepEqual([none.KeyCount, none.IsTruncated], [0, false])
})

test('copies keep or replace metadata, and check their source', async () => {
  const [Bucket, other] = [await bucketOf(), await bucketOf()]
  const { ETag } = await put(Bucket, 'a', 'text', { ContentType: 'text/plain', Metadata: { x: '1' } })
  const CopySource = `${Bucket}/a`
  const copied = await s3.send(new CopyObjectCommand({ Bucket: other, Key: 'b', CopySource }))
  assert.equal(copied.CopyObjectResult?.ETag, ETag)
  assert.deepEqual((await read(other, 'b')).Metadata, { x: '1' })
  await refused(s3.send(new CopyObjectCommand({ Bucket, Key: 'a', CopySource })), 'InvalidRequest')
  const replaced = { MetadataDirective: 'REPLACE', Metadata: { y: '2' }, ContentType: 'text/html' } as const
  await s3.send(new CopyObjectCommand({ Bucket, Key: 'a', CopySource, ...replaced }))
  const found = await read(Bucket, 'a')
  assert.deepEqual(
    [found.Metadata, found.ContentType, found.bytes.toString()],
    [{ y: '2' }, 'text/html', 'text'],
  )
  await refused(
    s3.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource, CopySourceIfNoneMatch: ETag })),
    'PreconditionFailed',
  )
  await refused(
    s3.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/missing` })),
    'NoSuchKey',
  )
})

test('deleting what is not there succeeds', async () => {
  const Bucket = await bucketOf()
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'missing' }))
  const { Deleted } = await s3.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'missing' }] } }),
  )
  assert.deepEqual(Deleted, [{ Key: 'missing' }])
  const quiet = await s3.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'missing' }], Quiet: true } }),
  )
  assert.deepEqual([quiet.Deleted, quiet.Errors], [undefined, undefined])
})

test('a key that was revoked, or does not exist, is refused at once', async () => {
  const { body: made } = await owner.api('POST /auth/api-keys', { body: { label: 'temporary' } })
  const client = s3Client(system, made)
  await client.send(new ListBucketsCommand({}))
  await owner.api(`DELETE /auth/api-keys/${made.id}`)
  await refused(client.send(new ListBucketsCommand({})), 'InvalidAccessKeyId')
  const guessed = s3Client(system, { accessKey: owner.credentials.accessKey, secretKey: 'wrong' })
  await refused(guessed.send(new ListBucketsCommand({})), 'SignatureDoesNotMatch')
})

test('the buckets of another organization cannot be seen, even by name', async () => {
  const Bucket = await bucketOf()
  const stranger = await s3Owner(system)
  await refused(stranger.s3.send(new HeadBucketCommand({ Bucket })), 'NotFound')
  await stranger.s3.send(new CreateBucketCommand({ Bucket }))
  await put(Bucket, 'mine', 'mine')
  const { KeyCount } = await stranger.s3.send(new ListObjectsV2Command({ Bucket }))
  assert.equal(KeyCount, 0)
})
