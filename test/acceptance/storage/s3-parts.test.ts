import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'

// The details of uploads in parts: checksums of each part, pages of parts and of uploads.
const system = await boot()
const { s3, credentials } = await s3Owner(system)
const Bucket = 'parts'
await s3.send(new CreateBucketCommand({ Bucket }))

const bytes = [Buffer.alloc(5 * 1024 * 1024, 'a'), Buffer.from('the end')]
const sha256 = (part: Buffer) => createHash('sha256').update(part).digest('base64')

const begin = async (Key: string, ChecksumAlgorithm?: ChecksumAlgorithm, more: object = {}) => {
  const created = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm, ...more }))
  return { Bucket, Key, UploadId: created.UploadId }
}

const send = async (upload: Awaited<ReturnType<typeof begin>>, algorithm?: ChecksumAlgorithm) => {
  const sent = await Promise.all(
    bytes.map((Body, at) =>
      s3.send(new UploadPartCommand({ ...upload, PartNumber: at + 1, Body, ChecksumAlgorithm: algorithm })),
    ),
  )
  return sent.map(({ $metadata: _, ...part }, at) => ({ ...part, PartNumber: at + 1 }))
}

test('the checksum of each part is listed, kept with the object, and sent with exactly that part', async () => {
  const upload = await begin('sha', 'SHA256')
  const Parts = await send(upload, 'SHA256')
  const listed = await s3.send(new ListPartsCommand(upload))
  assert.deepEqual(listed.Parts?.map(({ ChecksumSHA256 }) => ChecksumSHA256), bytes.map(sha256))
  assert.deepEqual([listed.ChecksumAlgorithm, listed.ChecksumType], ['SHA256', 'COMPOSITE'])
  const done = await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  const composite = `${createHash('sha256').update(Buffer.concat(bytes.map((part) => Buffer.from(sha256(part), 'base64')))).digest('base64')}-2`
  assert.deepEqual([done.ChecksumSHA256, done.ChecksumType], [composite, 'COMPOSITE'])

  const about = { Bucket, Key: 'sha', ChecksumMode: 'ENABLED' } as const
  for (const [at, part] of bytes.entries()) {
    const head = await s3.send(new HeadObjectCommand({ ...about, PartNumber: at + 1 }))
    assert.deepEqual([head.ChecksumSHA256, head.PartsCount, head.ContentLength], [sha256(part), 2, part.length])
    assert.equal(head.ChecksumType, 'COMPOSITE', 'the type is that of the whole object')
  }
  const second = await s3.send(new GetObjectCommand({ ...about, PartNumber: 2 }))
  assert.deepEqual([await second.Body?.transformToString(), second.ContentRange], ['the end', 'bytes 5242880-5242886/5242887'])
  assert.equal((await s3.send(new HeadObjectCommand(about))).ChecksumSHA256, composite)
  assert.equal((await s3.send(new GetObjectCommand({ ...about, Range: 'bytes=0-5' }))).ChecksumSHA256, undefined)
}) // biome-ignore format: as a table

test('the parts of an object are listed in pages', async () => {
  const ask = (more: object) =>
    s3.send(
      new GetObjectAttributesCommand({ Bucket, Key: 'sha', ObjectAttributes: ['ObjectParts'], ...more }),
    )
  const { ObjectParts: whole } = await ask({})
  assert.deepEqual(
    whole?.Parts?.map(({ PartNumber, Size, ChecksumSHA256 }) => [PartNumber, Size, ChecksumSHA256]),
    bytes.map((part, at) => [at + 1, part.length, sha256(part)]),
  )
  assert.deepEqual([whole?.TotalPartsCount, whole?.IsTruncated, whole?.MaxParts], [2, false, 1000])
  const { ObjectParts: first } = await ask({ MaxParts: 1 })
  assert.deepEqual([first?.Parts?.length, first?.IsTruncated, first?.NextPartNumberMarker], [1, true, '1'])
  const { ObjectParts: rest } = await ask({ MaxParts: 1, PartNumberMarker: first?.NextPartNumberMarker })
  assert.deepEqual([rest?.Parts?.[0]?.PartNumber, rest?.IsTruncated], [2, false])
  await assert.rejects(ask({ MaxParts: -1 }), { name: 'InvalidArgument' })
})

