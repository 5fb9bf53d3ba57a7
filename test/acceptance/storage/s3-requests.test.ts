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

test('expectations other than 100-continue are ignored', async () => {
  const { hostname, port } = new URL(system.urls.s3)
  for (const expectation of ['200', '', 'the unexpected']) {
    const answered = new Promise<string>((resolve, reject) => {
      const tamper: Sent['tamper'] = ({ path, headers }) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        const socket = connect(Number(port), hostname, () =>
          socket.write(
            `PUT ${path} HTTP/1.1\r\n${lines.join('')}Expect: ${expectation}\r\nConnection: close\r\n\r\nhello`,
          ),
        )
        socket.once('data', (chunk) => resolve(String(chunk))).on('error', reject)
      }
      send(`PUT /${Bucket}/expected`, { body: 'hello', tamper }).catch(reject)
    })
    assert.match(await answered, /^HTTP\/1\.1 200/, expectation)
  }
  assert.equal((await send(`GET /${Bucket}/expected`)).text, 'hello')
  const unsigned = await send(`GET /${Bucket}/expected`, { headers: { expect: '200' } })
  assert.equal(unsigned.status, 200)
})
