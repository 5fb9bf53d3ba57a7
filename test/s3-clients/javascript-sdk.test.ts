import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type Scene, testEachWay } from './support/scene.ts'
import { bytesFor, largeSize, oddKeys } from './support/trees.ts'

const Bucket = 'photos'

const clientOf = ({ t, endpoint, region, accessKey, secretKey }: Scene) => {
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey }
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  t.after(() => client.destroy())
  return client
}

const bytesAt = async (client: S3Client, Key: string) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

testEachWay('the JavaScript SDK writes, reads, lists, copies and deletes odd keys', async (scene) => {
  const client = clientOf(scene)
  await client.send(new CreateBucketCommand({ Bucket }))
  for (const Key of oddKeys) {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: bytesFor(Key) }))
    assert.ok((await bytesAt(client, Key)).equals(bytesFor(Key)), Key)
    const CopySource = encodeURIComponent(`${Bucket}/${Key}`)
    const copy = `copy/${Key.slice(0, 900)}`
    await client.send(new CopyObjectCommand({ Bucket, Key: copy, CopySource }))
    assert.ok((await bytesAt(client, copy)).equals(bytesFor(Key)), copy)
    await client.send(new DeleteObjectCommand({ Bucket, Key: copy }))
  }
  const listed: string[] = []
  // Only with this can keys come back that XML cannot hold.
  const question = { Bucket, MaxKeys: 3, EncodingType: 'url' } as const
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, question))
    listed.push(...Contents.map(({ Key = '' }) => decodeURIComponent(Key)))
  assert.deepEqual(
    listed,
    [...oddKeys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
  const Objects = oddKeys.map((Key) => ({ Key }))
  const { Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  assert.equal(Errors, undefined)
  await client.send(new DeleteBucketCommand({ Bucket }))
})

testEachWay('the JavaScript SDK uploads streams of unknown size in parts', async (scene) => {
  const client = clientOf(scene)
  await client.send(new CreateBucketCommand({ Bucket }))
  for (const size of [0, 5, largeSize]) {
    const bytes = randomBytes(size)
    const Body = Readable.from([bytes.subarray(0, size / 2), bytes.subarray(size / 2)], { objectMode: false })
    await new Upload({ client, params: { Bucket, Key: 'stream', Body } }).done()
    assert.ok((await bytesAt(client, 'stream')).equals(bytes), String(size))
  }
})
