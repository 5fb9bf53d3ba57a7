import { type Page, readCountedPage } from '#platform/db/counted-page.ts'
import type { Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'
import { visibleTo } from '../posts/visibility.ts'

export const listLikers = (q: Sql, postId: number, page: Page) =>
  readCountedPage(
    q,
    {
      total: q`select like_count from publishing.posts where id = ${postId}`,
      entries: q`publishing.likes where post_id = ${postId} and is_counted`,
      key: 'id',
      order: 'desc',
      column: 'user_id',
    },
    page,
  )

/** What stands below a post. Replies are listed oldest first; of reposts, their authors are listed. */
const kinds = {
  replies: { reference: 'parent_id', counter: 'reply_count', order: 'asc', column: 'id' },
  quotes: { reference: 'quote_of_id', counter: 'quote_count', order: 'desc', column: 'id' },
  reposts: { reference: 'repost_of_id', counter: 'repost_count', order: 'desc', column: 'author_id' },
} as const
type Kind = keyof typeof kinds
export type BelowPost = { kind: Kind; postId: number }

/** What everybody sees below a post who may see the post: its counter knows how many there are. */
export const listCounted = (q: Sql, { kind, postId }: BelowPost, page: Page) => {
  const { reference, counter, order, column } = kinds[kind]
  const entries = q`
    publishing.posts p where p.${q(reference)} = ${postId} and p.deleted_at is null and (p.audience = 'public'
      or p.author_id = (select t.author_id from publishing.posts t where t.id = ${postId}))`
  const total = q`select ${q(counter)} from publishing.posts where id = ${postId}`
  return readCountedPage(q, { total, entries, key: 'id', order, column }, page)
}

/** How much more than that this viewer sees: what protected accounts wrote that the viewer follows. */
export const countUncounted = (q: Sql, { kind, postId }: BelowPost, viewerId: number) =>
  value<number>(q`
      select count(*)::int from publishing.posts p join publishing.posts t on t.id = ${postId}
      where coalesce(p.parent_id, p.quote_of_id, p.repost_of_id) = ${postId}
        and p.${q(kinds[kind].reference)} = ${postId}
        and p.audience = 'followers' and p.author_id <> t.author_id and ${visibleTo(q, viewerId)}`)

export const listVisible = async (q: Sql, { kind, postId }: BelowPost, viewerId: number, page: Page) => {
  const { reference, order, column } = kinds[kind]
  const rows = await q<{ id: number }[]>`
    select p.${q(column)} as id from publishing.posts p
    where p.${q(reference)} = ${postId} and p.deleted_at is null and ${visibleTo(q, viewerId)}
    order by p.id ${order === 'asc' ? q`asc` : q`desc`} limit ${page.limit} offset ${page.offset}`
  return rows.map(({ id }) => id)
}
