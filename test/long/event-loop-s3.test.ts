import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { md5Header } from '#test/support/s3-endpoint.ts'
import { sign } from '#test/support/s3-raw.ts'
import {
  corsXml,
  largestPolicy,
  lifecycleXml,
  longKeys,
  policyJson,
  policyOfPatterns,
  taggingXml,
} from './hostile/documents.ts'
import { asSent, type Named, type Request, signedInMs, strangersMs, tooLong } from './hostile/requests.ts'
import { operationsAt, type S3Operation } from './hostile/routes.ts'
import { s3Scene } from './hostile/scene.ts'
import * as shapes from './hostile/shapes.ts'
import { leastOfThree, longestTurn } from './hostile/turns.ts'

// The same as in event-loop.test.ts on the port of S3, for every operation that its table has.

const system = await boot()
const { urls } = system

const { api, id, s3, orgId, signer, bucket, owner, etag, uploadId } = await s3Scene(system)
const key = 'key'

const asS3 = ({ line, headers = {}, body = '' }: Request, isSigned: boolean): Named => {
  const [method = '', target = ''] = line.split(' ')
  if (!isSigned) return asSent(urls.s3, { line, headers, body })
  const [path = '', search = ''] = target.split('?')
  const query = search === '' ? [] : search.split('&').map((one) => (one.split('=').concat('')).slice(0, 2) as [string, string]) // biome-ignore format: one line
  const bytes = Buffer.from(body)
  const made = sign(urls.s3, signer, { method, path, query, headers, body: bytes })
  const what = `${line.slice(0, 120)} ${JSON.stringify(headers).slice(0, 160)} ${String(body).slice(0, 80)}`
  return {
    port: Number(new URL(urls.s3).port),
    bytes: Buffer.concat([Buffer.from(made.head, 'latin1'), bytes]),
    what,
  }
}

const roots: Record<string, string> = {
  DeleteObjects: 'Delete', CompleteMultipartUpload: 'CompleteMultipartUpload', PutBucketVersioning: 'VersioningConfiguration',
  PutBucketTagging: 'Tagging', PutObjectTagging: 'Tagging', PutBucketCors: 'CORSConfiguration', PutBucketAcl: 'AccessControlPolicy',
  PutObjectAcl: 'AccessControlPolicy', PutBucketLifecycleConfiguration: 'LifecycleConfiguration', CreateBucket: 'CreateBucketConfiguration',
  PutPublicAccessBlock: 'PublicAccessBlockConfiguration', PutBucketOwnershipControls: 'OwnershipControls',
} // biome-ignore format: as a table

const values: Record<string, string> = { uploadId, partNumber: '1', 'list-type': '2' }
const s3Line = ({ method, path, query }: S3Operation, more = '') => {
  const asked = query.map((name) => `${name}=${values[name] ?? ''}`).join('&')
  return `${method} ${path}${asked || more ? '?' : ''}${[asked, more].filter(Boolean).join('&')}`
}

/** Documents for those that read one; all of them are parsed in the same way. */
const s3Bodies = ({ name, method }: S3Operation) => {
  if (['GET', 'HEAD', 'DELETE'].includes(method)) return []
  if (name === 'PutBucketPolicy') return [...shapes.anyJson(1024 * 1024 - 64), policyJson(bucket, orgId)]
  const root = roots[name]
  if (root === undefined) return ['x'.repeat(1024 * 1024)]
  return [...(name === 'DeleteObjects' ? shapes.xmlBodies(root) : []), ...shapes.xmlLists(root)]
}

