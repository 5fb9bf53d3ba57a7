import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Shop, shop } from '#test/acceptance/inventory/scene.ts'
import { boot } from '#test/support/boot.ts'

const system = await boot()
const zones = ['UTC', 'Asia/Kathmandu', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'America/New_York']

const units = fc.integer({ min: 1, max: 7 })
const which = fc.nat(2)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('buy' as const), which, units, cost: fc.nat(999) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sell' as const), which, units, cost: fc.nat(999) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), which, units, cost: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), which, units, cost: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), which, units, cost: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), which, units, cost: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('zone' as const), which, units, cost: fc.nat(1) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type World = {
  s: Shop
  api: Shop['api']
  away: number
  products: number[]
  lines: [number, number][]
  since: string
}

const money = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

const signIn = async ({ email }: Shop) => {
  const body = { email, password: 'correct horse' }
  return system.inventory.bearer((await system.inventory('POST /api/auth/login', { body })).body.token)
}

/** Tries the step; what the service refuses, such as selling what is not there, is no less of a step. */
const run = async (w: World, { do: what, which: n, units: quantity, cost }: Step) => {
  const [product_id, other] = [w.products[n] as number, n % 2 ? w.away : w.s.main]
  const post = (path: string, body: object) => w.api(`POST /api${path}`, { body })
  if (what === 'wait') {
    system.clock.advance(quantity * 5 * 3_600_000)
    w.api = await signIn(w.s)
    // So that what is remembered of the days before has to be brought up to date later.
    await w.api(`GET /api/reports/cogs?from=${w.since}`)
  } else if (what === 'zone') await w.api('PATCH /api/settings', { body: { timezone: zones[quantity % 5] } })
  else if (what === 'drop') await w.api(`DELETE /api/products/${product_id}`)
  else if (what === 'move')
    await post('/inventory/transfer', {
      product_id,
      quantity,
      from_warehouse_id: w.s.main,
      to_warehouse_id: w.away,
    })
  else if (what === 'buy') {
    const supplier_id = (await post('/suppliers', { name: 'Any' })).body.id
    const items = [{ product_id, quantity, unit_cost: money(cost) }]
    const order = await post('/suppliers/purchase-orders', { supplier_id, warehouse_id: other, items })
    const received = { items: [{ product_id, quantity_received: quantity }] }
    await post(`/suppliers/purchase-orders/${order.body.id}/receive`, received)
  } else if (what === 'sell') {
    const items = [{ product_id, quantity, unit_price: money(cost) }]
    const { id } = (await post('/orders', { items, warehouse_id: other })).body
    if (id === undefined) return
    const line = (await w.api(`GET /api/orders/${id}`)).body.items[0].id
    w.lines.push([id, line])
    await w.api(`PATCH /api/orders/${id}/status`, { body: { status: 'fulfilling' } })
    const { status } = await w.api(`PATCH /api/orders/${id}/status`, { body: { status: 'fulfilled' } })
    if (status !== 200) await w.api(`PATCH /api/orders/${id}/status`, { body: { status: 'cancelled' } })
  } else if (w.lines.length > 0) {
    const [order, order_item_id] = w.lines[cost % w.lines.length] as [number, number]
    await post(`/orders/${order}/returns`, { items: [{ order_item_id, quantity }] })
  }
}

type Entry = { product_id: number; warehouse_id: number; balance: number; average_cost: string; day: string }

const cents = (quantity: number, cost: string) =>
  (BigInt(quantity) * BigInt(cost.replace('.', '')) + 5000n) / 10_000n

