import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, storageOwner } from '#test/support/factories.ts'
import { headOf, sendAndReset } from '#test/support/sockets.ts'

type Line = { msg: string; method: string; url: string; status: number; ip: string | null }
const written: string[] = []
const log = createLogger({
  level: 'info',
  pretty: false,
  destination: { write: (line: string) => void written.push(line) },
})
const system = await boot({ log })
const { storage, inventory } = system

const requests = (method: string, url: string) =>
  written.map((line) => JSON.parse(line) as Line).filter((each) => each.method === method && each.url === url)
const logged = async (count: number, method: string, url: string) => {
  await until(`${count} requests are logged`, () => requests(method, url).length >= count)
  return requests(method, url)
}
const times = 20
const repeatedly = async (work: (n: number) => Promise<void>) => {
  for (let n = 0; n < times; n++) await work(n)
}

test('a request whose connection was reset is logged with its client address', async () => {
  await repeatedly(() => sendAndReset(storage.base, headOf('GET /buckets?from=reset', {})))
  for (const line of await logged(times, 'GET', '/buckets?from=reset')) {
    assert.equal(line.ip, '127.0.0.1')
    assert.equal(line.status, 401)
  }
})

test('requests that were reset are in the usage log of their API key and do not delay others', async () => {
  const { api } = await inventoryAdmin(system)
  const { api: other } = await inventoryAdmin(system)
  const keyOf = async (admin: typeof api) =>
    (await admin('POST /api/api-keys', { body: { name: 'k' } })).body.key as string
  const [mine, theirs] = [await keyOf(api), await keyOf(other)]
  const path = '/api/external/products'
  await repeatedly(() => sendAndReset(inventory.base, headOf(`GET ${path}`, { 'x-api-key': mine })))
  await logged(times, 'GET', path)
  for (const key of [mine, theirs])
    assert.equal((await inventory.with({ 'x-api-key': key })(`GET ${path}`)).status, 200)
  const used = async (admin: typeof api) => (await admin('GET /api/api-keys/logs/all?limit=100')).body.logs
  await until(
    'the requests are in the usage log',
    async () => (await used(api)).length > times && (await used(other)).length > 0,
  )
  for (const { ip_address } of await used(api)) assert.equal(ip_address, '127.0.0.1')
})

test('a deny by address applies to requests that were reset, and none is logged as successful', async () => {
  const { api, token } = await storageOwner(system)
  const bucketId = (await api('POST /buckets', { body: { name: 'guarded' } })).body.id as string
  const at = `/buckets/${bucketId}/objects/a.txt`
  await api(`PUT ${at}`, { raw: 'kept' })
  const statement = {
    effect: 'deny',
    action: 'object.delete',
    subjectType: 'role',
    subjectId: '*',
    resourceType: 'object',
    resourceId: '*',
    conditions: { ipCidr: '127.0.0.0/8' },
  }
  const put = await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [statement] } })
  assert.equal(put.status, 200, put.text)
  await repeatedly(() =>
    sendAndReset(storage.base, headOf(`DELETE ${at}`, { authorization: `Bearer ${token}` })),
  )
  for (const { status } of await logged(times, 'DELETE', at)) assert.equal(status, 403)
  assert.equal((await api(`GET ${at}`)).text, 'kept')
})

test('of requests that were reset, exactly those that created something are logged with 201', async () => {
  const { api, token } = await storageOwner(system)
  const before = requests('POST', '/buckets').length
  await repeatedly((n) => {
    const body = JSON.stringify({ name: `reset-${n}` })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    return sendAndReset(storage.base, headOf('POST /buckets', headers) + body)
  })
  const lines = (await logged(before + times, 'POST', '/buckets')).slice(before)
  const created = lines.filter(({ status }) => status === 201).length
  assert.equal((await api('GET /buckets')).body.length, created)
  for (const line of written) assert.doesNotMatch(line, /"msg":"request failed"/)
})
