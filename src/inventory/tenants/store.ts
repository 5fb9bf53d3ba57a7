import type { Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'

export const lockTenant = (q: Sql, tenantId: number) => q`
  select 1 from inventory.tenants where id = ${tenantId} for no key update`

/** Adds appended changes to the totals. */
export const foldListChanges = (q: Sql) => q`select inventory.fold_list_changes()`

/** The lists whose rows are counted as they come and go. */
export type List = 'products' | 'customers'

export const findListTotal = (q: Sql, tenantId: number, list: List) =>
  value<number>(q`
      select coalesce(sum(total), 0)::bigint as total from inventory.list_sums
      where tenant_id = ${tenantId} and list = ${list}`)
