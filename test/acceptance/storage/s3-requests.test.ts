import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { CreateBucketCommand, GetBucketTaggingCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { md5Header, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'

// What S3 wants of a request, and what it ignores, in places where other servers do not agree.
const system = await boot()
const owner = await s3Owner(system)
const { s3, credentials } = owner
const Bucket = 'requests'
await s3.send(new CreateBucketCommand({ Bucket, ACL: 'public-read' }))
await s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'hello' }))

type Sent = NonNullable<Parameters<typeof signedRequest>[3]>
const send = (line: string, sent: Sent = {}) => signedRequest(system, credentials, line, sent)
const refused = async (line: string, sent: Sent, code: string) => {
  const response = await send(line, sent)
  assert.deepEqual([response.status, response.code], [400, code], `${line}: ${response.text}`)
  return response
}

test('buckets get the names that S3 allows, and no others', async () => {
  const reserved = ['xn--puny', 'sthree-x', 'amzn-s3-demo-x', 'a-s3alias', 'a--ol-s3', 'a.mrap', 'a--x-s3', 'a--table-s3']
  const odd = ['foo.-bar', 'foo-.bar', 'foo..bar', 'ab', 'a'.repeat(64), '-ab', 'ab-', '.ab', 'ab.', 'A-b', 'a_b', '192.168.5.4']
  for (const name of [...reserved, ...odd]) await refused(`PUT /${name}`, {}, 'InvalidBucketName')
  for (const name of ['abc', 'a'.repeat(63), 'a.b-c.d', '1.2.3', '1.2.3.4.5', 'a--b', 'sthree', 'x-xn--a', 'a-s3alias-b']) {
    const made = await send(`PUT /${name}`)
    assert.equal(made.status, 200, made.text)
  }
  const { status } = await owner.api('POST /buckets', { body: { name: 'xn--native' } })
  assert.equal(status, 201, 'natively the pattern of the API decides')
}) // biome-ignore format: as a table

test('who names the algorithm of a checksum sends a checksum', async () => {
  const put = (headers: Record<string, string>) => ({ body: 'hello', headers })
  const line = `PUT /${Bucket}/named`
  for (const algorithm of ['CRC32', 'CRC7', 'MD5', ''])
    await refused(line, put({ 'x-amz-sdk-checksum-algorithm': algorithm }), 'InvalidRequest')
  await refused(
    line,
    put({ 'x-amz-sdk-checksum-algorithm': 'CRC32', ...md5Header('hello') }),
    'InvalidRequest',
  )
  const crc32 = { 'x-amz-checksum-crc32': 'NhCmhg==' }
  for (const algorithm of ['CRC7', 'SHA256'])
    await refused(line, put({ 'x-amz-sdk-checksum-algorithm': algorithm, ...crc32 }), 'InvalidRequest')
  assert.equal((await send(`HEAD /${Bucket}/named`)).status, 404)
  assert.equal((await send(line, put({ 'x-amz-sdk-checksum-algorithm': 'crc32', ...crc32 }))).status, 200)
  const trailing = await send(line, {
    body: '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n',
    headers: {
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'x-amz-sdk-checksum-algorithm': 'CRC32',
      'x-amz-trailer': 'x-amz-checksum-crc32',
      'x-amz-decoded-content-length': '5',
    },
  })
  assert.equal(trailing.status, 200, trailing.text)
})

