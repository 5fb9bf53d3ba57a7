import type { Sql } from '#platform/db/database.ts'
import type { PostType } from '../posts/schema.ts'

export type Listed = { changed_at: string; ids: number[] }

/** The newest posts of these types, and when the feed last changed. */
export const listForFeed = async (q: Sql, authorId: number, types: readonly PostType[], limit: number) =>
  (
    await q<Listed[]>`
      select feed_changed_at as changed_at, array(
        select id from publishing.posts where author_id = ${authorId} and deleted_at is null
          and type = any (${[...types]}::text[]) order by author_id, id desc limit ${limit}) as ids
      from publishing.users where id = ${authorId}`
  )[0]
