import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

const idsOf = async (rows: PromiseLike<{ id: number }[]>) => (await rows).map(({ id }) => id)

/** Locks the account and its posts, in the order in which everybody locks; returns the handle. */
export const lockWithPosts = async (q: Sql, id: number) => {
  await q`
    select from publishing.posts where author_id = ${id} and deleted_at is null order by id for no key update`
  return maybeOne(q<{ handle: string }[]>`
    select handle from publishing.users where id = ${id} and deleted_at is null for no key update`)
}

/** Deletes every like of an account; returns the posts whose counters changed. */
export const unlikeAll = (q: Sql, userId: number) =>
  idsOf(q<{ id: number }[]>`
    with deleted as (delete from publishing.likes where user_id = ${userId} returning post_id, is_counted),
      locked as materialized (
        select id from publishing.posts where id in (select post_id from deleted where is_counted)
        order by id for no key update)
    update publishing.posts p set like_count = like_count - 1 from locked where p.id = locked.id returning p.id`)

/** Tells those who follow an account, and do not mute it, that it is deleted, with its profile as it is now. */
export const addDeletionEvents = (q: Sql, userId: number) => q`
  insert into platform.events (service, owner, type, subject, data)
  select 'publishing', f.follower_id::text, 'user.deleted', 'user/' || u.id, publishing.profile_of(u)
  from publishing.users u join publishing.follows f on f.followee_id = u.id and f.is_accepted
  where u.id = ${userId}
    and not exists (select from publishing.mutes where muter_id = f.follower_id and muted_id = u.id)`

/** Deletes every follow of and by an account; returns the accounts whose counters changed. */
export const unfollowAll = (q: Sql, userId: number) =>
  idsOf(q<{ id: number }[]>`
    with deleted as (
      delete from publishing.follows where follower_id = ${userId} or followee_id = ${userId}
      returning follower_id, followee_id, counts_as_follower, counts_as_following
    ), changes as (
      select id, sum(following)::int as following, sum(followers)::int as followers from (
        select follower_id as id, counts_as_following::int as following, 0 as followers from deleted
        union all select followee_id, 0, counts_as_follower::int from deleted
      ) each group by id
    ), locked as materialized (
      select id from publishing.users where id in (select id from changes) order by id for no key update)
    update publishing.users u set following_count = u.following_count - c.following,
      follower_count = u.follower_count - c.followers
    from changes c join locked using (id) where u.id = c.id returning u.id`)

export const deleteRelationsAndSessions = async (q: Sql, userId: number) => {
  await q`delete from publishing.notifications where user_id = ${userId}`
  await q`delete from publishing.notifications where actor_id = ${userId}`
  await q`delete from publishing.blocks where ${userId} in (blocker_id, blocked_id)`
  await q`delete from publishing.mutes where ${userId} in (muter_id, muted_id)`
  await q`delete from publishing.sessions where user_id = ${userId}`
  await q`delete from publishing.digests where user_id = ${userId}`
  await q`delete from publishing.email_changes where user_id = ${userId}`
}

/** The row stays, because deleted posts refer to it. */
export const markDeleted = (q: Sql, userId: number, now: Date) => q`
  update publishing.users set email = null, handle = null, username = '', password_hash = '', bio = null, location = null,
    website = null, language = null, avatar_url = null, banner_url = null, words = '', recent_posts = '{}', is_admin = false,
    token_epoch = token_epoch + 1, deleted_at = ${now}
  where id = ${userId}`
