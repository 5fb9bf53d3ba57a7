import type { Sql } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import type { Role } from '../context.ts'

export type AccountRow = {
  id: number
  name: string
  email: string
  role: Role
  tenant_id: number
  tenant_name: string
}
export type Credentials = AccountRow & { password_hash: string; token_epoch: number; is_banned: boolean }

const accountColumns = (q: Sql) => q`u.id, u.name, u.email, u.role, u.tenant_id, t.name as tenant_name`

export const findAccount = async (q: Sql, id: number): Promise<AccountRow | undefined> =>
  maybeOne(q<AccountRow[]>`
    select ${accountColumns(q)} from inventory.users u join inventory.tenants t on t.id = u.tenant_id where u.id = ${id}`)

export const renameUser = (q: Sql, id: number, name: string) => q`
  update inventory.users set name = ${name} where id = ${id}`

export const findCredentials = async (q: Sql, email: string): Promise<Credentials | undefined> =>
  maybeOne(q<Credentials[]>`
    select ${accountColumns(q)}, u.password_hash, u.token_epoch, u.is_banned
    from inventory.users u join inventory.tenants t on t.id = u.tenant_id where lower(u.email) = lower(${email})`)

export const findOwnCredentials = async (q: Sql, id: number) =>
  maybeOne(q<Pick<Credentials, 'id' | 'email' | 'password_hash'>[]>`
    select id, email, password_hash from inventory.users where id = ${id}`)

/** Returns the new epoch, or nothing if the password is no longer the one that was checked. */
export const changePassword = async (q: Sql, id: number, oldHash: string, newHash: string) =>
  (
    await maybeOne(q<{ epoch: number }[]>`
      update inventory.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
      where id = ${id} and password_hash = ${oldHash} returning token_epoch as epoch`)
  )?.epoch

/** Replaces the password without a check, and returns the email address. */
export const replacePassword = (q: Sql, id: number, newHash: string) =>
  maybeOne(q<{ email: string; tenant_id: number }[]>`
    update inventory.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
    where id = ${id} returning email, tenant_id`)

export const insertTenant = (q: Sql, name: string, subscriptionEnds: Date, now: Date) =>
  value<number>(q`
      insert into inventory.tenants (name, subscription_expires_at, created_at)
      values (${name}, ${subscriptionEnds}, ${now}) returning id`)
