import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operationFor, operations } from './operations.ts'
import type { S3Request } from './request.ts'
import { parametersOf } from './signature/canonical.ts'

test('docs/s3-compatibility.md names every operation, and says which are supported', () => {
  const text = readFileSync('docs/s3-compatibility.md', 'utf8')
  const documented = [...text.matchAll(/^\| (\w+) \| (yes|no) \|/gm)].map(([, name, is]) => `${name} ${is}`)
  const existing = operations.map(({ name, run }) => `${name} ${run ? 'yes' : 'no'}`)
  assert.deepEqual(documented, existing)
})

test('each operation has a name of its own', () => {
  assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
})

test('a request is one operation, by its method, its path, its query and its headers', () => {
  const named = (line: string, headers: string[] = []) => {
    const [method = '', url = ''] = line.split(' ')
    const [path = '', query = ''] = url.split('?')
    const [, bucket = '', ...rest] = path.split('/')
    const request = {
      method,
      bucket,
      key: rest.join('/'),
      parameters: parametersOf(query),
      headers: new Map(headers.map((name) => [name, ['x']])),
    } as Partial<S3Request> as S3Request
    return operationFor(request).name
  }
  const expected: [string, string, string[]?][] = [
    ['GET /', 'ListBuckets'],
    ['GET /b', 'ListObjects'],
    ['GET /b/?list-type=2&prefix=a', 'ListObjectsV2'],
    ['GET /b?versions', 'ListObjectVersions'],
    ['GET /b?policyStatus', 'GetBucketPolicyStatus'],
    ['PUT /b', 'CreateBucket'],
    ['POST /b?delete', 'DeleteObjects'],
    ['GET /b/k', 'GetObject'],
    ['GET /b/k?x-id=GetObject', 'GetObject'],
    ['GET /b/k?partNumber=1', 'GetObject'],
    ['GET /b/k?uploadId=u', 'ListParts'],
    ['PUT /b/k', 'PutObject'],
    ['PUT /b/k', 'CopyObject', ['x-amz-copy-source']],
    ['PUT /b/k?partNumber=1&uploadId=u', 'UploadPart'],
    ['PUT /b/k?partNumber=1&uploadId=u', 'UploadPartCopy', ['x-amz-copy-source']],
    ['POST /b/k?uploads', 'CreateMultipartUpload'],
    ['POST /b/k?uploadId=u', 'CompleteMultipartUpload'],
    ['DELETE /b/k?uploadId=u', 'AbortMultipartUpload'],
    ['DELETE /b/k', 'DeleteObject'],
  ]
  for (const [line, name, headers] of expected) assert.equal(named(line, headers), name, line)
  assert.throws(() => named('POST /b/k'), { code: 'MethodNotAllowed' })
  assert.throws(() => named('PUT /'), { code: 'MethodNotAllowed' })
  assert.throws(() => named('PUT /b/k?uploadId=u'), { code: 'MethodNotAllowed' })
  assert.throws(() => named('PUT /b/k?partNumber=1'), { code: 'InvalidArgument' })
})
