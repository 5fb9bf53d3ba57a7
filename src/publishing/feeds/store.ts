import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { PostType } from '../posts/schema.ts'

type Slice = { before: number; limit: number }
type FeedRow = { ids: number[]; changed_at: string; others: number[] }

/** The newest posts of these types, when the feed last changed, and whose posts they quote or repeat, visible or not. */
export const listForFeed = (q: Sql, authorId: number, types: readonly PostType[], { before, limit }: Slice) =>
  maybeOne(q<FeedRow[]>`
    with listed as materialized (
      select feed_changed_at as changed_at, array(
        select id from publishing.posts where author_id = ${authorId} and deleted_at is null
          and type = any (${[...types]}::text[]) and id < ${before} order by author_id, id desc limit ${limit}) as ids
      from publishing.users where id = ${authorId})
    select ids, changed_at, array(
      select distinct original.author_id from publishing.posts post
        join publishing.posts original on original.id = coalesce(post.quote_of_id, post.repost_of_id)
      where post.id = any (ids) and original.author_id <> ${authorId}) as others
    from listed`)
