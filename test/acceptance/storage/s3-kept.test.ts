import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'

// What is kept with an object, besides its bytes and its metadata.
const system = await boot()
const owner = await s3Owner(system)
const { s3 } = owner
const Bucket = 'kept'
await s3.send(new CreateBucketCommand({ Bucket }))

const all = {
  ContentType: 'text/plain; charset=utf-8',
  CacheControl: 'max-age=60',
  ContentDisposition: 'attachment; filename="a.txt"',
  ContentEncoding: 'gzip',
  ContentLanguage: 'de, en-GB',
  WebsiteRedirectLocation: '/elsewhere?x=1#y',
  StorageClass: 'STANDARD_IA',
} as const
const expires = 'Wed, 21 Oct 2026 07:28:00 GMT'

test('headers, storage class and website redirect are kept and returned', async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: 'all', Body: 'x', ...all, Expires: new Date(expires) }))
  for (const command of [GetObjectCommand, HeadObjectCommand]) {
    const found = await s3.send(new command({ Bucket, Key: 'all' }))
    for (const [name, value] of Object.entries(all))
      assert.equal(found[name as keyof typeof all], value, name)
    assert.equal(found.ExpiresString, expires)
  }
  await s3.send(new PutObjectCommand({ Bucket, Key: 'plain', Body: 'x', StorageClass: 'STANDARD' }))
  const plain = await s3.send(new HeadObjectCommand({ Bucket, Key: 'plain' }))
  assert.deepEqual([plain.StorageClass, plain.WebsiteRedirectLocation], [undefined, undefined])
})

test('lists and attributes show the storage class', async () => {
  const asked = { Bucket, Delimiter: '/' }
  const lists = [
    await s3.send(new ListObjectsCommand(asked)),
    await s3.send(new ListObjectsV2Command({ Bucket })),
  ]
  for (const { Contents = [] } of lists) {
    const classes = Contents.map(({ Key, StorageClass }) => `${Key} ${StorageClass}`)
    assert.deepEqual(classes, ['all STANDARD_IA', 'plain STANDARD'])
  }
  const attributes = { Bucket, Key: 'all', ObjectAttributes: ['StorageClass' as const] }
  assert.equal((await s3.send(new GetObjectAttributesCommand(attributes))).StorageClass, 'STANDARD_IA')
})

test('an upload in parts keeps them, too, and is listed with its class', async () => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts', ...all }))
  const { Uploads } = await s3.send(new ListMultipartUploadsCommand({ Bucket }))
  const { StorageClass } = await s3.send(new ListPartsCommand({ Bucket, Key: 'parts', UploadId }))
  assert.deepEqual([Uploads?.[0]?.StorageClass, StorageClass], ['STANDARD_IA', 'STANDARD_IA'])
})

test('a copy takes over everything but the storage class and the redirect', async () => {
  const copy = { Bucket, CopySource: `${Bucket}/all`, Key: 'copy' }
  await s3.send(new CopyObjectCommand(copy))
  const found = await s3.send(new HeadObjectCommand({ Bucket, Key: 'copy' }))
  assert.deepEqual([found.StorageClass, found.WebsiteRedirectLocation], [undefined, undefined])
  assert.deepEqual([found.ContentLanguage, found.ExpiresString], [all.ContentLanguage, expires])
  await s3.send(new CopyObjectCommand({ ...copy, StorageClass: 'GLACIER_IR' }))
  const again = await s3.send(new HeadObjectCommand({ Bucket, Key: 'copy' }))
  assert.deepEqual([again.StorageClass, again.ContentLanguage], ['GLACIER_IR', all.ContentLanguage])
  // To change its class, an object may be copied to itself.
  await s3.send(new CopyObjectCommand({ Bucket, CopySource: `${Bucket}/copy`, Key: 'copy', StorageClass: 'ONEZONE_IA' }))
  assert.equal((await s3.send(new HeadObjectCommand({ Bucket, Key: 'copy' }))).StorageClass, 'ONEZONE_IA')
  await assert.rejects(s3.send(new CopyObjectCommand({ Bucket, CopySource: `${Bucket}/copy`, Key: 'copy' })), { name: 'InvalidRequest' })
}) // biome-ignore format: as a table

test('the native API does not send what only S3 knows', async () => {
  const { body: buckets } = await owner.api('GET /buckets')
  const { id } = buckets.find(({ name }: { name: string }) => name === Bucket)
  const { headers } = await owner.api(`GET /buckets/${id}/objects/all`)
  assert.deepEqual(
    [...headers.keys()].filter((name) => name.startsWith('x-amz-')),
    [],
  )
  assert.equal(headers.get('content-language'), all.ContentLanguage)
})

test('an unknown storage class and a redirect to nowhere are refused', async () => {
  const put = (more: object) => s3.send(new PutObjectCommand({ Bucket, Key: 'no', Body: 'x', ...more }))
  await assert.rejects(put({ StorageClass: 'FROZEN' }), { name: 'InvalidStorageClass' })
  await assert.rejects(put({ WebsiteRedirectLocation: 'ftp://a' }), { name: 'InvalidRedirectLocation' })
  await assert.rejects(put({ WebsiteRedirectLocation: `/${'x'.repeat(2048)}` }), {
    name: 'InvalidRedirectLocation',
  })
  await put({ WebsiteRedirectLocation: 'https://example.com/' })
})
