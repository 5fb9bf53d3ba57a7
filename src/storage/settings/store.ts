import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

export type SettingsRow = {
  email: string
  password_hash: string
  totp_secret: string | null
  totp_enabled: boolean
  totp_last_step: number | null
}

export const findSettings = (q: Sql, orgId: string, userId: string) =>
  maybeOne(q<SettingsRow[]>`
    select email, password_hash, totp_secret, totp_enabled, totp_last_step
    from storage.users where org_id = ${orgId} and id = ${userId}`)

export const setFullName = async (
  q: Sql,
  { orgId, userId }: { orgId: string; userId: string },
  name: string,
) =>
  (await q`update storage.users set full_name = ${name} where org_id = ${orgId} and id = ${userId}`).count ===
  1

export const setOrganizationName = (q: Sql, orgId: string, name: string) => q`
  update storage.organizations set name = ${name} where id = ${orgId}`

/** Returns the new epoch, or nothing if the password is no longer the one that was checked. */
export const changePassword = async (q: Sql, userId: string, oldHash: string, newHash: string) =>
  (
    await maybeOne(q<{ epoch: number }[]>`
      update storage.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
      where id = ${userId} and password_hash = ${oldHash} returning token_epoch as epoch`)
  )?.epoch

/** Stores a secret that awaits its first code. Does nothing if two-factor login is enabled. */
export const proposeTotp = async (q: Sql, userId: string, secret: string) =>
  (
    await q`
      update storage.users set totp_secret = ${secret}, totp_last_step = null
      where id = ${userId} and not totp_enabled`
  ).count === 1

/** Does nothing if the secret is no longer the one that the code was checked with. */
export const enableTotp = async (q: Sql, userId: string, secret: string) =>
  (
    await q`
      update storage.users set totp_enabled = true
      where id = ${userId} and totp_secret = ${secret} and not totp_enabled`
  ).count === 1

/** Does nothing unless the code is of a later step than the last one used to sign in. */
export const disableTotp = async (q: Sql, userId: string, secret: string, step: number) =>
  (
    await q`
      update storage.users set totp_enabled = false, totp_secret = null, totp_last_step = null
      where id = ${userId} and totp_secret = ${secret} and totp_enabled
        and (totp_last_step is null or totp_last_step < ${step})`
  ).count === 1
