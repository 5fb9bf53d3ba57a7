import type { Sql } from '#platform/db/database.ts'
import { escapeLike, value } from '#platform/db/rows.ts'
import type { ListPage } from '#platform/list-page.ts'

export type AccountRow = {
  handle: string
  username: string
  email: string
  is_verified: boolean
  is_protected: boolean
  is_suspended: boolean
  is_admin: boolean
  post_count: number
  follower_count: number
  created_at: string
}

const matching = (q: Sql, search: string | null) => {
  const pattern = search === null ? null : `%${escapeLike(search.replace(/^@/, ''))}%`
  return q`
    from publishing.users where deleted_at is null and (${pattern}::text is null
      or handle ilike ${pattern} or username ilike ${pattern} or email ilike ${pattern})`
}

export const countAccounts = (q: Sql, search: string | null) =>
  value<number>(q`select count(*) as total ${matching(q, search)}`)

export const listAccounts = (q: Sql, { search, limit, offset }: ListPage) => q<AccountRow[]>`
  select handle, username, email, is_verified, is_protected, is_suspended, is_admin, post_count, follower_count, created_at
  ${matching(q, search)} order by id limit ${limit} offset ${offset}`
