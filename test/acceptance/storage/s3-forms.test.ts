import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { asPosted, postForm, signedFields } from '#test/support/s3-form.ts'

// Forms that browsers post to a bucket, with a policy that somebody with a key has signed.
const system = await boot()
const owner = await s3Owner(system)
const { s3, credentials } = owner
await s3.send(new CreateBucketCommand({ Bucket: 'forms' }))
await s3.send(new CreateBucketCommand({ Bucket: 'other' }))

const inBucket = { bucket: 'forms' }
const variable = `\${filename}`
const anyKey = ['starts-with', '$key', '']
type Fields = Record<string, string>
type File = Parameters<typeof postForm>[3]
const post = (conditions: unknown, fields: Fields = { key: 'a' }, file: File = {}) =>
  postForm(system, 'forms', { ...fields, ...signedFields(credentials, conditions) }, file)
const keys = async (bucket = 'forms') =>
  ((await s3.send(new ListObjectsV2Command({ Bucket: bucket }))).Contents ?? []).map(({ Key }) => Key)
const read = async (key: string) => {
  const object = await s3.send(new GetObjectCommand({ Bucket: 'forms', Key: key, ChecksumMode: 'ENABLED' }))
  return { ...object, text: await object.Body?.transformToString() }
}
const refused = async (sent: ReturnType<typeof post>, status: number, code: string, message = /./) => {
  const before = await keys()
  const response = await sent
  assert.deepEqual([response.status, response.code], [status, code], response.text)
  assert.match(response.message, message)
  assert.deepEqual(await keys(), before, 'nothing is stored')
}

test('a form of the SDK is stored with everything that its fields say', async () => {
  const { url, fields } = await createPresignedPost(s3 as never, {
    Bucket: 'forms',
    Key: `from/${variable}`,
    Conditions: [['content-length-range', 0, 100], ['starts-with', '$Content-Type', 'image/'], ['starts-with', '$x-amz-meta-note', ''], { 'x-amz-checksum-crc32': 'NhCmhg==' }],
    Fields: { 'Cache-Control': 'max-age=5', 'Content-Language': 'de', Expires: 'Wed, 21 Oct 2026 07:28:00 GMT', acl: 'private' },
    Expires: 60,
  })
  assert.match(url, /\/forms$/)
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, 'Content-Type': 'image/x', 'x-amz-meta-note': 'grün', 'x-amz-checksum-crc32': 'NhCmhg==' })) form.append(name, value)
  form.append('file', new Blob(['hello']), 'C:\\Users\\me\\photo ü.jpg')
  const { status, headers, text } = await asPosted(await fetch(url, { method: 'POST', body: form }))
  assert.deepEqual([status, text], [204, ''])
  const etag = `"${createHash('md5').update('hello').digest('hex')}"`
  assert.equal(headers.get('etag'), etag)
  assert.equal(headers.get('location'), `${system.urls.s3}/forms/from/photo%20%C3%BC.jpg`)
  const found = await read('from/photo ü.jpg')
  assert.deepEqual(
    [found.text, found.ContentType, found.CacheControl, found.ContentLanguage, found.ExpiresString, found.ChecksumCRC32, found.ETag],
    ['hello', 'image/x', 'max-age=5', 'de', 'Wed, 21 Oct 2026 07:28:00 GMT', 'NhCmhg==', etag],
  )
  assert.deepEqual(found.Metadata, { note: '=?UTF-8?B?Z3LDvG4=?=' })
}) // biome-ignore format: as a table

