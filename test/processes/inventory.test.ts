import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shop } from '#test/acceptance/inventory/scene.ts'
import { client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

/** `trivet serve` with an embedded database. */
const serve = async (dataDir: string) => {
  const { urls, stop } = await serveProcess({ TRIVET_DATA: dataDir, TRIVET_SERVICES: 'inventory' })
  return { inventory: client(urls.inventory), stop }
}

test('after kill -9 during orders, shipments and counts nothing acknowledged is lost, no count is posted in part, and verify finds nothing', async () => {
  const dataDir = await temporaryFolder('kill')
  let node = await serve(dataDir)
  const s = await shop(node)
  const products = [await s.product(300), await s.product(5), await s.product(40)]
  const answered: { id: number; number: string; shipped: boolean }[] = []
  const shelf: number[] = []
  for (let n = 0; n < 12; n++) shelf.push(await s.product(10))
  const counts: { id: number; posted: boolean }[] = []

  for (let round = 0; round < 2; round++) {
    const api = node.inventory.bearer(s.token)
    let alive = true
    const clerk = async (n: number) => {
      for (let i = 0; alive; i++) {
        const items = products.map((product_id, k) => ({
          product_id,
          quantity: 1 + ((n + i + k) % 2),
          unit_price: '0.10',
        }))
        const placed = await api('POST /api/orders', { body: { items } })
        assert.equal(placed.status, 201, placed.text)
        const entry = { id: placed.body.id, number: placed.body.order_number, shipped: false }
        answered.push(entry)
        const { items: lines } = (await api(`GET /api/orders/${entry.id}`)).body
        const body = { items: [{ order_item_id: lines[0].id, quantity_fulfilled: 1 }] }
        entry.shipped = (await api(`POST /api/orders/${entry.id}/fulfill`, { body })).status === 200
        await api('POST /api/inventory/adjust', {
          body: { product_id: products[n % 3], warehouse_id: s.main, quantity: 2 },
        })
      }
    }
    /** Each count finds one unit more of everything. */
    const counter = async () => {
      while (alive) {
        const { id } = (await api('POST /api/counts', { body: {} })).body
        const entry = { id, posted: false }
        counts.push(entry)
        const { inventory } = (await api('GET /api/inventory?limit=200')).body
        const entries = inventory
          .filter(({ product_id }: { product_id: number }) => shelf.includes(product_id))
          .map(({ product_id, quantity }: { product_id: number; quantity: number }) => ({
            product_id,
            quantity: quantity + 1,
          }))
        await api(`POST /api/counts/${id}/entries`, { body: { entries } })
        await api(`PATCH /api/counts/${id}/status`, { body: { status: 'review' } })
        const posted = await api(`PATCH /api/counts/${id}/status`, { body: { status: 'posted' } })
        entry.posted = posted.status === 200
      }
    }
    const counting = counter().catch((error) => assert.ok(!alive, String(error)))
    const clerks = Array.from({ length: 8 }, (_, n) =>
      clerk(n).catch((error) => assert.ok(!alive, String(error))),
    )
    await until(
      '20 more orders are answered, and 3 more counts',
      () => answered.length >= (round + 1) * 20 && counts.filter((c) => c.posted).length >= (round + 1) * 3,
    )
    alive = false
    await node.stop('SIGKILL')
    await Promise.all([counting, ...clerks])
    node = await serve(dataDir)
  }

  const api = node.inventory.bearer(s.token)
  assert.deepEqual((await api('GET /api/inventory/verify')).body, { ok: true, findings: [] })
  for (const { id, number, shipped } of answered) {
    const order = (await api(`GET /api/orders/${id}`)).body
    assert.equal(order.order_number, number)
    if (shipped) assert.equal(order.items[0].quantity_fulfilled, 1)
  }
  const whole: number[] = []
  for (const { id, posted } of counts) {
    const { status } = (await api(`GET /api/counts/${id}`)).body
    if (posted) assert.equal(status, 'posted')
    if (status === 'posted') whole.unshift(id)
  }
  for (const product of shelf) {
    const { movements } = (await api(`GET /api/inventory/movements?product_id=${product}&limit=200`)).body
    const references = movements.map((movement: { reference_id: number | null }) => movement.reference_id)
    assert.deepEqual(
      references,
      [...whole, null],
      'each count that is posted moved every product, and no other did',
    )
  }
  const { total, orders } = (await api('GET /api/orders?limit=1')).body
  assert.ok(total >= answered.length)
  assert.equal(orders[0].order_number, `ORD-${String(total).padStart(6, '0')}`)
  await node.stop('SIGTERM')
})
