import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { client } from '#test/support/client.ts'
import { inventoryAdmin, publisher, storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { serveProcess } from './fixtures/trivet-process.ts'
import { ownConnection } from './fixtures/workers.ts'

// What is created for a request is garbage once it has been answered, and costs next to nothing if V8 still has it in its
// young generation by then. Each of these requests used to add 4,000 to 7,000 bytes to the old one (main.ts).
const mostBytes = 1_500
const connections = 8
const requests = 2_000
const maxRounds = 6
const timeout = 120_000

const server = await serveProcess({ TRIVET_DATA: await temporaryFolder('short-lived') })
after(() => server.stop())
const [storage, publishing, inventory] = [
  client(server.urls.storage),
  client(server.urls.publishing),
  client(server.urls.inventory),
]

const oldGeneration = async () => {
  const { text } = await storage('GET /metrics')
  const valueOfMetric = (metric: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${metric} `))
        ?.slice(metric.length) ?? 0,
    )
  return {
    bytes: valueOfMetric('nodejs_heap_space_size_used_bytes{space="old"}'),
    collections: valueOfMetric('nodejs_gc_duration_seconds_count{kind="major"}'),
  }
}

/**
 * By how many bytes the old generation grows with each request: the least of several rounds in which it was not collected,
 * because compiled code and caches stay there at first.
 */
const growth = async (send: (n: number) => Promise<number>, expected: number) => {
  let least = Number.POSITIVE_INFINITY
  let sent = 0
  for (let round = 1; round <= maxRounds && least > mostBytes; round++) {
    const before = await oldGeneration()
    assert.ok(before.bytes > 0)
    const sendInTurn = async () => {
      while (sent < round * requests) assert.equal(await send(sent++), expected)
    }
    await Promise.all(Array.from({ length: connections }, sendInTurn))
    const now = await oldGeneration()
    if (now.collections === before.collections) least = Math.min(least, (now.bytes - before.bytes) / requests)
  }
  return least
}

/** Sends each request over the next of several connections. */
const sender = (base: string, token: string) => {
  const all = Array.from({ length: connections }, () =>
    ownConnection(base, { authorization: `Bearer ${token}` }),
  )
  after(() => {
    for (const connection of all) connection.close()
  })
  return async (n: number, call: string, body: object) => (await all[n % connections]!(call, { body })).status
}

const leavesLittle = (bytes: number) =>
  assert.ok(bytes <= mostBytes, `${Math.round(bytes)} bytes for each request`)

test('uploads leave hardly anything in the old generation', { timeout }, async () => {
  const { api, token } = await storageOwner({ storage })
  const { body: bucket } = await api('POST /buckets', { body: { name: 'short-lived' } })
  const send = sender(storage.base, token)
  const content = { text: 'u'.repeat(4_000) }
  leavesLittle(await growth((n) => send(n, `PUT /buckets/${bucket.id}/objects/${n}`, content), 201))
})

test('posts leave hardly anything in the old generation', { timeout }, async () => {
  const { token } = await publisher({ publishing })
  const send = sender(publishing.base, token)
  leavesLittle(
    await growth((n) => send(n, 'POST /api/posts', { content: `A post with a #tag, number ${n}` }), 201),
  )
})

test('stock changes leave hardly anything in the old generation', { timeout }, async () => {
  const { api, token } = await inventoryAdmin({ inventory })
  const product = await api('POST /api/products', {
    body: { name: 'Product', sku: 'P-1', base_price: '10.00', cost_price: '5.00' },
  })
  assert.equal(product.status, 201, product.text)
  const { warehouses } = (await api('GET /api/warehouses')).body
  const change = { product_id: product.body.id, warehouse_id: warehouses[0].id, quantity: 1 }
  const send = sender(inventory.base, token)
  leavesLittle(await growth((n) => send(n, 'POST /api/inventory/adjust', change), 200))
})
