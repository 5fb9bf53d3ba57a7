import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()

test('an order reserves what is in stock and backorders the rest', async () => {
  const s = await shop(system)
  const [a, b] = [await s.product(5), await s.product(0)]
  const placed = await s.order([
    [a, 3, 19.9],
    [b, 2, '0.05'],
  ])
  assert.equal(placed.status, 201, placed.text)
  const { id, created_at, ...rest } = placed.body
  assert.match(created_at, /Z$/)
  assert.deepEqual(rest, { order_number: 'ORD-000001', status: 'pending', total_amount: '59.80' })
  const order = await s.read(id)
  assert.equal(order.item_count, 2)
  assert.equal(order.channel, 'manual')
  assert.equal(order.warehouse_id, s.main)
  assert.deepEqual(
    order.items.map((i: Record<string, unknown>) => [
      i.quantity,
      i.unit_price,
      i.quantity_fulfilled,
      i.quantity_backordered,
    ]),
    [
      [3, '19.90', 0, 0],
      [2, '0.05', 0, 2],
    ],
  )
  assert.deepEqual(await s.stock(a), [5, 3])
  assert.deepEqual(await s.stock(b), [0, 0])
  await s.sound()
})

test('an order is paid, shipped in parts, shipped whole and returned', async () => {
  const s = await shop(system)
  const a = await s.product(10, { cost_price: '4.00' })
  const customer = (await s.created('POST /api/customers', { name: 'Ada' })).id
  const { id } = (
    await s.order(
      [
        [a, 4],
        [a, 2],
      ],
      { customer_id: customer },
    )
  ).body
  assert.deepEqual(await s.stock(a), [10, 6])
  const [first, second] = (await s.read(id)).items.map((i: { id: number }) => i.id)
  assert.equal((await s.status(id, 'paid')).status, 200)
  assert.deepEqual((await s.fulfil(id, [[first, 1]])).body, {
    message: 'Items fulfilled',
    fulfilled_items: 1,
    order_status: 'fulfilling',
  })
  assert.deepEqual(await s.stock(a), [9, 5])
  assert.equal((await s.fulfil(id, [[first, 4]])).status, 400)
  assert.deepEqual(await s.stock(a), [9, 5])
  assert.equal((await s.status(id, 'fulfilled')).status, 200)
  assert.deepEqual(await s.stock(a), [4, 0])
  assert.equal(
    (await s.status(id, 'cancelled')).body.error,
    'Cannot change status from fulfilled to cancelled',
  )
  assert.equal((await s.status(id, 'shipped')).status, 200)
  const back = await s.giveBack(id, [[second, 2]])
  assert.equal(back.status, 201, back.text)
  assert.deepEqual(back.body, { message: 'Items returned', returned_items: 1, order_status: 'shipped' })
  assert.equal((await s.giveBack(id, [[second, 1]])).status, 400)
  assert.deepEqual(await s.stock(a), [6, 0])
  const { total_orders, total_spent } = (await s.api(`GET /api/customers/${customer}`)).body
  assert.deepEqual([total_orders, total_spent], [1, '40.00'])
  const { movements } = (await s.api(`GET /api/inventory/movements?product_id=${a}`)).body
  assert.deepEqual(
    movements.map((m: Record<string, unknown>) => [m.movement_type, m.quantity, m.reference_id]),
    [
      ['return', 2, id],
      ['shipment', -2, id],
      ['shipment', -3, id],
      ['shipment', -1, id],
      ['adjustment', 10, null],
    ],
  )
  await s.sound()
})