test('a form says what it is answered with when it succeeds', async () => {
  const wants = (fields: Fields) => post([inBucket, anyKey, fields], { key: 'a & b', ...fields })
  const created = await wants({ success_action_status: '201' })
  assert.equal(created.status, 201)
  assert.equal(created.headers.get('content-type'), 'application/xml')
  assert.match(created.text, /<PostResponse><Location>http:[^<]*\/forms\/a%20%26%20b<\/Location><Bucket>forms<\/Bucket><Key>a &amp; b<\/Key><ETag>&quot;5d41402abc4b2a76b9719d911017c592&quot;<\/ETag><\/PostResponse>/)
  assert.deepEqual([(await wants({ success_action_status: '200' })).status, (await wants({ success_action_status: '404' })).status], [200, 204])
  const redirected = await wants({ success_action_redirect: 'http://example.com/done?x=1' })
  assert.equal(redirected.status, 303)
  assert.equal(redirected.headers.get('location'), 'http://example.com/done?x=1&bucket=forms&key=a+%26+b&etag=%225d41402abc4b2a76b9719d911017c592%22')
  assert.equal((await wants({ success_action_redirect: 'not a url' })).status, 204)
}) // biome-ignore format: as a table

test('names of fields and operators may be written in any case', async () => {
  const fields = { kEy: 'case', aCl: 'private', 'X-Amz-Meta-Foo': 'barclamp', 'X-Ignore-Me': 'x' }
  const { status, text } = await post([{ BUCKET: 'forms' }, ['StArTs-WiTh', '$KeY', 'cas'], ['EQ', '$AcL', 'private'], ['starts-with', '$x-amz-META-foo', 'bar']], fields)
  assert.equal(status, 204, text)
  const { Metadata } = await s3.send(new HeadObjectCommand({ Bucket: 'forms', Key: 'case' }))
  assert.deepEqual(Metadata, { foo: 'barclamp' })
}) // biome-ignore format: as a table

test('a form that breaks a condition of its policy is refused, and nothing is stored', async () => {
  const denied = (conditions: unknown, fields: Fields, message: RegExp) =>
    refused(post(conditions, fields), 403, 'AccessDenied', message)
  await denied([inBucket, { key: 'b' }], { key: 'new' }, /^Invalid according to Policy: Policy Condition failed: \[&quot;eq&quot;,&quot;\$key&quot;,&quot;b&quot;\]$/)
  await denied([inBucket, ['eq', '$key', 'b']], { key: 'new' }, /Policy Condition failed/)
  await denied([inBucket, ['starts-with', '$key', 'user/']], { key: 'new' }, /Policy Condition failed/)
  await denied([inBucket, ['starts-with', '$key', 'user/']], { key: variable }, /Policy Condition failed/)
  await denied([inBucket, anyKey, ['starts-with', '$x-amz-meta-a', '']], { key: 'new' }, /Policy Condition failed/)
  await denied([inBucket, anyKey, ['starts-with', '$content-type', 'image/']], { key: 'new', 'Content-Type': 'image/png, text/html' }, /Policy Condition failed/)
  await denied([inBucket, anyKey], { key: 'new', 'x-amz-meta-a': 'b' }, /^Invalid according to Policy: Extra input fields: x-amz-meta-a$/)
  await denied([inBucket, anyKey], { key: 'new', success_action_status: '200' }, /Extra input fields/)
  await denied([inBucket], { key: 'new' }, /Extra input fields: key/)
  await denied([anyKey], { key: 'new' }, /Extra input fields: bucket/)
  await denied([{ bucket: 'other' }, anyKey], { key: 'new' }, /Policy Condition failed/)
  await denied([{ bucket: 'other' }, anyKey], { key: 'new', bucket: 'other' }, /bucket/)
  assert.deepEqual(await keys('other'), [])
}) // biome-ignore format: as a table

test('fields that begin with x-ignore- need no condition, and any other does', async () => {
  const { status, text } = await post([inBucket, anyKey], { key: 'ignoring', 'x-ignore-me': 'anything' })
  assert.equal(status, 204, text)
  await refused(post([inBucket, anyKey], { key: 'b', 'x-other': 'anything' }), 403, 'AccessDenied')
})

test('the size of the file is checked while it arrives, at both edges', async () => {
  const sized = (min: number, max: number) => post([inBucket, anyKey, ['content-length-range', min, max]], { key: 'sized' })
  await refused(sized(6, 9), 400, 'EntityTooSmall')
  await refused(sized(0, 4), 400, 'EntityTooLarge')
  assert.equal((await sized(5, 5)).status, 204)
}) // biome-ignore format: as a table

