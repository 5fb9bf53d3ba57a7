import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createEventLog } from '#events/log.ts'
import { createStreams } from '#events/streams.ts'
import { boot } from '#test/support/boot.ts'
import { openEventStream } from '#test/support/event-stream.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'

const system = await boot()

type Stream = ReturnType<typeof openEventStream>
/** Which of these have been ended by the server. */
const watch = (streams: Stream[]) => {
  const ended = new Set<number>()
  for (const [n, stream] of streams.entries()) void stream.ended.then(() => ended.add(n))
  return ended
}
const openOneByOne = async (t: TestContext, count: number, open: () => Stream) => {
  const streams: Stream[] = []
  for (let n = 0; n < count; n++) {
    const stream = open()
    t.after(stream.close)
    streams.push(stream)
    assert.equal((await stream.opened).status, 200)
  }
  return streams
}
const first = (count: number) => new Set(Array.from({ length: count }, (_, n) => n))

test('strangers have 20 public streams for each address, and who opens more loses the oldest', async (t) => {
  const url = `${system.urls.publishing}/api/events?scope=public`
  const from = (address: string) => () => openEventStream(url, {}, address)
  const third = await openOneByOne(t, 1, from('127.0.0.4'))
  const [a, b] = [await openOneByOne(t, 25, from('127.0.0.2')), await openOneByOne(t, 20, from('127.0.0.3'))]
  const [endedA, endedB, endedThird] = [watch(a), watch(b), watch(third)]
  await until('the oldest have ended', () => endedA.size >= 5)
  const { api } = await publisher(system)
  await api('POST /api/posts', { body: { content: 'hello' } })
  for (const stream of [...a.slice(5), ...b, ...third]) await stream.until(1)
  assert.deepEqual([endedA, endedB, endedThird], [first(5), new Set(), new Set()])
})

test('an account has 50 streams, however many addresses it uses, and keeps nobody else from theirs', async (t) => {
  const [owner, other] = [await storageOwner(system), await storageOwner(system)]
  const { key } = (await owner.api('POST /auth/api-keys', { body: { label: 'k' } })).body
  const url = `${system.urls.storage}/events`
  const bystander = await openOneByOne(t, 1, () => openEventStream(url, { authorization: `Bearer ${other.token}` }))
  let n = 0
  const streams = await openOneByOne(t, 53, () => {
    const headers = n++ % 2 ? { 'x-api-key': key as string } : { authorization: `Bearer ${owner.token}` }
    return openEventStream(url, headers, `127.0.0.${2 + (n % 9)}`)
  })
  const [ended, others] = [watch(streams), watch(bystander)]
  await until('the oldest have ended', () => ended.size >= 3)
  await owner.api('POST /buckets', { body: { name: 'heard' } })
  for (const stream of streams.slice(3)) await stream.until(1)
  assert.deepEqual([ended, others], [first(3), new Set()])
}) // biome-ignore format: as a table

test('colleagues behind one address have their streams each', async (t) => {
  const { token, api } = await inventoryAdmin(system)
  const { body } = await api('POST /api/users', { body: { name: 'C', email: `c-${token.slice(-8)}@example.com`, password: 'correct horse', role: 'Staff' } })
  assert.ok(body, 'a colleague')
  const login = await system.inventory('POST /api/auth/login', { body: { email: `c-${token.slice(-8)}@example.com`, password: 'correct horse' } })
  const as = (mine: string) => () => openEventStream(`${system.urls.inventory}/api/events`, { authorization: `Bearer ${mine}` })
  const [mine, theirs] = [await openOneByOne(t, 30, as(token)), await openOneByOne(t, 30, as(login.body.token))]
  const ended = [watch(mine), watch(theirs)]
  await api('POST /api/products', { body: { name: 'P', sku: 'P-1', base_price: '1.00' } })
  for (const stream of [...mine, ...theirs]) await stream.until(1)
  assert.deepEqual(ended, [new Set(), new Set()])
}) // biome-ignore format: as a table

test('when a node is full, the address that has the most loses the oldest', async (t) => {
  const log = createEventLog('storage', system.platform, {} as never)
  const streams = createStreams(system.platform, {} as never, log, { max: 10 })
  let accounts = 0
  const server = createServer(async (req, res) => {
    // Whoever has many accounts gains nothing by them.
    const reader = { owner: 'x', account: String(accounts++) }
    const filter = { after: null, types: null, subject: null }
    const start = await streams.prepare(reader, filter)
    const address = req.socket.remoteAddress as string
    streams.begin({ res, headers: {}, reader, address, filter, identify: async () => reader, start })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    streams.close()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const from = (address: string) => () => openEventStream(url, {}, address)
  const modest = await openOneByOne(t, 3, from('127.0.0.2'))
  const greedy = await openOneByOne(t, 12, from('127.0.0.3'))
  const late = await openOneByOne(t, 1, from('127.0.0.4'))
  const [endedModest, endedGreedy, endedLate] = [watch(modest), watch(greedy), watch(late)]
  await until('the oldest have ended', () => endedGreedy.size >= 6)
  assert.equal(streams.size, 10)
  assert.deepEqual([endedModest, endedGreedy, endedLate], [new Set(), first(6), new Set()])
})
