import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import { type Target, targetQuery, visibleOriginal } from './store.ts'

type Reposted = { refusal: 'gone' | 'suspended' } | { refusal?: never; id: number; created: boolean }

/** Reposts a post if it may be reposted; undefined if there is no such post, `reposted` is null if it may not. */
export const repost = (q: Sql, id: number, authorId: number, now: Date) =>
  maybeOne(q<(Target & { reposted: Reposted | null })[]>`
    with target as materialized (${targetQuery(q, id, authorId)})
    select t.*, case when visible and not blocked and audience = 'public'
      then publishing.repost(t.id, ${authorId}, ${now}) end as reposted
    from target t`)

/**
 * Takes a repost back; undefined if there is no such post or it is not visible, a repost of null if there was none.
 * `signal` is given the ids of the posts that change.
 */
export const unrepost = (
  q: Sql,
  id: number,
  authorId: number,
  now: Date,
  signal: (ids: Fragment) => Fragment,
) =>
  maybeOne(q<{ original: number; repost: number | null }[]>`
    with target as materialized (${visibleOriginal(q, id, authorId)}), done as materialized (
      select id as original, publishing.unrepost(id, ${authorId}, ${now}) as repost from target
    ), signalled as (${signal(q`select unnest(array[original, repost])::text from done where repost is not null`)})
    select original, repost, (select count(*) from signalled) from done`)
