import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import fc from 'fast-check'
import { boot } from '#test/support/boot.ts'
import { md5Header, s3Client, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { postForm, signedFields } from '#test/support/s3-form.ts'
import { addMember } from '#test/support/storage.ts'

// Requests that a client should not send: each is refused with S3's error, and nothing is stored.
const system = await boot()
const owner = await s3Owner(system)
const { s3 } = owner
await s3.send(new CreateBucketCommand({ Bucket: 'safe' }))
type Sent = Parameters<typeof signedRequest>[3]
const send = (line: string, sent: Sent = {}) => signedRequest(system, owner.credentials, line, sent)
const refused = async (line: string, sent: Sent, status: number, code: string) => {
  const response = await send(line, sent)
  assert.deepEqual([response.status, response.code], [status, code], `${line}: ${response.text}`)
  assert.equal(response.headers['content-type'], 'application/xml')
  assert.ok(response.headers['x-amz-request-id'])
  return response
}
const isEmpty = async () => {
  const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: 'safe' }))
  assert.equal(KeyCount, 0)
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('a request that was changed after it was signed is refused', async () => {
  type Tamper = NonNullable<NonNullable<Sent>['tamper']>
  const put = (tamper: Tamper) => ({ body: 'hello', tamper, headers: { 'X-Amz-Meta-A': 'b' } })
  const denied = (tamper: Tamper, status: number, code: string) =>
    refused('PUT /safe/a', put(tamper), status, code)
  await denied((request) => { request.path = '/safe/b' }, 403, 'SignatureDoesNotMatch')
  await denied((request) => { request.path += '?x=1' }, 403, 'SignatureDoesNotMatch')
  await denied(({ headers }) => { headers['X-Amz-Meta-A'] = 'c' }, 403, 'SignatureDoesNotMatch')
  await denied(({ headers }) => { headers['X-Amz-Acl'] = 'private' }, 403, 'AccessDenied')
  await denied(({ headers }) => { headers['X-Amz-Content-Sha256'] = sha256('other') }, 403, 'SignatureDoesNotMatch')
  await denied(
    ({ headers }) => { headers.Authorization = (headers.Authorization as string).replace(/.$/, (c) => (c === '0' ? '1' : '0')) },
    403,
    'SignatureDoesNotMatch',
  )
  await denied(({ headers }) => { headers.Authorization = 'AWS a:b' }, 400, 'InvalidRequest')
  await denied(({ headers }) => { delete headers.Authorization }, 403, 'AccessDenied')
  await isEmpty()
}) // biome-ignore format: as a table

