import type { Sql } from '#platform/db/database.ts'
import type { Profile, ProfileChange } from './schema.ts'

export const profileColumns = (q: Sql) => q`
  id, username, handle, bio, avatar_url, banner_url, location, website, is_verified, is_protected,
  follower_count, following_count, post_count, created_at`

type Counter = 'follower_count' | 'following_count' | 'post_count'
export type Tallies = Pick<Profile, 'id' | Counter>

/** An account as everybody but its owner's counters know it. */
export type Person = Omit<Profile, Counter> & { epoch: number; isAdmin: boolean; isSuspended: boolean }

export const findPeople = (q: Sql, ids: number[]) => q<Person[]>`
  select id, username, handle, bio, avatar_url, banner_url, location, website, is_verified, is_protected,
    created_at, token_epoch as epoch, is_admin as "isAdmin", is_suspended as "isSuspended"
  from publishing.users where id = any (${ids}::bigint[]) and deleted_at is null`

export const findTallies = (q: Sql, ids: number[]) => q<Tallies[]>`
  select id, follower_count, following_count, post_count from publishing.users where id = any (${ids}::bigint[])`

export const findIdByHandle = async (q: Sql, handle: string) =>
  (await q<{ id: number }[]>`select id from publishing.users where lower(handle) = ${handle}`)[0]?.id

export const findProfile = async (q: Sql, id: number) =>
  (
    await q<Profile[]>`
      select ${profileColumns(q)} from publishing.users where id = ${id} and deleted_at is null`
  )[0]

/** An account and its posts, in the order in which everybody locks. */
export const lockWithPosts = async (q: Sql, id: number) => {
  await q`
    select from publishing.posts where author_id = ${id} and deleted_at is null order by id for no key update`
  await q`select from publishing.users where id = ${id} for no key update`
}

export const lockUser = async (q: Sql, id: number) =>
  (
    await q<{ handle: string; username: string; is_protected: boolean; is_suspended: boolean }[]>`
      select handle, username, is_protected, is_suspended from publishing.users
      where id = ${id} and deleted_at is null for no key update`
  )[0]

export const updateProfile = (q: Sql, id: number, change: ProfileChange & { words: string }) => q`
  update publishing.users set ${q.set(change)} where id = ${id}`

export type Flags = Partial<Record<'is_suspended' | 'is_verified' | 'is_admin', boolean>>

export const updateFlags = (q: Sql, id: number, flags: Flags) => q`
  update publishing.users set ${q.set(flags)} where id = ${id}`

/** What depends on the account is not in line with it yet. */
export const unsettle = (q: Sql, id: number) => q`
  update publishing.users set unsettled = unsettled + 1 where id = ${id}`

export const unsettledMark = async (q: Sql, id: number) =>
  (await q<{ unsettled: number }[]>`select unsettled from publishing.users where id = ${id}`)[0]!.unsettled

/** Unless the account has changed again since the mark was read. */
export const markSettled = (q: Sql, id: number, mark: number) => q`
  update publishing.users set unsettled = 0 where id = ${id} and unsettled = ${mark} and unsettled > 0`

export const listUnsettled = async (q: Sql) =>
  (await q<{ id: number }[]>`select id from publishing.users where unsettled > 0 order by id`).map(
    ({ id }) => id,
  )
