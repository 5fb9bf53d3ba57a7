import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { badRequest, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import * as stock from '../stock/stock.ts'
import { chosenWarehouse } from '../warehouses/warehouses.ts'
import type { NewSerial, NewSerials, SerialChange, SerialEvent, SerialQuery, Status } from './schema.ts'
import * as store from './store.ts'

/** Where a person may take a serial; orders ship serials and bring them back on their own. */
const moves: Record<Status, Status[]> = {
  in_stock: ['reserved', 'scrapped'],
  reserved: ['in_stock', 'sold'],
  sold: ['returned'],
  returned: ['in_stock', 'scrapped'],
  scrapped: [],
}
/** A serial with one of these counts as a unit on hand. */
const onHand: Status[] = ['in_stock', 'reserved']

export const listSerials = async (ctx: Inventory, me: Principal, query: SerialQuery) => {
  const page = pageOf(query, longPage)
  const [serials, total] = await Promise.all([
    store.listSerials(listing(ctx.db, page, query.search), me.tenantId, query, page),
    store.countSerials(ctx.db.long, me.tenantId, query),
  ])
  return { serials, ...pageInfo(page, total) }
}

export const readSerial = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findSerial(ctx.db.sql, me.tenantId, id)) ?? notFound('Serial not found')

export const readTimeline = async (ctx: Inventory, me: Principal, id: number) => {
  const [timeline] = await Promise.all([
    store.listHistory(ctx.db.sql, me.tenantId, id),
    readSerial(ctx, me, id),
  ])
  return { timeline, total: timeline.length }
}

/** One movement for all of them; a number that is taken refuses them all. */
const addSerials = (ctx: Inventory, me: Principal, input: NewSerials) =>
  ctx.db.transaction(async (tx) => {
    const { product_id, serials: numbers, notes = null } = input
    const warehouse_id = await chosenWarehouse(tx, me, input.warehouse_id)
    const place = { product_id, warehouse_id }
    await stock.lockStock(ctx, tx, me, place)
    const ids = await ctx.orRefuse(store.insertSerials(tx, me, { ...place, numbers, notes }, ctx.clock.now()))
    await stock.moveStock(ctx, tx, me, [{ ...place, quantity: ids.length, type: 'receive' }])
    return { ids, first: (await store.findSerial(tx, me.tenantId, ids[0] as number))! }
  })

export const createSerial = async (ctx: Inventory, me: Principal, { serial_number, ...rest }: NewSerial) =>
  (await addSerials(ctx, me, { ...rest, serials: [serial_number] })).first

export const createSerials = async (ctx: Inventory, me: Principal, input: NewSerials) => {
  const { ids } = await addSerials(ctx, me, input)
  return { message: 'Serials added', count: ids.length, ids }
}

/** Locks a serial and the stock row that counts it, in the order that everything that moves stock keeps. */
const lockSerial = async (ctx: Inventory, tx: Tx, me: Principal, id: number) => {
  const found = (await store.findSerial(tx, me.tenantId, id)) ?? notFound('Serial not found')
  await stock.lockStock(ctx, tx, me, found)
  if ((await stock.requireTracking(tx, me, found.product_id)) !== 'serial')
    badRequest('This product is not tracked by serial number any more')
  const serial = await store.lockSerial(tx, me.tenantId, id)
  // It was moved to another warehouse before its product was locked.
  if (serial.warehouse_id !== found.warehouse_id) await stock.lockStock(ctx, tx, me, serial)
  return serial
}

/** What a change without a movement is called in the life of a serial. */
const eventNames: Record<Status, SerialEvent['type']> = {
  in_stock: 'released',
  reserved: 'reserved',
  sold: 'sold',
  returned: 'returned',
  scrapped: 'scrapped',
}

/** Leaving stock and coming back are movements; the ledger sets the status with them. */
export const changeSerial = (
  ctx: Inventory,
  me: Principal,
  id: number,
  { status: to, notes }: SerialChange,
) =>
  ctx.db.transaction(async (tx) => {
    const serial = await lockSerial(ctx, tx, me, id)
    const { product_id, warehouse_id, status: from } = serial
    if (!moves[from].includes(to)) badRequest(`Cannot change status from ${from} to ${to}`)
    const place = { product_id, warehouse_id }
    if (to === 'reserved' && !(await stock.reserveUnit(tx, me, place)))
      badRequest('All units there are promised to orders')
    if (from === 'reserved') await stock.releaseUnit(tx, me, place)

    const movement = {
      ...place,
      reference_id: id,
      serial_ids: [id],
      notes: `Serial ${serial.serial_number} ${to}`,
      reason: notes ?? '',
    }
    if (onHand.includes(from) && !onHand.includes(to))
      await stock.moveStock(ctx, tx, me, [
        { ...movement, quantity: -1, type: 'adjustment', serial_status: to },
      ])
    else if (!onHand.includes(from) && onHand.includes(to))
      await stock.moveStock(ctx, tx, me, [
        { ...movement, quantity: 1, type: 'return', unit_cost: serial.left_at_cost },
      ])
    else {
      const event = { id, type: eventNames[to], status: to, notes: notes || null, now: ctx.clock.now() }
      await store.setStatus(tx, me, event)
      if (to === 'in_stock') await stock.fillBackorders(ctx, tx, me, place)
    }
    const changed = (await store.findSerial(tx, me.tenantId, id))!
    await store.addUpdatedEvent(tx, me.tenantId, changed)
    return changed
  })
