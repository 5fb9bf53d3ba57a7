import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { Profile, ProfileChange } from './schema.ts'

const profileColumns = (q: Sql) => q`
  id, username, handle, bio, avatar_url, banner_url, location, website, language, is_verified, is_protected,
  follower_count, following_count, post_count, created_at`

type Counter = 'follower_count' | 'following_count' | 'post_count'
export type Counters = Pick<Profile, 'id' | Counter>

/** An account without its counters and its secrets. */
export type Account = Omit<Profile, Counter> & { epoch: number; isAdmin: boolean; isSuspended: boolean }

export const findAccounts = (q: Sql, ids: number[]) => q<Account[]>`
  select id, username, handle, bio, avatar_url, banner_url, location, website, language, is_verified, is_protected,
    created_at, token_epoch as epoch, is_admin as "isAdmin", is_suspended as "isSuspended"
  from publishing.users where id = any (${ids}::bigint[]) and deleted_at is null`

export const findCounters = (q: Sql, ids: number[]) => q<Counters[]>`
  select id, follower_count, following_count, post_count from publishing.users where id = any (${ids}::bigint[])`

export const findIdByHandle = async (q: Sql, handle: string) =>
  (await maybeOne(q<{ id: number }[]>`select id from publishing.users where lower(handle) = ${handle}`))?.id

export const findProfile = (q: Sql, id: number) =>
  maybeOne(
    q<Profile[]>`select ${profileColumns(q)} from publishing.users where id = ${id} and deleted_at is null`,
  )

export type NewAccount = {
  email: string
  handle: string
  username: string
  passwordHash: string
  words: string
  now: Date
}

/** Undefined if the handle or the email is taken. */
export const insertAccount = (q: Sql, a: NewAccount) =>
  maybeOne(q<Profile[]>`
    insert into publishing.users (email, handle, username, password_hash, words, created_at)
    values (${a.email}, ${a.handle}, ${a.username}, ${a.passwordHash}, ${a.words}, ${a.now})
    on conflict do nothing returning ${profileColumns(q)}`)

export type LockedAccount = Pick<Profile, 'handle' | 'username' | 'avatar_url' | 'banner_url'>

export const lockAccount = (q: Sql, id: number) =>
  maybeOne(q<LockedAccount[]>`
    select handle, username, avatar_url, banner_url from publishing.users
    where id = ${id} and deleted_at is null for no key update`)

export const updateProfile = (q: Sql, id: number, change: ProfileChange & { words: string }) => q`
  update publishing.users set ${q.set(change)} where id = ${id}`

export type Flags = Partial<Record<'is_suspended' | 'is_verified' | 'is_admin', boolean>>

export const updateFlags = (q: Sql, id: number, flags: Flags) => q`
  update publishing.users set ${q.set(flags)} where id = ${id}`

/** Posts, likes and follows of the account have to be reconciled with what it has become. */
export const markForReconcile = (q: Sql, id: number) => q`
  update publishing.users set reconcile_mark = reconcile_mark + 1 where id = ${id}`
