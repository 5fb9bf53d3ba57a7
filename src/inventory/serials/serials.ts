import { badRequest, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { pageOf } from '../lists.ts'
import { refusals } from '../refusals.ts'
import { lockStock, moveStock, requireTracking } from '../stock/stock.ts'
import { chosenWarehouse } from '../warehouses/warehouses.ts'
import type { NewSerial, NewSerials, SerialQuery, Status } from './schema.ts'
import * as store from './store.ts'

const longest = 1000

export const listSerials = async (ctx: Inventory, me: Principal, query: SerialQuery) => {
  const page = pageOf(query, longest)
  const [serials, total] = await Promise.all([
    store.list(ctx.db.sql, me.tenantId, query, page),
    store.count(ctx.db.sql, me.tenantId, query),
  ])
  return { serials, total, page: page.page, limit: page.limit }
}

export const readSerial = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.find(ctx.db.sql, me.tenantId, id)) ?? notFound('Serial not found')

/** One movement for all of them; a number that is taken refuses them all. */
const addSerials = (ctx: Inventory, me: Principal, input: NewSerials) =>
  ctx.db.transaction(async (tx) => {
    const { product_id, serials, notes = null } = input
    const warehouse_id = await chosenWarehouse(tx, me, input.warehouse_id)
    await lockStock(tx, me, product_id, warehouse_id)
    const units = { productId: product_id, warehouseId: warehouse_id, numbers: serials, notes }
    const ids = await refusals(store.add(tx, me, ctx.clock.now(), units))
    await moveStock(ctx, tx, me, [{ product_id, warehouse_id, quantity: ids.length, type: 'receive' }])
    return { ids, first: (await store.find(tx, me.tenantId, ids[0] as number))! }
  })

export const createSerial = async (ctx: Inventory, me: Principal, { serial_number, ...rest }: NewSerial) =>
  (await addSerials(ctx, me, { ...rest, serials: [serial_number] })).first

export const createSerials = async (ctx: Inventory, me: Principal, input: NewSerials) => {
  const { ids } = await addSerials(ctx, me, input)
  return { message: 'Serials added', count: ids.length, ids }
}

export const changeSerial = (ctx: Inventory, me: Principal, id: number, status: Status) =>
  ctx.db.transaction(async (tx) => {
    const { product_id, warehouse_id } =
      (await store.find(tx, me.tenantId, id)) ?? notFound('Serial not found')
    await lockStock(tx, me, product_id, warehouse_id)
    if ((await requireTracking(tx, me, product_id)) !== 'serial')
      badRequest('This product is not tracked by serial number any more')
    await refusals(store.change(tx, me, ctx.clock.now(), id, status))
    return (await store.find(tx, me.tenantId, id))!
  })
