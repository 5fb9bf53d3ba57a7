import type { Sql } from '#platform/db/database.ts'

const isPublic = (q: Sql) => q`deleted_at is null and not is_protected and not is_suspended`

/** The last id of each full page of public accounts, in the order of ids. */
export const pageEnds = async (q: Sql, size: number) =>
  (
    await q<{ id: number }[]>`
      select id from (
        select id, row_number() over (order by id) as n from publishing.users where ${isPublic(q)}
      ) numbered where n % ${size} = 0 order by id`
  ).map(({ id }) => id)

export type Listed = { handle: string; changed_at: string }

export const listPublic = (q: Sql, after: number, limit: number) => q<Listed[]>`
  select handle, least(feed_changed_at, now()) as changed_at from publishing.users
  where ${isPublic(q)} and id > ${after} order by id limit ${limit}`
