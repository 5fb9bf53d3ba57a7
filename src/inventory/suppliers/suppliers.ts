import { notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { pageOf } from '../lists.ts'
import type { NewSupplier } from './schema.ts'
import * as store from './store.ts'

const longest = 1000

export const listSuppliers = async (
  ctx: Inventory,
  me: Principal,
  query: { page: number; limit: number },
) => {
  const page = pageOf(query, longest)
  const [suppliers, total] = await Promise.all([
    store.listSuppliers(ctx.db.sql, me.tenantId, page),
    store.countSuppliers(ctx.db.sql, me.tenantId),
  ])
  return { suppliers, total, page: page.page, limit: page.limit }
}

export const readSupplier = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findSupplier(ctx.db.sql, me.tenantId, id)) ?? notFound('Supplier not found')

export const createSupplier = (ctx: Inventory, me: Principal, input: NewSupplier) =>
  ctx.db.write((q) => store.insertSupplier(q, me.tenantId, input, ctx.clock.now()))

export const replaceSupplier = async (ctx: Inventory, me: Principal, id: number, input: NewSupplier) =>
  (await ctx.db.write((q) => store.updateSupplier(q, me.tenantId, id, input))) ??
  notFound('Supplier not found')
