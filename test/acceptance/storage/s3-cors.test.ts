import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import aws4 from 'aws4'
import { boot } from '#test/support/boot.ts'
import { md5Header, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { postForm, signedFields } from '#test/support/s3-form.ts'

const system = await boot()
const owner = await s3Owner(system)
const { s3, credentials } = owner
const { slug } = owner.organization
const Bucket = 'pages'
await s3.send(new CreateBucketCommand({ Bucket, ACL: 'public-read' }))
await s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'hello' }))
await s3.send(new CreateBucketCommand({ Bucket: 'plain' }))

type Rules = NonNullable<
  ConstructorParameters<typeof PutBucketCorsCommand>[0]['CORSConfiguration']
>['CORSRules']
const configure = (CORSRules: Rules, bucket = Bucket) =>
  s3.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules } }))
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })

const rules = [
  {
    ID: 'editors',
    AllowedOrigins: ['https://app.example.com', 'http://*.example.org'],
    AllowedMethods: ['PUT', 'GET'],
    AllowedHeaders: ['x-amz-*', 'Content-Type'],
    ExposeHeaders: ['ETag', 'x-amz-version-id'],
    MaxAgeSeconds: 600,
  },
  { AllowedOrigins: ['*'], AllowedMethods: ['GET', 'HEAD', 'POST'] },
]

const anonymous = `${system.urls.s3}/${slug}.${Bucket}/a`
const presigned = (method = 'GET', key = 'a') => {
  const { host } = new URL(system.urls.s3)
  const path = `/${Bucket}/${key}?X-Amz-Expires=60`
  const { accessKey: accessKeyId, secretKey: secretAccessKey } = credentials
  const request = { service: 's3', region: 'eu-central-1', method, host, path, signQuery: true }
  return system.urls.s3 + aws4.sign(request, { accessKeyId, secretAccessKey }).path
}

const ask = (url: string, origin: string, method: string, names = '') =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      ...(names === '' ? {} : { 'access-control-request-headers': names }),
    },
  })

test('a configuration is returned as it was put, and gone once it is deleted', async () => {
  await s3.send(new CreateBucketCommand({ Bucket: 'kept' }))
  await refused(s3.send(new GetBucketCorsCommand({ Bucket: 'kept' })), 'NoSuchCORSConfiguration')
  await configure(rules, 'kept')
  const { CORSRules } = await s3.send(new GetBucketCorsCommand({ Bucket: 'kept' }))
  assert.deepEqual(CORSRules, rules)
  await s3.send(new DeleteBucketCorsCommand({ Bucket: 'kept' }))
  await refused(s3.send(new GetBucketCorsCommand({ Bucket: 'kept' })), 'NoSuchCORSConfiguration')
  await refused(s3.send(new GetBucketCorsCommand({ Bucket: 'no-such-bucket' })), 'NoSuchBucket')
})

test('a configuration is valid up to the limits, and refused beyond them', async () => {
  const rule = { AllowedOrigins: ['*'], AllowedMethods: ['GET'] }
  await configure(Array(100).fill(rule), 'plain')
  await configure([{ ...rule, ID: 'x'.repeat(255), AllowedHeaders: ['*'], MaxAgeSeconds: 0 }], 'plain')
  const invalid: Rules[] = [
    Array(101).fill(rule),
    [{ ...rule, AllowedMethods: ['PATCH'] }],
    [{ ...rule, AllowedMethods: ['get'] }],
    [{ ...rule, AllowedOrigins: ['http://*.*.example.com'] }],
    [{ ...rule, AllowedHeaders: ['x-*-*'] }],
    [{ ...rule, ExposeHeaders: ['x-*'] }],
    [{ ...rule, ID: 'x'.repeat(256) }],
    [{ ...rule, AllowedOrigins: ['two words'] }],
  ]
  for (const bad of invalid) await refused(configure(bad, 'plain'), 'InvalidRequest')
  for (const bad of [[], [{ AllowedOrigins: ['*'], AllowedMethods: [] }], [{ AllowedOrigins: [], AllowedMethods: ['GET'] }]])
    await refused(configure(bad, 'plain'), 'MalformedXML')
  const body = '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>-1</MaxAgeSeconds></CORSRule></CORSConfiguration>'
  assert.equal((await signedRequest(system, credentials, 'PUT /plain?cors', { body, headers: md5Header(body) })).code, 'MalformedXML')
  await s3.send(new DeleteBucketCorsCommand({ Bucket: 'plain' }))
}) // biome-ignore format: as a table

