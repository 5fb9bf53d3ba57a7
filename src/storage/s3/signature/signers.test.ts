import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignatureV4 } from '@smithy/signature-v4'
import aws4 from 'aws4'
import fc from 'fast-check'
import { Sha256 } from '#test/support/aws-hash.ts'
import type { SignedParts } from './canonical.ts'
import { presentedIn } from './presented.ts'
import { signingKeyOf, verifySignature } from './verify.ts'

// Independent signers sign odd requests, and the verifier has to accept all of them.
const credentials = { accessKeyId: 'obj_0123456789', secretAccessKey: 'secret/+=' }
const now = new Date('2026-11-16T05:00:00Z')

const awsSigner = new SignatureV4({
  credentials,
  region: 'eu-central-1',
  service: 's3',
  sha256: Sha256 as never,
  uriEscapePath: false,
  applyChecksum: true,
})

const verify = (parts: SignedParts) => {
  const presented = presentedIn(parts)
  assert.ok(presented)
  const signingKey = signingKeyOf(credentials.secretAccessKey, presented.scope)
  verifySignature(parts, presented, { signingKey, now })
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const encodePath = (path: string) => path.split('/').map(encode).join('/')
const encodeQuery = (query: Record<string, string>) =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

const asMap = (headers: Record<string, unknown>) =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [String(value)]]))

const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((some) => some.isWellFormed())
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
const request = fc.record({
  method: fc.constantFrom('GET', 'PUT', 'DELETE', 'HEAD'),
  path: fc
    .array(fc.oneof(text, fc.constantFrom('', '.', '..', '+', '%25', 'a b', 'ü', '~', '*')), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => `/${parts.join('/')}`),
  query: fc.dictionary(fc.oneof(name, fc.constantFrom('prefix', 'list-type', 'x y', 'A', 'Ä')), text, {
    maxKeys: 4,
    noNullPrototype: true,
  }),
  metadata: fc.dictionary(name, fc.stringMatching(/^[ -~]{0,20}$/), { maxKeys: 4, noNullPrototype: true }),
})
const metadataHeaders = (metadata: Record<string, string>) =>
  Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`x-amz-meta-${key}`, value]))

test('what the signer of the AWS SDK signs in headers is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, metadata }) => {
      const unsigned = {
        method,
        protocol: 'http:',
        hostname: 'localhost',
        path: encodePath(path),
        query,
        headers: { host: 'localhost:4004', 'content-type': 'text/plain', ...metadataHeaders(metadata) },
      }
      const { headers } = await awsSigner.sign(unsigned, { signingDate: now })
      verify({ method, path: unsigned.path, query: encodeQuery(query), headers: asMap(headers) })
    }),
    { numRuns: 300 },
  )
})

test('what the signer of the AWS SDK signs in a query is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query }) => {
      const unsigned = {
        method,
        protocol: 'http:',
        hostname: 'localhost',
        path: encodePath(path),
        query,
        headers: { host: 'localhost:4004', 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' },
      }
      const signed = await awsSigner.presign(unsigned, { signingDate: now, expiresIn: 60 })
      const search = encodeQuery(signed.query as Record<string, string>)
      verify({ method, path: unsigned.path, query: search, headers: asMap(signed.headers) })
    }),
    { numRuns: 200 },
  )
})

test('what aws4 signs is accepted', () => {
  fc.assert(
    fc.property(request, ({ method, path, query, metadata }) => {
      const search = encodeQuery(query)
      const signed = aws4.sign(
        {
          service: 's3',
          region: 'us-east-1',
          method,
          host: 'localhost:4004',
          path: `${encodePath(path)}${search ? `?${search}` : ''}`,
          headers: { 'X-Amz-Date': '20261116T050000Z', ...metadataHeaders(metadata) },
        },
        credentials,
      )
      verify({ method, path: encodePath(path), query: search, headers: asMap(signed.headers ?? {}) })
    }),
    { numRuns: 300 },
  )
})
