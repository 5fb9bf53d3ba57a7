import type { Sql } from '#platform/db/database.ts'
import { invalid } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { forgetKeysOf } from '../keys/keys.ts'
import type { CompanyChange, SettingsChange } from './schema.ts'
import * as store from './store.ts'

export const readSettings = (ctx: Inventory, me: Principal) => store.findSettings(ctx.db.sql, me.tenantId)

/** Today's date in the tenant's time zone. */
export const todayOf = (ctx: Inventory, me: Principal, q: Sql = ctx.db.sql) =>
  store.findToday(q, me.tenantId, ctx.clock.now())

export const changeSettings = async (ctx: Inventory, me: Principal, change: SettingsChange) => {
  if (change.timezone !== undefined && !(await store.isTimezone(ctx.db.sql, change.timezone)))
    invalid('timezone', 'must be the name of a time zone, such as Europe/Paris')
  return ctx.db.transaction(async (tx) => {
    const before = await store.findSettings(tx, me.tenantId)
    const after = await store.updateSettings(tx, me.tenantId, change)
    if (before.timezone !== after.timezone) {
      await store.rebuildSales(tx, me.tenantId)
      await forgetKeysOf(ctx, tx, me.tenantId)
    }
    return after
  })
}

export const readCompany = (ctx: Inventory, me: Principal) => store.findCompany(ctx.db.sql, me.tenantId)

export const changeCompany = (ctx: Inventory, me: Principal, { name }: CompanyChange) =>
  ctx.db.write((q) => store.renameCompany(q, me.tenantId, name ?? null))
