import type { Sql } from '#platform/db/database.ts'
import type { Finding } from '#platform/http/service.ts'

/** Each check is one statement, so that it sees one moment. `tenantId` null means all tenants. */
export type Check = (q: Sql, tenantId: number | null) => ReturnType<Sql>

export const ofTenant = (q: Sql, tenantId: number | null, column = q`tenant_id`) =>
  tenantId === null ? q`true` : q`${column} = ${tenantId}`

/** If something is wrong everywhere, the first findings of a check say as much as all of them. */
export const findings = (q: Sql, check: Check, tenantId: number | null, most: number) => q<Finding[]>`
  select * from (${check(q, tenantId)}) found limit ${most}`