test('a mismatch shows what was signed, and the host that was seen', async () => {
  const { text } = await refused('GET /safe', { tamper: (request) => { request.path = '/safe?prefix=x' } }, 403, 'SignatureDoesNotMatch')
  assert.match(text, /<CanonicalRequest>GET&#xA;\/safe&#xA;prefix=x&#xA;host:127\.0\.0\.1:\d+/)
  assert.match(text, /<StringToSign>AWS4-HMAC-SHA256&#xA;/)
  assert.match(text, /<Host>127\.0\.0\.1:\d+<\/Host>/)
}) // biome-ignore format: one line

test('a body that is not what the headers say is refused, and nothing is stored', async () => {
  const body = 'hello'
  const md5 = createHash('md5').update('other').digest('base64')
  await refused('PUT /safe/a', { body, headers: { 'Content-MD5': md5 } }, 400, 'BadDigest')
  await refused('PUT /safe/a', { body, headers: { 'Content-MD5': 'short' } }, 400, 'InvalidDigest')
  await refused('PUT /safe/a', { body, headers: { 'X-Amz-Content-Sha256': sha256('other') } }, 400, 'XAmzContentSHA256Mismatch')
  await refused('PUT /safe/a', { body, headers: { 'X-Amz-Content-Sha256': 'STREAMING-SOMETHING' } }, 501, 'NotImplemented')
  await refused('PUT /safe/a', { body, headers: { 'X-Amz-Content-Sha256': 'x' } }, 400, 'InvalidArgument')
  for (const [name, value] of [['crc32', 'AAAAAA=='], ['crc32c', 'AAAAAA=='], ['crc64nvme', 'AAAAAAAAAAA='], ['sha1', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='], ['sha256', Buffer.alloc(32).toString('base64')]] as const) {
    await refused('PUT /safe/a', { body, headers: { [`X-Amz-Checksum-${name}`]: value } }, 400, 'BadDigest')
    await refused('PUT /safe/a', { body, headers: { [`X-Amz-Checksum-${name}`]: 'AA==' } }, 400, 'InvalidRequest')
  }
  await refused('PUT /safe/a', { body, headers: { 'X-Amz-Checksum-Crc32': 'AAAAAA==', 'X-Amz-Checksum-Sha1': 'x' } }, 400, 'InvalidRequest')
  await isEmpty()
}) // biome-ignore format: as a table

test('a body in chunks that is malformed or cut short is refused, and nothing is stored', async () => {
  const headers = {
    'X-Amz-Content-Sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'X-Amz-Trailer': 'x-amz-checksum-crc32',
    'X-Amz-Decoded-Content-Length': '5',
  }
  const chunked = (body: string, more: object = {}) => ({ body, headers: { ...headers, ...more } })
  const trailer = 'x-amz-checksum-crc32:NhCmhg==\r\n\r\n'
  await refused('PUT /safe/a', chunked('5\r\nhello\r\n'), 400, 'IncompleteBody')
  await refused('PUT /safe/a', chunked(`4\r\nhell\r\n0\r\n${trailer}`), 400, 'IncompleteBody')
  await refused('PUT /safe/a', chunked('5\r\nhello\r\n0\r\n\r\n'), 400, 'InvalidRequest')
  await refused('PUT /safe/a', chunked(`zz\r\nhello\r\n0\r\n${trailer}`), 400, 'InvalidRequest')
  await refused('PUT /safe/a', chunked(`5\r\nhellx\r\n0\r\n${trailer}`), 400, 'BadDigest')
  await refused('PUT /safe/a', chunked('x'.repeat(5000)), 400, 'InvalidRequest')
  const { 'X-Amz-Decoded-Content-Length': _, ...unknown } = headers
  await refused('PUT /safe/a', { body: '0\r\n\r\n', headers: unknown }, 411, 'MissingContentLength')
  await isEmpty()
  const stored = await send('PUT /safe/a', chunked(`5\r\nhello\r\n0\r\n${trailer}`))
  assert.equal(stored.status, 200, stored.text)
  assert.equal((await send('GET /safe/a')).text, 'hello')
  assert.equal((await send('DELETE /safe/a')).status, 204)
})

test('a client that leaves in the middle of a body leaves nothing', async () => {
  const { hostname, port } = new URL(system.urls.s3)
  await send('PUT /safe/cut', {
    body: 'hello',
    tamper: ({ path, headers }) => {
      const lines = Object.entries(headers).filter(([name]) => name !== 'Content-Length')
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `PUT ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`,
        )
        socket.write('Content-Length: 5\r\n\r\nhel')
        setTimeout(() => socket.destroy(), 50)
      })
      headers.Authorization = 'AWS a:b'
    },
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await isEmpty()
})

test('hostile XML is refused', async () => {
  const post = async (body: string, code: string) => refused('POST /safe?delete', { body, headers: md5Header(body) }, 400, code)
  await post('', 'MalformedXML')
  await post('<Delete>', 'MalformedXML')
  await post('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Delete><Object><Key>&x;</Key></Object></Delete>', 'MalformedXML')
  await post('<Delete/>', 'MalformedXML')
  await post(`<Delete>${'<Object><Key>a</Key></Object>'.repeat(1001)}</Delete>`, 'MalformedXML')
  await post(`<Delete>${'<a>'.repeat(100_000)}</Delete>`, 'MalformedXML')
  await post(' '.repeat(1024 * 1024 + 1), 'EntityTooLarge')
}) // biome-ignore format: as a table

test('what is not implemented says so, and what is not configured is as in S3', async () => {
  await refused('GET /safe?inventory', {}, 501, 'NotImplemented')
  await refused('PUT /safe?replication', { body: '<ReplicationConfiguration/>' }, 501, 'NotImplemented')
  await refused('PUT /safe/a', { body: 'x', headers: { 'X-Amz-Server-Side-Encryption': 'aws:kms' } }, 501, 'NotImplemented')
  await refused('PUT /safe/a', { body: 'x', headers: { 'X-Amz-Acl': 'public-read' } }, 400, 'AccessControlListNotSupported')
  await refused('GET /safe?encryption', {}, 404, 'ServerSideEncryptionConfigurationNotFoundError')
  await refused('GET /safe?policy', {}, 404, 'NoSuchBucketPolicy')
  await refused('PATCH /safe', {}, 405, 'MethodNotAllowed')
  await refused('GET /safe/a', { tamper: (request) => { request.path = '/safe/%zz' } }, 400, 'InvalidURI')
  await refused('GET /safe?prefix=%00', {}, 400, 'InvalidArgument')
  await refused('GET /safe/%00', {}, 400, 'InvalidArgument')
  const { text } = await send('GET /safe?versioning')
  assert.match(text, /<VersioningConfiguration [^>]*><\/VersioningConfiguration>/)
}) // biome-ignore format: as a table

test('a policy decides here as it does natively, and the refusal names the statement', async () => {
  const { body: buckets } = await owner.api('GET /buckets')
  const { id } = buckets.find(({ name }: { name: string }) => name === 'safe')
  const member = await addMember(system, owner.api, 'member')
  const { body: key } = await member.api('POST /auth/api-keys', { body: { label: 's3' } })
  const deny = { effect: 'deny', action: 'object.write', resourceType: 'object', resourceId: 'secret/*', subjectType: 'role', subjectId: 'member' }
  const policy = await owner.api(`PUT /buckets/${id}/policy`, { body: { statements: [deny] } })
  assert.equal(policy.status, 200, policy.text)
  const response = await signedRequest(system, key, 'PUT /safe/secret/a', { body: 'x' })
  assert.deepEqual([response.status, response.code], [403, 'AccessDenied'])
  assert.match(response.text, /statements\[0\]/)
  const client = s3Client(system, key)
  await assert.rejects(client.send(new CreateBucketCommand({ Bucket: 'members-cannot' })), { name: 'AccessDenied' })
  await owner.api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })
}) // biome-ignore format: as a table

test('without a signature, objects of public buckets can be read at their address, and nothing else', async () => {
  await s3.send(new CreateBucketCommand({ Bucket: 'site.files', ACL: 'public-read' }))
  await s3.send(new PutObjectCommand({ Bucket: 'site.files', Key: 'a b', Body: 'open', ContentType: 'text/plain' }))
  await s3.send(new PutObjectCommand({ Bucket: 'safe', Key: 'closed', Body: 'x' }))
  const { slug } = owner.organization
  const at = (path: string, init: RequestInit = {}) => fetch(`${system.urls.s3}${path}`, init)
  const found = await at(`/${slug}.site.files/a%20b`)
  assert.deepEqual([found.status, await found.text(), found.headers.get('content-type')], [200, 'open', 'text/plain'])
  assert.equal((await at(`/${slug}.site.files/a%20b`, { method: 'HEAD' })).status, 200)
  assert.equal((await at(`/${slug}.site.files/missing`)).status, 404)
  const denied = [`/${slug}.safe/closed`, `/${slug}.unknown/a`, '/unknown.b/a', '/site.files/a%20b', `/${slug}.site.files`, '/', '/%00.a/b']
  for (const path of denied) assert.equal((await at(path)).status, 403, path)
  for (const method of ['PUT', 'DELETE', 'POST'])
    assert.equal((await at(`/${slug}.site.files/a%20b`, { method })).status, 403, method)
}) // biome-ignore format: as a table

test('odd requests never cause an error of the server', async () => {
  const word = fc.constantFrom('', 'safe', 'a', '%00', '%FF', '%', '..', '//', 'x'.repeat(2000), 'ü', '\u{1F600}', '&', '=', "'", '"')
  const parameter = fc.tuple(
    fc.constantFrom('prefix', 'marker', 'delimiter', 'max-keys', 'uploadId', 'partNumber', 'versionId', 'list-type', 'continuation-token', 'start-after', 'encoding-type', 'uploads', 'acl', 'delete', 'key-marker', 'upload-id-marker', 'x-id', 'attributes', 'X-Amz-Expires', 'X-Amz-Signature'),
    fc.oneof(word, fc.constantFrom('-1', '0', '99999999999', '1e9', 'null', '00000000-0000-0000-0000-000000000000')),
  )
  const header = fc.tuple(
    fc.constantFrom('Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'X-Amz-Copy-Source', 'X-Amz-Copy-Source-Range', 'Content-MD5', 'Content-Type', 'X-Amz-Meta-X', 'X-Amz-Checksum-Crc32', 'X-Amz-Trailer', 'X-Amz-Object-Attributes', 'X-Amz-Metadata-Directive', 'X-Amz-Checksum-Algorithm', 'X-Amz-Date', 'X-Amz-Content-Sha256', 'X-Amz-Decoded-Content-Length', 'Expect'),
    fc.oneof(fc.constantFrom('', '*', 'bytes=5-1', 'bytes=0-99999999999999', '/safe/a', 'safe/%zz', '%', 'x', '-5', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'UNSIGNED-PAYLOAD'), fc.stringMatching(/^[!-~]{1,20}$/)),
  )
  const odd = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'DELETE'),
    path: fc.array(word, { maxLength: 4 }).map((words) => `/safe/${words.map(encodeURI).join('/')}`.replaceAll('%25', '%')),
    query: fc.array(parameter, { maxLength: 3 }).map((pairs) => pairs.map(([name, value]) => `${name}=${encodeURI(value).replaceAll('%25', '%').replaceAll('&', '%26')}`).join('&')),
    headers: fc.array(header, { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
    body: fc.oneof(fc.constant(undefined), fc.string(), fc.constantFrom('<a/>', '<Delete><Object><Key>a</Key></Object></Delete>', '5\r\nhello\r\n0\r\n\r\n')),
  })
  await fc.assert(
    fc.asyncProperty(odd, async ({ method, path, query, headers, body }) => {
      const mayHaveBody = method !== 'GET' && method !== 'HEAD' && headers.Expect === undefined
      let response: Awaited<ReturnType<typeof send>>
      try {
        response = await send(`${method} ${path}${query ? `?${query}` : ''}`, { headers, ...(mayHaveBody && body !== undefined ? { body } : {}) })
      } catch (error) {
        // The signer could not sign it.
        if (error instanceof URIError || (error as NodeJS.ErrnoException).code === 'ERR_UNESCAPED_CHARACTERS') return
        throw error
      }
      assert.ok(response.status < 500 || response.code === 'NotImplemented', `${response.status} ${response.text}`)
    }),
    { numRuns: 400 },
  )
}) // biome-ignore format: as a table

test('a client that waits before it sends a body is told to go on only if it may', async () => {
  const { hostname, port } = new URL(system.urls.s3)
  const attempt = async (path: string) => {
    const exchange = new Promise<string>((resolve, reject) => {
      const tamper: NonNullable<NonNullable<Sent>['tamper']> = ({ headers }) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        let text = ''
        const socket = connect(Number(port), hostname, () =>
          socket.write(`PUT ${path} HTTP/1.1\r\n${lines.join('')}Expect: 100-continue\r\n\r\n`),
        )
        socket.on('error', reject)
        socket.on('data', (chunk) => {
          text += chunk
          if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('hello')
          else {
            socket.destroy()
            resolve(text)
          }
        })
      }
      send(`PUT ${path}`, { body: 'hello', tamper }).catch(reject)
    })
    return exchange
  }
  assert.match(await attempt('/safe/expected'), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/)
  assert.match(await attempt('/no-such-bucket/expected'), /^HTTP\/1\.1 404/)
  assert.equal((await send('DELETE /safe/expected')).status, 204)
})

