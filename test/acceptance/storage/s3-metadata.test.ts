import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { postForm, signedFields } from '#test/support/s3-form.ts'
import { objectPath } from '#test/support/storage.ts'

// S3 takes 2 KiB of metadata: names and values, counted in UTF-8.
const system = await boot()
const { s3, api, credentials } = await s3Owner(system)
const Bucket = 'described'
await s3.send(new CreateBucketCommand({ Bucket }))
await s3.send(new PutObjectCommand({ Bucket, Key: 'plain', Body: 'x' }))

const filled = (bytes: number) => ({
  note: 'ü'.repeat(1000),
  xyz: 'x'.repeat(bytes - 2000 - 'notexyz'.length),
})
const largest = filled(2048)
const tooLarge = filled(2049)

const encoded = (metadata: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name,
      /^[ -~]*$/.test(value) ? value : `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`,
    ]),
  )
type Send = (Key: string, Metadata: Record<string, string>) => Promise<unknown>

/** Stored at the edge; beyond it refused with the figures, and nothing is there. */
const holdsAtBothEdges = async (name: string, send: Send, isThere: (Key: string) => Promise<boolean>) => {
  const [fits, exceeds] = [`${name}/fits`, `${name}/exceeds`]
  await send(fits, encoded(largest))
  assert.ok(await isThere(fits), name)
  await assert.rejects(send(exceeds, encoded(tooLarge)), (error: Record<string, unknown>) => {
    assert.deepEqual(
      [
        error.name,
        error.Size,
        error.MaxSizeAllowed,
        (error.$metadata as { httpStatusCode: number }).httpStatusCode,
      ],
      ['MetadataTooLarge', '2049', '2048', 400],
    )
    return true
  })
  assert.ok(!(await isThere(exceeds)), name)
}
const head = async (Key: string) => {
  const { Metadata } = await s3.send(new HeadObjectCommand({ Bucket, Key }))
  assert.deepEqual(Metadata, encoded(largest))
  return true
}
const isObject = (Key: string) =>
  head(Key).catch((error) => error.name !== 'NotFound' && Promise.reject(error))
const isUpload = async (Key: string) => {
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }))
  return Uploads.length === 1
}

test('2,048 bytes of metadata are stored, and one more is refused', async () => {
  await holdsAtBothEdges(
    'put',
    (Key, Metadata) => s3.send(new PutObjectCommand({ Bucket, Key, Metadata, Body: 'x' })),
    isObject,
  )
  await holdsAtBothEdges(
    'copy',
    (Key, Metadata) =>
      s3.send(
        new CopyObjectCommand({
          Bucket,
          Key,
          Metadata,
          CopySource: `${Bucket}/plain`,
          MetadataDirective: 'REPLACE',
        }),
      ),
    isObject,
  )
  await holdsAtBothEdges(
    'upload',
    (Key, Metadata) => s3.send(new CreateMultipartUploadCommand({ Bucket, Key, Metadata })),
    isUpload,
  )
})

test('the same holds for the fields of a form', async () => {
  const post = (key: string, metadata: Record<string, string>) => {
    const fields = Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]),
    )
    const conditions = [
      { bucket: Bucket, key },
      ['starts-with', '$x-amz-meta-note', ''],
      ['starts-with', '$x-amz-meta-xyz', ''],
    ]
    return postForm(system, Bucket, { key, ...fields, ...signedFields(credentials, conditions) })
  }
  assert.equal((await post('form/fits', largest)).status, 204)
  assert.ok(await head('form/fits'))
  const refused = await post('form/exceeds', tooLarge)
  assert.deepEqual([refused.status, refused.code], [400, 'MetadataTooLarge'])
  assert.ok(!(await isObject('form/exceeds')))
})

test('what was stored natively with more metadata is read and copied with it', async () => {
  const id = (await api('GET /buckets')).body.find(({ name }: { name: string }) => name === Bucket).id
  const headers = { 'x-meta-note': 'n'.repeat(8000) }
  assert.equal((await api(`PUT ${objectPath(id, 'native')}`, { raw: 'x', headers })).status, 201)
  await s3.send(new CopyObjectCommand({ Bucket, Key: 'native/copy', CopySource: `${Bucket}/native` }))
  const copy = await s3.send(new HeadObjectCommand({ Bucket, Key: 'native/copy' }))
  assert.equal(copy.Metadata?.note, headers['x-meta-note'])
})