test('a policy that is malformed or has expired is refused', async () => {
  const invalid = (conditions: unknown, options = {}) => {
    const fields = { key: 'new', ...signedFields(credentials, conditions, options) }
    return refused(postForm(system, 'forms', fields), 400, 'InvalidPolicyDocument', /^Invalid Policy: /)
  }
  await invalid([inBucket, anyKey], { expiration: null })
  await invalid([inBucket, anyKey], { expiration: 'tomorrow' })
  await invalid([inBucket, anyKey], { expiration: '2999-13-45T00:00:00Z' })
  await invalid({})
  await invalid(undefined)
  await invalid([inBucket, anyKey, {}])
  await invalid([inBucket, anyKey, 'key'])
  await invalid([inBucket, anyKey, ['content-length-range', 0]])
  await invalid([inBucket, anyKey, ['content-length-range', -1, 5]])
  await invalid([inBucket, anyKey, ['ends-with', '$key', 'x']])
  await invalid([inBucket, ['starts-with', 'key', 'x']])
  await invalid([inBucket, { key: { a: 1 } }])
  const expired = { ...signedFields(credentials, [inBucket, anyKey], { expiration: '2020-01-01T00:00:00Z' }), key: 'new' }
  await refused(postForm(system, 'forms', expired), 403, 'AccessDenied', /^Invalid according to Policy: Policy expired/)
}) // biome-ignore format: as a table

test('a form without a valid signature is refused', async () => {
  const fields = signedFields(credentials, [inBucket, anyKey])
  const sent = (changed: Partial<Record<keyof typeof fields, string | undefined>>, more: Fields = {}) => {
    const all = Object.entries({ key: 'new', ...fields, ...changed, ...more }).filter(([, value]) => value !== undefined)
    return postForm(system, 'forms', Object.fromEntries(all) as Fields)
  }
  const wrong = fields['x-amz-signature'].replace(/.$/, (c) => (c === '0' ? '1' : '0'))
  await refused(sent({ 'x-amz-signature': wrong }), 403, 'SignatureDoesNotMatch')
  await refused(sent({ policy: signedFields(credentials, [inBucket, anyKey, { acl: 'x' }]).policy }), 403, 'SignatureDoesNotMatch')
  await refused(sent({ 'x-amz-signature': undefined }), 400, 'InvalidArgument', /x-amz-signature/)
  await refused(sent({ 'x-amz-date': undefined }), 400, 'InvalidArgument')
  await refused(sent({ policy: undefined }), 403, 'AccessDenied')
  await refused(sent({ 'x-amz-credential': fields['x-amz-credential'].replace(/^[^/]*/, 'unknown') }), 403, 'InvalidAccessKeyId')
  await refused(sent({ 'x-amz-credential': 'nonsense' }), 400, 'AuthorizationQueryParametersError')
  await refused(sent({ 'x-amz-algorithm': 'AWS4' }), 400, 'AuthorizationQueryParametersError')
  await refused(sent({}, { AWSAccessKeyId: 'x', signature: 'y' }), 400, 'InvalidRequest')
  await refused(sent({}, { 'x-amz-security-token': 'x' }), 400, 'InvalidToken')
  const stranger = await s3Owner(system)
  const foreign = { key: 'new', ...signedFields(stranger.credentials, [inBucket, anyKey]) }
  await refused(postForm(system, 'forms', foreign), 404, 'NoSuchBucket')
}) // biome-ignore format: as a table