test('some documents need a checksum besides that of the signature', async () => {
  const rule = '<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>'
  const expiry = '<ID>a</ID><Filter/><Status>Enabled</Status><Expiration><Days>1</Days></Expiration>'
  const tagging = '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>'
  const guarded: [line: string, body: string][] = [
    [`POST /${Bucket}?delete`, '<Delete><Object><Key>missing</Key></Object></Delete>'],
    [`PUT /${Bucket}?tagging`, tagging],
    [`PUT /${Bucket}?cors`, `<CORSConfiguration>${rule}</CORSConfiguration>`],
    [`PUT /${Bucket}?lifecycle`, `<LifecycleConfiguration><Rule>${expiry}</Rule></LifecycleConfiguration>`],
  ]
  for (const [line, body] of guarded) {
    const { text } = await refused(line, { body }, 'InvalidRequest')
    assert.match(text, /Content-MD5 OR x-amz-checksum-\*/)
    await refused(line, { body, headers: md5Header('another') }, 'BadDigest')
  }
  await assert.rejects(s3.send(new GetBucketTaggingCommand({ Bucket })), { name: 'NoSuchTagSet' })
  for (const [line, body] of guarded) {
    const done = await send(line, { body, headers: md5Header(body) })
    assert.equal(done.status, 200, done.text)
  }
  const versioning = '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>'
  assert.equal((await send(`PUT /${Bucket}?versioning`, { body: versioning })).status, 200)
  assert.equal((await send(`PUT /${Bucket}/a?tagging`, { body: tagging })).status, 200)
})

test('what looks like a part but lacks its number or its upload does not become an object', async () => {
  const lone = await send(`PUT /${Bucket}/part?uploadId=${crypto.randomUUID()}`, { body: 'x' })
  assert.deepEqual([lone.status, lone.code], [405, 'MethodNotAllowed'])
  await refused(`PUT /${Bucket}/part?partNumber=1`, { body: 'x' }, 'InvalidArgument')
  const headers = { 'x-amz-copy-source': `/${Bucket}/a` }
  await refused(`PUT /${Bucket}/part?partNumber=1`, { headers }, 'InvalidArgument')
  assert.equal((await send(`HEAD /${Bucket}/part`)).status, 404)
})

test('the length of an object must be said, even if it is empty', async () => {
  const withoutLength = (line: string) => exchange(line, (head) => head.replace(/content-length: 0\r\n/i, ''))
  assert.match(await withoutLength(`PUT /${Bucket}/empty`), /^HTTP\/1\.1 411.*<Code>MissingContentLength</s)
  assert.match(await exchange(`PUT /${Bucket}/empty`, (head) => head), /^HTTP\/1\.1 200/)
  assert.match(await withoutLength(`PUT /${Bucket}-2`), /^HTTP\/1\.1 200/, 'a bucket has none')
})

test('an empty Authorization is no signature', async () => {
  const tamper: Sent['tamper'] = ({ headers }) => { headers.Authorization = '' }
  const response = await send(`PUT /${Bucket}/empty`, { body: 'x', tamper })
  assert.deepEqual([response.status, response.code], [403, 'AccessDenied'])
}) // biome-ignore format: one line

test('a request for the bucket of another owner is denied', async () => {
  const own = { 'x-amz-expected-bucket-owner': owner.organization.id }
  const other = { 'x-amz-expected-bucket-owner': '123456789012' }
  const copy = { 'x-amz-copy-source': `/${Bucket}/a`, 'x-amz-source-expected-bucket-owner': '123456789012' }
  assert.equal((await send(`GET /${Bucket}/a`, { headers: own })).status, 200)
  for (const [line, headers] of [[`GET /${Bucket}/a`, other], [`GET /${Bucket}`, other], [`PUT /${Bucket}/copy`, copy]] as const)
    assert.equal((await send(line, { headers })).code, 'AccessDenied', line)
}) // biome-ignore format: as a table

test('a key that no object can have is too long, whatever is asked of it', async () => {
  const key = 'k'.repeat(1025)
  for (const line of [`PUT /${Bucket}/${key}`, `GET /${Bucket}/${key}`, `GET /${Bucket}/${key}?tagging`, `DELETE /${Bucket}/${key}`])
    await refused(line, line.startsWith('PUT') ? { body: 'x' } : {}, 'KeyTooLongError')
}) // biome-ignore format: as a list

