import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import aws4 from 'aws4'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'

// What a tenant has stored must not act in a browser, whichever way it is read: the hosts and ports of the consoles are near.
const system = await boot()
const owner = await s3Owner(system)
const { s3, api, token, credentials } = owner
const Bucket = 'pages'
await s3.send(new CreateBucketCommand({ Bucket, ACL: 'public-read' }))
const buckets = (await api('GET /buckets')).body as { id: string; name: string }[]
const bucketId = buckets.find(({ name }) => name === Bucket)?.id as string
await api(`PATCH /buckets/${bucketId}`, { body: { versioningEnabled: true } })

const types = {
  html: 'text/html',
  'html-odd': 'TeXt/HTML ; charset=utf-8',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  xhtml: 'application/xhtml+xml',
  pdf: 'application/pdf',
  unknown: 'application/x-unheard-of',
  empty: '',
  png: 'image/png',
}
const Body = '<script>document.title = "ran"</script>'
const versions: Record<string, string> = {}
for (const [Key, ContentType] of Object.entries(types)) {
  const { VersionId = '' } = await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }))
  versions[Key] = VersionId
}
const inParts = { Bucket, Key: 'parts' }
const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...inParts, ContentType: 'text/html' }))
const { ETag } = await s3.send(new UploadPartCommand({ ...inParts, UploadId, PartNumber: 1, Body }))
const Parts = [{ PartNumber: 1, ETag }]
await s3.send(new CompleteMultipartUploadCommand({ ...inParts, UploadId, MultipartUpload: { Parts } }))

const presigned = (path: string, method = 'GET') => {
  const { host } = new URL(system.urls.s3)
  const { accessKey: accessKeyId, secretKey: secretAccessKey } = credentials
  const request = { service: 's3', region: 'eu-central-1', method, host, path, signQuery: true }
  return system.urls.s3 + aws4.sign(request, { accessKeyId, secretAccessKey }).path
}

type Headers = Record<string, unknown>
const check = (headers: Headers, what: string) => {
  assert.equal(headers['content-security-policy'], 'sandbox', what)
  assert.equal(headers['x-content-type-options'], 'nosniff', what)
}
const read = async (url: string, init: RequestInit = {}, expected = 200) => {
  const response = await fetch(url, init)
  await response.arrayBuffer()
  assert.equal(response.status, expected, url)
  check(Object.fromEntries(response.headers), `${init.method ?? 'GET'} ${url}`)
  return response
}

test('whatever S3 answers is sandboxed: objects in all ways to read them, lists and refusals', async () => {
  const { slug } = owner.organization
  for (const key of [...Object.keys(types), 'parts']) {
    for (let times = 0; times < 3; times++) {
      const { status, headers } = await signedRequest(system, credentials, `GET /${Bucket}/${key}`)
      assert.equal(status, 200)
      check(headers, key)
    }
    const shown = `X-Amz-Expires=60&response-content-type=text%2Fhtml&response-content-disposition=inline`
    await read(presigned(`/${Bucket}/${key}?X-Amz-Expires=60`))
    await read(presigned(`/${Bucket}/${key}?${shown}`))
    await read(presigned(`/${Bucket}/${key}?X-Amz-Expires=60`, 'HEAD'), { method: 'HEAD' })
    await read(presigned(`/${Bucket}/${key}?X-Amz-Expires=60&partNumber=1`))
    if (versions[key]) await read(presigned(`/${Bucket}/${key}?X-Amz-Expires=60&versionId=${versions[key]}`))
    const anonymous = `${system.urls.s3}/${slug}.${Bucket}/${key}`
    const etag = (await read(anonymous)).headers.get('etag') as string
    await read(anonymous, { headers: { range: 'bytes=0-7' } }, 206)
    await read(anonymous, { headers: { 'if-none-match': etag } }, 304)
    await read(`${system.urls.s3}/%3Cscript%3E/${key}`, {}, 403)
  }
  for (const query of ['', 'versions', 'list-type=2&encoding-type=url', 'policy'])
    check((await signedRequest(system, credentials, `GET /${Bucket}?${query}`)).headers, query)
})

test('natively, objects are sandboxed in all ways to read them', async () => {
  const base = system.urls.storage
  const { key: apiKey } = (await api('POST /auth/api-keys', { body: { label: 'reader' } })).body
  for (const key of [...Object.keys(types), 'parts']) {
    const path = `${base}/buckets/${bucketId}/objects/${key}`
    const headers = { authorization: `Bearer ${token}` }
    for (let times = 0; times < 3; times++) await read(path, { headers: { 'x-api-key': apiKey } })
    await read(path, { headers })
    await read(`${path}?download=false`, { headers })
    await read(`${path}?download=true`, { headers })
    await read(path, { headers, method: 'HEAD' })
    await read(path, { headers: { ...headers, range: 'bytes=0-7' } }, 206)
    const shown = await read(`${base}/public/objects/${bucketId}/${key}?download=false`)
    const etag = shown.headers.get('etag') as string
    await read(`${base}/public/objects/${bucketId}/${key}`, { headers: { 'if-none-match': etag } }, 304)
    const { url } = (await api(`POST /buckets/${bucketId}/signed-url`, { body: { objectKey: key } })).body
    await read(`${url}&download=false`)
    await read(url, { method: 'HEAD' })
    if (!versions[key]) continue
    const body = { objectKey: key, versionId: versions[key] }
    const ofVersion = (await api(`POST /buckets/${bucketId}/signed-url`, { body })).body.url
    await read(`${ofVersion}&download=false`)
  }
})
