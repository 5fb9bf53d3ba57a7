import type { Sql } from '#platform/db/database.ts'
import type { Profile } from '../profiles/schema.ts'
import { profileColumns } from '../profiles/store.ts'

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

export const findCredentials = async (q: Sql, email: string): Promise<Credentials | undefined> =>
  (
    await q<
      Credentials[]
    >`select ${credentials(q)} from publishing.users where lower(email) = lower(${email})`
  )[0]

export const findOwnCredentials = async (q: Sql, id: number): Promise<Credentials | undefined> =>
  (
    await q<
      Credentials[]
    >`select ${credentials(q)} from publishing.users where id = ${id} and deleted_at is null`
  )[0]

/** Answers the new epoch. Only while the old password is still the one that was checked. */
export const changePassword = async (q: Sql, id: number, oldHash: string, newHash: string) =>
  (
    await q<{ epoch: number }[]>`
      update publishing.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
      where id = ${id} and password_hash = ${oldHash} and deleted_at is null returning token_epoch as epoch`
  )[0]?.epoch

/** Whatever the old one was; answers the address. */
export const replacePassword = async (q: Sql, id: number, newHash: string) =>
  (
    await q<{ email: string }[]>`
      update publishing.users set password_hash = ${newHash}, token_epoch = token_epoch + 1
      where id = ${id} and deleted_at is null returning email`
  )[0]?.email

export type NewUser = {
  email: string
  handle: string
  username: string
  passwordHash: string
  words: string
  now: Date
}

/** Nothing when the handle or the email is taken. */
export const insertUser = async (q: Sql, u: NewUser): Promise<Profile | undefined> =>
  (
    await q<Profile[]>`
      insert into publishing.users (email, handle, username, password_hash, words, created_at)
      values (${u.email}, ${u.handle}, ${u.username}, ${u.passwordHash}, ${u.words}, ${u.now})
      on conflict do nothing returning ${profileColumns(q)}`
  )[0]

export const isHandleTaken = async (q: Sql, handle: string) =>
  (await q`select 1 from publishing.users where lower(handle) = lower(${handle})`).length > 0
