import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import { toMoney } from '../money.ts'
import { todayOf } from '../settings/settings.ts'
import {
  type CountsQuery,
  type NewPurchaseOrder,
  type PurchaseOrderQuery,
  type Receipt,
  type Status,
  statuses,
} from './schema.ts'
import * as store from './store.ts'

/** Where a person may take a purchase order; `partial` and `received` come from receipts alone. */
const moves: Record<Status, Status[]> = {
  draft: ['ordered', 'cancelled'],
  ordered: ['cancelled'],
  partial: ['cancelled'],
  received: [],
  cancelled: [],
}
const receivable: Status[] = ['draft', 'ordered', 'partial']
/** Nothing more is expected of an order that has one of these. */
const closed: Status[] = ['received', 'cancelled']

export const draftPurchaseOrder = async (ctx: Inventory, tx: Tx, me: Principal, input: NewPurchaseOrder) => {
  const now = ctx.clock.now()
  const lines = input.items.map(({ product_id, quantity, unit_cost }, index) => ({
    product_id,
    quantity,
    unit_cost:
      unit_cost === null || unit_cost === undefined ? null : toMoney(`items[${index}].unit_cost`, unit_cost),
  }))
  const { id, po_number, total_amount } = await ctx.orRefuse(
    store.insertPurchaseOrder(tx, me, { ...input, lines }, now),
  )
  return { id, po_number, status: 'draft' as const, total_amount, created_at: now.toISOString() }
}

export const createPurchaseOrder = (ctx: Inventory, me: Principal, input: NewPurchaseOrder) =>
  ctx.db.transaction((tx) => draftPurchaseOrder(ctx, tx, me, input))

export const readPurchaseOrder = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findPurchaseOrder(ctx.db.sql, me.tenantId, id)) ?? notFound('Purchase order not found')

export const listPurchaseOrders = async (ctx: Inventory, me: Principal, query: PurchaseOrderQuery) => {
  const page = pageOf(query, longPage)
  const filter = { ...query, dueBy: query.due ? await todayOf(ctx, me) : undefined }
  const [purchase_orders, total] = await Promise.all([
    store.listPurchaseOrders(listing(ctx.db, page, filter.search), me.tenantId, filter, page),
    store.countPurchaseOrders(ctx.db.sql, me.tenantId, filter),
  ])
  return { purchase_orders, ...pageInfo(page, total) }
}

export const countDue = async (ctx: Inventory, me: Principal, query: CountsQuery = {}) =>
  store.countPurchaseOrders(ctx.db.sql, me.tenantId, { ...query, dueBy: await todayOf(ctx, me) })

/** How many purchase orders each tab of the list has. */
export const countByStatus = async (ctx: Inventory, me: Principal, query: CountsQuery) => {
  const [rows, due] = await Promise.all([
    store.countByStatus(ctx.db.sql, me.tenantId, query),
    countDue(ctx, me, query),
  ])
  const by_status = Object.fromEntries(
    statuses.map((status) => [status, rows.find((row) => row.status === status)?.orders ?? 0]),
  ) as Record<Status, number>
  return { total: rows.reduce((sum, { orders }) => sum + orders, 0), by_status, due }
}

export const changeStatus = async (ctx: Inventory, me: Principal, id: number, status: Status) => {
  const from = statuses.filter((before) => moves[before].includes(status))
  const move = { id, status, from, isClosed: closed.includes(status) }
  await ctx.orRefuse(ctx.db.write((q) => store.changeStatus(q, me, move)))
  return { message: 'Purchase order status updated', status }
}

export const receive = async (ctx: Inventory, me: Principal, id: number, { items }: Receipt) => {
  const deliveries = items.map(({ quantity_received: quantity, ...item }, index) => {
    if (!item.purchase_order_item_id && !item.product_id)
      invalid(`items[${index}]`, 'must name purchase_order_item_id or product_id')
    return { ...item, quantity }
  })
  const arrival = { id, deliveries, now: ctx.clock.now() }
  const next = { from: receivable, partly: 'partial', wholly: 'received' } as const
  const received = await ctx.orRefuse(ctx.db.write((q) => store.receiveUnits(q, me, arrival, next)))
  return { message: 'Items received', ...received }
}

export const requireNoOpenPurchase = async (tx: Tx, me: Principal, productId: number) => {
  if (await store.hasOpenLine(tx, me.tenantId, productId))
    conflict('An open purchase order contains this product')
}
