import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import { type PostRow, postColumns } from './store.ts'

/** Returns whether the post is still there. */
export const lockOriginal = async (q: Sql, id: number) =>
  (await q`select from publishing.posts where id = ${id} and deleted_at is null for no key update`).length > 0

export const findRepost = async (q: Sql, originalId: number, authorId: number) =>
  (
    await maybeOne(q<{ id: number }[]>`
      select id from publishing.posts
      where repost_of_id = ${originalId} and author_id = ${authorId} and deleted_at is null`)
  )?.id

/** Adds a repost and counts it; undefined if the account has been suspended or deleted. The original is locked already. */
export const insertRepost = async (
  q: Sql,
  originalId: number,
  authorId: number,
  now: Date,
): Promise<PostRow | undefined> => {
  const author = await maybeOne(q<{ is_protected: boolean }[]>`
    update publishing.users set post_count = post_count + 1
    where id = ${authorId} and not is_suspended and deleted_at is null returning is_protected`)
  if (!author) return undefined
  const audience = author.is_protected ? 'followers' : 'public'
  await q`
    update publishing.posts set repost_count = repost_count + 1
    where id = ${originalId} and (author_id = ${authorId} or ${audience} = 'public')`
  return one(q<PostRow[]>`
    insert into publishing.posts (author_id, type, content, content_html, repost_of_id, audience, created_at)
    values (${authorId}, 'repost', '', '', ${originalId}, ${audience}, ${now})
    returning ${postColumns(q)}`)
}