test('parts may be listed with their checksums, which must be theirs', async () => {
  const upload = await begin('listed', 'CRC32C')
  const Parts = await send(upload, 'CRC32C')
  const complete = (parts: object[], more: object = {}) =>
    s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts }, ...more }))
  await assert.rejects(complete([Parts[0] as object, { ...Parts[1], ChecksumCRC32C: 'AAAAAA==' }]), { name: 'InvalidPart' })
  await assert.rejects(complete(Parts, { MpuObjectSize: 5 }), { name: 'InvalidRequest' })
  await assert.rejects(complete(Parts, { ChecksumType: 'FULL_OBJECT' }), { name: 'InvalidRequest' })
  await assert.rejects(complete(Parts, { ChecksumCRC32C: 'AAAAAA==' }), { name: 'BadDigest' })
  await assert.rejects(complete(Parts, { ChecksumSHA1: 'AAAAAA==' }), { name: 'InvalidRequest' })
  const done = await complete(Parts, { MpuObjectSize: 5 * 1024 * 1024 + 7 })
  const { $metadata: _, ...shown } = done
  const { $metadata: _again, ...again } = await complete(Parts)
  assert.deepEqual(again, shown, 'the same response if it is completed again')
}) // biome-ignore format: as a table

test('a part with another checksum than that of the upload is refused, and is not stored', async () => {
  const upload = await begin('mixed', 'CRC32')
  await assert.rejects(send(upload, 'SHA256'), { name: 'InvalidRequest', message: /mismatch/ })
  assert.equal((await s3.send(new ListPartsCommand(upload))).Parts, undefined)
})

test('without a checksum of the client, the object has its CRC64NVME, whatever its parts were sent with', async () => {
  const line = (method: string, query: string) => `${method} /parts/plain?${query}`
  const begun = await signedRequest(system, credentials, line('POST', 'uploads'))
  const UploadId = /<UploadId>([^<]+)/.exec(begun.text)?.[1]
  const upload = { Bucket, Key: 'plain', UploadId }
  const Parts = await send(upload, 'CRC32')
  assert.ok(Parts.every(({ ChecksumCRC32 }) => ChecksumCRC32))
  const done = await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  const whole = await begin('whole', 'CRC64NVME')
  const wholeParts = await send(whole, 'CRC64NVME')
  const expected = await s3.send(new CompleteMultipartUploadCommand({ ...whole, MultipartUpload: { Parts: wholeParts } }))
  assert.ok(expected.ChecksumCRC64NVME)
  assert.deepEqual([done.ChecksumCRC64NVME, done.ChecksumType], [expected.ChecksumCRC64NVME, 'FULL_OBJECT'])
  const { Checksum } = await s3.send(new GetObjectAttributesCommand({ Bucket, Key: 'plain', ObjectAttributes: ['Checksum'] }))
  assert.equal(Checksum?.ChecksumCRC64NVME, expected.ChecksumCRC64NVME)
}) // biome-ignore format: as a table

test('uploads are listed with a delimiter, page by page', async () => {
  const Other = { Bucket: 'pending' }
  await s3.send(new CreateBucketCommand(Other))
  const keys = ['a', 'a/1', 'a/2/x', 'b/1', 'b/1', 'c', 'c', 'd/e', 'ä/ö']
  for (const Key of keys) await s3.send(new CreateMultipartUploadCommand({ ...Other, Key }))
  const list = (more: object) => s3.send(new ListMultipartUploadsCommand({ ...Other, ...more }))
  const entries = ({ Uploads = [], CommonPrefixes = [] }: Awaited<ReturnType<typeof list>>) => [
    ...Uploads.map(({ Key }) => Key),
    ...CommonPrefixes.map(({ Prefix }) => Prefix),
  ]
  const whole = await list({ Delimiter: '/' })
  assert.deepEqual(entries(whole), ['a', 'c', 'c', 'a/', 'b/', 'd/', 'ä/'])
  assert.deepEqual([whole.IsTruncated, whole.NextKeyMarker, whole.Delimiter], [false, undefined, '/'])
  assert.deepEqual(entries(await list({ Delimiter: '/', Prefix: 'a/' })), ['a/1', 'a/2/'])
  assert.deepEqual(entries(await list({ Delimiter: '/1' })).sort(), ['a', 'a/1', 'a/2/x', 'b/1', 'c', 'c', 'd/e', 'ä/ö'])
  assert.deepEqual(entries(await list({ Delimiter: '/', KeyMarker: 'b/' })), ['c', 'c', 'd/', 'ä/'])
  const found: unknown[] = []
  for (let marker = {}; ; ) {
    const page = await list({ Delimiter: '/', MaxUploads: 1, EncodingType: 'url', ...marker })
    found.push(...entries(page))
    if (!page.IsTruncated) break
    marker = { KeyMarker: decodeURIComponent(page.NextKeyMarker as string), UploadIdMarker: page.NextUploadIdMarker }
  }
  assert.deepEqual(found, ['a', 'a/', 'b/', 'c', 'c', 'd/', '%C3%A4/'])
}) // biome-ignore format: as a table
