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
