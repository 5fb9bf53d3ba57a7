import type { Sql } from '#platform/db/database.ts'

/** What a follow `f` by `a` of `b` should be. An account that is not protected accepts every request. */
const expected = (q: Sql) => ({
  accepted: q`(f.is_accepted or not b.is_protected)`,
  asFollower: q`((f.is_accepted or not b.is_protected) and not a.is_suspended)`,
  asFollowing: q`((f.is_accepted or not b.is_protected) and not b.is_suspended)`,
})

/** The accounts with which an account has a follow that is not as it should be. */
export const findMismatchedFollows = async (q: Sql, id: number) => {
  const { accepted, asFollower, asFollowing } = expected(q)
  const rows = await q<{ id: number }[]>`
    select distinct case when f.follower_id = ${id} then f.followee_id else f.follower_id end as id
    from publishing.follows f join publishing.users a on a.id = f.follower_id
      join publishing.users b on b.id = f.followee_id
    where (f.follower_id = ${id} or f.followee_id = ${id})
      and (f.is_accepted, f.counts_as_follower, f.counts_as_following) <> (${accepted}, ${asFollower}, ${asFollowing})
    order by id`
  return rows.map((row) => row.id)
}

/** By id, the order in which accounts are always locked. */
export const lockAccounts = (q: Sql, ids: number[]) => q`
  select from publishing.users where id = any (${ids}::bigint[]) order by id for no key update`

/** Tells of the requests to follow an account that it accepts by no longer being protected. */
export const notifyOfAcceptance = (q: Sql, id: number, others: number[], now: Date) => q`
  select publishing.notify_of_acceptance(f.follower_id, f.followee_id, ${now}),
    publishing.add_follow_event('user.followed', f.follower_id, f.followee_id)
  from publishing.follows f join publishing.users b on b.id = f.followee_id
  where f.followee_id = ${id} and f.follower_id = any (${others}::bigint[]) and not f.is_accepted and not b.is_protected`

/**
 * Makes the follows between an account and others what they should be and adjusts the counters. All of these accounts
 * are locked already. Returns those whose counters changed.
 */
export const recountFollows = async (q: Sql, id: number, others: number[]) => {
  const { accepted, asFollower, asFollowing } = expected(q)
  const rows = await q<{ id: number }[]>`
    with mismatched as (
      select f.follower_id, f.followee_id, f.counts_as_follower, f.counts_as_following,
        ${accepted} as accepted, ${asFollower} as as_follower, ${asFollowing} as as_following
      from publishing.follows f join publishing.users a on a.id = f.follower_id
        join publishing.users b on b.id = f.followee_id
      where (f.follower_id = ${id} and f.followee_id = any (${others}::bigint[])
          or f.followee_id = ${id} and f.follower_id = any (${others}::bigint[]))
        and (f.is_accepted, f.counts_as_follower, f.counts_as_following) <> (${accepted}, ${asFollower}, ${asFollowing})
    ), changed as (
      update publishing.follows f set is_accepted = m.accepted, counts_as_follower = m.as_follower,
        counts_as_following = m.as_following
      from mismatched m where f.follower_id = m.follower_id and f.followee_id = m.followee_id
      returning f.follower_id, f.followee_id, m.as_follower::int - m.counts_as_follower::int as followers,
        m.as_following::int - m.counts_as_following::int as following
    )
    update publishing.users u set follower_count = u.follower_count + n.followers,
      following_count = u.following_count + n.following
    from (
      select id, sum(followers) as followers, sum(following) as following from (
        select followee_id as id, followers, 0 as following from changed
        union all select follower_id, 0, following from changed
      ) each group by id
    ) n where u.id = n.id returning u.id`
  return rows.map((row) => row.id)
}
