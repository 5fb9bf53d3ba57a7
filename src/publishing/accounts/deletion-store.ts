import type { Sql } from '#platform/db/database.ts'

const idsOf = async (rows: PromiseLike<{ id: number }[]>) => (await rows).map(({ id }) => id)

export const livePostsOf = (q: Sql, userId: number) =>
  idsOf(q<{ id: number }[]>`
    select id from publishing.posts where author_id = ${userId} and deleted_at is null`)

/** Takes back every like of an account; answers the posts that lost one. */
export const unlikeAll = (q: Sql, userId: number) =>
  idsOf(q<{ id: number }[]>`
    with gone as (delete from publishing.likes where user_id = ${userId} returning post_id, is_counted),
      locked as materialized (
        select id from publishing.posts where id in (select post_id from gone where is_counted)
        order by id for no key update)
    update publishing.posts p set like_count = like_count - 1 from locked where p.id = locked.id returning p.id`)

/** Ends every follow of and by an account; answers whom it touches. */
export const unfollowAll = (q: Sql, userId: number) =>
  idsOf(q<{ id: number }[]>`
    with gone as (
      delete from publishing.follows where follower_id = ${userId} or followee_id = ${userId}
      returning follower_id, followee_id, follower_counts, followee_counts
    ), changes as (
      select id, sum(following)::int as following, sum(followers)::int as followers from (
        select follower_id as id, followee_counts::int as following, 0 as followers from gone
        union all select followee_id, 0, follower_counts::int from gone
      ) each group by id
    ), locked as materialized (
      select id from publishing.users where id in (select id from changes) order by id for no key update)
    update publishing.users u set following_count = u.following_count - c.following,
      follower_count = u.follower_count - c.followers
    from changes c join locked using (id) where u.id = c.id returning u.id`)

/** Whoever was close to the account is to be read again. */
export const forgetRelations = async (q: Sql, userId: number) => {
  await q`delete from publishing.blocks where ${userId} in (blocker_id, blocked_id)`
  await q`delete from publishing.mutes where ${userId} in (muter_id, muted_id)`
  await q`delete from publishing.refresh_tokens where user_id = ${userId}`
  await q`delete from publishing.browser_sessions where user_id = ${userId}`
}

export const entomb = (q: Sql, userId: number, now: Date) => q`
  update publishing.users set email = null, handle = null, username = '', password_hash = '', bio = null, location = null,
    website = null, avatar_url = null, banner_url = null, words = '', recent_posts = '{}', is_admin = false,
    token_epoch = token_epoch + 1, deleted_at = ${now}
  where id = ${userId}`