test('what exceeds a quota is QuotaExceeded in every way of writing, and leaves nothing', async () => {
  const made = await owner.api('POST /buckets', { body: { name: 'tight', storageQuotaBytes: 100 } })
  assert.equal(made.status, 201)
  const large = 'x'.repeat(101)
  await s3.send(new PutObjectCommand({ Bucket: 'safe', Key: 'source', Body: large }))
  await refused('PUT /tight/a', { body: large }, 403, 'QuotaExceeded')
  await refused('PUT /tight/a', { headers: { 'x-amz-copy-source': '/safe/source' } }, 403, 'QuotaExceeded')
  const begun = await send('POST /tight/a?uploads')
  const uploadId = /<UploadId>([^<]*)/.exec(begun.text)?.[1]
  const part = `PUT /tight/a?partNumber=1&uploadId=${uploadId}`
  await refused(part, { body: large }, 403, 'QuotaExceeded')
  await refused(part, { headers: { 'x-amz-copy-source': '/safe/source' } }, 403, 'QuotaExceeded')
  const fields = { key: 'a', ...signedFields(owner.credentials, [{ bucket: 'tight' }, { key: 'a' }]) }
  const form = await postForm(system, 'tight', fields, { file: large })
  assert.deepEqual([form.status, form.code], [403, 'QuotaExceeded'])
  const head = await send('HEAD /tight/a')
  assert.deepEqual([head.status, head.text], [404, ''])
  assert.equal((await send('PUT /tight/a', { body: 'x'.repeat(100) })).status, 200, 'up to the quota')
  await send('DELETE /safe/source')
})
