import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { algorithmOf } from '#storage/checksums/algorithms.ts'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'

const system = await boot()
const { s3 } = await s3Owner(system)
const Bucket = 'uploads'
await s3.send(new CreateBucketCommand({ Bucket }))

const MiB = 1024 * 1024
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })
const read = async (Key: string, more: object = {}) => {
  const found = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }))
  return { ...found, bytes: Buffer.from((await found.Body?.transformToByteArray()) ?? []) }
}
const begin = async (Key: string, more: object = {}) => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }))
  const send = (PartNumber: number, Body: Buffer | string, others: object = {}) =>
    s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ...others }))
  const complete = (Parts: object[], others: object = {}) =>
    s3.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...others }),
    )
  return { Key, UploadId, send, complete }
}
const crc64 = (bytes: Buffer) => {
  const running = algorithmOf('CRC64NVME').start()
  running.update(bytes)
  return running.digest().toString('base64')
}

test('lib-storage uploads a stream in parts', async () => {
  const bytes = randomBytes(12 * MiB + 5)
  const Body = Readable.from([bytes.subarray(0, 7 * MiB), bytes.subarray(7 * MiB)])
  await new Upload({ client: s3, params: { Bucket, Key: 'stream', Body, Metadata: { a: 'b' } } }).done()
  const found = await read('stream')
  assert.ok(found.bytes.equals(bytes))
  assert.deepEqual(found.Metadata, { a: 'b' })
  assert.match(found.ETag ?? '', /^"[0-9a-f]{32}-3"$/)
  const second = await read('stream', { PartNumber: 2 })
  assert.ok(second.bytes.equals(bytes.subarray(5 * MiB, 10 * MiB)))
  assert.equal(second.PartsCount, 3)
  await refused(read('stream', { PartNumber: 4 }), 'InvalidPartNumber')
})

test('the checksum of the whole object follows from those of its parts', async () => {
  const [one, two] = [randomBytes(5 * MiB), randomBytes(100)]
  const upload = await begin('whole', { ChecksumAlgorithm: 'CRC64NVME' })
  const options = { ChecksumAlgorithm: 'CRC64NVME' }
  const first = await upload.send(1, one, options)
  const second = await upload.send(7, two, options)
  assert.equal(first.ChecksumCRC64NVME, crc64(one))
  const listed = await s3.send(new ListPartsCommand({ Bucket, Key: 'whole', UploadId: upload.UploadId }))
  assert.deepEqual(
    listed.Parts?.map(({ PartNumber, Size, ChecksumCRC64NVME }) => [PartNumber, Size, ChecksumCRC64NVME]),
    [
      [1, 5 * MiB, crc64(one)],
      [7, 100, crc64(two)],
    ],
  )
  const done = await upload.complete([
    { PartNumber: 1, ETag: first.ETag },
    { PartNumber: 7, ETag: second.ETag },
  ])
  const expected = crc64(Buffer.concat([one, two]))
  assert.equal(done.ChecksumCRC64NVME, expected)
  assert.equal(done.ChecksumType, 'FULL_OBJECT')
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'whole', ChecksumMode: 'ENABLED' }))
  assert.equal(head.ChecksumCRC64NVME, expected)
  const { ObjectParts } = await s3.send(
    new GetObjectAttributesCommand({ Bucket, Key: 'whole', ObjectAttributes: ['ObjectParts'] }),
  )
  assert.equal(ObjectParts?.TotalPartsCount, 2)
  const again = await upload.complete([
    { PartNumber: 1, ETag: first.ETag },
    { PartNumber: 7, ETag: second.ETag },
  ])
  assert.equal(again.ETag, done.ETag)
})

test('a composite checksum is that of the checksums of the parts', async () => {
  const parts = [randomBytes(5 * MiB), randomBytes(10)]
  const upload = await begin('composite', { ChecksumAlgorithm: 'SHA256' })
  const sent = await Promise.all(
    parts.map((part, index) => upload.send(index + 1, part, { ChecksumAlgorithm: 'SHA256' })),
  )
  const done = await upload.complete(
    sent.map(({ ETag, ChecksumSHA256 }, index) => ({ PartNumber: index + 1, ETag, ChecksumSHA256 })),
  )
  const digest = createHash('sha256')
  for (const part of parts) digest.update(createHash('sha256').update(part).digest())
  assert.equal(done.ChecksumSHA256, `${digest.digest('base64')}-2`)
  await refused(begin('x', { ChecksumAlgorithm: 'SHA256', ChecksumType: 'FULL_OBJECT' }), 'InvalidRequest')
})

