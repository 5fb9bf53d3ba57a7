import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { boot } from '#test/support/boot.ts'
import { operatorOf } from '#test/support/operator.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'

// One Trivet imports from the S3 endpoint of another.
const source = await boot()
const theirs = await s3Owner(source)
const target = await boot({ env: { STORAGE_MAX_UPLOAD_BYTES: String(8 * 1024 * 1024) } })
const ours = await s3Owner(target)

const { accessKey, secretKey } = theirs.credentials
const trivet = operatorOf(target, {
  AWS_ACCESS_KEY_ID: accessKey,
  AWS_SECRET_ACCESS_KEY: secretKey,
  STORAGE_MAX_UPLOAD_BYTES: String(8 * 1024 * 1024),
})
const importing = (bucket: string, ...more: string[]) =>
  trivet(
    ...['storage', 'import', '--from', `s3://${bucket}?endpoint=${source.urls.s3}`],
    ...['--org', ours.organization.slug, '--bucket', 'moved', ...more],
  )

const Bucket = 'papers'
const MiB = 1024 * 1024
const whole = randomBytes(9 * MiB)
const inParts = randomBytes(11 * MiB)
await theirs.s3.send(new CreateBucketCommand({ Bucket }))
const put = (Key: string, more: object) => theirs.s3.send(new PutObjectCommand({ Bucket, Key, ...more }))
await put('a b/ü+%.txt', {
  Body: 'odd',
  ContentType: 'text/x-odd',
  CacheControl: 'max-age=5',
  ContentDisposition: 'inline',
  ContentLanguage: 'de',
  Metadata: { colour: 'red', name: 'Größe' },
  Tagging: 'team=north%20sea&empty=',
})
await put('empty', { Body: '' })
await put('whole', { Body: whole })
const params = { Bucket, Key: 'in parts', Body: inParts, Metadata: { kind: 'large' } }
await new Upload({ client: theirs.s3, params }).done()

