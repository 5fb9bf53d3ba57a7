import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'
import { postForm, signedFields } from '#test/support/s3-form.ts'
import { bytesOf, chunkedBody, type RawRequest, sendRaw, sign } from '#test/support/s3-raw.ts'
import { oddRequest, randomFrom } from './s3-odd-requests.ts'

// Clients that lie, stop in the middle, or send nonsense: S3's error, nothing stored, and never an error of the server.
const system = await boot()
const { s3, credentials } = await s3Owner(system)
const base = system.urls.s3
const Bucket = 'hostile'
await s3.send(new CreateBucketCommand({ Bucket }))

const keys = async () => {
  const found: string[] = []
  for (let token: string | undefined; ; ) {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, ContinuationToken: token }))
    found.push(...(page.Contents ?? []).map(({ Key }) => Key as string))
    token = page.NextContinuationToken
    if (!token) return found
  }
}
const nothingStored = async () => assert.deepEqual(await keys(), [])
const signed = (request: RawRequest, expires?: number) => sign(base, credentials, request, expires)
const put = (more: Partial<RawRequest> = {}): RawRequest => ({
  method: 'PUT',
  path: `/${Bucket}/key`,
  body: Buffer.from('hello'),
  ...more,
})
const refused = async (bytes: Buffer, codes: string[], what: string) => {
  const { status, code, text } = await sendRaw(base, bytes)
  assert.ok(status >= 400 && status < 500 && codes.includes(code), `${what}: ${text}`)
}
const flip = (text: string, at: number) => {
  const next = text[at] === '0' ? '1' : '0'
  return text.slice(0, at) + next + text.slice(at + 1)
}

const chunked = (more: Partial<Parameters<typeof chunkedBody>[2]> & { trailer?: string } = {}) => {
  const data = [Buffer.alloc(9000, 'a'), Buffer.alloc(9000, 'b'), Buffer.from('c')]
  const length = data.reduce((sum, chunk) => sum + chunk.length, 0)
  const suffix = more.trailer === undefined ? '' : '-TRAILER'
  const names = more.trailer === undefined ? {} : { 'x-amz-trailer': more.trailer.split(':')[0] as string }
  const request = signed(
    put({
      body: Buffer.alloc(0),
      payload: `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${suffix}`,
      headers: {
        'x-amz-decoded-content-length': String(length),
        'content-encoding': 'aws-chunked',
        ...names,
      },
    }),
  )
  const body = chunkedBody(request, data, more)
  return { head: request.head.replace('content-length: 0', `content-length: ${body.length}`), body }
}
const crcOf = (data: string) => {
  const value = Buffer.alloc(4)
  value.writeUInt32BE(crc32(data))
  return value.toString('base64')
}
const trailer = `x-amz-checksum-crc32:${crcOf(`${'a'.repeat(9000)}${'b'.repeat(9000)}c`)}`

test('a signature that was changed is refused in headers, in queries, in every chunk, in trailers and in forms', async () => {
  const wrong = ['SignatureDoesNotMatch']
  const inHeader = signed(put())
  await refused(bytesOf({ ...inHeader, head: inHeader.head.replace(/Signature=\w{20}/, (text) => flip(text, 15)) }), wrong, 'header')
  const inQuery = signed(put(), 60)
  await refused(bytesOf({ ...inQuery, head: inQuery.head.replace(/X-Amz-Signature=\w{20}/, (text) => flip(text, 20)) }), wrong, 'query')
  await refused(bytesOf({ ...inQuery, head: inQuery.head.replace('X-Amz-Expires=60', 'X-Amz-Expires=61') }), wrong, 'expiry')
  await refused(bytesOf({ ...inQuery, head: inQuery.head.replace('/key?', '/other?') }), wrong, 'path')
  for (const index of [0, 1, 2, 3]) {
    const change = (piece: string, at: number) => (at === index ? piece.replace(/signature=\w{5}/, (text) => flip(text, 12)) : piece)
    await refused(bytesOf(chunked({ change })), wrong, `signature of chunk ${index}`)
    await refused(bytesOf(chunked({ change, trailer })), wrong, `signature of chunk ${index}, with a trailer`)
  }
  for (const index of [0, 1, 2]) {
    const change = (piece: string, at: number) => (at === index ? piece.replace(/([abc])\r\n$/, 'x\r\n') : piece)
    await refused(bytesOf(chunked({ change })), wrong, `data of chunk ${index}`)
  }
  await refused(bytesOf(chunked({ trailer, change: (piece) => piece.replace(/trailer-signature:\w{5}/, (text) => flip(text, 20)) })), wrong, 'signature of the trailer')
  await refused(bytesOf(chunked({ trailer, change: (piece) => piece.replace(/crc32:\w/, 'crc32:Z') })), wrong, 'value of the trailer')
  const fields = signedFields(credentials, [{ bucket: Bucket }, ['starts-with', '$key', '']])
  const posted = await postForm(system, Bucket, { key: 'key', ...fields, 'x-amz-signature': flip(fields['x-amz-signature'], 9) })
  assert.deepEqual([posted.status, posted.code], [403, 'SignatureDoesNotMatch'])
  await nothingStored()
  for (const more of [{}, { trailer }]) assert.equal((await sendRaw(base, bytesOf(chunked(more)))).status, 200, 'unchanged')
  assert.deepEqual(await keys(), ['key'])
  assert.equal((await sendRaw(base, bytesOf(signed({ method: 'DELETE', path: `/${Bucket}/key` })))).status, 204)
}) // biome-ignore format: as a table

