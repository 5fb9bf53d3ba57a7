import type { Sql } from '#platform/db/database.ts'
import type { Listed } from '../numbered-store.ts'

/** Whom an account follows (approved) and mutes; `authors` are those of its home timeline, itself included. */
export type Circle = {
  follows: ReadonlySet<number>
  mutes: ReadonlySet<number>
  authors: ReadonlySet<number>
}

export const readCircle = async (q: Sql, id: number): Promise<Circle> => {
  const [row] = await q<{ follows: number[]; mutes: number[] }[]>`
    select array(select followee_id from publishing.follows where follower_id = ${id} and is_accepted) as follows,
      array(select muted_id from publishing.mutes where muter_id = ${id}) as mutes`
  const { follows, mutes } = row!
  const authors = new Set([id, ...follows]).difference(new Set(mutes))
  return { follows: new Set(follows), mutes: new Set(mutes), authors }
}

/** Both accounts, locked in the one order in which accounts are locked. */
export const lockPair = (q: Sql, a: number, b: number) => q<
  { id: number; is_protected: boolean; is_suspended: boolean }[]
>`
  select id, is_protected, is_suspended from publishing.users
  where id in (${a}, ${b}) and deleted_at is null order by id for no key update`

export const isBlockedBetween = async (q: Sql, a: number, b: number) =>
  (
    await q`
      select 1 from publishing.blocks
      where (blocker_id = ${a} and blocked_id = ${b}) or (blocker_id = ${b} and blocked_id = ${a})`
  ).length > 0

export const findFollow = async (q: Sql, follower: number, followee: number) =>
  (
    await q<{ is_accepted: boolean }[]>`
      select is_accepted from publishing.follows where follower_id = ${follower} and followee_id = ${followee}`
  )[0]

/** It is not counted yet: see `recount`. */
export const insertFollow = (q: Sql, follower: number, followee: number, accepted: boolean, now: Date) => q`
  insert into publishing.follows (follower_id, followee_id, is_accepted, follower_counts, followee_counts, created_at)
  values (${follower}, ${followee}, ${accepted}, false, false, ${now})`

/** Removes a follow and takes it out of the counters; answers whether there was one in effect. */
export const deleteFollow = async (q: Sql, follower: number, followee: number) =>
  (
    await q<{ is_accepted: boolean }[]>`
      with gone as (
        delete from publishing.follows where follower_id = ${follower} and followee_id = ${followee}
        returning is_accepted, follower_counts, followee_counts
      ), counted as (
        update publishing.users set
          following_count = following_count - case when id = ${follower} then followee_counts::int else 0 end,
          follower_count = follower_count - case when id = ${followee} then follower_counts::int else 0 end
        from gone where id in (${follower}, ${followee}) and is_accepted
      )
      select is_accepted from gone`
  )[0]?.is_accepted === true

export const acceptFollow = async (q: Sql, follower: number, followee: number) =>
  (
    await q`
      update publishing.follows set is_accepted = true
      where follower_id = ${follower} and followee_id = ${followee} and not is_accepted returning 1`
  ).length > 0

export const deleteRequest = async (q: Sql, follower: number, followee: number) =>
  (
    await q`
      delete from publishing.follows
      where follower_id = ${follower} and followee_id = ${followee} and not is_accepted returning 1`
  ).length > 0

export const insertBlock = (q: Sql, blocker: number, blocked: number) => q`
  insert into publishing.blocks (blocker_id, blocked_id) values (${blocker}, ${blocked}) on conflict do nothing`
export const deleteBlock = (q: Sql, blocker: number, blocked: number) => q`
  delete from publishing.blocks where blocker_id = ${blocker} and blocked_id = ${blocked}`
export const insertMute = (q: Sql, muter: number, muted: number) => q`
  insert into publishing.mutes (muter_id, muted_id) values (${muter}, ${muted}) on conflict do nothing`
export const deleteMute = (q: Sql, muter: number, muted: number) => q`
  delete from publishing.mutes where muter_id = ${muter} and muted_id = ${muted}`

/** Newest first; suspended accounts are neither shown nor counted. */
export const listRequests = async (q: Sql, id: number, limit: number, offset: number) =>
  (
    await q<Listed[]>`
      with waiting as materialized (
        select f.id, f.follower_id from publishing.follows f join publishing.users u on u.id = f.follower_id
        where f.followee_id = ${id} and not f.is_accepted and not u.is_suspended
      )
      select (select count(*)::int from waiting) as total,
        array(select follower_id from waiting order by id desc limit ${limit} offset ${offset}) as ids`
  )[0]!