test('a form that is not well formed is refused', async () => {
  await refused(post([inBucket, anyKey], {}), 400, 'InvalidArgument', /field named 'key'/)
  await refused(post([inBucket, anyKey], { key: 'new' }, { file: null }), 400, 'InvalidArgument', /exactly one file/)
  await refused(post([inBucket, anyKey, ['starts-with', '$x-amz-meta-a', '']], { key: 'new', 'x-amz-meta-a': 'x'.repeat(20_500) }), 400, 'MaxPostPreDataLengthExceeded')
  await refused(post([inBucket, anyKey], { key: 'x'.repeat(1025) }), 400, 'KeyTooLongError')
  const raw = async (body: string, type = 'multipart/form-data; boundary=B') =>
    asPosted(await fetch(`${system.urls.s3}/forms`, { method: 'POST', body, headers: { 'content-type': type } }))
  const { policy, ...rest } = signedFields(credentials, [inBucket, anyKey])
  const part = (name: string, value: string) => `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const all = Object.entries({ key: 'raw', policy, ...rest }).map(([name, value]) => part(name, value)).join('')
  await refused(raw(''), 400, 'MalformedPOSTRequest')
  await refused(raw('nothing'), 400, 'MalformedPOSTRequest')
  await refused(raw(all, 'multipart/form-data'), 403, 'AccessDenied')
  await refused(raw(all, 'multipart/form-data; x=y'), 400, 'MalformedPOSTRequest')
  await refused(raw('--B\r\nx: y\r\n\r\n\r\n--B--\r\n'), 400, 'MalformedPOSTRequest')
  await refused(raw(`${all}${part('key', 'twice')}`), 400, 'InvalidArgument', /more than one field key/)
  await refused(raw(`${all}--B\r\ncontent-disposition: form-data; name="file"\r\n\r\ncut off`), 400, 'MalformedPOSTRequest')
  const stored = await raw(`preamble\r\n${all}--B\r\nContent-Disposition: form-data; name=file\r\n\r\na\r\n--\r\n-B\r\n${part('ignored', 'x')}--B--\r\n`)
  assert.equal(stored.status, 204, stored.text)
  assert.equal((await read('raw')).text, 'a\r\n--\r\n-B')
}) // biome-ignore format: as a table

test('names of a form that are made to take long are answered at once', async () => {
  const name = (text: string) => {
    const body = `--B\r\ncontent-disposition: form-data; name="${text}\r\n\r\nx\r\n--B--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=B' }
    return fetch(`${system.urls.s3}/nowhere`, { method: 'POST', body, headers }).then(asPosted)
  }
  for (const count of [1, 20, 30, 35, 60, 1900, 19_000]) {
    const before = process.threadCpuUsage()
    assert.equal((await name('\\'.repeat(count))).code, 'MalformedPOSTRequest')
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 100_000, `${count} backslashes took ${(user + system) / 1000} ms`)
  }
  assert.equal((await name(`${'\\"'.repeat(1100)}"`)).code, 'MalformedPOSTRequest')
})

test('checksums, ACLs and rights are those of every other upload', async () => {
  const value = Buffer.alloc(4)
  value.writeUInt32BE(crc32('hello'))
  const sum = (text: string, name = 'crc32') => post([inBucket, anyKey, { [`x-amz-checksum-${name}`]: text }], { key: 'summed', [`x-amz-checksum-${name}`]: text })
  await refused(sum('AAAAAA=='), 400, 'BadDigest')
  await refused(sum('AAAAAA==', 'crc32c'), 400, 'BadDigest')
  await refused(sum('x'), 400, 'InvalidRequest')
  assert.equal((await sum(value.toString('base64'))).status, 204)
  assert.equal((await read('summed')).ChecksumCRC32, value.toString('base64'))
  await refused(post([inBucket, anyKey, { acl: 'public-read' }], { key: 'new', acl: 'public-read' }), 400, 'AccessControlListNotSupported')
  const { body: buckets } = await owner.api('GET /buckets')
  const { id } = buckets.find(({ name }: { name: string }) => name === 'forms')
  const deny = { effect: 'deny', action: 'object.write', resourceType: 'object', resourceId: 'secret/*', subjectType: 'role', subjectId: 'owner' }
  await owner.api(`PUT /buckets/${id}/policy`, { body: { statements: [deny] } })
  await refused(post([inBucket, anyKey], { key: 'secret/a' }), 403, 'AccessDenied', /statements|Access Denied/)
  await owner.api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })
}) // biome-ignore format: as a table

test('a large file passes through, and a file of any bytes is stored as it is', async () => {
  const large = Buffer.alloc(9 * 1024 * 1024, '\r\n--')
  assert.equal((await post([inBucket, anyKey], { key: 'large' }, { file: large })).status, 204)
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'forms', Key: 'large' }))
  assert.ok(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(large))
})
