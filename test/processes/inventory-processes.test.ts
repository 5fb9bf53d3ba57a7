import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Shop, shop } from '#test/acceptance/inventory/scene.ts'
import { cleanUp } from '#test/support/cleanup.ts'
import { type Answer, client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

const database = await freshDatabase()
cleanUp(() => database.drop())
const serve = async () => {
  const folder = await temporaryFolder('two')
  const process = await serveProcess({
    TRIVET_DATA: folder,
    TRIVET_SERVICES: 'inventory',
    TRIVET_SECRET: 'a secret that both processes know',
    DATABASE_URL: database.url,
  })
  return { ...process, inventory: client(process.urls.inventory) }
}
const [first, second] = await Promise.all([serve(), serve()])
cleanUp(() => Promise.all([first.stop(), second.stop('SIGKILL')]))

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))
const count = (answers: Answer[], status: number) => answers.filter((a) => a.status === status).length
/** The same tenant, through one process or the other in turn. */
const inTurn = (s: Shop) => {
  const apis = [s.api, second.inventory.bearer(s.token)] as const
  return (i: number) => apis[i % 2 ? 1 : 0]
}

test('two inventory processes, 200 concurrent orders for 50 units: exactly 50 succeed, numbered without a gap', async () => {
  const s = await shop(first)
  const product_id = await s.product(50)
  await s.settings({ oversell_policy: 'reject' })
  const api = inTurn(s)
  const body = { items: [{ product_id, quantity: 1, unit_price: '0.10' }] }
  const answers = await times(200, (i) => api(i)('POST /api/orders', { body }))
  assert.deepEqual([count(answers, 201), count(answers, 400)], [50, 150])
  const numbers = answers.filter((a) => a.status === 201).map((a) => a.body.order_number)
  assert.deepEqual(
    numbers.sort(),
    Array.from({ length: 50 }, (_, i) => `ORD-${String(i + 1).padStart(6, '0')}`),
  )
  assert.deepEqual(await s.stock(product_id), [50, 50])
  await s.sound()
})

test('two inventory processes, 50 concurrent fulfilments of one line: one takes effect', async () => {
  const s = await shop(first)
  const product = await s.product(5)
  const { id } = (await s.order([[product, 5]])).body
  const order_item_id = (await s.read(id)).items[0].id
  const api = inTurn(s)
  const body = { items: [{ order_item_id, quantity_fulfilled: 5 }] }
  const answers = await times(50, (i) => api(i)(`POST /api/orders/${id}/fulfill`, { body }))
  assert.deepEqual([count(answers, 200), count(answers, 400)], [1, 49])
  assert.deepEqual(await s.stock(product), [0, 0])
  await s.sound()
})

test('two inventory processes, concurrent transfers in opposite directions: all succeed, no unit is lost', async () => {
  const s = await shop(first)
  const away = await s.warehouse()
  const products = [await s.product(90), await s.product(90)]
  for (const p of products) await s.adjust(p, 90, away)
  const api = inTurn(s)
  const answers = await times(60, (i) => {
    const [from_warehouse_id, to_warehouse_id] = i % 2 ? [s.main, away] : [away, s.main]
    const body = { product_id: products[(i >> 1) % 2], from_warehouse_id, to_warehouse_id, quantity: 3 }
    return api(i >> 2)('POST /api/inventory/transfer', { body })
  })
  assert.equal(count(answers, 200), 60)
  for (const p of products)
    assert.deepEqual([await s.stock(p), await s.stock(p, away)], [[90, 0], [90, 0]]) // biome-ignore format: one line
  await s.sound()
})

test('kill -9 of one of two inventory processes: acknowledged orders are kept, others are complete or absent', async () => {
  const s = await shop(first)
  const products = [await s.product(500), await s.product(20)]
  const answered: { id: number; shipped: boolean }[] = []
  const clerk = async (api: Shop['api'], orders: number) => {
    for (let n = 0; n < orders; n++) {
      const items = products.map((product_id) => ({ product_id, quantity: 1, unit_price: '0.10' }))
      const placed = await api('POST /api/orders', { body: { items } })
      assert.equal(placed.status, 201, placed.text)
      const entry = { id: placed.body.id as number, shipped: false }
      if (answered.push(entry) === 30) void second.stop('SIGKILL')
      const line = (await api(`GET /api/orders/${entry.id}`)).body.items[0].id
      const body = { items: [{ order_item_id: line, quantity_fulfilled: 1 }] }
      entry.shipped = (await api(`POST /api/orders/${entry.id}/fulfill`, { body })).status === 200
    }
  }
  const doomed = second.inventory.bearer(s.token)
  const [survivors, victims] = await Promise.all([
    Promise.all([1, 2, 3].map(() => clerk(s.api, 12))),
    Promise.allSettled([1, 2, 3].map(() => clerk(doomed, 1000))),
  ])
  assert.equal(survivors.length, 3)
  assert.ok(victims.every(({ status }) => status === 'rejected'))

  for (const { id, shipped } of answered) {
    const order = await s.read(id)
    assert.equal(order.items.length, 2)
    if (shipped) assert.equal(order.items[0].quantity_fulfilled, 1)
  }
  const { total, orders } = (await s.api('GET /api/orders?limit=1')).body
  assert.ok(total >= answered.length)
  assert.equal(orders[0].order_number, `ORD-${String(total).padStart(6, '0')}`)
  await s.sound()
})