test('preflights are answered by the first rule that fits, at anonymous and presigned addresses', async () => {
  await configure(rules)
  for (const url of [anonymous, presigned()]) {
    const editors = await ask(url, 'https://app.example.com', 'PUT', 'X-Amz-Date, content-type')
    assert.equal(editors.status, 200, await editors.text())
    const found = (name: string) => editors.headers.get(`access-control-${name}`)
    assert.equal(found('allow-origin'), 'https://app.example.com')
    assert.equal(found('allow-credentials'), null, 'nothing here is authorized by cookies')
    assert.equal(found('allow-methods'), 'PUT, GET')
    assert.equal(found('allow-headers'), 'X-Amz-Date, content-type')
    assert.equal(found('expose-headers'), 'ETag, x-amz-version-id')
    assert.equal(found('max-age'), '600')
    assert.match(editors.headers.get('vary') ?? '', /Origin/)
    const wild = await ask(url, 'http://sub.example.org', 'GET')
    assert.equal(wild.headers.get('access-control-allow-origin'), 'http://sub.example.org')
    const anybody = await ask(url, 'https://elsewhere.example', 'GET')
    assert.equal(anybody.headers.get('access-control-allow-origin'), '*')
    assert.equal(anybody.headers.get('access-control-allow-credentials'), null)
    const refusals = [
      ask(url, 'https://elsewhere.example', 'PUT'),
      ask(url, 'https://app.example.com', 'DELETE'),
      ask(url, 'https://app.example.com', 'PUT', 'authorization'),
      ask(url, 'https://app.example.com', 'PUT', 'content-type, authorization'),
      ask(url, 'https://elsewhere.example', 'GET', 'x-amz-date'),
    ]
    for (const response of await Promise.all(refusals)) {
      assert.equal(response.status, 403)
      assert.equal(response.headers.get('access-control-allow-origin'), null)
    }
  }
})

test('a preflight that does not say what it asks for is a bad request, wherever it is sent', async () => {
  await configure(rules)
  const origin = 'https://app.example.com'
  for (const url of [anonymous, presigned(), `${system.urls.s3}/unknown.bucket/a`])
    for (const [headers, message] of [
      [{}, 'Insufficient information. Origin request header needed.'],
      [{ 'access-control-request-method': 'GET' }, 'Insufficient information. Origin request header needed.'],
      [{ origin }, 'Invalid Access-Control-Request-Method: null'],
      [{ origin, 'access-control-request-method': 'BREW' }, 'Invalid Access-Control-Request-Method: BREW'],
    ] as [Record<string, string>, string][]) {
      const response = await fetch(url, { method: 'OPTIONS', headers })
      const text = await response.text()
      assert.equal(response.status, 400, text)
      assert.match(text, new RegExp(`<Code>BadRequest</Code><Message>${message}</Message>`))
      assert.equal(response.headers.get('access-control-allow-origin'), null)
    }
})

