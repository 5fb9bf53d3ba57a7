import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { Role } from '../context.ts'

/** What the guard needs to know of a user on every request. */
export type KnownUser = { id: string; orgId: string; role: Role; epoch: number }

export type UserRow = {
  id: string
  full_name: string
  email: string
  role: Role
  totp_enabled: boolean
  created_at: string
}
export type Credentials = UserRow & {
  org_id: string
  password_hash: string
  token_epoch: number
  totp_secret: string | null
  totp_last_step: number | null
}
export type OrganizationRow = {
  id: string
  name: string
  slug: string
  plan_status: 'trial' | 'active' | 'expired'
  plan_expires_at: string
  storage_tier: string
  bandwidth_tier: string
  storage_quota_bytes: number
  storage_used_bytes: number
  bandwidth_used_bytes: number
  object_quota: number
  retained_objects: number
}

const userColumns = (q: Sql) => q`id, full_name, email, role, totp_enabled, created_at`

export const findKnownUser = (q: Sql, id: string): Promise<KnownUser | undefined> =>
  maybeOne(
    q<
      KnownUser[]
    >`select id, org_id as "orgId", role, token_epoch as epoch from storage.users where id = ${id}`,
  )

export const findCredentials = (q: Sql, email: string): Promise<Credentials | undefined> =>
  maybeOne(q<Credentials[]>`
    select ${userColumns(q)}, org_id, password_hash, token_epoch, totp_secret, totp_last_step
    from storage.users where lower(email) = lower(${email})`)

export const findUser = (q: Sql, id: string): Promise<UserRow | undefined> =>
  maybeOne(q<UserRow[]>`select ${userColumns(q)} from storage.users where id = ${id}`)

/** A plan is shown as expired from the moment its time has passed, without an update. */
export const findOrganization = (q: Sql, id: string, now: Date): Promise<OrganizationRow | undefined> =>
  maybeOne(q<OrganizationRow[]>`
    select id, name, slug, case when plan_expires_at <= ${now} then 'expired' else plan_status end as plan_status,
      plan_expires_at, storage_tier, bandwidth_tier, storage_quota_bytes, storage_used_bytes,
      storage.bandwidth_in_month(organizations, ${now}) as bandwidth_used_bytes, object_quota,
      retained_objects
    from storage.organizations where id = ${id}`)

export type NewOrganization = {
  id: string
  name: string
  slug: string
  trialEnds: Date
  storageQuota: number
  bandwidthQuota: number
  now: Date
}

export const insertOrganization = (q: Sql, o: NewOrganization) => q`
  insert into storage.organizations
    (id, name, slug, plan_status, plan_expires_at, storage_tier, bandwidth_tier, storage_quota_bytes, bandwidth_quota_bytes,
      usage_day, created_at)
  values (${o.id}, ${o.name}, ${o.slug}, 'trial', ${o.trialEnds}, 'trial', 'trial', ${o.storageQuota}, ${o.bandwidthQuota},
    (${o.now}::timestamptz at time zone 'UTC')::date, ${o.now})
  on conflict on constraint organizations_slug_key do nothing`

export type NewUser = {
  id: string
  orgId: string
  fullName: string
  email: string
  role: Role
  passwordHash: string
  now: Date
}

/** Returns nothing if the email is in use. */
export const insertUser = (q: Sql, u: NewUser): Promise<UserRow | undefined> =>
  maybeOne(q<UserRow[]>`
    insert into storage.users (id, org_id, email, full_name, role, password_hash, created_at)
    values (${u.id}, ${u.orgId}, ${u.email}, ${u.fullName}, ${u.role}, ${u.passwordHash}, ${u.now})
    on conflict (lower(email)) do nothing
    returning ${userColumns(q)}`)

/** Marks the code of a step, and those before it, as used; returns false if it was used already. */
export const useTotpStep = async (q: Sql, userId: string, step: number) =>
  (
    await q`
      update storage.users set totp_last_step = ${step}
      where id = ${userId} and (totp_last_step is null or totp_last_step < ${step})`
  ).count === 1

/** Ends every session and disables two-factor login. */
export const replacePassword = (q: Sql, userId: string, passwordHash: string) =>
  maybeOne(q<{ org_id: string; email: string }[]>`
    update storage.users set password_hash = ${passwordHash}, token_epoch = token_epoch + 1,
      totp_enabled = false, totp_secret = null, totp_last_step = null
    where id = ${userId} returning org_id, email`)
