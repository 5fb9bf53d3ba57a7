import assert from 'node:assert/strict'
import { test } from 'node:test'
import aws4 from 'aws4'
import { boot } from '#test/support/boot.ts'
import { password } from '#test/support/factories.ts'
import { http2Client } from '#test/support/http2.ts'
import { certificate } from '#test/support/tls.ts'

// Over HTTP/2 the host is in a header of its own, which is signed as `host`.
const { ca, env } = await certificate()
const domain = 's3.example.org'
const system = await boot({ env: { ...env, S3_DOMAIN: domain } })
const storage = await http2Client(system.urls.storage, ca)
const s3 = await http2Client(system.urls.s3, ca)
const { host } = new URL(system.urls.s3)

const registered = await storage('POST /auth/register', {
  json: {
    ...{ organizationName: 'Org', organizationSlug: 'org', fullName: 'Owner', password },
    email: 'owner@example.com',
  },
})
assert.equal(registered.status, 201, registered.text)
const { accessKey, secretKey } = (
  await storage('POST /auth/api-keys', {
    headers: { authorization: `Bearer ${registered.body.token}` },
    json: { label: 's3' },
  })
).body

type Sent = { body?: string; signedHost?: string; headers?: Record<string, string>; signQuery?: boolean }
const send = async (
  line: string,
  { body, signedHost = host, headers = { ':authority': signedHost }, signQuery = false }: Sent = {},
) => {
  const [method = '', path = ''] = line.split(' ')
  const request = { service: 's3', region: 'eu-central-1', method, path, host: 'x', signQuery }
  const signed = aws4.sign(
    { ...request, headers: { Host: signedHost }, ...(body === undefined ? {} : { body }) },
    { accessKeyId: accessKey, secretAccessKey: secretKey },
  ) as { path: string; headers: Record<string, string> }
  const { Host: _, ...own } = signed.headers
  const lowered = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  return s3(`${method} ${signed.path}`, {
    headers: { ...lowered, ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

test('requests that are signed in headers or in the query are accepted over HTTP/2', async () => {
  assert.equal((await send('PUT /streams')).status, 200)
  assert.equal((await send('PUT /streams/a', { body: 'hello' })).status, 200)
  for (const signQuery of [false, true]) {
    const { status, text } = await send('GET /streams/a', { signQuery })
    assert.deepEqual([status, text], [200, 'hello'])
  }
  for (let times = 0; times < 2; times++) assert.equal((await send('GET /streams/a')).text, 'hello', 'from memory')
  const twice = await send('GET /streams/a', { headers: { ':authority': host, host } })
  assert.equal(twice.status, 200, 'the same host in both')
}) // biome-ignore format: one line

test('hosts name buckets over HTTP/2', async () => {
  const { status, text } = await send('GET /a', { signedHost: `streams.${domain}` })
  assert.deepEqual([status, text], [200, 'hello'])
})

test('a signature holds for the host that the request names, and for no other', async () => {
  const wrong: [string, Sent][] = [
    ['another host', { signedHost: 'elsewhere', headers: { ':authority': host } }],
    ['an empty host', { signedHost: '', headers: { ':authority': host } }],
    ['a host beside the authority', { signedHost: 'a', headers: { ':authority': 'b', host: 'a' } }],
    ['an authority beside the host', { signedHost: 'b', headers: { ':authority': 'b', host: 'a' } }],
  ]
  for (const [what, sent] of wrong)
    for (const signQuery of [false, true]) {
      const { status } = await send('GET /streams/a', { ...sent, signQuery })
      assert.ok(status === 400 || status === 403, `${what}: ${status}`)
    }
})

test('no service serves a request that names two hosts', async () => {
  const services = Object.entries(system.urls).filter(([, url]) => url)
  for (const [name, url] of services) {
    const client = await http2Client(url, ca)
    const { status } = await client('GET /', { headers: { ':authority': 'a', host: 'b' } })
    assert.equal(status, 400, name)
    client.close()
  }
})
