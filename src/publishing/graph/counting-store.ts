import type { Sql } from '#platform/db/database.ts'

/** What follows `f` by `a` of `b` should be: an account that is public has nobody left to approve. */
const truth = (q: Sql) => ({
  accepted: q`(f.is_accepted or not b.is_protected)`,
  follower: q`((f.is_accepted or not b.is_protected) and not a.is_suspended)`,
  followee: q`((f.is_accepted or not b.is_protected) and not b.is_suspended)`,
})

/** With whom an account has a follow that is not as it should be. */
export const strayFollows = async (q: Sql, id: number) => {
  const { accepted, follower, followee } = truth(q)
  const rows = await q<{ id: number }[]>`
    select distinct case when f.follower_id = ${id} then f.followee_id else f.follower_id end as id
    from publishing.follows f join publishing.users a on a.id = f.follower_id
      join publishing.users b on b.id = f.followee_id
    where (f.follower_id = ${id} or f.followee_id = ${id})
      and (f.is_accepted, f.follower_counts, f.followee_counts) <> (${accepted}, ${follower}, ${followee})
    order by id`
  return rows.map((row) => row.id)
}

/** All of them, in the one order in which accounts are locked. */
export const lockUsers = (q: Sql, ids: number[]) => q`
  select from publishing.users where id = any (${ids}::bigint[]) order by id for no key update`

/**
 * Makes the follows between an account and others what they should be, and the counters of all of them exact;
 * they are locked already. Answers whose counters changed.
 */
export const recount = async (q: Sql, id: number, others: number[]) => {
  const { accepted, follower, followee } = truth(q)
  const rows = await q<{ id: number }[]>`
    with stray as (
      select f.follower_id, f.followee_id, f.follower_counts, f.followee_counts,
        ${accepted} as accepted, ${follower} as follower, ${followee} as followee
      from publishing.follows f join publishing.users a on a.id = f.follower_id
        join publishing.users b on b.id = f.followee_id
      where (f.follower_id = ${id} and f.followee_id = any (${others}::bigint[])
          or f.followee_id = ${id} and f.follower_id = any (${others}::bigint[]))
        and (f.is_accepted, f.follower_counts, f.followee_counts) <> (${accepted}, ${follower}, ${followee})
    ), changed as (
      update publishing.follows f set is_accepted = s.accepted, follower_counts = s.follower,
        followee_counts = s.followee
      from stray s where f.follower_id = s.follower_id and f.followee_id = s.followee_id
      returning f.follower_id, f.followee_id, s.follower::int - s.follower_counts::int as followers,
        s.followee::int - s.followee_counts::int as following
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