test('parts that are unknown, out of order or too small are refused, and the upload goes on', async () => {
  const upload = await begin('refused')
  const [one, two] = [await upload.send(1, 'small'), await upload.send(2, 'last')]
  const first = { PartNumber: 1, ETag: one.ETag }
  const second = { PartNumber: 2, ETag: two.ETag }
  await refused(upload.complete([second, first]), 'InvalidPartOrder')
  await refused(upload.complete([second, first, second]), 'InvalidPartOrder')
  await refused(upload.complete([first, { PartNumber: 3, ETag: two.ETag }]), 'InvalidPart')
  await refused(upload.complete([{ PartNumber: 1, ETag: two.ETag }]), 'InvalidPart')
  await refused(upload.complete([first, second]), 'EntityTooSmall')
  await refused(upload.complete([]), 'MalformedXML')
  await refused(upload.send(10_001, 'x'), 'InvalidArgument')
  await s3.send(new PutObjectCommand({ Bucket, Key: 'refused', Body: 'there' }))
  await refused(upload.complete([second], { IfNoneMatch: '*' }), 'PreconditionFailed')
  await upload.complete([second])
  assert.equal((await read('refused')).bytes.toString(), 'last')
})

test('of several entries in a row for one part, the last counts', async () => {
  const upload = await begin('sent-again')
  const whole = randomBytes(5 * MiB)
  const entry = (PartNumber: number, { ETag }: { ETag?: string | undefined }) => ({ PartNumber, ETag })
  const replaced = entry(1, await upload.send(1, 'sent first'))
  const first = entry(1, await upload.send(1, whole))
  const second = entry(2, await upload.send(2, 'last'))
  await refused(upload.complete([first, replaced, second]), 'InvalidPart')
  await refused(upload.complete([first, second, first]), 'InvalidPartOrder')
  await upload.complete([replaced, first, second, second])
  assert.ok((await read('sent-again')).bytes.equals(Buffer.concat([whole, Buffer.from('last')])))
})

test('an upload that was aborted, or is of another key, is not there', async () => {
  const { Key, UploadId, send } = await begin('aborted')
  await send(1, 'x')
  const other = { Bucket, Key: 'another', UploadId }
  await refused(s3.send(new ListPartsCommand(other)), 'NoSuchUpload')
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  await refused(send(2, 'x'), 'NoSuchUpload')
  await refused(s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })), 'NoSuchUpload')
  await refused(s3.send(new ListPartsCommand({ Bucket, Key, UploadId: 'unknown' })), 'NoSuchUpload')
})

test('parts are copied from ranges of objects', async () => {
  const bytes = randomBytes(6 * MiB)
  await s3.send(new PutObjectCommand({ Bucket, Key: 'source', Body: bytes }))
  const { Key, UploadId, complete } = await begin('copied')
  const copy = (PartNumber: number, CopySourceRange?: string) =>
    s3.send(
      new UploadPartCopyCommand({
        Bucket,
        Key,
        UploadId,
        PartNumber,
        CopySource: `${Bucket}/source`,
        CopySourceRange,
      }),
    )
  const parts = [await copy(1), await copy(2, 'bytes=5-14')]
  await refused(copy(3, `bytes=0-${6 * MiB}`), 'InvalidArgument')
  await complete(
    parts.map(({ CopyPartResult }, index) => ({ PartNumber: index + 1, ETag: CopyPartResult?.ETag })),
  )
  assert.ok((await read('copied')).bytes.equals(Buffer.concat([bytes, bytes.subarray(5, 15)])))
})

test('an object that is in memory can be copied as a part, and stays as it was', async () => {
  for (const size of [10_000, 100_000, 500_000, MiB]) {
    const bytes = randomBytes(size)
    const source = `in-memory-${size}`
    await s3.send(new PutObjectCommand({ Bucket, Key: source, Body: bytes }))
    for (let n = 0; n < 3; n++) assert.ok((await read(source)).bytes.equals(bytes))
    const { Key, UploadId, complete } = await begin(`copy-${size}`)
    const CopySource = `${Bucket}/${source}`
    const copied = await s3.send(
      new UploadPartCopyCommand({ Bucket, Key, UploadId, PartNumber: 1, CopySource }),
    )
    await complete([{ PartNumber: 1, ETag: copied.CopyPartResult?.ETag }])
    assert.ok((await read(Key)).bytes.equals(bytes))
    assert.ok((await read(source)).bytes.equals(bytes), `${size} bytes`)
  }
})

test('pending uploads are listed by key, page by page', async () => {
  const made: Awaited<ReturnType<typeof begin>>[] = []
  for (const key of ['list/b', 'list/a', 'list/a']) made.push(await begin(key))
  const found: string[] = []
  let marker: { KeyMarker?: string; UploadIdMarker?: string } = {}
  for (;;) {
    const page = await s3.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: 'list/', MaxUploads: 1, ...marker }),
    )
    found.push(...(page.Uploads ?? []).map(({ Key, UploadId }) => `${Key} ${UploadId}`))
    if (!page.IsTruncated) break
    marker = { KeyMarker: page.NextKeyMarker as string, UploadIdMarker: page.NextUploadIdMarker as string }
  }
  assert.deepEqual(
    found,
    [1, 2, 0].map((index) => `${made[index]?.Key} ${made[index]?.UploadId}`),
  )
})
