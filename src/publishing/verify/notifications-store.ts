import type { Sql } from '#platform/db/database.ts'

/** The notifications that tell of something that is not, or no longer, so; also those to or from deleted accounts. */
export const notificationsWithoutCause = (q: Sql) => q<{ id: number; type: string }[]>`
  select n.id, n.type from publishing.notifications n
    left join publishing.users u on u.id = n.user_id and u.deleted_at is null
    left join publishing.users a on a.id = n.actor_id and a.deleted_at is null
    left join publishing.posts p on p.id = n.post_id and p.deleted_at is null
  where u.id is null or a.id is null or not case
    when n.type = 'like' then p.author_id = n.user_id and exists (
      select from publishing.likes l where l.post_id = p.id and l.user_id = n.actor_id)
    when n.type = 'repost' then p.author_id = n.user_id and exists (
      select from publishing.posts r
      where r.repost_of_id = p.id and r.author_id = n.actor_id and r.deleted_at is null)
    when n.type in ('reply', 'quote') then p.author_id = n.actor_id and p.type = n.type and exists (
      select from publishing.posts t
      where t.id = coalesce(p.parent_id, p.quote_of_id) and t.author_id = n.user_id)
    when n.type = 'mention' then p.author_id = n.actor_id and n.user_id = any (p.mention_ids)
    when n.type in ('follow', 'follow_request') then exists (
      select from publishing.follows f
      where f.follower_id = n.actor_id and f.followee_id = n.user_id and f.is_accepted = (n.type = 'follow'))
    else exists (
      select from publishing.follows f
      where f.follower_id = n.user_id and f.followee_id = n.actor_id and f.is_accepted)
  end is true
  order by n.id`
