import { listing } from '#platform/db/listing.ts'
import { badRequest, invalid, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { refuseTaken, unlessTaken } from '../duplicates.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import { todayOf } from '../settings/settings.ts'
import { moveStock, requireTracking } from '../stock/stock.ts'
import { chosenWarehouse } from '../warehouses/warehouses.ts'
import {
  type BatchChange,
  type BatchQuery,
  type ExpiringQuery,
  expiringDays,
  type NewBatch,
  type Trace,
} from './schema.ts'
import * as store from './store.ts'

export const listBatches = async (ctx: Inventory, me: Principal, query: BatchQuery) => {
  const page = pageOf(query, longPage)
  const today = await todayOf(ctx, me)
  const [batches, total] = await Promise.all([
    store.listBatches(listing(ctx.db, page, query.search), me.tenantId, { ...query, today }, page),
    store.countBatches(ctx.db.sql, me.tenantId, { ...query, today }),
  ])
  return { batches, ...pageInfo(page, total) }
}

export const listExpiring = async (ctx: Inventory, me: Principal, { days, ...query }: ExpiringQuery) => {
  const page = pageOf(query, longPage)
  const filter = { today: await todayOf(ctx, me), expiring_days: days }
  const [batches, total] = await Promise.all([
    store.listExpiring(ctx.db.sql, me.tenantId, filter, page),
    store.countBatches(ctx.db.sql, me.tenantId, filter),
  ])
  return { batches, ...pageInfo(page, total) }
}

export const countExpiring = async (ctx: Inventory, me: Principal) => {
  const filter = { today: await todayOf(ctx, me), expiring_days: expiringDays }
  return store.countBatches(ctx.db.sql, me.tenantId, filter)
}

export const readBatch = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findBatch(ctx.db.sql, me.tenantId, id)) ?? notFound('Batch not found')

const numberOf = (number: string) => ({
  constraint: 'batches_number_key',
  field: 'batch_number',
  message: `Batch ${number} already exists`,
})

const checkDates = ({ manufacture_date: made, expiry_date: expires }: BatchChange) => {
  if (made && expires && made > expires) invalid('expiry_date', 'must not be before the manufacture date')
}

export const createBatch = (ctx: Inventory, me: Principal, input: NewBatch) => {
  checkDates(input)
  return ctx.db.transaction(async (tx) => {
    if ((await requireTracking(tx, me, input.product_id)) !== 'batch')
      badRequest('This product is not tracked by batch')
    const warehouse_id = await chosenWarehouse(tx, me, input.warehouse_id)
    const id =
      (await store.insertBatch(tx, me.tenantId, input, ctx.clock.now())) ??
      refuseTaken(numberOf(input.batch_number))
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
    return (await store.findBatch(tx, me.tenantId, id))!
  })
}

/** What is left out stays as it is. */
export const changeBatch = (ctx: Inventory, me: Principal, id: number, change: BatchChange) =>
  ctx.db.transaction(async (tx) => {
    const before = (await store.lockBatch(tx, me.tenantId, id)) ?? notFound('Batch not found')
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const after = { ...before, ...given }
    checkDates(after)
    await unlessTaken(numberOf(after.batch_number), store.updateBatch(tx, me.tenantId, id, after))
    return (await store.findBatch(tx, me.tenantId, id))!
  })

const total = (list: readonly { quantity: number }[]) => list.reduce((sum, { quantity }) => sum + quantity, 0)

/** Where a batch came from and where it went: from its suppliers to its customers. */
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

const announcedDays = 30
const announcedAtOnce = 500

/** Writes an event for each batch that will expire soon, in small steps, so that nobody waits long for a batch. */
export const announceExpiring = async (ctx: Inventory) => {
  const announce = () =>
    ctx.db.write((q) =>
      store.announceExpiring(q, ctx.clock.now(), { days: announcedDays, limit: announcedAtOnce }),
    )
  while ((await announce()) === announcedAtOnce);
}
