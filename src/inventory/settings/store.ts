import type { Sql } from '#platform/db/database.ts'
import { one, value } from '#platform/db/rows.ts'
import type { Company, Settings, SettingsChange } from './schema.ts'

export const findSettings = (q: Sql, tenantId: number) =>
  one(q<Settings[]>`select timezone, oversell_policy from inventory.tenants where id = ${tenantId}`)

export const isTimezone = async (q: Sql, name: string) =>
  (await q`select 1 from pg_timezone_names where name = ${name} and name ~ '^(UTC$|[A-Z][A-Za-z]+/)'`)
    .length > 0

export const updateSettings = (q: Sql, tenantId: number, change: SettingsChange) =>
  one(q<Settings[]>`
    update inventory.tenants set timezone = coalesce(${change.timezone ?? null}, timezone),
      oversell_policy = coalesce(${change.oversell_policy ?? null}, oversell_policy)
    where id = ${tenantId} returning timezone, oversell_policy`)

/** After a change of the time zone, every sale may belong to another day. Takes long for a long ledger. */
export const rebuildSales = async (q: Sql, tenantId: number) => {
  await q`select set_config('statement_timeout', '0', true)`
  await q`select inventory.rebuild_sales(${tenantId})`
}

export const findToday = (q: Sql, tenantId: number, now: Date) =>
  value<string>(q`select inventory.today(${tenantId}, ${now}) as today`)

const companyColumns = (q: Sql) => q`id, name, subscription_expires_at, created_at`

export const findCompany = (q: Sql, tenantId: number) =>
  one(q<Company[]>`select ${companyColumns(q)} from inventory.tenants where id = ${tenantId}`)

export const renameCompany = (q: Sql, tenantId: number, name: string | null) =>
  one(q<Company[]>`
    update inventory.tenants set name = coalesce(${name}, name) where id = ${tenantId} returning ${companyColumns(q)}`)
