import type { Sql } from '#platform/db/database.ts'

export type ChangedFeed = { id: number; handle: string; feed_changed_at: string }

/**
 * Public accounts whose feeds changed within the last hour in a way that the hub has not been told of. This reads all
 * accounts once a minute: an index on a column that every post changes would cost each of them more.
 */
export const listChanged = (q: Sql, limit: number) => q<ChangedFeed[]>`
  select u.id, u.handle, u.feed_changed_at from publishing.users u
    left join publishing.hub_pings told on told.user_id = u.id
  where u.feed_changed_at > now() - interval '1 hour' and u.feed_changed_at is distinct from told.feed_changed_at
    and u.deleted_at is null and not u.is_protected and not u.is_suspended
  order by u.feed_changed_at limit ${limit}`

export const recordTold = (q: Sql, { id, feed_changed_at }: ChangedFeed) => q`
  insert into publishing.hub_pings (user_id, feed_changed_at) values (${id}, ${feed_changed_at})
  on conflict (user_id) do update set feed_changed_at = excluded.feed_changed_at`

/** What is no longer listed does not have to be remembered. */
export const forgetOld = (q: Sql) => q`
  delete from publishing.hub_pings where feed_changed_at < now() - interval '2 hours'`
