import { csvStream, runs } from '#platform/csv.ts'
import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { badRequest, conflict, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { pageOf } from '../lists.ts'
import { fromCents, toCents, toMoney } from '../money.ts'
import type { Filter } from './filter-store.ts'
import {
  type Fulfilment,
  type NewOrder,
  type OrderQuery,
  type Return,
  type StatsQuery,
  type Status,
  statuses,
} from './schema.ts'
import * as store from './store.ts'

/** Where an order may go from where it is. */
const moves: Record<Status, Status[]> = {
  pending: ['paid', 'fulfilling', 'cancelled'],
  paid: ['fulfilling', 'cancelled'],
  fulfilling: ['fulfilled', 'cancelled'],
  fulfilled: ['shipped'],
  shipped: [],
  cancelled: [],
}
const shippable: Status[] = ['pending', 'paid', 'fulfilling']
const returnable: Status[] = ['fulfilling', 'fulfilled', 'shipped']

/** One statement: reserves what there is, backorders the rest or refuses it, and takes the next number. */
export const createOrder = async (ctx: Inventory, me: Principal, input: NewOrder, channel = 'manual') => {
  const now = ctx.clock.now()
  const lines = input.items.map(({ product_id, quantity, unit_price }, index) => ({
    product_id,
    quantity,
    unit_price: toMoney(`items[${index}].unit_price`, unit_price),
  }))
  const order = { ...input, channel: input.channel ?? channel, lines }
  const { id, order_number, total_amount } = await ctx.orRefuse(
    ctx.db.write((q) => store.insertOrder(q, me, order, now)),
  )
  return { id, order_number, status: 'pending' as const, total_amount, created_at: now.toISOString() }
}

export const readOrder = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findOrder(ctx.db.sql, me.tenantId, id)) ?? notFound('Order not found')

const isUnfiltered = (filter: Filter) =>
  Object.values(filter).every((value) => value === undefined || value === '' || value === false)

const countOrders = (ctx: Inventory, me: Principal, filter: Filter) =>
  isUnfiltered(filter)
    ? store.countAllOrders(ctx.db.sql, me.tenantId)
    : store.countOrders(ctx.db.long, me.tenantId, filter)

export const listOrdersWithoutTotal = async (
  ctx: Inventory,
  me: Principal,
  { page: n, limit, ...filter }: OrderQuery,
) => {
  const page = pageOf({ page: n, limit })
  const orders = await store.listOrders(listing(ctx.db, page, filter.search), me.tenantId, filter, page)
  return { orders, page: page.page, limit: page.limit }
}

export const listOrders = async (ctx: Inventory, me: Principal, query: OrderQuery) => {
  const { page: _, limit: __, ...filter } = query
  const [listed, total] = await Promise.all([
    listOrdersWithoutTotal(ctx, me, query),
    countOrders(ctx, me, filter),
  ])
  return { ...listed, total }
}

/** What a status means for the stock of an order that gets it. */
const effects: Partial<Record<Status, 'ship' | 'cancel'>> = { fulfilled: 'ship', cancelled: 'cancel' }

export const changeStatus = async (ctx: Inventory, me: Principal, id: number, status: Status) => {
  const from = statuses.filter((before) => moves[before].includes(status))
  const move = { id, status, from, effect: effects[status] ?? null, now: ctx.clock.now() }
  await ctx.orRefuse(ctx.db.write((q) => store.changeStatus(q, me, move)))
  return { message: 'Order status updated', status }
}

export const fulfilOrder = async (ctx: Inventory, me: Principal, id: number, { items }: Fulfilment) => {
  const units = items.map(({ quantity_fulfilled: quantity, ...item }) => ({ ...item, quantity }))
  const shipment = { id, units, now: ctx.clock.now() }
  const next = { from: shippable, partly: 'fulfilling', wholly: 'fulfilled' } as const
  const order_status = await ctx.orRefuse(ctx.db.write((q) => store.fulfilOrder(q, me, shipment, next)))
  return { message: 'Items fulfilled', fulfilled_items: items.length, order_status }
}

export const returnItems = async (ctx: Inventory, me: Principal, id: number, { items }: Return) => {
  const units = items.map(({ reason = null, ...unit }) => ({ ...unit, notes: reason }))
  const back = { id, units, now: ctx.clock.now() }
  const order_status = await ctx.orRefuse(ctx.db.write((q) => store.returnUnits(q, me, back, returnable)))
  return { message: 'Items returned', returned_items: items.length, order_status }
}

export const requireNoOpenOrder = async (tx: Tx, me: Principal, productId: number) => {
  if (await store.hasOpenOrder(tx, me.tenantId, productId)) conflict('An open order contains this product')
}

/** The last 30 days, today included, unless the query says otherwise. */
export const periodOf = async (ctx: Inventory, me: Principal, { from, to }: StatsQuery) => {
  if (from && to && from > to) badRequest('from must not be after to')
  return store.findPeriod(ctx.db.sql, me.tenantId, { from, to, now: ctx.clock.now() })
}

export const orderStats = async (ctx: Inventory, me: Principal, query: StatsQuery) => {
  const period = await periodOf(ctx, me, query)
  const rows = await store.sumByStatus(ctx.db.long, me.tenantId, period)
  const live = rows.filter(({ status }) => status !== 'cancelled')
  const orders = live.reduce((sum, row) => sum + row.orders, 0)
  const revenue = live.reduce((sum, row) => sum + toCents(row.revenue), 0n)
  const count = BigInt(Math.max(1, orders))
  const by_status = Object.fromEntries(
    statuses.map((status) => [status, rows.find((row) => row.status === status)?.orders ?? 0]),
  ) as Record<Status, number>
  return {
    period,
    total_orders: orders,
    total_revenue: fromCents(revenue),
    avg_order_value: fromCents((2n * revenue + count) / (2n * count)),
    by_status,
  }
}

const header = [
  'order_number', 'status', 'channel', 'customer_name', 'item_count', 'total_amount', 'created_at',
] as const // biome-ignore format: one list
const exportedAtOnce = 500

export const exportOrders = (ctx: Inventory, me: Principal, { bom, ...filter }: Filter & { bom: number }) => {
  const next = (after: number) =>
    store.listOrdersAfter(ctx.db.long, me.tenantId, filter, { id: after, limit: exportedAtOnce })
  const batches = async function* () {
    for await (const run of runs(next)) yield run.map((order) => header.map((column) => order[column]))
  }
  return csvStream(header, batches(), { bom })
}
