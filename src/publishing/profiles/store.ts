import type { Sql } from '#platform/db/database.ts'
import type { Profile, ProfileChange } from './schema.ts'

export const profileColumns = (q: Sql) => q`
  id, username, handle, bio, avatar_url, banner_url, location, website, is_verified, is_protected,
  follower_count, following_count, post_count, created_at`

type ProfileRow = Profile & { is_suspended: boolean }

export const findProfile = async (q: Sql, handle: string): Promise<ProfileRow | undefined> =>
  (
    await q<
      ProfileRow[]
    >`select ${profileColumns(q)}, is_suspended from publishing.users where lower(handle) = lower(${handle})`
  )[0]

export const findProfileById = async (q: Sql, id: number): Promise<Profile | undefined> =>
  (await q<Profile[]>`select ${profileColumns(q)} from publishing.users where id = ${id}`)[0]

export const updateProfile = async (
  q: Sql,
  id: number,
  change: ProfileChange,
): Promise<Profile | undefined> =>
  (
    await q<Profile[]>`
      update publishing.users set ${q(change as Record<string, string>)} where id = ${id} returning ${profileColumns(q)}`
  )[0]
