import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { boot } from '#test/support/boot.ts'
import { md5Header, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { addMember } from '#test/support/storage.ts'
import {
  corsXml,
  largestLifecycle,
  largestPolicy,
  policyOfPatterns,
  taggingXml,
} from './hostile/documents.ts'

// What an organization may set is large, and it may have many buckets. Memory must not grow with both.

const buckets = 100
/** The caches of buckets and of lifecycle rules have about 25 MiB each; the rest is what V8 keeps at hand. */
const maxMebibytes = 80

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const mebibytesInUse = () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })
const { api, token, credentials, organization } = await s3Owner(system)
const member = await addMember(system, api, 'member')
const send = (line: string, more: object = {}) => signedRequest(system, credentials, line, more)

const metadata = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`x-amz-meta-${n}`, 'm'.repeat(480)]))
const nativeMetadata = Object.fromEntries(
  Array.from({ length: 4 }, (_, n) => [`x-meta-${n}`, 'm'.repeat(2_000)]),
)

const lifecycle = largestLifecycle()
const policies = [largestPolicy(), policyOfPatterns()]

/** Without comparing a document of a megabyte with its schema. */
const native = async (line: string, body?: object) => {
  const [method = '', path = ''] = line.split(' ')
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  const sent = body ? { body: JSON.stringify(body) } : {}
  const response = await fetch(system.urls.storage + path, { method, headers, ...sent })
  settled({ status: response.status, text: await response.text() })
}

const settled = (answer: { status: number; text: string }) => assert.ok(answer.status < 300, answer.text)

const make = async (n: number) => {
  const name = `largest-${n}`
  const created = await api('POST /buckets', {
    body: { name, visibility: 'public', versioningEnabled: true },
  })
  const { id } = created.body as { id: string }
  settled(created)
  const raw = 'x'.repeat(100)
  settled(await api(`PUT /buckets/${id}/objects/native`, { raw, headers: nativeMetadata }))
  settled(await send(`PUT /${name}/key`, { body: raw, headers: metadata }))
  const documents = { 'PUT cors': corsXml(), 'PUT tagging': taggingXml(50), 'PUT object': taggingXml(10) }
  for (const [which, body] of Object.entries(documents)) {
    const path = which === 'PUT object' ? `/${name}/key?tagging` : `/${name}?${which.slice(4)}`
    settled(await send(`PUT ${path}`, { body, headers: md5Header(body) }))
  }
  await native(`PUT /buckets/${id}/lifecycle`, lifecycle)
  settled(await api(`PUT /buckets/${id}/policy`, { body: { statements: policies[n % policies.length] } }))
  return { id, name }
}

/** Everything that has to look at the settings of a bucket. */
const use = async ({ id, name }: { id: string; name: string }) => {
  const { storage, s3 } = system.urls
  const preflight = {
    origin: 'http://page.example',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': Array.from({ length: 100 }, (_, n) => `x-${n}`).join(),
  }
  const answers = await Promise.all([
    fetch(`${storage}/public/objects/${id}/native`),
    fetch(`${s3}/${organization.slug}.${name}/key`, { headers: { origin: 'http://page.example' } }),
    fetch(`${s3}/${organization.slug}.${name}/key`, { method: 'OPTIONS', headers: preflight }),
  ])
  for (const answer of answers) assert.ok(answer.ok, `${answer.status} ${await answer.text()}`)
  for (const path of ['/key', '?list-type=2', '?versions', '?policyStatus', '?cors', '?lifecycle', '?tagging', '/key?tagging', '/key?attributes'])
    settled(await send(`GET /${name}${path}`, { headers: { 'x-amz-object-attributes': 'ETag' } }))
  for (const as of [api, member.api])
    for (const path of ['/objects?limit=100', '/objects/native', '', '/versions?objectKey=native', '/object-tags?objectKey=key'])
      settled(await as(`GET /buckets/${id}${path}`))
  settled(await api(`GET /buckets/${id}/policy`))
  await native(`GET /buckets/${id}/lifecycle`)
  const question = { action: 'object.read', objectKey: 'key', subjectType: 'role', subjectId: 'member', statements: policies[0] }
  settled(await api(`POST /buckets/${id}/policy/simulate`, { body: question }))
} // biome-ignore format: one line each

const useAll = async (made: readonly { id: string; name: string }[]) => {
  for (const bucket of made) await use(bucket)
  for (const as of [api, member.api]) {
    settled(await as('GET /buckets'))
    settled(await as('GET /events?limit=500'))
  }
  settled(await api('GET /audit-logs?limit=200'))
}

test('the largest settings in a hundred buckets take no more memory than the caches may have', { timeout: 300_000 }, async () => {
  for (let n = 0; n < 20; n++)
    settled(await api('POST /webhooks', { body: { url: `http://127.0.0.1:1999/${'w'.repeat(1_900)}${n}`, events: ['bucket.deleted'] } }))
  const first = await make(0)
  // What is loaded and compiled on first use.
  await useAll([first])
  await useAll([first])
  const before = mebibytesInUse()
  const made = [first]
  while (made.length < buckets) made.push(await make(made.length))
  await useAll(made)
  const once = mebibytesInUse()
  await useAll(made)
  const twice = mebibytesInUse()
  const grown = [once - before, twice - before].map(Math.round)
  assert.ok(Math.max(...grown) <= maxMebibytes, `${grown.join(' and ')} MiB`)
}) // biome-ignore format: one line each