const bytesOf = async (Key: string) => {
  const { Body } = await ours.s3.send(new GetObjectCommand({ Bucket: 'moved', Key }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

test('a dry run tells what would be imported, and changes nothing', async () => {
  const { code, text } = await importing(Bucket, '--dry-run')
  assert.equal(code, 0)
  assert.equal(text, '4 objects would be imported (20.0 MiB), 0 already there, 0 failed.\n')
  assert.deepEqual((await ours.api('GET /buckets')).body, [])
})

test('an import copies bytes, headers, metadata and tags of every object', async () => {
  const { code, text } = await importing(Bucket)
  assert.equal(code, 0, text)
  assert.equal(text, '4 objects imported (20.0 MiB), 0 already there, 0 failed.\n')
  assert.equal((await bytesOf('a b/ü+%.txt')).toString(), 'odd')
  assert.equal((await bytesOf('empty')).length, 0)
  assert.ok((await bytesOf('whole')).equals(whole))
  assert.ok((await bytesOf('in parts')).equals(inParts))
  for (const Key of ['a b/ü+%.txt', 'in parts']) {
    const there = await theirs.s3.send(new HeadObjectCommand({ Bucket, Key }))
    const here = await ours.s3.send(new HeadObjectCommand({ Bucket: 'moved', Key }))
    for (const name of [
      'ContentType',
      'CacheControl',
      'ContentDisposition',
      'ContentLanguage',
      'Metadata',
      'ETag',
    ])
      assert.deepEqual(here[name as 'ETag'], there[name as 'ETag'], `${Key}: ${name}`)
  }
  const tags = new GetObjectTaggingCommand({ Bucket: 'moved', Key: 'a b/ü+%.txt' })
  const { TagSet = [] } = await ours.s3.send(tags)
  const pairs = TagSet.map(({ Key, Value }) => `${Key}=${Value}`).sort()
  assert.deepEqual(pairs, ['empty=', 'team=north sea'])
})

test('an import follows the rules of the service: it is counted, and in the audit log', async () => {
  const [bucket] = (await ours.api('GET /buckets')).body
  assert.deepEqual([bucket.object_count, bucket.total_size_bytes], [4, 20 * MiB + 3])
  const { body } = await ours.api('GET /audit-logs?limit=50')
  const actions = JSON.stringify(body)
  assert.match(actions, /object\.uploaded/)
  assert.match(actions, /bucket\.created/)
})

test('an import that is repeated copies only what is new or has changed', async () => {
  assert.match(
    (await importing(Bucket)).text,
    /^0 objects imported \(0 bytes\), 4 already there, 0 failed\.$/m,
  )
  await put('empty', { Body: 'not any more' })
  await ours.s3.send(new DeleteObjectCommand({ Bucket: 'moved', Key: 'whole' }))
  assert.match(
    (await importing(Bucket)).text,
    /^2 objects imported \(9\.0 MiB\), 2 already there, 0 failed\.$/m,
  )
  assert.equal((await bytesOf('empty')).toString(), 'not any more')
})

/** The source behind a cable that can break in the middle of a part. */
const unreliable = async (t: TestContext) => {
  const state = { brokenPart: 0, parts: [] as number[] }
  const { hostname, port } = new URL(source.urls.s3)
  const proxy = createServer((req, res) => {
    const part = Number(new URL(req.url ?? '', source.urls.s3).searchParams.get('partNumber') ?? 0)
    if (req.method === 'GET' && part > 0) state.parts.push(part)
    const { method, url: path, headers } = req
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      if (method === 'GET' && part > 0 && part === state.brokenPart)
        answer.once('data', (bytes) => res.write(bytes, () => res.destroy()))
      else answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.closeAllConnections())
  t.after(() => proxy.close())
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const importParts = () => {
    state.parts = []
    const args = ['storage', 'import', '--from', `s3://${Bucket}/in%20parts?endpoint=${endpoint}`]
    return trivet(...args, '--org', ours.organization.slug, '--bucket', 'continued')
  }
  return { state, importParts }
}

test('an object in parts whose copy was interrupted is continued with the part that is missing', async (t) => {
  const { state, importParts } = await unreliable(t)
  state.brokenPart = 3
  assert.equal((await importParts()).code, 1)
  assert.deepEqual(state.parts, [1, 2, 3])
  state.brokenPart = 0
  const second = await importParts()
  assert.equal(second.code, 0, second.text)
  assert.match(second.text, /^1 object imported \(11\.0 MiB\), 0 already there, 0 failed\.$/m)
  assert.deepEqual(state.parts, [3])
  const there = await theirs.s3.send(new HeadObjectCommand({ Bucket, Key: 'in parts' }))
  const here = await ours.s3.send(new HeadObjectCommand({ Bucket: 'continued', Key: 'in parts' }))
  assert.deepEqual([here.ETag, here.ContentLength, here.Metadata], [there.ETag, 11 * MiB, { kind: 'large' }])
})

test('what was copied of an object that has changed since is not used', async (t) => {
  const { state, importParts } = await unreliable(t)
  const change = async (Body: Buffer) => {
    await new Upload({ client: theirs.s3, params: { Bucket, Key: 'in parts', Body } }).done()
  }
  await change(randomBytes(11 * MiB))
  state.brokenPart = 2
  assert.equal((await importParts()).code, 1)
  const changed = randomBytes(11 * MiB)
  await change(changed)
  state.brokenPart = 0
  assert.equal((await importParts()).code, 0)
  assert.deepEqual(state.parts, [1, 2, 3])
  const { Body } = await ours.s3.send(new GetObjectCommand({ Bucket: 'continued', Key: 'in parts' }))
  assert.ok(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(changed))
  const { Uploads = [] } = await ours.s3.send(new ListMultipartUploadsCommand({ Bucket: 'continued' }))
  assert.deepEqual(Uploads, [], 'nothing is left behind')
})

test('only objects below a prefix are imported', async () => {
  const args = ['storage', 'import', '--from', `s3://${Bucket}/a%20b/?endpoint=${source.urls.s3}`]
  const { code, text } = await trivet(...args, '--org', ours.organization.slug, '--bucket', 'below')
  assert.equal(code, 0, text)
  const { Contents = [] } = await ours.s3.send(new ListObjectsV2Command({ Bucket: 'below' }))
  assert.deepEqual(
    Contents.map(({ Key }) => Key),
    ['a b/ü+%.txt'],
  )
})

test('an object that does not fit into the quota fails by name, and the others are imported', async () => {
  const { body } = await ours.api('POST /buckets', { body: { name: 'small', storageQuotaBytes: 100 } })
  assert.ok(body.id)
  const args = ['storage', 'import', '--from', `s3://${Bucket}?endpoint=${source.urls.s3}`]
  const { code } = await trivet(...args, '--org', ours.organization.slug, '--bucket', 'small')
  assert.equal(code, 1)
  const { Contents = [] } = await ours.s3.send(new ListObjectsV2Command({ Bucket: 'small' }))
  assert.deepEqual(
    Contents.map(({ Key }) => Key),
    ['a b/ü+%.txt', 'empty'],
  )
})

test('what an import cannot begin with is said in one line', async () => {
  const org = ['--org', ours.organization.slug, '--bucket', 'moved']
  const from = (text: string, ...more: string[]) => trivet('storage', 'import', '--from', text, ...more)
  const missing = await from(`s3://not-there?endpoint=${source.urls.s3}`, ...org)
  assert.deepEqual([missing.code, missing.text.split('\n').length], [1, 2])
  assert.match(missing.text, /not-there cannot be listed: NoSuchBucket/)
  const nobody = await from(`s3://papers?endpoint=${source.urls.s3}`, '--org', 'nobody', '--bucket', 'moved')
  assert.match(nobody.text, /There is no organization nobody/)
  for (const text of [
    'papers',
    's3://',
    's3://papers?endpoint=ftp://x',
    's3://papers?end=point',
    's3://papers/%zz',
  ])
    assert.notEqual((await from(text, ...org)).code, 0, text)
  const many = await from(`s3://papers?endpoint=${source.urls.s3}`, ...org, '--concurrency', '65')
  assert.equal(many.code, 2)
})
