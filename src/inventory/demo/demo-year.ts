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
const ordersPerWeek = 9

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
}
type Year = Shop & { sold: number[]; roll: (below: number) => number }

/** Week by week: the suppliers deliver what was sold, customers order, and a few send something back. */
export const liveThroughAYear = async (ctx: Inventory, shop: Shop) => {
  const { me, shelf, products } = shop
  const suppliers: number[] = []
  const roll = dice(2026)
  const start = plus(ctx.clock.now(), -364)
  for (const merchant of merchants) suppliers.push((await createSupplier(at(ctx, start), me, merchant)).id)
  const year = { ...shop, roll, sold: shelf.map(([, , , , , , reorder]) => reorder + 10) }

  for (let week = 0; week < weeks; week++) {
    const monday = plus(start, 7 * week)
    for (const [category, supplier_id] of suppliers.entries())
      if ((week + category) % 2 === 0) await deliver(at(ctx, monday), year, { supplier_id, category, week })
    for (let n = 0; n < ordersPerWeek; n++) {
      const then = at(ctx, new Date(monday.getTime() + ((n + 1) * 6.9 * dayMs) / (ordersPerWeek + 1)))
      const lines = [roll(products.length), roll(products.length)].filter((p) => p !== 5)
      if (lines.length > 0) await sell(then, year, lines)
    }
  }
  await foldSums(ctx)
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
