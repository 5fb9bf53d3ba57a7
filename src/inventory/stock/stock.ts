import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { badRequest, conflict, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import { fromCents, toCents } from '../money.ts'
import { listTotal } from '../tenants/tenants.ts'
import type { Adjustment, InventoryQuery, MovementQuery, Transfer } from './schema.ts'
import * as store from './store.ts'
import { adjustTogether, setTogether } from './together.ts'

/** The only way a quantity on hand changes: one movement for each change, all of them or none. */
export const moveStock = async (ctx: Inventory, tx: Tx, me: Principal, changes: readonly store.Change[]) => {
  if (changes.length > 0) await ctx.orRefuse(store.moveStock(tx, me, changes, ctx.clock.now()))
}

const add = (rows: readonly store.Sums[], of: 'total_skus' | 'low_stock' | 'out_of_stock' | 'movements') =>
  rows.reduce((sum, row) => sum + row[of], 0)

const sumsOf = async (ctx: Inventory, me: Principal, warehouseId?: number) => {
  const rows = await store.listSums(ctx.db.sql, me.tenantId)
  return warehouseId === undefined ? rows : rows.filter((row) => row.warehouse_id === warehouseId)
}

/** Only what a search finds has to be counted. Whatever is out is at its reorder level too. */
const countStock = async (ctx: Inventory, me: Principal, query: InventoryQuery) => {
  const { search, state, low_stock } = query
  if (search) return store.countStock(ctx.db.long, me.tenantId, query)
  const sums = await sumsOf(ctx, me, query.warehouse_id)
  if (state === 'out') return add(sums, 'out_of_stock')
  if (state === 'low') return add(sums, 'low_stock') - add(sums, 'out_of_stock')
  return add(sums, low_stock ? 'low_stock' : 'total_skus')
}

export const listStock = async (ctx: Inventory, me: Principal, query: InventoryQuery) => {
  const page = pageOf(query, longPage)
  const [inventory, total] = await Promise.all([
    store.listStock(listing(ctx.db, page, query.search), me.tenantId, query, page),
    countStock(ctx, me, query),
  ])
  return { inventory, ...pageInfo(page, total) }
}

export const listAlerts = async (ctx: Inventory, me: Principal, query: { page: number; limit: number }) => {
  const { inventory, ...rest } = await listStock(ctx, me, { ...query, low_stock: true })
  return { alerts: inventory.map(({ available: _, incoming: __, ...row }) => row), ...rest }
}

/** A stock row, and the movements that add up to its quantity. */
export const explainStock = async (
  ctx: Inventory,
  me: Principal,
  place: store.Place,
  query: { page: number; limit: number },
) => {
  const page = pageOf(query, longPage)
  const [row, movements, total] = await Promise.all([
    store.findStock(ctx.db.sql, me.tenantId, place),
    store.listLedger(listing(ctx.db, page), me.tenantId, place, page),
    store.countMovements(ctx.db.long, me.tenantId, { ...place, ...query }),
  ])
  return {
    ...(row ?? notFound('There is no stock of this product there')),
    movements,
    ...pageInfo(page, total),
  }
}

/** Totals per warehouse are maintained as stock changes, so neither stock nor ledger is scanned for them. */
export const summarize = async (ctx: Inventory, me: Principal) => {
  const [sums, total_skus] = await Promise.all([sumsOf(ctx, me), listTotal(ctx.db.sql, me, 'products')])
  return {
    total_skus,
    total_stock_value: fromCents(sums.reduce((sum, row) => sum + toCents(row.total_value), 0n)),
    low_stock_count: add(sums, 'low_stock'),
    out_of_stock_count: add(sums, 'out_of_stock'),
    warehouses: sums.map(({ warehouse_id, warehouse_name, total_skus, total_quantity, total_value }) => ({
      warehouse_id,
      warehouse_name,
      total_skus,
      total_quantity,
      total_value,
    })),
  }
}

export const listMovements = async (ctx: Inventory, me: Principal, query: MovementQuery) => {
  const page = pageOf(query, longPage)
  const { product_id, type, from, to } = query
  const isCounted = [product_id, type, from, to].every((filter) => filter === undefined)
  const [movements, total] = await Promise.all([
    store.listMovements(listing(ctx.db, page), me.tenantId, query, page),
    isCounted
      ? sumsOf(ctx, me, query.warehouse_id).then((sums) => add(sums, 'movements'))
      : store.countMovements(ctx.db.long, me.tenantId, query),
  ])
  return { movements, ...pageInfo(page, total) }
}

/** How the units of a product are tracked: not at all, by batch, or by serial number. */
export const requireTracking = async (tx: Tx, me: Principal, productId: number) =>
  (await store.findTracking(tx, me.tenantId, productId)) ?? notFound('Product not found')

/** Nobody else moves the stock until the transaction ends, so that what is checked now stays true. */
export const lockStock = (ctx: Inventory, tx: Tx, me: Principal, place: store.Place) =>
  ctx.orRefuse(store.lockStock(tx, me.tenantId, place))

/** Reserves one unit outside orders, under the lock of its stock row; false if all of them are reserved. */
export const reserveUnit = (tx: Tx, me: Principal, place: store.Place) =>
  store.reserveUnit(tx, me.tenantId, place)

/** The caller moves the unit out of stock, or lets backorders have it with `fillBackorders`. */
export const releaseUnit = (tx: Tx, me: Principal, place: store.Place) =>
  store.releaseUnit(tx, me.tenantId, place)

export const fillBackorders = (ctx: Inventory, tx: Tx, me: Principal, place: store.Place) =>
  store.fillBackorders(tx, me, place, ctx.clock.now())

export const adjustStock = async (ctx: Inventory, me: Principal, input: Adjustment) => {
  if (input.quantity === 0) badRequest('quantity must not be 0')
  return { message: 'Stock adjusted', new_quantity: await ctx.orRefuse(adjustTogether(ctx)(me, input)) }
}

export const transferStock = async (ctx: Inventory, me: Principal, input: Transfer) => {
  await ctx.orRefuse(ctx.db.write((q) => store.transferStock(q, me, input, ctx.clock.now())))
  return { message: 'Stock transferred', quantity: input.quantity }
}

/** Works before the first unit arrives: a product that was never there can be at its reorder level too. */
export const setReorderLevel = (ctx: Inventory, me: Principal, place: store.Place, level: number) =>
  ctx.db.transaction(async (tx) => {
    await lockStock(ctx, tx, me, place)
    await store.setReorderLevel(tx, me.tenantId, place, level)
    return store.findRow(tx, me.tenantId, place)
  })

const skipReasons: Record<store.Skipped['reason'], (row: store.Skipped) => string> = {
  unknown_sku: () => 'Unknown SKU',
  unknown_warehouse: () => 'Unknown warehouse',
  tracked_by_serial: () => 'Tracked by serial number',
  given_more_than_once: () => 'Given more than once',
  unexpected_quantity: ({ expected, on_hand }) => `Expected ${expected}, but there are ${on_hand}`,
}

const setCounts = async (ctx: Inventory, me: Principal, counts: readonly store.Count[]) => {
  const [only, ...others] = counts
  if (!only || others.length > 0) return ctx.db.write((q) => store.syncStock(q, me, counts, ctx.clock.now()))
  const skipped = await setTogether(ctx)(me, only)
  return skipped ? { updated: 0, skipped: [skipped] } : { updated: 1, skipped: [] }
}

/** Sets counts from another system, all in one statement. What cannot be set is returned with the reason. */
export const syncStock = async (ctx: Inventory, me: Principal, counts: readonly store.Count[]) => {
  const { updated, skipped } = await ctx.orRefuse(setCounts(ctx, me, counts))
  return {
    message: 'Inventory synchronized',
    updated,
    skipped: skipped.map((row) => ({
      sku: row.sku,
      reason: skipReasons[row.reason](row),
      warehouse_id: row.warehouse_id,
    })),
  }
}

type WriteOff = { productId: number; check: () => Promise<void> }

/** Writes off and removes the stock of a product that is being deleted, unless `check` refuses under its locks. */
export const writeOff = async (ctx: Inventory, tx: Tx, me: Principal, { productId, check }: WriteOff) => {
  const rows = await store.lockRowsOf(tx, me.tenantId, productId)
  await check()
  if (rows.some(({ reserved_quantity }) => reserved_quantity > 0))
    conflict('Units of this product are reserved')
  const changes = rows
    .filter(({ quantity }) => quantity > 0)
    .map(({ warehouse_id, quantity }) => ({
      product_id: productId,
      warehouse_id,
      quantity: -quantity,
      type: 'adjustment' as const,
      notes: 'Product deleted',
    }))
  await moveStock(ctx, tx, me, changes)
  await store.deleteRowsOf(tx, me.tenantId, productId)
}

/** Adds appended changes to the totals and sums that lists and reports read. */
export const foldSums = async (ctx: Inventory) => {
  await ctx.db.write((q) => store.foldSums(q))
}