test('no object has a lock, and none can get one', async () => {
  const retention = { body: '<Retention><Mode>GOVERNANCE</Mode></Retention>' }
  const mode = { body: 'x', headers: { 'x-amz-object-lock-mode': 'GOVERNANCE' } }
  await refused(`GET /${Bucket}/a?retention`, {}, 'InvalidRequest')
  await refused(`GET /${Bucket}/a?legal-hold`, {}, 'InvalidRequest')
  await refused(`PUT /${Bucket}/a?retention`, retention, 'InvalidRequest')
  await refused(`PUT /${Bucket}/a?legal-hold`, { body: '<LegalHold/>' }, 'InvalidRequest')
  await refused(`PUT /${Bucket}/locked`, mode, 'InvalidRequest')
  assert.equal((await send(`GET /${Bucket}/missing?retention`)).code, 'NoSuchKey')
})

test('the type of a checksum is that of an algorithm', async () => {
  const headers = { 'x-amz-checksum-type': 'FULL_OBJECT' }
  await refused(`POST /${Bucket}/upload?uploads`, { headers }, 'InvalidRequest')
  const named = { ...headers, 'x-amz-checksum-algorithm': 'CRC32' }
  assert.equal((await send(`POST /${Bucket}/upload?uploads`, { headers: named })).status, 200)
})

test('a part and a range exclude each other', async () => {
  const headers = { range: 'bytes=0-1' }
  await refused(`GET /${Bucket}/a?partNumber=1`, { headers }, 'InvalidRequest')
  assert.equal((await send(`HEAD /${Bucket}/a?partNumber=1`, { headers })).status, 400)
  assert.equal((await send(`GET /${Bucket}/a?partNumber=1`)).status, 200)
  assert.equal((await send(`GET /${Bucket}/a`, { headers })).status, 206)
})

test('only a signed request can choose headers of the response', async () => {
  const anonymous = (query: string) =>
    fetch(`${system.urls.s3}/${owner.organization.slug}.${Bucket}/a${query}`)
  assert.equal((await anonymous('')).status, 200)
  for (const name of ['content-type', 'content-disposition', 'content-language', 'content-encoding', 'cache-control', 'expires']) {
    const response = await anonymous(`?response-${name}=text%2Fhtml`)
    assert.equal(response.status, 400, name)
    assert.match(await response.text(), /<Code>InvalidRequest<\/Code>/)
  }
  const signed = await send(`GET /${Bucket}/a?response-content-type=text%2Fcsv`)
  assert.deepEqual([signed.status, signed.headers['content-type']], [200, 'text/csv'])
}) // biome-ignore format: as a list

/** Sends what was signed as `changed` writes it, and returns the first bytes of the response. */
const exchange = (line: string, changed: (head: string) => string, body = '') => {
  const { hostname, port } = new URL(system.urls.s3)
  const [method] = line.split(' ')
  return new Promise<string>((resolve, reject) => {
    const tamper: Sent['tamper'] = ({ path, headers }) => {
      const lines = Object.entries({ 'Content-Length': '0', ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}Connection: close\r\n`
      const socket = connect(Number(port), hostname, () => socket.write(`${changed(head)}\r\n${body}`))
      socket.once('data', (chunk) => resolve(String(chunk))).on('error', reject)
      headers.Authorization = ''
    }
    send(line, { ...(body ? { body } : {}), tamper }).catch(reject)
  })
}

test('expectations other than 100-continue are ignored', async () => {
  for (const expectation of ['200', '', 'the unexpected'])
    assert.match(
      await exchange(`PUT /${Bucket}/expected`, (head) => `${head}Expect: ${expectation}\r\n`, 'hello'),
      /^HTTP\/1\.1 200/,
    )
  assert.equal((await send(`GET /${Bucket}/expected`)).text, 'hello')
  assert.equal((await send(`GET /${Bucket}/expected`, { headers: { expect: '200' } })).status, 200)
})
