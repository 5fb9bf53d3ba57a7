import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { SignatureV4 } from '@smithy/signature-v4'
import { Sha256 } from '#test/support/aws-hash.ts'
import { boot } from '#test/support/boot.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'

const system = await boot({ env: { S3_DOMAIN: 's3.example.org' } })
const { s3, credentials } = await s3Owner(system)
const Bucket = 'addresses'
await s3.send(new CreateBucketCommand({ Bucket }))
const { hostname, port, host } = new URL(system.urls.s3)

const signer = new SignatureV4({
  credentials: { accessKeyId: credentials.accessKey, secretAccessKey: credentials.secretKey },
  region: 'us-west-2',
  service: 's3',
  sha256: Sha256 as never,
  uriEscapePath: false,
  applyChecksum: true,
})

/** A URL that anybody can use for a while. */
const presign = async (method: string, path: string, query: Record<string, string> = {}, expiresIn = 60) => {
  const signed = await signer.presign(
    {
      method,
      protocol: 'http:',
      hostname,
      path,
      query,
      headers: { host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
    },
    { expiresIn, signingDate: system.clock.now() },
  )
  return `${system.urls.s3}${path}?${new URLSearchParams(signed.query as Record<string, string>)}`
}

test('presigned URLs read and write what they were made for, until they expire', async () => {
  const put = await fetch(await presign('PUT', '/addresses/a%20b.txt'), { method: 'PUT', body: 'by link' })
  assert.equal(put.status, 200, await put.text())
  const url = await presign('GET', '/addresses/a%20b.txt', { 'response-content-type': 'text/csv' })
  const found = await fetch(url)
  assert.equal(found.headers.get('content-type'), 'text/csv')
  assert.equal(await found.text(), 'by link')
  assert.equal((await fetch(url, { method: 'PUT', body: 'x' })).status, 403)
  assert.equal((await fetch(url.replace('text%2Fcsv', 'text%2Fhtml'))).status, 403)
  const foreign = await fetch(await presign('PUT', '/addresses/c'), {
    method: 'PUT',
    body: 'x',
    headers: { 'x-amz-meta-a': 'b' },
  })
  assert.match(await foreign.text(), /HeadersNotSigned>x-amz-meta-a</)
  system.clock.advance(61_000)
  const late = await fetch(url)
  assert.deepEqual([late.status, /<Message>Request has expired/.test(await late.text())], [403, true])
})

/** Sends a signed request to a host that is not the address of the server. */
const toHost = async (virtualHost: string, method: string, path: string, body = '') => {
  const signed = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: virtualHost,
      path,
      query: {},
      headers: { host: virtualHost },
      body,
    },
    { signingDate: system.clock.now() },
  )
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers: signed.headers }, (res) => {
      let text = ''
      res.on('data', (chunk) => {
        text += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('below the domain, the host names the bucket', async () => {
  const written = await toHost('addresses.s3.example.org', 'PUT', '/by/host', 'hello')
  assert.equal(written.status, 200, written.text)
  const found = await toHost('addresses.s3.example.org:443', 'GET', '/by/host')
  assert.deepEqual([found.status, found.text], [200, 'hello'])
  const list = await toHost('addresses.s3.example.org', 'GET', '/')
  assert.match(list.text, /<Key>by\/host<\/Key>/)
  assert.equal((await toHost('s3.example.org', 'GET', '/addresses/by/host')).text, 'hello')
})

test('headers that describe the content are kept, and how it was sent is not', async () => {
  const kept = {
    CacheControl: 'max-age=60',
    ContentDisposition: 'attachment; filename="a.txt"',
    ContentEncoding: 'gzip',
    ContentLanguage: 'de',
    Expires: new Date('2030-01-01T00:00:00Z'),
  }
  await s3.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'x', ...kept }))
  const found = await s3.send(new HeadObjectCommand({ Bucket, Key: 'kept' }))
  assert.deepEqual(
    [
      found.CacheControl,
      found.ContentDisposition,
      found.ContentEncoding,
      found.ContentLanguage,
      found.ExpiresString,
    ],
    [kept.CacheControl, kept.ContentDisposition, 'gzip', 'de', 'Tue, 01 Jan 2030 00:00:00 GMT'],
  )
  await s3.send(new PutObjectCommand({ Bucket, Key: 'plain', Body: 'x' }))
  const plain = await s3.send(new GetObjectCommand({ Bucket, Key: 'plain' }))
  assert.deepEqual(
    [plain.ContentEncoding, plain.CacheControl, plain.ContentDisposition],
    [undefined, undefined, undefined],
  )
})