const sums = { crc32: 4, crc32c: 4, crc64nvme: 8, sha1: 20, sha256: 32 }

test('a wrong checksum is refused in every algorithm, in headers, in trailers, in forms, in parts and at the end', async () => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }))
  for (const [name, bytes] of Object.entries(sums)) {
    const header = `x-amz-checksum-${name}`
    const value = Buffer.alloc(bytes, 1).toString('base64')
    await refused(bytesOf(signed(put({ headers: { [header]: value } }))), ['BadDigest'], `${name} in a header`)
    await refused(bytesOf(chunked({ trailer: `${header}:${value}` })), ['BadDigest'], `${name} in a signed trailer`)
    const body = Buffer.from(`5\r\nhello\r\n0\r\n${header}:${value}\r\n\r\n`)
    const unsigned = { 'x-amz-trailer': header, 'x-amz-decoded-content-length': '5' }
    await refused(bytesOf(signed(put({ body, payload: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', headers: unsigned }))), ['BadDigest'], `${name} in a trailer`)
    const posted = await postForm(system, Bucket, { key: 'key', [header]: value, ...signedFields(credentials, [{ bucket: Bucket }, ['starts-with', '$key', ''], { [header]: value }]) })
    assert.deepEqual([posted.status, posted.code], [400, 'BadDigest'], `${name} in a form`)
    const query: [string, string][] = [['partNumber', '1'], ['uploadId', UploadId as string]]
    await refused(bytesOf(signed({ ...put({ headers: { [header]: value } }), path: `/${Bucket}/parts`, query })), ['BadDigest'], `${name} of a part`)
  }
  assert.equal((await s3.send(new ListPartsCommand({ Bucket, Key: 'parts', UploadId }))).Parts, undefined)
  const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key: 'parts', UploadId, PartNumber: 1, Body: 'hello' }))
  const document = Buffer.from(`<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${ETag}</ETag></Part></CompleteMultipartUpload>`)
  for (const [name, bytes] of Object.entries(sums))
    await refused(
      bytesOf(signed({ method: 'POST', path: `/${Bucket}/parts`, query: [['uploadId', UploadId as string]], body: document, headers: { [`x-amz-checksum-${name}`]: Buffer.alloc(bytes, 1).toString('base64') } })),
      ['BadDigest', 'InvalidRequest'],
      `${name} at the end`,
    )
  const md5 = createHash('md5').update('other').digest('base64')
  await refused(bytesOf(signed(put({ headers: { 'content-md5': md5 } }))), ['BadDigest'], 'Content-MD5')
  await refused(bytesOf(signed(put({ payload: createHash('sha256').update('other').digest('hex') }))), ['XAmzContentSHA256Mismatch'], 'x-amz-content-sha256')
  await nothingStored()
}) // biome-ignore format: as a table

test('a body that is cut short anywhere leaves nothing', async () => {
  const requests = [signed(put({ body: Buffer.alloc(20_000, 'x') })), chunked(), chunked({ trailer })]
  for (const request of requests)
    for (const part of [0, 0.1, 0.5, 0.9, 0.99]) {
      const body = request.body.subarray(0, Math.floor(request.body.length * part))
      const { status } = await sendRaw(base, bytesOf({ head: request.head, body }), { isCut: true })
      assert.ok(status < 500, `${status}`)
      // The same, but the announced length is that of what is there.
      const head = request.head.replace(/content-length: \d+/, `content-length: ${body.length}`)
      const shorter = await sendRaw(base, bytesOf({ head, body }))
      assert.ok(shorter.status >= 400 && shorter.status < 500, shorter.text)
    }
  await nothingStored()
})

