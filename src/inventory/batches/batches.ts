import { badRequest, conflict, invalid, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { pageOf } from '../lists.ts'
import { todayOf } from '../settings/settings.ts'
import { moveStock, requireTracking } from '../stock/stock.ts'
import { chosenWarehouse } from '../warehouses/warehouses.ts'
import type { BatchQuery, ExpiringQuery, NewBatch, Trace } from './schema.ts'
import * as store from './store.ts'

const longest = 1000

export const listBatches = async (ctx: Inventory, me: Principal, query: BatchQuery) => {
  const page = pageOf(query, longest)
  const today = await todayOf(ctx, me)
  const [batches, total] = await Promise.all([
    store.list(ctx.db.sql, me.tenantId, today, query, page),
    store.count(ctx.db.sql, me.tenantId, today, query),
  ])
  return { batches, total, page: page.page, limit: page.limit }
}

export const listExpiring = async (ctx: Inventory, me: Principal, { days, ...query }: ExpiringQuery) => {
  const page = pageOf(query, longest)
  const today = await todayOf(ctx, me)
  const filter = { expiring_days: days }
  const [batches, total] = await Promise.all([
    store.listExpiring(ctx.db.sql, me.tenantId, today, filter, page),
    store.count(ctx.db.sql, me.tenantId, today, filter),
  ])
  return { batches, total, page: page.page, limit: page.limit }
}

export const readBatch = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.find(ctx.db.sql, me.tenantId, id)) ?? notFound('Batch not found')

export const createBatch = (ctx: Inventory, me: Principal, input: NewBatch) => {
  const { manufacture_date: made, expiry_date: expires } = input
  if (made && expires && made > expires) invalid('expiry_date', 'must not be before manufacture_date')
  return ctx.db.transaction(async (tx) => {
    if ((await requireTracking(tx, me, input.product_id)) !== 'batch')
      badRequest('This product is not tracked by batch')
    const warehouse_id = await chosenWarehouse(tx, me, input.warehouse_id)
    const id =
      (await store.insert(tx, me.tenantId, input, ctx.clock.now())) ??
      conflict(`Batch ${input.batch_number} already exists`)
    if (input.quantity > 0)
      await moveStock(ctx, tx, me, [
        {
          product_id: input.product_id,
          warehouse_id,
          quantity: input.quantity,
          type: 'receive',
          batch_id: id,
        },
      ])
    return (await store.find(tx, me.tenantId, id))!
  })
}

const total = (list: readonly { quantity: number }[]) => list.reduce((sum, { quantity }) => sum + quantity, 0)

/** From the suppliers it came from to the customers who have it. */
export const traceBatch = async (ctx: Inventory, me: Principal, id: number): Promise<Trace> => {
  const batch = await readBatch(ctx, me, id)
  const [receipts, shipments] = await Promise.all([
    store.listReceipts(ctx.db.sql, me.tenantId, id),
    store.listShipments(ctx.db.sql, me.tenantId, id),
  ])
  const total_received = total(receipts)
  const total_shipped = shipments.reduce((sum, s) => sum + s.quantity - s.quantity_returned, 0)
  const other_changes = batch.quantity - total_received + total_shipped
  return { batch, receipts, shipments, total_received, total_shipped, other_changes, on_hand: batch.quantity }
}
