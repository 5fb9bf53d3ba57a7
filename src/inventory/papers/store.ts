import type { Sql } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'

type Letterhead = { company: string; warehouse: string; address: (string | null)[]; day: string }

/** What stands on every paper: the company, the warehouse with its address, and the day of a moment there. */
export const findLetterhead = (
  q: Sql,
  tenantId: number,
  { warehouse, at }: { warehouse: number; at: string },
) =>
  one(q<Letterhead[]>`
    select t.name as company, w.name as warehouse, json_build_array(w.address, w.city, w.state) as address,
      inventory.today(t.id, ${at}::timestamptz) as day
    from inventory.tenants t join inventory.warehouses w on w.tenant_id = t.id and w.id = ${warehouse}
    where t.id = ${tenantId}`)
