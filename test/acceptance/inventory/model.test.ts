import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

type Line = {
  id: number
  product: number
  quantity: number
  price: number
  reserved: number
  waiting: number
  fulfilled: number
  returned: number
}
type Placed = { id: number; warehouse: number; status: string; lines: Line[] }
type Row = { quantity: number; reserved: number }

/** What the contract says, in the plainest code: maps, loops, and one queue of orders. */
const model = () => {
  const rows = new Map<string, Row>()
  const orders: Placed[] = []
  const row = (product: number, warehouse: number) => {
    const key = `${product}/${warehouse}`
    if (!rows.has(key)) rows.set(key, { quantity: 0, reserved: 0 })
    return rows.get(key) as Row
  }
  const fill = (product: number, warehouse: number) => {
    const r = row(product, warehouse)
    for (const order of orders.filter((o) => o.warehouse === warehouse))
      for (const line of order.lines.filter((l) => l.product === product)) {
        const units = Math.min(line.waiting, r.quantity - r.reserved)
        line.waiting -= units
        line.reserved += units
        r.reserved += units
      }
  }
  return { rows, orders, row, fill }
}
type Model = ReturnType<typeof model>

const open = ['pending', 'paid', 'fulfilling']
const next: Record<string, string[]> = {
  pending: ['paid', 'fulfilling', 'cancelled'],
  paid: ['fulfilling', 'cancelled'],
  fulfilling: ['fulfilled', 'cancelled'],
  fulfilled: ['shipped'],
  shipped: [],
  cancelled: [],
}

const ship = (m: Model, order: Placed, asked: Map<Line, number>) => {
  const beyond = new Map<number, number>()
  for (const [line, units] of asked) {
    if (units > line.quantity - line.fulfilled) return false
    beyond.set(line.product, (beyond.get(line.product) ?? 0) + Math.max(0, units - line.reserved))
  }
  for (const [product, units] of beyond) {
    const r = m.row(product, order.warehouse)
    if (units > r.quantity - r.reserved) return false
  }
  for (const [line, units] of asked) {
    const r = m.row(line.product, order.warehouse)
    const own = Math.min(units, line.reserved)
    r.quantity -= units
    r.reserved -= own
    line.reserved -= own
    line.waiting -= units - own
    line.fulfilled += units
  }
  return true
}

