import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

/** The Admins of a tenant whose subscription has not expired. */
export const listManagers = (q: Sql, tenantId: number, now: Date) => q<{ email: string }[]>`
  select u.email from inventory.users u join inventory.tenants t on t.id = u.tenant_id
  where u.tenant_id = ${tenantId} and u.role = 'Admin' and not u.is_banned and t.subscription_expires_at > ${now}
  order by u.id`

/** An Admin who stays one until the transaction ends. */
export const holdAdmin = (q: Sql, tenantId: number, userId: number | null) =>
  maybeOne(q<{ id: string; name: string }[]>`
    select id::text, name from inventory.users
    where tenant_id = ${tenantId} and id = ${userId} and role = 'Admin' and not is_banned for share`)
