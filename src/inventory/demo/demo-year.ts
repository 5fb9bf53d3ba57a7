import type { Report } from '#platform/progress.ts'
import type { Inventory, Principal } from '../context.ts'
import {
  createOrder,
  fulfilOrder,
  changeStatus as moveOrder,
  readOrder,
  returnItems,
} from '../orders/orders.ts'
import { createPurchaseOrder, changeStatus as movePurchase, receive } from '../purchasing/purchasing.ts'
import { foldSums } from '../stock/stock.ts'
import { createSupplier } from '../suppliers/suppliers.ts'
import type { Item } from './shelf.ts'

const dayMs = 86_400_000
const weeks = 52
/** Spring for the garden, and the weeks before Christmas for everything. */
const ordersPerWeek = [5, 5, 7, 9, 11, 9, 7, 6, 7, 9, 13, 16]
/** What sells best in a month: the index of a category. */
const favourites = [3, 0, 1, 1, 1, 1, 0, 3, 0, 2, 2, 2]

const merchants = [
  { name: 'Hollis Kitchenware', email: 'orders@hollis.example', payment_terms: 'Net 30', lead_time_days: 10 },
  {
    name: 'Greenfold Garden Supply',
    email: 'sales@greenfold.example',
    payment_terms: 'Net 14',
    lead_time_days: 5,
  },
  { name: 'Ardent Home', email: 'hello@ardent.example', payment_terms: 'Net 30', lead_time_days: 21 },
  { name: 'Colline Foods', email: 'ciao@colline.example', payment_terms: 'Prepaid', lead_time_days: 7 },
]

/** The same service at another time. */
export const at = (ctx: Inventory, moment: Date): Inventory => ({ ...ctx, clock: { now: () => moment } })

/** Numbers that look random and are the same each time. */
const dice = (seed: number) => (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}

const plus = (moment: Date, days: number) => new Date(moment.getTime() + days * dayMs)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

type Shop = {
  me: Principal
  shelf: readonly Item[]
  products: readonly number[]
  customers: readonly number[]
  busy: number
}
type Year = Shop & { sold: number[]; roll: (below: number) => number; suppliers: readonly number[] }

/** The stoneware bowl is sold out all year. */
const soldOut = 5

const pick = ({ roll, shelf }: Pick<Year, 'roll' | 'shelf'>, month: number) => {
  const favourite = shelf.flatMap(([, , category], n) => (category === favourites[month] ? [n] : []))
  return roll(3) > 0 ? roll(shelf.length) : favourite[roll(favourite.length)]!
}

const mondaysFrom = (start: Date) => Array.from({ length: weeks }, (_, week) => plus(start, 7 * week))

/** Week by week: the suppliers deliver what was sold, customers order, and a few send something back. */
export const liveThroughAYear = async (ctx: Inventory, shop: Shop, report: Report) => {
  const { me, shelf } = shop
  const suppliers: number[] = []
  const roll = dice(2026)
  const start = plus(ctx.clock.now(), -364)
  for (const merchant of merchants) suppliers.push((await createSupplier(at(ctx, start), me, merchant)).id)
  const wanted = shelf.map(([, , , , , , reorder], n) => (n === soldOut ? 0 : reorder + 10))
  const year = { ...shop, roll, suppliers, sold: wanted }
  const mondays = mondaysFrom(start)
  const countOf = (monday: Date) => Math.ceil(ordersPerWeek[monday.getUTCMonth()]! * shop.busy)
  const all = mondays.reduce((sum, monday) => sum + countOf(monday), 0)
  let placed = 0

  for (const [week, monday] of mondays.entries()) {
    for (const [category, supplier_id] of suppliers.entries())
      if ((week + category) % 2 === 0) await deliver(at(ctx, monday), year, { supplier_id, category, week })
    const count = countOf(monday)
    for (let n = 0; n < count; n++) {
      report(`${++placed} of ${all} orders`)
      const then = at(ctx, new Date(monday.getTime() + ((n + 1) * 6.9 * dayMs) / (count + 1)))
      const month = monday.getUTCMonth()
      const lines = [...new Set([pick(year, month), pick(year, month)])].filter((p) => p !== soldOut)
      if (lines.length > 0) await sell(then, year, lines)
    }
  }
  await orderMore(ctx, year)
  await foldSums(ctx)
}