/** The value and the number of stock rows at the end of a day, counted from the movements alone. */
const recount = (ledger: readonly Entry[], day: string) => {
  const costs = new Map<number, string>()
  const rows = new Map<string, Entry>()
  for (const entry of ledger.filter((e) => e.day <= day)) {
    costs.set(entry.product_id, entry.average_cost)
    rows.set(`${entry.product_id}/${entry.warehouse_id}`, entry)
  }
  const held = [...rows.values()].filter(({ balance }) => balance > 0)
  const value = held.reduce((n, e) => n + cents(e.balance, costs.get(e.product_id) as string), 0n)
  return { total_value: `${value / 100n}.${String(value % 100n).padStart(2, '0')}`, total: held.length }
}

type Sale = { product_id: number; day: string; units: number; revenue: number; cogs: number }

const figures = (item: { product_id: number; quantity: number; revenue: string; cogs: string }) => [
  item.product_id,
  item.quantity,
  Number(item.revenue.replace('.', '')),
  Number(item.cogs.replace('.', '')),
]

/** What was sold by product up to a day, the most expensive first, counted from the ledger. */
const expectedSales = (sales: readonly Sale[], day: string) => {
  const sums = new Map<number, [number, number, number, number]>()
  for (const { product_id, units, revenue, cogs } of sales.filter((sale) => sale.day <= day)) {
    const [, u, r, c] = sums.get(product_id) ?? [0, 0, 0, 0]
    sums.set(product_id, [product_id, u + units, r + revenue, c + cogs])
  }
  return [...sums.values()].sort((a, b) => b[3] - a[3] || a[0] - b[0])
}

test('reports agree with the ledger after any sequence of operations on any day in any time zone', async () => {
  const steps = fc.array(step, { minLength: 12, maxLength: 26 })
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const s = await shop(system)
      const since = system.clock.now().toISOString().slice(0, 10)
      const products = [await s.product(3, { cost_price: '0.01' }), await s.product(), await s.product(1)]
      const w: World = { s, api: s.api, away: await s.warehouse(), products, lines: [], since }
      for (const [n, one] of list.entries()) {
        await run(w, one)
        if (n % 9 === 4)
          await system.sql`select inventory.fold_valuation_changes(), inventory.fold_sales_changes()`
      }
      assert.deepEqual((await w.api('GET /api/inventory/verify')).body, { ok: true, findings: [] })

      const ledger = await system.sql<Entry[]>`
        select product_id, warehouse_id, balance, average_cost,
          ((m.created_at at time zone t.timezone)::date)::text as day
        from inventory.movements m join inventory.tenants t on t.id = m.tenant_id
        where m.tenant_id = ${s.tenant.id} order by m.created_at, m.id`
      const sales = await system.sql<Sale[]>`
        select product_id, day::text, units, (revenue * 100)::bigint as revenue, (cogs * 100)::bigint as cogs
        from inventory.sales_in_ledger where tenant_id = ${s.tenant.id}`
      const days = [...new Set(ledger.map(({ day }) => day))]
      for (const day of ['2020-01-01', ...days]) {
        const report = (await w.api(`GET /api/reports/inventory?as_of=${day}`)).body
        const { total_value, total } = report
        assert.deepEqual({ total_value, total }, recount(ledger, day), day)
        assert.equal(report.items.length, total)
        const sum = report.items.reduce(
          (n: bigint, item: { total_value: string }) => n + BigInt(item.total_value.replace('.', '')),
          0n,
        )
        assert.equal(sum, BigInt(total_value.replace('.', '')))
        if (day < days[0]!) continue
        const cogs = (await w.api(`GET /api/reports/cogs?from=${days[0]}&to=${day}`)).body
        const { summary } = (await w.api(`GET /api/reports/financial?from=${days[0]}&to=${day}`)).body
        assert.equal(cogs.total_cogs, summary.cogs)
        assert.deepEqual(cogs.items.map(figures), expectedSales(sales, day))
        const second = (await w.api(`GET /api/reports/cogs?from=${days[0]}&to=${day}&limit=1&page=2`)).body
        assert.deepEqual([second.items, second.total], [cogs.items.slice(1, 2), cogs.items.length])
      }
    }),
    { numRuns: 6, endOnFailure: true },
  )
})
