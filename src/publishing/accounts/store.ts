import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

export type Credentials = {
  id: number
  email: string
  handle: string
  epoch: number
  isAdmin: boolean
  isSuspended: boolean
  passwordHash: string
}

const credentials = (q: Sql) => q`
  id, email, handle, token_epoch as epoch, is_admin as "isAdmin", is_suspended as "isSuspended", password_hash as "passwordHash"`

export const findCredentials = (q: Sql, email: string) =>
  maybeOne(q<Credentials[]>`
    select ${credentials(q)} from publishing.users where lower(email) = lower(${email})`)

export const findOwnCredentials = (q: Sql, id: number) =>
  maybeOne(q<Credentials[]>`
    select ${credentials(q)} from publishing.users where id = ${id} and deleted_at is null`)

/** Returns the new epoch; undefined if the password is no longer the one that was checked. */
export const changePassword = async (q: Sql, id: number, oldHash: string, newHash: string) =>
  (
    await maybeOne(q<{ epoch: number }[]>`
      update publishing.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
      where id = ${id} and password_hash = ${oldHash} and deleted_at is null returning token_epoch as epoch`)
  )?.epoch

/** Without checking the old password; returns the email. */
export const replacePassword = async (q: Sql, id: number, newHash: string) =>
  (
    await maybeOne(q<{ email: string }[]>`
      update publishing.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
      where id = ${id} and deleted_at is null returning email`)
  )?.email

export const isHandleTaken = async (q: Sql, handle: string) =>
  (await q`select 1 from publishing.users where lower(handle) = lower(${handle})`).length > 0
