import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'

const system = await boot()
const { s3 } = await s3Owner(system)
const Bucket = 'parts'
await s3.send(new CreateBucketCommand({ Bucket }))
const MiB = 1024 * 1024
const size = 11 * MiB + 7
const bytes = randomBytes(size)

/** Copies an object in parts that are sent at the same time, as clients copy large objects. */
const copyInParts = async (source: string, partSize: number) => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'copy' }))
  const count = Math.ceil(size / partSize)
  const Parts = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const range = `bytes=${at * partSize}-${Math.min(size, (at + 1) * partSize) - 1}`
      const { CopyPartResult } = await s3.send(
        new UploadPartCopyCommand({
          ...{ Bucket, Key: 'copy', UploadId, PartNumber: at + 1 },
          ...{ CopySource: `${Bucket}/${source}`, CopySourceRange: range },
        }),
      )
      return { PartNumber: at + 1, ETag: CopyPartResult?.ETag }
    }),
  )
  const MultipartUpload = { Parts }
  await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key: 'copy', UploadId, MultipartUpload }))
  return bytesAt('copy')
}

const bytesAt = async (Key: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

test('a copy in parts of an object that was uploaded at once has its bytes', async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: 'whole', Body: bytes }))
  assert.ok((await copyInParts('whole', 5 * MiB)).equals(bytes))
  // Once its bytes have been verified, they are read in another way.
  assert.ok((await bytesAt('whole')).equals(bytes))
  assert.ok((await copyInParts('whole', 5 * MiB)).equals(bytes))
})

test('a copy in parts of an object that was uploaded in parts has its bytes', async () => {
  await new Upload({ client: s3, params: { Bucket, Key: 'several', Body: bytes } }).done()
  assert.ok((await copyInParts('several', 8 * MiB)).equals(bytes))
  assert.ok((await bytesAt('several')).equals(bytes))
  assert.ok((await copyInParts('several', 5 * MiB)).equals(bytes))
})
