import type { Sql } from '#platform/db/database.ts'
import type { Settings, SettingsChange } from './schema.ts'

export const findSettings = async (q: Sql, tenantId: number) =>
  (await q<Settings[]>`select timezone, oversell_policy from inventory.tenants where id = ${tenantId}`)[0]

export const isTimezone = async (q: Sql, name: string) =>
  (await q`select 1 from pg_timezone_names where name = ${name} and name ~ '^(UTC$|[A-Z][A-Za-z]+/)'`)
    .length > 0

export const updateSettings = async (q: Sql, tenantId: number, change: SettingsChange) =>
  (
    await q<Settings[]>`
      update inventory.tenants set timezone = coalesce(${change.timezone ?? null}, timezone),
        oversell_policy = coalesce(${change.oversell_policy ?? null}, oversell_policy)
      where id = ${tenantId} returning timezone, oversell_policy`
  )[0] as Settings

/** Every sale is on another day once the day begins at another time. A long ledger takes its time. */
export const rebuildSales = async (q: Sql, tenantId: number) => {
  await q`select set_config('statement_timeout', '0', true)`
  await q`select inventory.rebuild_sales(${tenantId})`
}

export const findToday = async (q: Sql, tenantId: number, now: Date) =>
  (await q<{ today: string }[]>`select inventory.today(${tenantId}, ${now}) as today`)[0]!.today
