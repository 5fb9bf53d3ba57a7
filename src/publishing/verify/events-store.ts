import type { Sql } from '#platform/db/database.ts'

/** Around the end of the time for which events are kept, some are removed before others. */
const removedTogether = 1_000

const told = (q: Sql, type: string) => q`
  select substr(e.subject, 6)::bigint as id, count(*) as n from platform.events e
  where e.service = 'publishing' and e.type = ${type} and starts_with(e.owner, 'by/') group by 1`

/**
 * Posts whose creation or deletion is not exactly one event for those who follow the author, and events of posts that do
 * not exist. Only posts count that are newer than the first whose event is still kept.
 */
export const postsWithWrongEvents = (q: Sql) => q<{ id: number; type: string; events: number }[]>`
  with created as materialized (${told(q, 'post.created')}), deleted as materialized (${told(q, 'post.deleted')}),
  kept as (
    select min(id) + case when exists (select from platform.event_horizons
      where service = 'publishing' and type = 'post.created') then ${removedTogether} else 0 end as first
    from created
  )
  select p.id, 'post.created' as type, coalesce(c.n, 0)::int as events
  from kept join publishing.posts p on p.id >= kept.first left join created c on c.id = p.id
  where coalesce(c.n, 0) <> 1
  union all
  select p.id, 'post.deleted', coalesce(d.n, 0)::int
  from kept join publishing.posts p on p.id >= kept.first left join deleted d on d.id = p.id
  where coalesce(d.n, 0) <> (p.deleted_at is not null)::int
  union all
  select t.id, 'post.created', t.n::int from created t left join publishing.posts p on p.id = t.id where p.id is null
  order by id`

type Wrong = { subject: string; detail: string }

/** The last of some types of event for each subject and account from which it comes. */
const lastOf = (q: Sql, types: readonly string[]) => q`
  select distinct on (subject, by) split_part(subject, '/', 2)::bigint as id, by, type from (
    select subject, (data ->> 'by')::bigint as by, type, seq from platform.events
    where service = 'publishing' and type = any(${types as string[]}::text[])) e
  where by is not null order by subject, by, seq desc`

/** Follows and likes whose last event tells that they ended. */
export const endedByTheirEvents = (q: Sql) => q<Wrong[]>`
  select format('follow of %s by %s', e.id, e.by) as subject, 'exists, but its last event is ' || e.type as detail
  from (${lastOf(q, ['user.followed', 'user.unfollowed'])}) e
  join publishing.follows f on f.followee_id = e.id and f.follower_id = e.by and f.is_accepted
  where e.type = 'user.unfollowed'
  union all
  select format('like of post %s by %s', e.id, e.by), 'exists, but its last event is ' || e.type
  from (${lastOf(q, ['post.liked', 'post.unliked'])}) e
  join publishing.likes l on l.post_id = e.id and l.user_id = e.by
  where e.type = 'post.unliked'`

/** Posts whose last event tells of another text. */
export const postsWithOtherTexts = (q: Sql) => q<Wrong[]>`
  select 'post ' || p.id as subject, format('%s says %L, but it is %L', e.type, e.content, p.content) as detail
  from (select distinct on (subject) split_part(subject, '/', 2)::bigint as id, type, data ->> 'content' as content
    from platform.events where service = 'publishing' and type in ('post.created', 'post.updated')
      and starts_with(owner, 'by/') order by subject, seq desc) e
  join publishing.posts p on p.id = e.id and p.deleted_at is null and p.type <> 'repost'
  where e.content is distinct from p.content`

/** Accounts of which the last event tells something else than their profile, or that they are deleted. */
export const accountsWithWrongEvents = (q: Sql) => q<Wrong[]>`
  select 'account ' || e.id as subject, format('%s says %s', e.type, e.data) as detail
  from (select distinct on (subject, type) split_part(subject, '/', 2)::bigint as id, type, data from platform.events
    where service = 'publishing' and (type = 'user.deleted' or type = 'user.updated' and starts_with(owner, 'by/'))
    order by subject, type, seq desc) e
  join publishing.users u on u.id = e.id and u.deleted_at is null
  where e.type = 'user.deleted' or (u.username, u.bio, u.is_verified::text, u.is_protected::text) is distinct from
    (e.data ->> 'username', e.data ->> 'bio', e.data ->> 'is_verified', e.data ->> 'is_protected')`
