import type { Sql } from '#platform/db/database.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { lockTenant } from '../tenants/tenants.ts'
import type { NewWarehouse } from './schema.ts'
import * as store from './store.ts'

export const listWarehouses = async (ctx: Inventory, me: Principal) => ({
  warehouses: await store.listWarehouses(ctx.db.sql, me.tenantId),
})

/** A new default replaces the one before in the same transaction. */
export const createWarehouse = (ctx: Inventory, me: Principal, input: NewWarehouse) =>
  ctx.db.transaction(async (tx) => {
    if (input.is_default) {
      await lockTenant(tx, me)
      await store.clearDefault(tx, me.tenantId)
    }
    return (
      (await store.insertWarehouse(tx, me.tenantId, input, ctx.clock.now())) ??
      conflict('Warehouse code already exists')
    )
  })

/** The warehouse that a request names, or the default one. */
export const chosenWarehouse = async (q: Sql, me: Principal, id: number | null | undefined) =>
  (await store.findChosen(q, me.tenantId, id ?? null)) ?? notFound('Warehouse not found')

export const addDefaultWarehouse = (q: Sql, tenantId: number, now: Date) =>
  store.insertWarehouse(q, tenantId, { name: 'Main warehouse', code: 'MAIN', is_default: true }, now)
