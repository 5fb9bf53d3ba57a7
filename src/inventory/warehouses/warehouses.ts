import type { Sql } from '#platform/db/database.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { refuseTaken, unlessTaken } from '../duplicates.ts'
import { lockTenant } from '../tenants/tenants.ts'
import type { NewWarehouse, WarehouseChange } from './schema.ts'
import * as store from './store.ts'

export const listWarehouses = async (ctx: Inventory, me: Principal) => ({
  warehouses: await store.listWarehouses(ctx.db.sql, me.tenantId),
})

const code = { constraint: 'warehouses_code_key', field: 'code', message: 'Warehouse code already exists' }

/** A new default replaces the one before in the same transaction. */
export const createWarehouse = (ctx: Inventory, me: Principal, input: NewWarehouse) =>
  ctx.db.transaction(async (tx) => {
    if (input.is_default) {
      await lockTenant(tx, me)
      await store.clearDefault(tx, me.tenantId)
    }
    return (await store.insertWarehouse(tx, me.tenantId, input, ctx.clock.now())) ?? refuseTaken(code)
  })

/** There is always exactly one default: it ends only by another one's beginning. */
export const changeWarehouse = (ctx: Inventory, me: Principal, id: number, change: WarehouseChange) =>
  unlessTaken(
    code,
    ctx.db.transaction(async (tx) => {
      await lockTenant(tx, me)
      const before = (await store.findWarehouse(tx, me.tenantId, id)) ?? notFound('Warehouse not found')
      const after = { ...before, ...change }
      if (before.is_default && !after.is_default)
        invalid('is_default', 'stays until another warehouse becomes the default')
      if (!before.is_default && after.is_default) await store.clearDefault(tx, me.tenantId)
      await store.updateWarehouse(tx, me.tenantId, after)
      return after
    }),
  )

/** The warehouse that a request names, or the default one. */
export const chosenWarehouse = async (q: Sql, me: Principal, id: number | null | undefined) =>
  (await store.findChosen(q, me.tenantId, id ?? null)) ?? notFound('Warehouse not found')

export const addDefaultWarehouse = (q: Sql, tenantId: number, now: Date) =>
  store.insertWarehouse(q, tenantId, { name: 'Main warehouse', code: 'MAIN', is_default: true }, now)