const amount = fc.integer({ min: 1, max: 6 })
const which = fc.nat(20)
const step = fc.oneof(
  fc.record({
    do: fc.constant('adjust' as const),
    product: which,
    warehouse: which,
    units: fc.integer({ min: -8, max: 8 }).filter((n) => n !== 0),
  }),
  fc.record({ do: fc.constant('transfer' as const), product: which, warehouse: which, units: amount }),
  fc.record({
    do: fc.constant('order' as const),
    warehouse: which,
    lines: fc.array(fc.tuple(which, amount, fc.nat(999)), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    do: fc.constant('fulfil' as const),
    order: which,
    lines: fc.array(fc.tuple(which, amount), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ do: fc.constant('status' as const), order: which, to: fc.constantFrom(...Object.keys(next)) }),
  fc.record({ do: fc.constant('return' as const), order: which, line: which, units: amount }),
  fc.record({ do: fc.constant('policy' as const), to: fc.constantFrom('reject', 'backorder') }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const runStep = async (
  s: Shop,
  m: Model,
  world: { products: number[]; warehouses: number[]; policy: string },
  action: Step,
) => {
  const pick = <T>(list: T[], n: number) => list[n % list.length] as T
  if (action.do === 'adjust') {
    const [product, warehouse] = [
      pick(world.products, action.product),
      pick(world.warehouses, action.warehouse),
    ]
    const r = m.row(product, warehouse)
    const allowed = r.quantity + action.units >= r.reserved
    const { status } = await s.adjust(product, action.units, warehouse)
    assert.equal(status, allowed ? 200 : 400)
    if (allowed) r.quantity += action.units
    m.fill(product, warehouse)
  } else if (action.do === 'transfer') {
    const product = pick(world.products, action.product)
    const [from, to] = action.warehouse % 2 ? world.warehouses : [...world.warehouses].reverse()
    const source = m.row(product, from as number)
    const allowed = source.quantity - source.reserved >= action.units
    const body = { product_id: product, from_warehouse_id: from, to_warehouse_id: to, quantity: action.units }
    assert.equal((await s.api('POST /api/inventory/transfer', { body })).status, allowed ? 200 : 400)
    if (!allowed) return
    source.quantity -= action.units
    m.row(product, to as number).quantity += action.units
    m.fill(product, to as number)
  } else if (action.do === 'order') {
    const warehouse = pick(world.warehouses, action.warehouse)
    const lines = action.lines.map(([p, quantity, price]) => ({
      product: pick(world.products, p),
      quantity,
      price,
    }))
    const demand = new Map<number, number>()
    for (const l of lines) demand.set(l.product, (demand.get(l.product) ?? 0) + l.quantity)
    const free = (p: number) => m.row(p, warehouse).quantity - m.row(p, warehouse).reserved
    const allowed = world.policy === 'backorder' || [...demand].every(([p, units]) => units <= free(p))
    const answer = await s.order(
      lines.map((l) => [l.product, l.quantity, (l.price / 100).toFixed(2)]),
      { warehouse_id: warehouse },
    )
    assert.equal(answer.status, allowed ? 201 : 400, answer.text)
    if (!allowed) return
    const cents = lines.reduce((sum, l) => sum + l.quantity * l.price, 0)
    assert.equal(answer.body.total_amount, (cents / 100).toFixed(2))
    assert.equal(answer.body.order_number, `ORD-${String(m.orders.length + 1).padStart(6, '0')}`)
    const { items } = await s.read(answer.body.id)
    m.orders.push({
      id: answer.body.id,
      warehouse,
      status: 'pending',
      lines: lines.map((l, i) => {
        const reserved = Math.min(l.quantity, free(l.product))
        m.row(l.product, warehouse).reserved += reserved
        return { ...l, id: items[i].id, reserved, waiting: l.quantity - reserved, fulfilled: 0, returned: 0 }
      }),
    })
  } else if (action.do === 'policy') {
    world.policy = action.to
    await s.settings({ oversell_policy: action.to })
  } else if (m.orders.length > 0) {
    const order = pick(m.orders, action.order)
    if (action.do === 'fulfil') {
      const asked = new Map<Line, number>()
      for (const [l, units] of action.lines) {
        const line = pick(order.lines, l)
        asked.set(line, (asked.get(line) ?? 0) + units)
      }
      const done = open.includes(order.status) && ship(m, order, asked)
      const answer = await s.fulfil(
        order.id,
        action.lines.map(([l, units]) => [pick(order.lines, l).id, units]),
      )
      assert.equal(answer.status, done ? 200 : 400, answer.text)
      if (done)
        order.status = order.lines.every((l) => l.fulfilled === l.quantity) ? 'fulfilled' : 'fulfilling'
      if (done) assert.equal(answer.body.order_status, order.status)
    } else if (action.do === 'return') {
      const line = pick(order.lines, action.line)
      const done =
        ['fulfilling', 'fulfilled', 'shipped'].includes(order.status) &&
        action.units <= line.fulfilled - line.returned
      assert.equal((await s.giveBack(order.id, [[line.id, action.units]])).status, done ? 201 : 400)
      if (!done) return
      line.returned += action.units
      m.row(line.product, order.warehouse).quantity += action.units
      m.fill(line.product, order.warehouse)
    } else {
      let done = next[order.status]?.includes(action.to) ?? false
      if (done && action.to === 'fulfilled')
        done = ship(m, order, new Map(order.lines.map((l) => [l, l.quantity - l.fulfilled])))
      assert.equal((await s.status(order.id, action.to)).status, done ? 200 : 400)
      if (!done) return
      order.status = action.to
      if (action.to !== 'cancelled') return
      for (const line of order.lines) {
        const r = m.row(line.product, order.warehouse)
        r.reserved -= line.reserved
        r.quantity += line.fulfilled - line.returned
        Object.assign(line, { reserved: 0, waiting: 0, returned: line.fulfilled })
      }
      for (const line of order.lines) m.fill(line.product, order.warehouse)
    }
  }
}

const compare = async (s: Shop, m: Model) => {
  const { inventory } = (await s.api('GET /api/inventory?limit=1000')).body
  const stored = new Map(
    inventory.map((r: Record<string, number>) => [
      `${r.product_id}/${r.warehouse_id}`,
      { quantity: r.quantity, reserved: r.reserved_quantity },
    ]),
  )
  for (const [key, expected] of m.rows)
    assert.deepEqual(stored.get(key) ?? { quantity: 0, reserved: 0 }, expected, key)
  for (const order of m.orders) {
    const { status, items } = await s.read(order.id)
    assert.equal(status, order.status)
    assert.deepEqual(
      items.map((i: Record<string, number>) => [
        i.quantity_fulfilled,
        i.quantity_backordered,
        i.quantity_returned,
      ]),
      order.lines.map((l) => [l.fulfilled, l.waiting, l.returned]),
    )
  }
  await s.sound()
}

test('whatever is done in whatever order, stock and orders are as a plain model says', async () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const s = await shop(system)
      const world = {
        products: [await s.product(), await s.product()],
        warehouses: [s.main, await s.warehouse()],
        policy: 'backorder',
      }
      const m = model()
      for (const action of steps) await runStep(s, m, world, action)
      await compare(s, m)
    }),
    { numRuns: 12, seed, endOnFailure: true },
  )
})
