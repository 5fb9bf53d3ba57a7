import { listing } from '#platform/db/listing.ts'
import { notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import type { BackorderQuery, CountsQuery, TimelineEntry } from './overview-schema.ts'
import * as store from './overview-store.ts'
import { type Status, statuses } from './schema.ts'
import { countOrders } from './store.ts'

const isUnfiltered = (query: CountsQuery) => Object.values(query).every((value) => !value)

/** How many orders each tab of the list has. */
export const countByStatus = async (ctx: Inventory, me: Principal, query: CountsQuery) => {
  const [rows, to_ship, backordered] = await Promise.all([
    isUnfiltered(query)
      ? store.countAllByStatus(ctx.db.sql, me.tenantId)
      : store.countByStatus(ctx.db.long, me.tenantId, query),
    countOrders(ctx.db.long, me.tenantId, { ...query, to_ship: true }),
    countOrders(ctx.db.long, me.tenantId, { ...query, backordered: true }),
  ])
  const by_status = Object.fromEntries(
    statuses.map((status) => [status, rows.find((row) => row.status === status)?.orders ?? 0]),
  ) as Record<Status, number>
  return { total: rows.reduce((sum, { orders }) => sum + orders, 0), by_status, to_ship, backordered }
}

export const listBackorders = async (ctx: Inventory, me: Principal, query: BackorderQuery) => {
  const page = pageOf(query, longPage)
  const [backorders, { total, units }] = await Promise.all([
    store.listBackorders(listing(ctx.db, page), me.tenantId, query, page),
    store.countBackorders(ctx.db.sql, me.tenantId, query),
  ])
  return { backorders, units, ...pageInfo(page, total) }
}

/** Orders that can be packed, and lines that wait. */
export const findOpenWork = async (ctx: Inventory, me: Principal) => {
  const [orders_to_ship, { total: backorders }] = await Promise.all([
    countOrders(ctx.db.sql, me.tenantId, { to_ship: true }),
    store.countBackorders(ctx.db.sql, me.tenantId),
  ])
  return { orders_to_ship, backorders }
}

const withoutZeros = (items: store.HistoryItem[]) => items.filter(({ quantity }) => quantity > 0)

/** How an order began: whatever was not backordered was reserved. */
const beginning = ({ items, history, created_by_name, created_at }: store.Placed): store.HistoryRow[] => {
  const short = history.find(({ type }) => type === 'created')?.items ?? []
  const shortOf = (id: number) => short.find(({ order_item_id }) => order_item_id === id)?.quantity ?? 0
  const by = { created_by_name, created_at }
  const ordered = items.map(({ id, quantity }) => ({ order_item_id: id, quantity }))
  const reserved = ordered.map((item) => ({ ...item, quantity: item.quantity - shortOf(item.order_item_id) }))
  const first: store.HistoryRow[] = [
    { type: 'reserved', status: null, items: withoutZeros(reserved), ...by },
    { type: 'backordered', status: null, items: short, ...by },
  ]
  return [
    { type: 'created', status: 'pending', items: ordered, ...by },
    ...first.filter((entry) => entry.items.length > 0),
  ]
}

export const readTimeline = async (ctx: Inventory, me: Principal, id: number) => {
  const placed = (await store.findHistory(ctx.db.sql, me.tenantId, id)) ?? notFound('Order not found')
  const lines = new Map(placed.items.map((item) => [item.id, item]))
  const later = placed.history.filter(({ type }) => type !== 'created')
  const timeline = [...beginning(placed), ...later].map(
    ({ items, ...entry }): TimelineEntry => ({
      ...entry,
      items: items.map(({ order_item_id, quantity, notes = null }) => {
        const { sku, product_name } = lines.get(order_item_id)!
        return { order_item_id, sku, product_name, quantity, reason: notes }
      }),
    }),
  )
  return { timeline, total: timeline.length }
}