test('nobody holds the event loop with a thousand objects, ten thousand parts or the largest settings', async () => {
  const requests: Request[] = []
  const keys = longKeys(1000)
  const document = (name: string, content: string) => `<${name}>${content}</${name}>`
  const named = keys.map((one) => document('Object', document('Key', one))).join('')
  requests.push({ line: `POST /${bucket}?delete`, body: document('Delete', named) })
  const settings = { policy: policyJson(bucket, orgId), cors: corsXml(), lifecycle: lifecycleXml(), tagging: taggingXml(50) }
  for (const [name, body] of Object.entries(settings)) requests.push({ line: `PUT /${bucket}?${name}`, body })
  for (const query of ['', 'list-type=2&encoding-type=url', 'versions', 'uploads', 'policy', 'cors', 'lifecycle', `prefix=a&delimiter=aa`])
    requests.push({ line: `GET /${bucket}?${query}` })
  const parts = Array.from({ length: 10_000 }, (_, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
  const ofParts: Request[] = [{ line: `GET /${bucket}/up?uploadId=${uploadId}` }]
  ofParts.push({ line: `POST /${bucket}/up?uploadId=${uploadId}`, body: document('CompleteMultipartUpload', parts.join('')) })
  const found: string[] = []
  for (const statements of [largestPolicy(), policyOfPatterns()]) {
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((Key) => s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))))
    assert.equal((await api(`PUT /buckets/${id}/policy`, { body: { statements } })).status, 200)
    const signed = [...requests, ...ofParts.splice(0)].map(({ line, body = '', headers = {} }) => asS3({ line, body, headers: { ...headers, ...md5Header(String(body)) } }, true))
    for (const request of signed) {
      const { ms, answers } = await longestTurn([request])
      assert.ok([200, 204].includes(answers[0]?.status ?? 0), `${request.what}: ${answers[0]?.text}`)
      if (ms > signedInMs && (await leastOfThree(request)) > signedInMs) found.push(request.what)
    }
  }
  assert.deepEqual(found, [])
}) // biome-ignore format: one line each

test('no stranger holds the event loop with a request to the S3 port', async () => {
  const found: string[] = []
  for (const operation of operationsAt(bucket, key)) {
    const line = s3Line(operation)
    const requests: Request[] = [
      ...[...shapes.credentials, ...shapes.headers, ...shapes.preflights].map((headers) => ({ line, headers })),
      ...shapes.queries(['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature', 'X-Amz-Date']).map((query) => ({ line: s3Line(operation, query) })),
      ...s3Bodies(operation).slice(0, 2).map((body) => ({ line, body })),
    ] // biome-ignore format: one line each
    found.push(...(await tooLong(requests.map((one) => asS3(one, false)), strangersMs))) // biome-ignore format: one line
  }
  const addresses = [`/${bucket}/key`, `/${owner}.${bucket}/key`, `/${owner}.${bucket}`]
  const others: Request[] = [
    ...shapes.multipartBodies().map((body) => ({ line: `POST /${bucket}`, headers: { 'content-type': shapes.multipartType }, body })),
    ...addresses.flatMap((path) => shapes.preflights.map((headers) => ({ line: `OPTIONS ${path}`, headers }))),
    ...addresses.flatMap((path) => [...shapes.headers, ...shapes.preflights].map((headers) => ({ line: `GET ${path}`, headers }))),
    ...shapes.paths.flatMap((text) => ['GET', 'PUT', 'OPTIONS'].map((method) => ({ line: `${method} /${owner}.${bucket}/${text}` }))),
    ...shapes.paths.map((text) => ({ line: `GET /${text}` })),
    ...shapes.paths.filter((text) => !/[\\%]/.test(text)).map((text) => ({ line: 'GET /', headers: { host: text } })),
  ] // biome-ignore format: one line each
  found.push(...(await tooLong(others.map((one) => asS3(one, false)), strangersMs))) // biome-ignore format: one line
  assert.deepEqual(found, [])
})

test('nobody holds the event loop with a signed request to the S3 port', async () => {
  const found: string[] = []
  const listed = [
    'prefix',
    'delimiter',
    'marker',
    'start-after',
    'key-marker',
    'continuation-token',
    'encoding-type',
    'max-keys',
  ]
  for (const operation of operationsAt(bucket, key)) {
    if (!operation.isImplemented) continue
    const line = s3Line(operation)
    const copied = operation.header ? { [operation.header]: `/${bucket}/${key}` } : {}
    const requests: Request[] = [
      ...shapes.headers.map((headers) => ({ line, headers: { ...copied, ...headers } })),
      ...(operation.method === 'GET' ? shapes.queries(listed).filter((text) => !text.includes('%')).map((query) => ({ line: s3Line(operation, query) })) : []),
      ...s3Bodies(operation).map((body) => ({ line, headers: { ...copied, ...md5Header(body) }, body })),
    ] // biome-ignore format: one line each
    found.push(...(await tooLong(requests.map((one) => asS3(one, true)), signedInMs))) // biome-ignore format: one line
  }
  assert.deepEqual(found, [])
})
