import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'

/** Behind one proxy. What is read again and again is answered from memory, and must be answered as by its route. */
type Line = { url: string; status: number; ip: string | null }
const lines: Line[] = []
const log = createLogger({
  level: 'info',
  pretty: false,
  destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
})
const system = await boot({ log, env: { TRUST_PROXY: '1', RATE_LIMITS: 'on' } })

/** What the proxy sends on of a client that tells of another address than its own. */
const proxied = (real: string, proto = 'https') => ({
  'x-forwarded-for': `198.51.100.66, ${real}`,
  'x-forwarded-proto': proto,
})

const owner = await storageOwner(system)
const bucketId = (await owner.api('POST /buckets', { body: { name: 'proxied' } })).body.id as string
const object = `/buckets/${bucketId}/objects/hot.txt`
await owner.api(`PUT ${object}`, { raw: 'hot' })
const { key } = (await owner.api('POST /auth/api-keys', { body: { label: 'k' } })).body
const writer = await publisher(system)
const post = (await writer.api('POST /api/posts', { body: { content: 'from memory' } })).body.data.post
const feed = `/api/users/${writer.handle}/feed.rss`

const answers = [
  ['a hot object', system.storage.with({ 'x-api-key': key }), object],
  ['a post', system.publishing, `/api/posts/${post.id}`],
  ['a feed', system.publishing, feed],
] as const

for (const [name, api, path] of answers) {
  test(`${name} that is in memory is refused if the proxy received the request over plain http`, async () => {
    for (let reads = 0; reads < 4; reads++)
      assert.equal((await api(`GET ${path}`, { headers: proxied('203.0.113.1') })).status, 200)
    const refused = await api(`GET ${path}`, { headers: proxied('203.0.113.1', 'http') })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /HTTPS is required/)
    assert.equal((await api(`GET ${path}`, { headers: proxied('203.0.113.1', 'https, http') })).status, 403)
  })

  test(`the log of ${name} from memory has the address that the proxy reports, not a forged one`, async () => {
    lines.length = 0
    for (let reads = 0; reads < 4; reads++) await api(`GET ${path}`, { headers: proxied('203.0.113.2') })
    await until('four reads are logged', () => lines.filter(({ url }) => url === path).length >= 4)
    for (const { ip } of lines.filter(({ url }) => url === path)) assert.equal(ip, '203.0.113.2')
  })
}

test('responses from memory count against the limit of the address that the proxy reports', async () => {
  const read = async (real: string, n: number) =>
    (
      await system.publishing(`GET /api/posts/${post.id}`, {
        headers: { 'x-forwarded-for': `198.51.100.${n % 250}, ${real}`, 'x-forwarded-proto': 'https' },
      })
    ).status
  for (let n = 0; n < 500; n++) assert.equal(await read('203.0.113.3', n), 200)
  assert.equal(await read('203.0.113.3', 0), 429)
  assert.equal(await read('203.0.113.4', 0), 200)
})

test('the audit log of a download from memory has the address that the proxy reports', async () => {
  const api = system.storage.with({ 'x-api-key': key })
  for (let reads = 0; reads < 4; reads++)
    assert.equal((await api(`GET ${object}`, { headers: proxied('203.0.113.5') })).status, 200)
  const from = async () => {
    const { body } = await owner.api('GET /audit-logs?action=object.downloaded&limit=200')
    return body.rows.map((row: { ip_address: string }) => row.ip_address) as string[]
  }
  const isLogged = async () => (await from()).filter((ip) => ip === '203.0.113.5').length >= 4
  await until('four downloads are in the audit log', isLogged)
  assert.ok(!(await from()).some((ip) => ip.startsWith('198.51.100.')))
})

test('the usage log of an API key has the address that the proxy reports', async () => {
  const { api } = await inventoryAdmin(system)
  const made = (await api('POST /api/api-keys', { body: { name: 'k' } })).body.key
  const headers = { ...proxied('203.0.113.6'), 'x-api-key': made }
  assert.equal((await system.inventory('GET /api/external/products', { headers })).status, 200)
  const used = async () => (await api('GET /api/api-keys/logs/all')).body.logs
  await until('the request is in the usage log', async () => (await used()).length > 0)
  assert.equal((await used())[0].ip_address, '203.0.113.6')
})

test('an address that is not a valid IP matches every deny by address and no allow', async () => {
  const { api, token } = await storageOwner(system)
  const id = (await api('POST /buckets', { body: { name: 'unknown-address' } })).body.id as string
  await api(`PUT /buckets/${id}/objects/a`, { raw: 'a' })
  const { id: member } = (await api('GET /auth/me')).body.user
  const statement = (effect: string, conditions: object) => ({
    effect,
    action: 'object.read',
    subjectType: 'user',
    subjectId: member,
    resourceType: 'object',
    resourceId: '*',
    conditions,
  })
  const read = async (address: string, ...statements: object[]) => {
    const put = await api(`PUT /buckets/${id}/policy`, { body: { statements } })
    assert.equal(put.status, 200, put.text)
    const headers = { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }
    return (await system.storage.bearer(token)(`GET /buckets/${id}/objects/a`, { headers })).status
  }
  for (const condition of ['ipCidr', 'notIpCidr']) {
    const deny = statement('deny', { [condition]: '10.0.0.0/8' })
    assert.equal(await read('nobody-knows', deny), 403, condition)
    assert.equal(await read('10.1.2.3', deny), condition === 'ipCidr' ? 403 : 200)
    assert.equal(await read('192.0.2.1', deny), condition === 'ipCidr' ? 200 : 403)
  }
})