test('a preflight elsewhere is refused with 403, whether there is a bucket or not', async () => {
  await configure(rules)
  const { s3: url } = system.urls
  const credential = new URL(presigned()).searchParams.get('X-Amz-Credential') ?? ''
  const unknown = credential.replace(/^\w+/, 'obj_unknown')
  const places = [
    `${url}/${Bucket}/a`,
    `${url}/${slug}.plain/a`,
    `${url}/${slug}.missing/a`,
    `${url}/unknown.${Bucket}/a`,
    `${url}/`,
    `${url}/%00.${Bucket}/a`,
    `${url}/${Bucket}/a?X-Amz-Credential=${encodeURIComponent(unknown)}`,
    `${url}/${slug}.${Bucket}/a?X-Amz-Credential=${encodeURIComponent(credential)}`,
    `${url}/%00/a?X-Amz-Credential=${encodeURIComponent(credential)}`,
  ]
  for (const place of places) assert.equal((await ask(place, 'https://a.example', 'GET')).status, 403, place)
})

test('responses carry the headers of the rule if the origin fits, refusals too, and none otherwise', async () => {
  await configure(rules)
  const from = (url: string, origin: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { origin, ...init.headers } })
  const read = await from(anonymous, 'https://app.example.com')
  assert.equal(await read.text(), 'hello')
  assert.equal(read.headers.get('access-control-allow-origin'), 'https://app.example.com')
  assert.equal(read.headers.get('access-control-expose-headers'), 'ETag, x-amz-version-id')
  assert.match(read.headers.get('vary') ?? '', /Origin/)
  const signed = await from(presigned(), 'https://elsewhere.example')
  assert.deepEqual([signed.status, signed.headers.get('access-control-allow-origin')], [200, '*'])
  const put = presigned('PUT', 'b')
  const written = await from(put, 'https://app.example.com', { method: 'PUT', body: 'x' })
  assert.deepEqual(
    [written.status, written.headers.get('access-control-allow-origin')],
    [200, 'https://app.example.com'],
  )
  const foreign = await from(put, 'https://elsewhere.example', { method: 'PUT', body: 'x' })
  assert.deepEqual([foreign.status, foreign.headers.get('access-control-allow-origin')], [200, null])
  const forged = await from(presigned().replace('/a?', '/b?'), 'https://app.example.com')
  assert.deepEqual(
    [forged.status, forged.headers.get('access-control-allow-origin')],
    [403, 'https://app.example.com'],
  )
  const missing = await from(`${anonymous}-missing`, 'https://app.example.com')
  assert.deepEqual(
    [missing.status, missing.headers.get('access-control-allow-origin')],
    [404, 'https://app.example.com'],
  )
  const plain = await fetch(anonymous)
  assert.equal(plain.headers.get('access-control-allow-origin'), null)
  assert.equal(plain.headers.get('vary'), null)
})

test('a form that a page posts gets the headers of the bucket of its signer', async () => {
  await configure(rules)
  const fields = signedFields(credentials, [{ bucket: Bucket }, ['eq', '$key', 'form']], {
    now: system.clock.now(),
  })
  const plain = await postForm(system, Bucket, { key: 'form', ...fields })
  assert.deepEqual([plain.status, plain.headers.get('access-control-allow-origin')], [204, null])
  const form = new FormData()
  for (const [name, value] of Object.entries({ key: 'form', ...fields })) form.append(name, value)
  form.append('file', new Blob(['x']))
  const headers = { origin: 'https://elsewhere.example' }
  const posted = await fetch(`${system.urls.s3}/${Bucket}`, { method: 'POST', body: form, headers })
  assert.deepEqual([posted.status, posted.headers.get('access-control-allow-origin')], [204, '*'])
})

test('a page that asks for a great many headers is refused', async () => {
  await configure([{ AllowedOrigins: ['*'], AllowedMethods: ['GET'], AllowedHeaders: ['*'] }])
  const names = (count: number) => Array.from({ length: count }, (_, n) => `x-${n}`).join(',')
  assert.equal((await ask(anonymous, 'http://a.example', 'GET', names(100))).status, 200)
  assert.equal((await ask(anonymous, 'http://a.example', 'GET', names(101))).status, 403)
})
