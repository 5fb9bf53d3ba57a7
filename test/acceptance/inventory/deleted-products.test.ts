import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

/** An order that is fulfilled, with its lines; nothing is open on its products any more. */
const shipped = async (s: Shop, lines: Parameters<Shop['order']>[0], more: object = {}) => {
  const { id } = (await s.order(lines, more)).body
  await s.status(id, 'fulfilling')
  assert.equal((await s.status(id, 'fulfilled')).status, 200)
  return { id, items: (await s.read(id)).items.map((item: { id: number }) => item.id) as number[] }
}
const drop = async (s: Shop, product: number) =>
  assert.equal((await s.api(`DELETE /api/products/${product}`)).status, 200)

const movementsOf = async (s: Shop, product: number) => {
  const { movements } = (await s.api(`GET /api/inventory/movements?product_id=${product}`)).body
  return movements.map((m: Record<string, unknown>) => [m.movement_type, m.quantity, m.notes])
}

test('units of a product that was deleted after shipping can be returned: they are refunded and written off', async () => {
  const s = await shop(system)
  const customer = (await s.created('POST /api/customers', { name: 'Ada' })).id
  const gone = await s.product(5, { sku: 'GONE', cost_price: '4.00' })
  const kept = await s.product(5, { cost_price: '1.00' })
  const order = await shipped(s, [[gone, 3, '9.99'], [kept, 2, '5.00']], { customer_id: customer }) // biome-ignore format: one line
  await drop(s, gone)
  const heir = await s.product(7, { sku: 'GONE' })

  const stranger = await shop(system)
  const [line, other] = order.items as [number, number]
  assert.equal((await stranger.giveBack(order.id, [[line, 1]])).status, 404)
  assert.equal((await s.giveBack(order.id, [[line, 4]])).status, 400)
  const back = await s.giveBack(order.id, [[line, 2], [other, 1]]) // biome-ignore format: one line
  assert.deepEqual([back.status, back.body.returned_items, back.body.order_status], [201, 2, 'fulfilled'])

  assert.equal((await s.read(order.id)).items[0].quantity_returned, 2)
  assert.deepEqual((await movementsOf(s, gone)).slice(0, 2), [
    ['adjustment', -2, 'Product deleted'],
    ['return', 2, null],
  ])
  assert.equal(await s.stock(gone), null)
  assert.deepEqual(await s.stock(kept), [4, 0])
  assert.deepEqual(await s.stock(heir), [7, 0])
  assert.equal((await s.api(`GET /api/customers/${customer}`)).body.total_spent, '14.99')
  const { summary } = (await s.api('GET /api/reports/financial')).body
  assert.deepEqual([summary.revenue, summary.cogs], ['14.99', '5.00'])
  assert.equal((await s.api('GET /api/inventory/summary')).body.total_stock_value, '4.00')

  assert.equal((await s.giveBack(order.id, [[line, 2]])).status, 400)
  assert.equal((await s.giveBack(order.id, [[line, 1]])).status, 201)
  await s.sound()
})

test('batches and serials of a deleted product can be returned and are written off', async () => {
  const s = await shop(system)
  const milk = await s.product(0, { tracking_type: 'batch' })
  const batch = await s.created('POST /api/batches', { product_id: milk, batch_number: 'B1', quantity: 4 })
  const phone = await s.product(0, { tracking_type: 'serial' })
  const serials = ['S1', 'S2', 'S3']
  await s.created('POST /api/serials/bulk', { product_id: phone, warehouse_id: s.main, serials })
  const order = await shipped(s, [[milk, 3], [phone, 2]]) // biome-ignore format: one line
  await drop(s, milk)
  await drop(s, phone)
  assert.equal((await s.giveBack(order.id, [[order.items[0]!, 2], [order.items[1]!, 1]])).status, 201) // biome-ignore format: one line
  const left = await system.sql`
    select quantity from inventory.batch_stock where tenant_id = ${s.tenant.id} and batch_id = ${batch.id}`
  assert.deepEqual([...left], [{ quantity: 0 }])
  const states = await system.sql`
    select serial_number, status from inventory.serials where tenant_id = ${s.tenant.id} order by 1`
  assert.deepEqual(
    states.map(({ status }) => status),
    ['sold', 'scrapped', 'scrapped'],
  )
  await s.sound()
})

test('returns during the deletion of their product all count, and nothing stays on hand', async () => {
  const s = await shop(system)
  for (let round = 0; round < 3; round++) {
    const product = await s.product(10)
    const order = await shipped(s, [[product, 8]])
    const [gone, ...backs] = await Promise.all([
      s.api(`DELETE /api/products/${product}`),
      ...Array.from({ length: 8 }, () => s.giveBack(order.id, [[order.items[0]!, 1]])),
    ])
    assert.equal(gone.status, 200)
    assert.deepEqual(new Set(backs.map(({ status }) => status)), new Set([201]))
    assert.equal(await s.stock(product), null)
  }
  await s.sound()
})