const documents = [
  '',
  'text',
  '<',
  '<a',
  '<Delete',
  '<Delete>',
  '<Delete></Delete>',
  '<Other/>',
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Delete>&x;</Delete>',
  '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><Delete>&b;</Delete>',
  '<?xml version="1.0" encoding="UTF-16"?><Delete/>',
  `${'<a>'.repeat(10_000)}`,
  `<Delete>${'<Object>'.repeat(100)}`,
  '<Delete><Object><Key>\u0000</Key></Object></Delete>',
  '<Delete><Object><Key>&#0;</Key></Object></Delete>',
  '<Delete><Object/></Delete>',
  '<Delete><Object><Key>a</Key><Key>b</Key></Object></Delete>',
  '<CompleteMultipartUpload><Part><PartNumber>1e9</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>',
  '<CompleteMultipartUpload><Part><PartNumber>-1</PartNumber></Part></CompleteMultipartUpload>',
  '<Tagging><TagSet><Tag><Key>a</Key></Tag></TagSet></Tagging>',
  '<CreateBucketConfiguration><LocationConstraint>\'"</LocationConstraint></CreateBucketConfiguration>',
  '\ufeff<Delete/>',
  '{"a": 1}',
  'x'.repeat(1024 * 1024 + 1),
]

test('hostile documents are refused by every operation that reads one', async () => {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'xml' }))
  const targets: [string, string, [string, string][]][] = [
    ['POST', `/${Bucket}`, [['delete', '']]],
    ['POST', `/${Bucket}/xml`, [['uploadId', UploadId as string]]],
    ['PUT', '/made-by-xml', []],
    ...['versioning', 'tagging', 'cors', 'lifecycle', 'policy', 'publicAccessBlock', 'ownershipControls'].map(
      (name): [string, string, [string, string][]] => ['PUT', `/${Bucket}`, [[name, '']]],
    ),
    ['PUT', `/${Bucket}/xml`, [['tagging', '']]],
  ]
  for (const [method, path, query] of targets)
    for (const text of documents) {
      if (path === '/made-by-xml' && text === '') continue
      const body = Buffer.from(text)
      const response = await sendRaw(base, bytesOf(signed({ method, path, query, body })))
      const isKnown = response.status >= 400 && (response.status < 500 || response.code === 'NotImplemented')
      assert.ok(isKnown, `${method} ${path} ${query} ${text.slice(0, 60)}: ${response.text}`)
    }
  await nothingStored()
})

const count = 5_000
const parallel = 24

// 20,000 in all.
for (const seed of [1, 2, 3, 4])
  test(`${count} odd requests of seed ${seed}: never an error of the server, and what was refused is not stored`, async () => {
    const random = randomFrom(seed)
    await s3.send(new PutObjectCommand({ Bucket, Key: 'odd/there', Body: 'x'.repeat(100) }))
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'odd/upload' }))
    const place = { base, credentials, bucket: Bucket, uploadId: UploadId as string }
    const accepted = new Set(await keys())
    const statuses = new Map<number, number>()
    let left = count
    const client = async () => {
      while (left-- > 0) {
        const { bytes, isCut, key, method } = oddRequest(random, place)
        const { status, code, text } = await sendRaw(base, bytes, { isCut })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const what = `${bytes.toString('latin1', 0, 2000)}\n\n${text}`
        assert.ok(status < 500 || code === 'NotImplemented', what)
        if (status >= 400 && method !== 'HEAD') assert.match(text, /content-type: application\/xml/, what)
        if (status < 300) accepted.add(key)
      }
    }
    await Promise.all(Array.from({ length: parallel }, client))
    assert.deepEqual(
      (await keys()).filter((key) => !accepted.has(key)),
      [],
    )
    const share = (status: number) => (statuses.get(status) ?? 0) / count
    const all = JSON.stringify([...statuses])
    assert.ok(share(200) > 0.05 && share(400) > 0.05 && share(403) > 0.05, `some of each kind: ${all}`)
  })
