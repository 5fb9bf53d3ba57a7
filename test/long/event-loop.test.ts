import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { md5Header } from '#test/support/s3-endpoint.ts'
import { sign } from '#test/support/s3-raw.ts'
import { operationsAt, type Place, routesAt, type S3Operation } from './hostile/routes.ts'
import { isSignedIn, s3Scene, type Visitor, visitors } from './hostile/scene.ts'
import * as shapes from './hostile/shapes.ts'
import { leastOfThree, longestTurn, type Sent } from './hostile/turns.ts'

// No request holds the event loop, and with it everybody else, whatever it is made of: a stranger's for 50 ms, and that of
// somebody who is signed in for 250 ms.

const strangersMs = 50
const signedInMs = 250

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })
const { urls } = system

type Request = { line: string; headers?: Record<string, string>; body?: string | Buffer }
type Named = Sent & { what: string }

const asSent = (url: string, { line, headers = {}, body = '' }: Request): Named => {
  const { port, host } = new URL(url)
  const all = { host, connection: 'close', ...headers, ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }) } // biome-ignore format: one line
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  const shown = `${line.slice(0, 120)} ${JSON.stringify(headers).slice(0, 160)} ${String(body).slice(0, 80)}`
  return { port: Number(port), bytes: Buffer.concat([head, Buffer.from(body)]), what: shown }
}

let sent = 0
const statuses = new Map<number, number>()

/** What holds the event loop for too long, of these. */
const tooLong = async (requests: readonly Named[], limitMs: number, together = 8) => {
  const found: string[] = []
  sent += requests.length
  for (let at = 0; at < requests.length; at += together) {
    const batch = requests.slice(at, at + together)
    const { ms, answers } = await longestTurn(batch)
    for (const [index, { status, text }] of answers.entries()) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const isOurs = status >= 500 && status !== 501 && status !== 505
      assert.ok(!isOurs, `${batch[index]?.what}: ${text}`)
    }
    if (ms <= limitMs) continue
    for (const request of batch) {
      if ((await longestTurn([request])).ms <= limitMs) continue
      const least = await leastOfThree(request)
      if (least > limitMs) found.push(`${Math.round(least)} ms: ${request.what}`)
    }
  }
  return found
}

const filled = (url: string, values: Record<string, string>) =>
  url.replace(/:(\w+)(?:\([^)]*\))?|\*/g, (all, name) => values[name ?? all] ?? values.id ?? '1')

/** What reaches a route before it is known who asks. */
const knocks = ({ method, url, body, isForm }: Place, { values }: Visitor): Request[] => {
  const line = `${method} ${filled(url, values)}`
  const json = { 'content-type': 'application/json' }
  const bodies =
    method === 'GET' || isForm ? [] : [...shapes.anyJson.slice(0, 3), ...shapes.jsonBodies(body).slice(0, 1)]
  return [
    ...shapes.credentials.map((headers) => ({ line, headers })),
    ...bodies.map((one) => ({ line, headers: json, body: one })),
  ]
}

/** Everything else that can be sent there. */
const attacksOn = ({ method, url, names, body, isForm }: Place, { values, token }: Visitor): Request[] => {
  const path = filled(url, values)
  const line = `${method} ${path}`
  const requests: Request[] = [
    ...shapes.headers.map((headers) => ({ line, headers })),
    ...shapes.queries(names).map((query) => ({ line: `${line}?${query}` })),
  ]
  if (path !== url)
    for (const text of shapes.paths)
      requests.push({ line: `${method} ${url.replace(/:(\w+)(?:\([^)]*\))?|\*/, () => text)}` })
  if (method === 'GET') return requests
  if (isForm) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const fields = Object.keys(body?.properties ?? {}).filter((name) => name !== 'token')
    for (const one of shapes.formBodies(fields))
      requests.push({ line, headers, body: `token=${token}&${one}` })
  } else
    for (const one of [...shapes.anyJson, ...shapes.jsonBodies(body)])
      requests.push({ line, headers: { 'content-type': 'application/json' }, body: one })
  return requests
}

const isOpen = async (service: keyof typeof urls, place: Place, { values }: Visitor) => {
  const { status } = await fetch(urls[service] + filled(place.url, values), {
    method: place.method,
    redirect: 'manual',
  })
  return status !== 401 && status !== 403
}

for (const service of (process.env.ONLY?.split(',') ?? ['storage', 'publishing', 'inventory']) as (
  | 'storage'
  | 'publishing'
  | 'inventory'
)[]) {
  const create = visitors(system)[service]
  const places = routesAt(urls[service])

  test(`no stranger holds the event loop with a request to ${service}`, async () => {
    const nobody = await create()
    assert.ok(places.length > 90, `${places.length} routes`)
    const found: string[] = []
    const t = performance.now()
    for (const place of places) {
      const attacks = (await isOpen(service, place, nobody)) ? attacksOn(place, nobody) : []
      const requests = [...knocks(place, nobody), ...attacks].map((one) => asSent(urls[service], one))
      found.push(...(await tooLong(requests, strangersMs)))
    }
    console.log(service, performance.now() - t, sent, [...statuses])
    assert.deepEqual(found, [])
  })

  test(`nobody who is signed in holds the event loop with a request to ${service}`, async () => {
    let visitor = await create()
    const found: string[] = []
    const t = performance.now()
    for (const place of places) {
      const own = place.isPage ? visitor.pages : visitor.api
      const requests = attacksOn(place, visitor).map((one) =>
        asSent(urls[service], { ...one, headers: { ...own, ...one.headers } }),
      )
      found.push(...(await tooLong(requests, signedInMs)))
      if (!(await isSignedIn(system, service, visitor))) visitor = await create()
    }
    console.log(service, performance.now() - t, sent, [...statuses])
    assert.deepEqual(found, [])
  })
}

const { signer, bucket, owner, uploadId } = await s3Scene(system)
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

const s3Bodies = ({ name, method }: S3Operation) =>
  method === 'GET' || method === 'HEAD' || method === 'DELETE'
    ? []
    : [...shapes.xmlBodies(roots[name] ?? 'Any'), ...(name === 'PutBucketPolicy' ? shapes.anyJson : [])]

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
  console.log('s3', sent, [...statuses])
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
  console.log('s3', sent, [...statuses])
  assert.deepEqual(found, [])
})