/** What is under way: one purchase order drafted, one ordered and due today, one that has arrived in part. */
const orderMore = async (ctx: Inventory, { me, shelf, products, suppliers }: Year) => {
  const then = at(ctx, plus(ctx.clock.now(), -4))
  const expectedIn = { draft: 9, ordered: 0, partial: 3 }
  for (const [category, stage] of (['draft', 'ordered', 'partial'] as const).entries()) {
    const due = shelf
      .flatMap((item, n) => (item[2] === category && item[7] === undefined ? [n] : []))
      .slice(0, 3)
    const items = due.map((n) => ({ product_id: products[n]!, quantity: 24, unit_cost: shelf[n]![4] }))
    const expected_date = dayOf(plus(ctx.clock.now(), expectedIn[stage]))
    const order = { supplier_id: suppliers[category]!, items, expected_date }
    const { id } = await createPurchaseOrder(then, me, order)
    if (stage !== 'draft') await movePurchase(then, me, id, 'ordered')
    if (stage === 'partial')
      await receive(ctx, me, id, { items: [{ product_id: items[0]!.product_id, quantity_received: 10 }] })
  }
}

type Delivery = { supplier_id: number; category: number; week: number }

const deliver = async (ctx: Inventory, year: Year, { supplier_id, category, week }: Delivery) => {
  const { me, shelf, products, sold, roll } = year
  const due = shelf.flatMap((item, n) => (item[2] === category && (sold[n] ?? 0) > 0 ? [n] : []))
  if (due.length === 0) return
  const now = ctx.clock.now()
  const items = due.map((n) => ({
    product_id: products[n]!,
    quantity: sold[n]!,
    unit_cost: (Number(shelf[n]![4]) * (0.95 + roll(15) / 100)).toFixed(2),
  }))
  const { id } = await createPurchaseOrder(ctx, me, { supplier_id, items, expected_date: dayOf(now) })
  await movePurchase(ctx, me, id, 'ordered')
  const arrived = due.map((n) => {
    const [, sku, , , , , , tracking] = shelf[n]!
    const unit = { product_id: products[n]!, quantity_received: sold[n]! }
    if (tracking === 'batch')
      return { ...unit, batch_number: `${sku}-${week + 1}`, expiry_date: dayOf(plus(now, 120 + roll(260))) }
    if (tracking === 'serial')
      return { ...unit, serials: Array.from({ length: sold[n]! }, (_, k) => `${sku}-${week + 1}-${k + 1}`) }
    return unit
  })
  await receive(ctx, me, id, { items: arrived })
  for (const n of due) sold[n] = 0
}

const sell = async (ctx: Inventory, year: Year, lines: readonly number[]) => {
  const { me, shelf, products, customers, sold, roll } = year
  const items = lines.map((n) => {
    const quantity = shelf[n]![7] === 'serial' ? 1 : 1 + roll(4)
    sold[n] = (sold[n] ?? 0) + quantity
    return { product_id: products[n]!, quantity, unit_price: shelf[n]![3] }
  })
  const channel = (['manual', 'api', 'pos', 'b2b'] as const)[roll(4)]!
  const { id } = await createOrder(ctx, me, {
    items,
    channel,
    customer_id: customers[roll(customers.length)]!,
  })
  const order = await readOrder(ctx, me, id)
  // What has to wait for a delivery is called off in this shop.
  if (order.items.some((item) => item.quantity_backordered > 0)) {
    for (const [k, n] of lines.entries()) sold[n]! -= items[k]!.quantity
    return void (await moveOrder(ctx, me, id, 'cancelled'))
  }
  const all = order.items.map((item) => ({ order_item_id: item.id, quantity_fulfilled: item.quantity }))
  await fulfilOrder(ctx, me, id, { items: all })
  if (roll(3) > 0) await moveOrder(ctx, me, id, 'shipped')
  if (roll(25) > 0) return
  const [first] = order.items
  await returnItems(ctx, me, id, {
    items: [{ order_item_id: first!.id, quantity: 1, reason: 'Changed their mind' }],
  })
}
