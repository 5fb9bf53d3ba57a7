import type { Sql } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import { type Target, targetQuery, visibleOriginal } from '../posts/target.ts'

type Liked = { refusal: 'gone' | 'suspended' } | { refusal?: never; like_count: number }

/** Likes a post if it may be liked; undefined if there is no such post, `liked` is null if it may not. */
export const like = (q: Sql, id: number, userId: number, now: Date) =>
  maybeOne(q<(Target & { liked: Liked | null })[]>`
    with target as materialized (${targetQuery(q, id, userId)})
    select t.*, case when visible and not blocked then publishing.like_post(t.id, ${userId}, ${now}) end as liked
    from target t`)

/** Takes a like back; undefined if there is no such post or it is not visible, a count of null if it has been deleted. */
export const unlike = (q: Sql, id: number, userId: number) =>
  maybeOne(q<{ id: number; like_count: number | null }[]>`
    with target as materialized (${visibleOriginal(q, id, userId)})
    select id, publishing.unlike_post(id, ${userId}) as like_count from target`)

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
export const lockLikesCount = (q: Sql, userId: number) =>
  value<boolean>(q`
      select not is_suspended as counts from publishing.users where id = ${userId} for share`)

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
