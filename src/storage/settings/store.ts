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

/** Only while the old password is still the one that was checked. */
export const changePassword = async (q: Sql, userId: string, oldHash: string, newHash: string) =>
  (
    await q`
      update storage.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
      where id = ${userId} and password_hash = ${oldHash}`
  ).count === 1

/** A secret that awaits its first code. Does nothing once two-factor login is on. */
export const proposeTotp = async (q: Sql, userId: string, secret: string) =>
  (
    await q`
      update storage.users set totp_secret = ${secret}, totp_last_step = null
      where id = ${userId} and not totp_enabled`
  ).count === 1

/** Only for the very secret that the code was checked against. */
export const enableTotp = async (q: Sql, userId: string, secret: string) =>
  (
    await q`
      update storage.users set totp_enabled = true
      where id = ${userId} and totp_secret = ${secret} and not totp_enabled`
  ).count === 1

/** Only with a code of a later step than the last that signed in. */
export const disableTotp = async (q: Sql, userId: string, secret: string, step: number) =>
  (
    await q`
      update storage.users set totp_enabled = false, totp_secret = null, totp_last_step = null
      where id = ${userId} and totp_secret = ${secret} and totp_enabled
        and (totp_last_step is null or totp_last_step < ${step})`
  ).count === 1
