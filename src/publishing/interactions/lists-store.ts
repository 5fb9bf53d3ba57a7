import type { Sql } from '#platform/db/database.ts'
import type { Listed } from '../numbered-store.ts'
import { visibleTo } from '../posts/store.ts'

/** What stands below a post: `column` names the post, `counter` counts, `listed` is what the list holds. */
const kinds = {
  // Oldest first, as a conversation is read.
  replies: { column: 'parent_id', counter: 'reply_count', listed: 'id', oldestFirst: true },
  quotes: { column: 'quote_of_id', counter: 'quote_count', listed: 'id', oldestFirst: false },
  reposts: { column: 'repost_of_id', counter: 'repost_count', listed: 'author_id', oldestFirst: false },
} as const
export type Kind = keyof typeof kinds

/** The counter knows what all readers see; what only some of them see is counted for each. */
export const listBelow = async (
  q: Sql,
  kind: Kind,
  viewerId: number | null,
  postId: number,
  limit: number,
  offset: number,
) => {
  const { column, counter, listed, oldestFirst } = kinds[kind]
  const below = q`p.${q(column)} = ${postId} and p.deleted_at is null and ${visibleTo(q, viewerId)}`
  const hidden =
    viewerId === null
      ? q`0`
      : q`(select count(*)::int from publishing.posts p
          where coalesce(p.parent_id, p.quote_of_id, p.repost_of_id) = ${postId} and p.audience = 'followers'
            and p.author_id <> t.author_id and ${below})`
  return (
    await q<Listed[]>`
      select t.${q(counter)} + ${hidden} as total, array(
        select p.${q(listed)} from publishing.posts p where ${below}
        order by p.id ${oldestFirst ? q`` : q`desc`} limit ${limit} offset ${offset}) as ids
      from publishing.posts t where t.id = ${postId}`
  )[0]!
}
