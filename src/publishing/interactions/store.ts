import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'

/** Returns whether the post is still there. */
export const lockPost = async (q: Sql, id: number) =>
  (await q`select from publishing.posts where id = ${id} and deleted_at is null for no key update`).length > 0

/** Returns the like count; undefined if the account has been suspended or deleted. The post is locked already. */
export const insertLike = async (q: Sql, postId: number, userId: number, now: Date) =>
  (
    await maybeOne(q<{ like_count: number }[]>`
      with me as materialized (
        select id from publishing.users where id = ${userId} and not is_suspended and deleted_at is null for share
      ), added as (
        insert into publishing.likes (post_id, user_id, created_at) select ${postId}, id, ${now} from me
        on conflict do nothing returning 1
      )
      update publishing.posts set like_count = like_count + (select count(*) from added)
      where id = ${postId} and exists (select from me) returning like_count`)
  )?.like_count

/** Returns the like count. The post is locked already. */
export const deleteLike = async (q: Sql, postId: number, userId: number) =>
  (
    await one(q<{ like_count: number }[]>`
      with removed as (
        delete from publishing.likes where post_id = ${postId} and user_id = ${userId} returning is_counted
      )
      update publishing.posts set like_count = like_count - (select count(*) from removed where is_counted)
      where id = ${postId} returning like_count`)
  ).like_count

/** The posts for which an account's like is counted and should not be, or the other way round. */
export const findMismatchedLikes = async (q: Sql, userId: number) =>
  (
    await q<{ post_id: number }[]>`
      select l.post_id from publishing.likes l join publishing.users u on u.id = l.user_id
      where l.user_id = ${userId} and l.is_counted = u.is_suspended order by l.post_id`
  ).map(({ post_id }) => post_id)

export const lockPosts = (q: Sql, ids: number[]) => q`
  select from publishing.posts where id = any (${ids}::bigint[]) order by id for no key update`

/** Whether the likes of an account count; locks it, so that this stays the same until the transaction ends. */
export const lockLikesCount = async (q: Sql, userId: number) =>
  (
    await one(q<{ counts: boolean }[]>`
      select not is_suspended as counts from publishing.users where id = ${userId} for share`)
  ).counts

/** Includes an account's likes in the counters of posts, or excludes them; returns the posts that changed. */
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
