import type { Tx } from '#platform/db/database.ts'
import { badRequest, conflict, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { pageOf } from '../lists.ts'
import { refusals } from '../refusals.ts'
import type { Adjustment, InventoryQuery, MovementQuery, Transfer } from './schema.ts'
import * as store from './store.ts'

const longest = 1000

/** The only way a quantity on hand changes: one movement for each change, all of them or none. */
export const moveStock = async (ctx: Inventory, tx: Tx, me: Principal, changes: readonly store.Change[]) => {
  if (changes.length > 0) await refusals(store.move(tx, me, ctx.clock.now(), changes))
}

const add = (rows: readonly store.Sums[], of: 'total_skus' | 'low_stock' | 'out_of_stock' | 'movements') =>
  rows.reduce((sum, row) => sum + row[of], 0)

const sumsOf = async (ctx: Inventory, me: Principal, warehouseId?: number) => {
  const rows = await store.listSums(ctx.db.sql, me.tenantId)
  return warehouseId === undefined ? rows : rows.filter((row) => row.warehouse_id === warehouseId)
}

export const listStock = async (ctx: Inventory, me: Principal, query: InventoryQuery) => {
  const page = pageOf(query, longest)
  const [inventory, sums] = await Promise.all([
    store.listRows(ctx.db.sql, me.tenantId, query, page),
    sumsOf(ctx, me, query.warehouse_id),
  ])
  const total = add(sums, query.low_stock ? 'low_stock' : 'total_skus')
  return { inventory, total, page: page.page, limit: page.limit }
}

export const listAlerts = async (ctx: Inventory, me: Principal, query: { page: number; limit: number }) => {
  const { inventory, ...rest } = await listStock(ctx, me, { ...query, low_stock: true })
  return { alerts: inventory, ...rest }
}

/** Sums per warehouse are kept as stock changes, so neither stock nor ledger is scanned for them. */
export const summarize = async (ctx: Inventory, me: Principal, countProducts: () => Promise<number>) => {
  const [sums, totalSkus] = await Promise.all([sumsOf(ctx, me), countProducts()])
  const cents = sums.reduce((sum, row) => sum + BigInt(row.total_value.replace('.', '')), 0n)
  return {
    total_skus: totalSkus,
    total_stock_value: `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`,
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
  const page = pageOf(query, longest)
  const { product_id, type, from, to } = query
  const countKept = [product_id, type, from, to].every((filter) => filter === undefined)
  const [movements, total] = await Promise.all([
    countKept && query.warehouse_id === undefined
      ? store.listMovements(ctx.db.sql, me.tenantId, page)
      : store.findMovements(ctx.db.sql, me.tenantId, query, page),
    countKept
      ? sumsOf(ctx, me, query.warehouse_id).then((sums) => add(sums, 'movements'))
      : store.countMovements(ctx.db.sql, me.tenantId, query),
  ])
  return { movements, total, page: page.page, limit: page.limit }
}

/** How the units of a product are told apart. */
export const requireTracking = async (tx: Tx, me: Principal, productId: number) =>
  (await store.trackingOf(tx, me.tenantId, productId)) ?? notFound('Product not found')

/** For what must be true before stock moves: nobody else moves it until the transaction ends. */
export const lockStock = (tx: Tx, me: Principal, productId: number, warehouseId: number) =>
  refusals(store.lock(tx, me.tenantId, productId, warehouseId))

export const adjustStock = async (ctx: Inventory, me: Principal, input: Adjustment) => {
  if (input.quantity === 0) badRequest('quantity must not be 0')
  return ctx.db.transaction(async (tx) => {
    if ((await requireTracking(tx, me, input.product_id)) === 'serial')
      badRequest('This product is tracked by serial number: change its serials instead')
    await moveStock(ctx, tx, me, [{ ...input, type: 'adjustment' }])
    const row = await store.findRow(tx, me.tenantId, input.product_id, input.warehouse_id)
    return { message: 'Stock adjusted', new_quantity: row!.quantity }
  })
}

export const transferStock = (ctx: Inventory, me: Principal, input: Transfer) =>
  ctx.db.transaction(async (tx) => {
    const { product_id, from_warehouse_id, to_warehouse_id, quantity, ...rest } = input
    if ((await requireTracking(tx, me, product_id)) === 'serial' && !input.serials)
      badRequest('This product is tracked by serial number: name the serials to transfer')
    if (from_warehouse_id === to_warehouse_id) badRequest('The two warehouses must be different')
    await moveStock(ctx, tx, me, [
      {
        ...rest,
        product_id,
        warehouse_id: from_warehouse_id,
        to_warehouse_id,
        quantity: -quantity,
        type: 'transfer_out',
      },
    ])
    return { message: 'Stock transferred', quantity }
  })

/** Also before the first unit comes: a level of what is not there yet is what one wants to be told about. */
export const setReorderLevel = async (
  ctx: Inventory,
  me: Principal,
  { product_id, warehouse_id }: { product_id: number; warehouse_id: number },
  level: number,
) =>
  ctx.db.transaction(async (tx) => {
    await lockStock(tx, me, product_id, warehouse_id)
    await store.setReorderLevel(tx, me.tenantId, product_id, warehouse_id, level)
    return (await store.findRow(tx, me.tenantId, product_id, warehouse_id))!
  })

/** Sets counts from elsewhere, all in one transaction; what cannot be set is told with the reason. */
export const syncStock = (ctx: Inventory, me: Principal, rows: readonly store.Count[]) =>
  ctx.db.transaction(async (tx) => {
    const { updated, skipped } = await refusals(store.sync(tx, me, ctx.clock.now(), rows))
    return { message: 'Inventory synchronized', updated, skipped }
  })

/** Empties and removes the stock of a product that is being deleted, unless `check` refuses under its locks. */
export const writeOff = async (
  ctx: Inventory,
  tx: Tx,
  me: Principal,
  productId: number,
  check: () => Promise<void>,
) => {
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

/** Longer ago than any transaction lives and any two clocks differ: no movement is added before that any more. */
export const settledBefore = (ctx: Inventory) => new Date(ctx.clock.now().getTime() - 15 * 60_000)

export const foldSums = async (ctx: Inventory) => {
  await ctx.db.write((q) => store.foldSums(q))
  await ctx.db.write((q) => store.markMovements(q, settledBefore(ctx)))
}
