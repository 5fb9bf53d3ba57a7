import type { Sql } from '#platform/db/database.ts'
import { type PostRow, postColumns } from '../posts/store.ts'

/** The like count afterwards; nothing when the account may not like any more. The post is locked already. */
export const like = async (q: Sql, postId: number, userId: number, now: Date): Promise<number | undefined> =>
  (
    await q<{ like_count: number }[]>`
      with me as materialized (
        select id from publishing.users where id = ${userId} and not is_suspended and deleted_at is null for share
      ), added as (
        insert into publishing.likes (post_id, user_id, created_at) select ${postId}, id, ${now} from me
        on conflict do nothing returning 1
      )
      update publishing.posts set like_count = like_count + (select count(*) from added)
      where id = ${postId} and exists (select from me) returning like_count`
  )[0]?.like_count

export const unlike = async (q: Sql, postId: number, userId: number): Promise<number | undefined> =>
  (
    await q<{ like_count: number }[]>`
      with removed as (
        delete from publishing.likes where post_id = ${postId} and user_id = ${userId} returning is_counted
      )
      update publishing.posts set like_count = like_count - (select count(*) from removed where is_counted)
      where id = ${postId} returning like_count`
  )[0]?.like_count

/** The posts whose likes by an account are counted and should not be, or the other way round. */
export const strayLikes = async (q: Sql, userId: number) =>
  (
    await q<{ post_id: number }[]>`
      select l.post_id from publishing.likes l join publishing.users u on u.id = l.user_id
      where l.user_id = ${userId} and l.is_counted = u.is_suspended order by l.post_id`
  ).map(({ post_id }) => post_id)

export const lockPosts = (q: Sql, ids: number[]) => q`
  select from publishing.posts where id = any (${ids}::bigint[]) order by id for no key update`

/** Whether the likes of an account count; that stays so until the transaction ends. */
export const holdCounting = async (q: Sql, userId: number) =>
  (
    await q<{ counts: boolean }[]>`
      select not is_suspended as counts from publishing.users where id = ${userId} for share`
  )[0]!.counts

/** Counts or uncounts an account's likes of posts that are locked already; answers those that changed. */
export const countLikes = async (q: Sql, userId: number, postIds: number[], counts: boolean) =>
  (
    await q<{ id: number }[]>`
      with changed as (
        update publishing.likes set is_counted = ${counts}
        where user_id = ${userId} and post_id = any (${postIds}::bigint[]) and is_counted <> ${counts} returning post_id
      )
      update publishing.posts p set like_count = p.like_count + ${counts ? 1 : -1} from changed
      where p.id = changed.post_id returning p.id`
  ).map(({ id }) => id)

export const lockOriginal = async (q: Sql, id: number) =>
  (await q`select from publishing.posts where id = ${id} and deleted_at is null for no key update`).length > 0

export const findRepost = async (q: Sql, originalId: number, authorId: number) =>
  (
    await q<{ id: number }[]>`
      select id from publishing.posts
      where repost_of_id = ${originalId} and author_id = ${authorId} and deleted_at is null`
  )[0]?.id

/** Adds a repost and counts it; nothing when the account may not any more. The original is locked already. */
export const insertRepost = async (q: Sql, originalId: number, authorId: number, now: Date) => {
  const [author] = await q<{ is_protected: boolean }[]>`
    update publishing.users set post_count = post_count + 1
    where id = ${authorId} and not is_suspended and deleted_at is null returning is_protected`
  if (!author) return undefined
  const audience = author.is_protected ? 'followers' : 'public'
  await q`
    update publishing.posts set repost_count = repost_count + 1
    where id = ${originalId} and (author_id = ${authorId} or ${audience} = 'public')`
  const [row] = await q<PostRow[]>`
    insert into publishing.posts (author_id, type, content, content_html, repost_of_id, audience, created_at)
    values (${authorId}, 'repost', '', '', ${originalId}, ${audience}, ${now})
    returning ${postColumns(q)}`
  return row
}
