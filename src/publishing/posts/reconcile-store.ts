import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { Audience } from './schema.ts'

const audienceOf = (q: Sql) => q`
  case when u.is_suspended then 'nobody' when u.is_protected then 'followers' else 'public' end`

/** The posts of an account whose audience is not the one that follows from the account. */
export const findMismatchedPosts = async (q: Sql, authorId: number) =>
  (
    await q<{ id: number }[]>`
      select p.id from publishing.posts p join publishing.users u on u.id = p.author_id
      where p.author_id = ${authorId} and p.deleted_at is null and p.audience <> ${audienceOf(q)} order by p.id`
  ).map(({ id }) => id)

export const lockWithOriginals = (q: Sql, ids: readonly number[]) => q`
  select publishing.lock_with_originals(${[...ids]}::bigint[])`

/** The audience of an account's posts; locks the account, so that it stays the same until the transaction ends. */
export const lockAudience = async (q: Sql, authorId: number) =>
  (
    await maybeOne(q<{ audience: Audience }[]>`
      select ${audienceOf(q)} as audience from publishing.users u
      where id = ${authorId} and deleted_at is null for share`)
  )?.audience

/**
 * Changes the audience of posts, and the counters of the posts that they reply to, quote or repeat. All of them are
 * locked already. Below the author's own posts they count in any case: whoever may see those may see these.
 */
export const updateAudience = async (
  q: Sql,
  authorId: number,
  ids: readonly number[],
  audience: Audience,
) => {
  const rows = await q<{ id: number; content: string | null }[]>`
    with changed as (
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
        from changed where change <> 0 group by 1
      ) n where t.id = n.id and t.author_id <> ${authorId} and t.deleted_at is null returning t.id
    )
    select id, content from changed union all select id, null from recounted`
  return {
    changed: rows.flatMap(({ id, content }) => (content === null ? [] : { id, content })),
    recounted: rows.flatMap(({ id, content }) => (content === null ? id : [])),
  }
}
