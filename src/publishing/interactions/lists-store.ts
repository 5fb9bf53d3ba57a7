import type { Sql } from '#platform/db/database.ts'
import { visibleTo } from '../posts/store.ts'

const columns = { replies: 'parent_id', quotes: 'quote_of_id', reposts: 'repost_of_id' } as const
export type Kind = keyof typeof columns

/** What is below a post for this reader and not for everybody who sees the post. */
export const countPrivate = async (q: Sql, kind: Kind, viewerId: number, postId: number) =>
  (
    await q<{ count: number }[]>`
      select count(*)::int from publishing.posts p join publishing.posts t on t.id = ${postId}
      where coalesce(p.parent_id, p.quote_of_id, p.repost_of_id) = ${postId} and p.${q(columns[kind])} = ${postId}
        and p.audience = 'followers' and p.author_id <> t.author_id and ${visibleTo(q, viewerId)}`
  )[0]!.count

/** All that this reader sees below a post: posts, or whose reposts they are. Conversations begin with the oldest. */
export const listVisible = async (
  q: Sql,
  kind: Kind,
  viewerId: number,
  postId: number,
  limit: number,
  offset: number,
) =>
  (
    await q<{ id: number }[]>`
      select p.${q(kind === 'reposts' ? 'author_id' : 'id')} as id from publishing.posts p
      where p.${q(columns[kind])} = ${postId} and p.deleted_at is null and ${visibleTo(q, viewerId)}
      order by p.id ${kind === 'replies' ? q`asc` : q`desc`} limit ${limit} offset ${offset}`
  ).map(({ id }) => id)
