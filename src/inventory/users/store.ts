import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { Role } from '../context.ts'
import type { Member, MemberChange } from './schema.ts'

export type Person = {
  id: number
  tenantId: number
  role: Role
  epoch: number
  isBanned: boolean
  subscriptionExpiresAt: string
}

export const findPerson = (q: Sql, id: number) =>
  maybeOne(q<Person[]>`
    select u.id, u.tenant_id as "tenantId", u.role, u.token_epoch as epoch, u.is_banned as "isBanned",
      t.subscription_expires_at as "subscriptionExpiresAt"
    from inventory.users u join inventory.tenants t on t.id = u.tenant_id where u.id = ${id}`)

const columns = (q: Sql) => q`id, name, email, role, is_banned, created_at`

export const listMembers = (q: Sql, tenantId: number) => q<Member[]>`
  select ${columns(q)} from inventory.users where tenant_id = ${tenantId} order by id`

export type NewUser = {
  tenantId: number
  name: string
  email: string
  role: Role
  passwordHash: string
  now: Date
}

/** Nothing when the email is in use. */
export const insertUser = async (q: Sql, u: NewUser): Promise<Member | undefined> =>
  maybeOne(q<Member[]>`
    insert into inventory.users (tenant_id, name, email, role, password_hash, created_at)
    values (${u.tenantId}, ${u.name}, ${u.email}, ${u.role}, ${u.passwordHash}, ${u.now})
    on conflict (lower(email)) do nothing returning ${columns(q)}`)

export const updateMember = async (q: Sql, tenantId: number, id: number, change: MemberChange) =>
  maybeOne(q<Member[]>`
    update inventory.users set role = coalesce(${change.role ?? null}, role),
      is_banned = coalesce(${change.is_banned ?? null}, is_banned)
    where tenant_id = ${tenantId} and id = ${id} returning ${columns(q)}`)

export const hasAdmin = async (q: Sql, tenantId: number) =>
  (
    await q`select 1 from inventory.users
      where tenant_id = ${tenantId} and role = 'Admin' and not is_banned limit 1`
  ).length > 0

export const setBan = (q: Sql, email: string, isBanned: boolean) => q<(Member & { tenant_id: number })[]>`
  update inventory.users set is_banned = ${isBanned} where lower(email) = lower(${email})
  returning tenant_id, ${columns(q)}`

export const setSubscription = (q: Sql, tenantId: number, expires: Date) => q<{ id: number }[]>`
  with renewed as (
    update inventory.tenants set subscription_expires_at = ${expires} where id = ${tenantId} returning id
  )
  select u.id from inventory.users u join renewed t on t.id = u.tenant_id`
