import type { Sql } from '#platform/db/database.ts'

/** The Admins of a tenant whose subscription has not expired. */
export const listManagers = (q: Sql, tenantId: number, now: Date) => q<{ email: string }[]>`
  select u.email from inventory.users u join inventory.tenants t on t.id = u.tenant_id
  where u.tenant_id = ${tenantId} and u.role = 'Admin' and not u.is_banned and t.subscription_expires_at > ${now}
  order by u.id`
