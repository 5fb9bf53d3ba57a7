import type { Sql } from '#platform/db/database.ts'
import { type PostRow, visibleTo } from '../posts/store.ts'

/** The like count afterwards; nothing when the post is gone. */
export const like = async (q: Sql, postId: number, userId: number, now: Date): Promise<number | undefined> =>
  (
    await q<{ like_count: number }[]>`
      with added as (
        insert into publishing.likes (post_id, user_id, created_at) values (${postId}, ${userId}, ${now})
        on conflict do nothing returning 1
      )
      update publishing.posts set like_count = like_count + (select count(*) from added)
      where id = ${postId} and deleted_at is null returning like_count`
  )[0]?.like_count

export const unlike = async (q: Sql, postId: number, userId: number): Promise<number | undefined> =>
  (
    await q<{ like_count: number }[]>`
      with removed as (
        delete from publishing.likes where post_id = ${postId} and user_id = ${userId} returning 1
      )
      update publishing.posts set like_count = like_count - (select count(*) from removed)
      where id = ${postId} and deleted_at is null returning like_count`
  )[0]?.like_count

export const lockOriginal = async (q: Sql, id: number) =>
  (await q`select from publishing.posts where id = ${id} and deleted_at is null for no key update`).length > 0

export const findRepost = async (q: Sql, originalId: number, authorId: number) =>
  (
    await q<{ id: number }[]>`
      select id from publishing.posts
      where repost_of_id = ${originalId} and author_id = ${authorId} and deleted_at is null`
  )[0]?.id

/** Adds a repost and counts it; the original is locked already. */
export const insertRepost = async (q: Sql, originalId: number, authorId: number, now: Date) => {
  const [author] = await q<{ is_protected: boolean }[]>`
    update publishing.users set post_count = post_count + 1 where id = ${authorId} returning is_protected`
  const audience = author!.is_protected ? 'followers' : 'public'
  await q`update publishing.posts set repost_count = repost_count + 1 where id = ${originalId}`
  const [row] = await q<PostRow[]>`
    insert into publishing.posts (author_id, type, content, content_html, repost_of_id, audience, created_at)
    values (${authorId}, 'repost', '', '', ${originalId}, ${audience}, ${now})
    returning id, author_id, type, content, content_html, parent_id, root_id, quote_of_id, repost_of_id,
      reply_settings, like_count, repost_count, quote_count, reply_count, hashtags, mentions, created_at, edited_at`
  return row!
}

type Listed = { ids: number[]; total: number }

export const listLikers = async (q: Sql, postId: number, limit: number, offset: number) =>
  (
    await q<Listed[]>`
      select (select count(*)::int from publishing.likes l join publishing.users u on u.id = l.user_id
          where l.post_id = ${postId} and not u.is_suspended) as total,
        array(select l.user_id from publishing.likes l join publishing.users u on u.id = l.user_id
          where l.post_id = ${postId} and not u.is_suspended
          order by l.id desc limit ${limit} offset ${offset}) as ids`
  )[0]!

export const listReposters = async (
  q: Sql,
  viewerId: number | null,
  postId: number,
  limit: number,
  offset: number,
) =>
  (
    await q<Listed[]>`
      select (select count(*)::int from publishing.posts p
          where p.repost_of_id = ${postId} and p.deleted_at is null and ${visibleTo(q, viewerId)}) as total,
        array(select p.author_id from publishing.posts p
          where p.repost_of_id = ${postId} and p.deleted_at is null and ${visibleTo(q, viewerId)}
          order by p.id desc limit ${limit} offset ${offset}) as ids`
  )[0]!

/** Oldest first, as a conversation is read. */
export const listReplies = async (
  q: Sql,
  viewerId: number | null,
  postId: number,
  limit: number,
  offset: number,
) =>
  (
    await q<Listed[]>`
      select (select count(*)::int from publishing.posts p
          where p.parent_id = ${postId} and ${visibleTo(q, viewerId)}) as total,
        array(select p.id from publishing.posts p where p.parent_id = ${postId} and ${visibleTo(q, viewerId)}
          order by p.id limit ${limit} offset ${offset}) as ids`
  )[0]!

export const listQuotes = async (
  q: Sql,
  viewerId: number | null,
  postId: number,
  limit: number,
  offset: number,
) =>
  (
    await q<Listed[]>`
      select (select count(*)::int from publishing.posts p
          where p.quote_of_id = ${postId} and ${visibleTo(q, viewerId)}) as total,
        array(select p.id from publishing.posts p where p.quote_of_id = ${postId} and ${visibleTo(q, viewerId)}
          order by p.id desc limit ${limit} offset ${offset}) as ids`
  )[0]!
