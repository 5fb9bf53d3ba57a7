import { listing } from '#platform/db/listing.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import type { NewSupplier, SupplierChange, SupplierQuery } from './schema.ts'
import * as store from './store.ts'

export const listSuppliers = async (ctx: Inventory, me: Principal, query: SupplierQuery) => {
  const page = pageOf(query, longPage)
  const [suppliers, total] = await Promise.all([
    store.listSuppliers(listing(ctx.db, page, query.search), me.tenantId, query, page),
    store.countSuppliers(ctx.db.sql, me.tenantId, query),
  ])
  return { suppliers, ...pageInfo(page, total) }
}

export const readSupplier = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findSupplier(ctx.db.sql, me.tenantId, id)) ?? notFound('Supplier not found')

export const createSupplier = (ctx: Inventory, me: Principal, input: NewSupplier) =>
  ctx.db.write((q) => store.insertSupplier(q, me.tenantId, input, ctx.clock.now()))

export const replaceSupplier = async (ctx: Inventory, me: Principal, id: number, input: NewSupplier) =>
  (await ctx.db.write((q) => store.updateSupplier(q, me.tenantId, id, input))) ??
  notFound('Supplier not found')

/** What is left out stays as it is. */
export const changeSupplier = (ctx: Inventory, me: Principal, id: number, change: SupplierChange) =>
  ctx.db.transaction(async (tx) => {
    const before = (await store.lockSupplier(tx, me.tenantId, id)) ?? notFound('Supplier not found')
    return store.updateSupplier(tx, me.tenantId, id, { ...before, ...change })
  })

/** One from whom something was ordered stays, for the purchase orders that name them. */
export const deleteSupplier = (ctx: Inventory, me: Principal, id: number) =>
  ctx.db.transaction(async (tx) => {
    if (!(await store.lockSupplier(tx, me.tenantId, id))) notFound('Supplier not found')
    if (await store.hasPurchaseOrder(tx, me.tenantId, id))
      conflict('This supplier has purchase orders, which would lose their supplier')
    await store.deleteSupplier(tx, me.tenantId, id)
    return { message: 'Supplier deleted' }
  })
