import type { Sql } from '#platform/db/database.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import type { NewWarehouse } from './schema.ts'
import * as store from './store.ts'

export const listWarehouses = async (ctx: Inventory, me: Principal) => ({
  warehouses: await store.listWarehouses(ctx.db.sql, me.tenantId),
})

/** Making a warehouse the default takes that from the one before, in the same moment. */
export const createWarehouse = (ctx: Inventory, me: Principal, input: NewWarehouse) =>
  ctx.db.transaction(async (tx) => {
    if (input.is_default) {
      await store.lockTenant(tx, me.tenantId)
      await store.clearDefault(tx, me.tenantId)
    }
    return (
      (await store.insertWarehouse(tx, me.tenantId, input, ctx.clock.now())) ??
      conflict('Warehouse code already exists')
    )
  })

/** The one that is named, or the default where none is. */
export const chosenWarehouse = async (q: Sql, me: Principal, id: number | null | undefined) =>
  (await store.findChosen(q, me.tenantId, id ?? null)) ?? notFound('Warehouse not found')

export const addDefaultWarehouse = (q: Sql, tenantId: number, now: Date) =>
  store.insertWarehouse(q, tenantId, { name: 'Main warehouse', code: 'MAIN', is_default: true }, now)
