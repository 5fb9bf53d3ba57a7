import type { Sql } from '#platform/db/database.ts'

/** The live posts among `ids` and the reposts of them; what they answer, quote or repeat is locked as well. */
export const lockWithRelatives = async (q: Sql, ids: readonly number[]) => {
  const rows = await q<{ id: number; author_id: number; doomed: boolean }[]>`
    with doomed as (
      select id from publishing.posts where id = any (${[...ids]}::bigint[])
      union select id from publishing.posts where repost_of_id = any (${[...ids]}::bigint[])
    ), touched as (
      select id from doomed
      union select coalesce(parent_id, quote_of_id, repost_of_id) from publishing.posts where id in (select id from doomed)
    )
    select id, author_id, id in (select id from doomed) as doomed from publishing.posts
    where id in (select id from touched) and deleted_at is null order by id for no key update`
  return rows.filter(({ doomed }) => doomed)
}

export const lockAuthors = (q: Sql, ids: number[]) => q`
  select from publishing.users where id = any (${ids}::bigint[]) order by id for no key update`

/** Takes posts out of every counter they are part of; answers the posts whose counters changed. */
export const uncount = async (q: Sql, ids: number[]) => {
  await q`
    update publishing.users u set post_count = u.post_count - n.count
    from (select author_id, count(*) from publishing.posts where id = any (${ids}::bigint[]) group by author_id) n
    where u.id = n.author_id`
  const rows = await q<{ id: number }[]>`
    update publishing.posts p set reply_count = p.reply_count - n.replies, quote_count = p.quote_count - n.quotes,
      repost_count = p.repost_count - n.reposts
    from (
      select coalesce(parent_id, quote_of_id, repost_of_id) as id, count(parent_id) as replies,
        count(quote_of_id) as quotes, count(repost_of_id) as reposts
      from publishing.posts where id = any (${ids}::bigint[]) group by 1
    ) n where p.id = n.id and p.deleted_at is null returning p.id`
  return rows.map(({ id }) => id)
}

/** What stays is an empty row that keeps the place of a post in its thread. */
export const entomb = async (q: Sql, ids: number[], now: Date) => {
  await q`delete from publishing.likes where post_id = any (${ids}::bigint[])`
  await q`delete from publishing.post_versions where post_id = any (${ids}::bigint[])`
  await q`
    update publishing.posts set content = '', content_html = '', hashtags = '{}', mentions = '{}', audience = 'nobody',
      like_count = 0, repost_count = 0, quote_count = 0, reply_count = 0, deleted_at = ${now}
    where id = any (${ids}::bigint[])`
}
