import type { Sql } from '#platform/db/database.ts'
import type { Person } from '../context.ts'
import type { Profile } from '../profiles/schema.ts'
import { profileColumns } from '../profiles/store.ts'

export const findPerson = async (q: Sql, id: number): Promise<Person | undefined> =>
  (
    await q<Person[]>`
      select id, handle, token_epoch as epoch, is_admin as "isAdmin", is_suspended as "isSuspended"
      from publishing.users where id = ${id}`
  )[0]

export type Credentials = Person & { passwordHash: string }

export const findCredentials = async (q: Sql, email: string): Promise<Credentials | undefined> =>
  (
    await q<Credentials[]>`
      select id, handle, token_epoch as epoch, is_admin as "isAdmin", is_suspended as "isSuspended",
        password_hash as "passwordHash"
      from publishing.users where lower(email) = lower(${email})`
  )[0]

export type NewUser = { email: string; handle: string; username: string; passwordHash: string; now: Date }

/** Nothing when the handle or the email is taken. */
export const insertUser = async (q: Sql, u: NewUser): Promise<Profile | undefined> =>
  (
    await q<Profile[]>`
      insert into publishing.users (email, handle, username, password_hash, created_at)
      values (${u.email}, ${u.handle}, ${u.username}, ${u.passwordHash}, ${u.now})
      on conflict do nothing returning ${profileColumns(q)}`
  )[0]

export const isHandleTaken = async (q: Sql, handle: string) =>
  (await q`select 1 from publishing.users where lower(handle) = lower(${handle})`).length > 0
