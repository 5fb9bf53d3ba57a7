import type { Sql } from '#platform/db/database.ts'
import { escapeLike, value } from '#platform/db/rows.ts'
import type { ListPage } from '#platform/list-page.ts'

export type TenantRow = {
  id: number
  name: string
  admin: string | null
  users: number
  subscription_expires_at: string
  created_at: string
}

export type UserRow = {
  email: string
  name: string
  role: string
  is_banned: boolean
  tenant_id: number
  tenant: string
  created_at: string
}

const patternOf = (search: string | null) => (search === null ? null : `%${escapeLike(search)}%`)

/** The first admin stands for the tenant. */
const tenants = (q: Sql, search: string | null) => q`
  from inventory.tenants t left join lateral (
    select email from inventory.users u where u.tenant_id = t.id and u.role = 'Admin' order by u.id limit 1
  ) admin on true
  where ${patternOf(search)}::text is null or t.name ilike ${patternOf(search)} or admin.email ilike ${patternOf(search)}`

export const countTenants = (q: Sql, search: string | null) =>
  value<number>(q`select count(*) as total ${tenants(q, search)}`)

export const listTenants = (q: Sql, { search, limit, offset }: ListPage) => q<TenantRow[]>`
  select t.id, t.name, admin.email as admin, (select count(*) from inventory.users u where u.tenant_id = t.id) as users,
    t.subscription_expires_at, t.created_at
  ${tenants(q, search)} order by t.id limit ${limit} offset ${offset}`

const users = (q: Sql, search: string | null) => q`
  from inventory.users u join inventory.tenants t on t.id = u.tenant_id
  where ${patternOf(search)}::text is null or u.name ilike ${patternOf(search)} or u.email ilike ${patternOf(search)}`

export const countUsers = (q: Sql, search: string | null) =>
  value<number>(q`select count(*) as total ${users(q, search)}`)

export const listUsers = (q: Sql, { search, limit, offset }: ListPage) => q<UserRow[]>`
  select u.email, u.name, u.role, u.is_banned, u.tenant_id, t.name as tenant, u.created_at
  ${users(q, search)} order by u.id limit ${limit} offset ${offset}`
