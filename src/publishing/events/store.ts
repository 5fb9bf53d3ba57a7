import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

/** The account whose webhooks these are, unless it is suspended or deleted. */
export const findManager = (q: Sql, id: number) =>
  maybeOne(q<{ email: string; handle: string; isAdmin: boolean }[]>`
    select email, handle, is_admin as "isAdmin" from publishing.users
    where id = ${id} and not is_suspended and deleted_at is null`)

/**
 * Which webhook `w` receives which event `e`: the same as `mayRead`, one lookup for each pair of both. The account that an
 * event comes from is its author, if it is one for all followers, or else `by`.
 */
export const receives = (q: Sql) => {
  const author = q`case when starts_with(e.owner, 'by/') then substr(e.owner, 4)::bigint end`
  const by = q`(e.data ->> 'by')::bigint`
  const me = q`case when w.service = 'publishing' then w.owner::bigint end`
  return q`
    (w.owner = e.owner or exists (
      select from publishing.follows f
      where f.follower_id = ${me} and f.followee_id = ${author} and f.is_accepted))
    and ${by} is distinct from ${me}
    and not exists (select from publishing.mutes where muter_id = ${me} and muted_id = coalesce(${author}, ${by}))
    and not exists (select from publishing.blocks where blocker_id = ${me} and blocked_id = coalesce(${author}, ${by}))`
}
