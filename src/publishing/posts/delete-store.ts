import type { Sql } from '#platform/db/database.ts'

type LockedPost = { id: number; author_id: number }

/** Locks the posts among `ids` that are not deleted, and what they reply to, quote or repeat; returns the former. */
export const lockWithOriginals = async (q: Sql, ids: readonly number[]): Promise<LockedPost[]> => {
  const rows = await q<(LockedPost & { requested: boolean })[]>`
    select id, author_id, id = any (${[...ids]}::bigint[]) as requested from publishing.posts
    where deleted_at is null and (id = any (${[...ids]}::bigint[]) or id in (
      select coalesce(parent_id, quote_of_id, repost_of_id) from publishing.posts where id = any (${[...ids]}::bigint[])))
    order by id for no key update`
  return rows.filter(({ requested }) => requested)
}

/** The reposts of posts that are locked already, so that no more can be added. */
export const lockReposts = (q: Sql, ids: readonly number[]) => q<LockedPost[]>`
  select id, author_id from publishing.posts
  where repost_of_id = any (${[...ids]}::bigint[]) and deleted_at is null order by id for no key update`

export const lockAuthors = (q: Sql, ids: number[]) => q`
  select from publishing.users where id = any (${ids}::bigint[]) order by id for no key update`

/** Events of posts that `by` deletes, as they are now. */
export const addDeletionEvents = (q: Sql, ids: number[], by: number) => q`
  select publishing.add_deletion_events(${ids}::bigint[], ${by})`

/** Subtracts posts from every counter that includes them; returns the posts whose counters changed. */
export const decrementCounters = async (q: Sql, ids: number[]) => {
  await q`
    update publishing.users u set post_count = u.post_count - n.count
    from (select author_id, count(*) from publishing.posts where id = any (${ids}::bigint[]) group by author_id) n
    where u.id = n.author_id`
  const rows = await q<{ id: number }[]>`
    update publishing.posts p set reply_count = p.reply_count - n.replies, quote_count = p.quote_count - n.quotes,
      repost_count = p.repost_count - n.reposts
    from (
      select t.id, count(c.parent_id) as replies, count(c.quote_of_id) as quotes, count(c.repost_of_id) as reposts
      from publishing.posts c join publishing.posts t on t.id = coalesce(c.parent_id, c.quote_of_id, c.repost_of_id)
      where c.id = any (${ids}::bigint[]) and (c.audience = 'public' or c.author_id = t.author_id) group by t.id
    ) n where p.id = n.id and p.deleted_at is null returning p.id`
  return rows.map(({ id }) => id)
}

/** What these posts told others: that they reply to them, quote, mention or repost them. */
const deleteNotifications = (q: Sql, ids: number[]) => q`
  delete from publishing.notifications n using publishing.posts p
  where p.id = any (${ids}::bigint[]) and n.actor_id = p.author_id and n.post_id = coalesce(p.repost_of_id, p.id)
    and n.type = any (case p.type when 'repost' then '{repost}' else '{reply,quote,mention}' end::text[])`

const deleteLikes = (q: Sql, ids: number[]) => q`
  with unliked as (delete from publishing.likes where post_id = any (${ids}::bigint[]) returning user_id, post_id)
  delete from publishing.notifications n using unliked
  where n.actor_id = unliked.user_id and n.post_id = unliked.post_id and n.type = 'like'`

/** An empty row remains, which keeps the place of the post in its thread. */
export const markDeleted = async (q: Sql, ids: number[], now: Date) => {
  await deleteNotifications(q, ids)
  await deleteLikes(q, ids)
  await q`delete from publishing.post_versions where post_id = any (${ids}::bigint[])`
  await q`
    update publishing.posts set content = '', content_html = '', hashtags = '{}', mentions = '{}', audience = 'nobody',
      like_count = 0, repost_count = 0, quote_count = 0, reply_count = 0, deleted_at = ${now}
    where id = any (${ids}::bigint[])`
}
