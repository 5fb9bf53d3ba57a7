import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { type Shop, shop } from '#test/acceptance/inventory/scene.ts'
import { client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { openEventStream } from '#test/support/event-stream.ts'
import { eventually, until } from '#test/support/eventually.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { postmasterPid } from '#test/support/postmaster.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { headOf, rawConnection } from '#test/support/sockets.ts'
import { serveProcess } from './fixtures/trivet-process.ts'
import { workersOf } from './fixtures/workers.ts'

type Event = { id: string; type: string; subject: string }
type Receiver = Awaited<ReturnType<typeof startReceiver>>

const serve = async (t: TestContext, env: Record<string, string>) => {
  const process = await serveProcess({
    TRIVET_SERVICES: 'inventory',
    WEBHOOKS_ALLOW_PRIVATE: 'on',
    TRIVET_SECRET: 'a secret that both processes know',
    ...env,
  })
  t.after(() => process.stop('SIGKILL'))
  return { ...process, inventory: client(process.urls.inventory) }
}

const allEvents = async (api: Shop['api'], types: string) => {
  const events: Event[] = []
  for (let after = ''; ; ) {
    const { status, body, text } = await api(`GET /api/events?limit=500&types=${types}${after}`)
    assert.equal(status, 200, text)
    events.push(...body.events)
    if (body.events.length < 500) return events
    after = `&after=${body.next}`
  }
}

/** Every event arrived, and no event of a subject before an earlier one of it. */
const assertComplete = (receiver: Receiver, events: Event[]) => {
  const first = new Map<string, Event>()
  for (const { body } of receiver.received) if (!first.has(body.id)) first.set(body.id, body)
  assert.deepEqual([...first.keys()].sort(), events.map(({ id }) => id).sort())
  const last = new Map<string, string>()
  for (const { id, subject } of first.values()) {
    assert.ok((last.get(subject) ?? '') < id, `${id} of ${subject} came late`)
    last.set(subject, id)
  }
}

test('a node is killed while events are delivered: the other delivers all of them, in the order of each subject', {
  timeout: 180_000,
}, async (t) => {
  const database = await freshDatabase()
  t.after(() => database.drop())
  const start = async () =>
    serve(t, { TRIVET_DATA: await temporaryFolder('node'), DATABASE_URL: database.url })
  const [first, second] = [await start(), await start()]
  const receiver = await startReceiver(t)
  receiver.respond((res) => setTimeout(() => res.writeHead(200).end(), 20))
  const s = await shop(first)
  const api = second.inventory.bearer(s.token)
  const products = [await s.product(), await s.product(), await s.product(), await s.product()]
  await s.created('POST /api/webhooks', { url: receiver.url, types: ['stock.changed'] })
  const adjust = (n: number) =>
    api('POST /api/inventory/adjust', {
      body: { product_id: products[n % products.length], warehouse_id: s.main, quantity: 1 },
    })
  for (let n = 0; n < 120; n++) {
    assert.equal((await adjust(n)).status, 200)
    if (n === 60) await first.stop('SIGKILL')
  }
  const events = await allEvents(api, 'stock.changed')
  assert.equal(events.length, 120)
  await eventually(() => assertComplete(receiver, events), { withinMs: 90_000, everyMs: 200 })
  assert.deepEqual((await api('GET /api/inventory/verify')).body, { ok: true, findings: [] })
})

test('database and server are killed in between: what was answered is an event, and each is delivered', {
  timeout: 240_000,
}, async (t) => {
  const dataDir = await temporaryFolder('events')
  const receiver = await startReceiver(t)
  let node = await serve(t, { TRIVET_DATA: dataDir })
  const s = await shop(node)
  await s.created('POST /api/webhooks', { url: receiver.url, types: ['product.created'] })
  const made: number[] = []
  const unsure: string[] = []
  const write = async (from: number, to: number) => {
    const api = node.inventory.bearer(s.token)
    for (let n = from; n < to; n++) {
      const body = { name: `P${n}`, sku: `P-${n}`, base_price: '1.00' }
      const answer = await api('POST /api/products', { body }).catch(() => null)
      if (answer?.status === 201) made.push(answer.body.id)
      else unsure.push(body.sku)
    }
  }
  await Promise.all([
    write(0, 40),
    eventually(() => assert.ok(made.length > 10)).then(async () =>
      process.kill(await postmasterPid(dataDir), 'SIGKILL'),
    ),
  ])
  await eventually(async () => assert.equal((await node.inventory('GET /readyz')).status, 200), {
    withinMs: 60_000,
  })
  const before = made.length
  await Promise.all([
    write(40, 80),
    eventually(() => assert.ok(made.length > before + 10)).then(() => node.stop('SIGKILL')),
  ])
  node = await serve(t, { TRIVET_DATA: dataDir })
  await write(80, 90)
  const api = node.inventory.bearer(s.token)
  const events = await allEvents(api, 'product.created')
  const told = new Set(events.map(({ subject }) => Number(subject.slice('product/'.length))))
  for (const id of made) assert.ok(told.has(id), `product ${id} has no event`)
  const { products } = (await api('GET /api/products?limit=200')).body
  assert.deepEqual(
    [...told].sort(),
    products.map(({ id }: { id: number }) => id).sort(),
    'no event without its change',
  )
  await eventually(() => assertComplete(receiver, events), { withinMs: 90_000, everyMs: 200 })
})

const residentMiB = async (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test('with several workers every stream gets each event once, events are not kept for readers who do not read, and SIGTERM ends all with a hint', {
  timeout: 180_000,
}, async (t) => {
  const node = await serve(t, { TRIVET_DATA: await temporaryFolder('workers'), TRIVET_WORKERS: '2' })
  const s = await shop(node)
  const headers = { authorization: `Bearer ${s.token}`, accept: 'text/event-stream' }
  const streams = Array.from({ length: 8 }, () =>
    openEventStream(`${node.urls.inventory}/api/events`, headers),
  )
  await Promise.all(streams.map(({ opened }) => opened))
  const lazy = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = await rawConnection(node.urls.inventory)
      socket.write(headOf('GET /api/events', headers))
      await new Promise<void>((resolve) => socket.once('data', () => resolve()))
      return socket.pause()
    }),
  )
  t.after(() => lazy.forEach((socket) => void socket.destroy()))
  const workers = await workersOf(node.pid)
  assert.equal(workers.length, 2)
  const memory = async () => (await Promise.all(workers.map(residentMiB))).reduce((sum, mib) => sum + mib)
  const before = await memory()
  let count = 0
  for (let n = 0; n < 3; n++) {
    const lines = Array.from({ length: 300 }, () => `S${++count},P${count},1.00,${'x'.repeat(9_000)}`)
    const raw = ['sku,name,base_price,description', ...lines].join('\n')
    const answer = await s.api('POST /api/products/import', { raw, headers: { 'content-type': 'text/csv' } })
    assert.equal(answer.status, 200, answer.text)
  }
  // 40 readers × 8 MB, if they were kept for them.
  for (const stream of streams) await stream.until(count, 60_000)
  const grown = (await memory()) - before
  assert.ok(grown < 250, `${grown} MiB more`)
  const { events } = (await s.api('GET /api/events?limit=500')).body
  const ids = (list: { id: string }[]) => list.map(({ id }) => id)
  for (const { received } of streams) {
    assert.deepEqual(ids(received.slice(0, 500)), ids(events))
    assert.equal(new Set(ids(received)).size, count)
  }
  const stopped = node.stop()
  await until('all streams have ended', () => streams.every(({ other }) => other.length > 1))
  for (const { other, ended } of streams) {
    await ended
    assert.match(other.at(-1)!, /^retry: \d+$/)
  }
  assert.equal((await stopped).code, 0)
})
