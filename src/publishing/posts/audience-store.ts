import type { Sql } from '#platform/db/database.ts'
import type { Audience } from './store.ts'

const audienceOf = (q: Sql) => q`
  case when u.is_suspended then 'nobody' when u.is_protected then 'followers' else 'public' end`

/** The posts of an account that are not for whom they should be. */
export const strayPosts = async (q: Sql, authorId: number) =>
  (
    await q<{ id: number }[]>`
      select p.id from publishing.posts p join publishing.users u on u.id = p.author_id
      where p.author_id = ${authorId} and p.deleted_at is null and p.audience <> ${audienceOf(q)} order by p.id`
  ).map(({ id }) => id)

/** Whom the posts of an account are for; that stays so until the transaction ends. */
export const holdAudience = async (q: Sql, authorId: number) =>
  (
    await q<{ audience: Audience }[]>`
      select ${audienceOf(q)} as audience from publishing.users u
      where id = ${authorId} and deleted_at is null for share`
  )[0]?.audience

/**
 * Changes for whom posts are, and the counters of what they answer, quote or repeat: everything is locked already.
 * Below the author's own posts they count whoever they are for, since whoever may see those may see these.
 */
export const moveTo = async (q: Sql, authorId: number, ids: readonly number[], audience: Audience) => {
  const rows = await q<{ id: number; content: string | null }[]>`
    with moved as (
      update publishing.posts p set audience = ${audience}
      from (select id, audience from publishing.posts where id = any (${[...ids]}::bigint[])) was
      where p.id = was.id and p.author_id = ${authorId} and p.deleted_at is null and was.audience <> ${audience}
      returning p.id, p.content, p.parent_id, p.quote_of_id, p.repost_of_id,
        (p.audience = 'public')::int - (was.audience = 'public')::int as change
    ), recounted as (
      update publishing.posts t set reply_count = t.reply_count + n.replies, quote_count = t.quote_count + n.quotes,
        repost_count = t.repost_count + n.reposts
      from (
        select coalesce(parent_id, quote_of_id, repost_of_id) as id,
          coalesce(sum(change) filter (where parent_id is not null), 0) as replies,
          coalesce(sum(change) filter (where quote_of_id is not null), 0) as quotes,
          coalesce(sum(change) filter (where repost_of_id is not null), 0) as reposts
        from moved where change <> 0 group by 1
      ) n where t.id = n.id and t.author_id <> ${authorId} and t.deleted_at is null returning t.id
    )
    select id, content from moved union all select id, null from recounted`
  return {
    moved: rows.flatMap(({ id, content }) => (content === null ? [] : { id, content })),
    recounted: rows.flatMap(({ id, content }) => (content === null ? id : [])),
  }
}
