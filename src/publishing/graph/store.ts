import type { Sql } from '#platform/db/database.ts'

/** Whom an account follows (approved) and mutes; `authors` are those of its home timeline, itself included. */
export type Circle = { follows: ReadonlySet<number>; mutes: ReadonlySet<number>; authors: string }

export const readCircle = async (q: Sql, id: number): Promise<Circle> => {
  const [row] = await q<{ follows: number[]; mutes: number[] }[]>`
    select array(select followee_id from publishing.follows where follower_id = ${id} and is_accepted) as follows,
      array(select muted_id from publishing.mutes where muter_id = ${id}) as mutes`
  const { follows, mutes } = row!
  const authors = new Set([id, ...follows]).difference(new Set(mutes))
  // Written out once: a thousand ids in every request would be most of its cost.
  return { follows: new Set(follows), mutes: new Set(mutes), authors: `{${[...authors].join()}}` }
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

export const insertFollow = (q: Sql, follower: number, followee: number, accepted: boolean, now: Date) => q`
  insert into publishing.follows (follower_id, followee_id, is_accepted, created_at)
  values (${follower}, ${followee}, ${accepted}, ${now})`

/** What was removed, if anything. */
export const deleteFollow = async (q: Sql, follower: number, followee: number) =>
  (
    await q<{ is_accepted: boolean }[]>`
      delete from publishing.follows where follower_id = ${follower} and followee_id = ${followee}
      returning is_accepted`
  )[0]

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

export const pendingFollowers = async (q: Sql, followee: number) =>
  (
    await q<{ follower_id: number }[]>`
      select follower_id from publishing.follows where followee_id = ${followee} and not is_accepted`
  ).map((row) => row.follower_id)

/** One follow more or less between two accounts. */
export const countFollow = (q: Sql, follower: number, followee: number, by: 1 | -1) => q`
  update publishing.users set
    following_count = following_count + case when id = ${follower} then ${by}::int else 0 end,
    follower_count = follower_count + case when id = ${followee} then ${by}::int else 0 end
  where id in (${follower}, ${followee})`

export const insertBlock = (q: Sql, blocker: number, blocked: number) => q`
  insert into publishing.blocks (blocker_id, blocked_id) values (${blocker}, ${blocked}) on conflict do nothing`
export const deleteBlock = (q: Sql, blocker: number, blocked: number) => q`
  delete from publishing.blocks where blocker_id = ${blocker} and blocked_id = ${blocked}`
export const insertMute = (q: Sql, muter: number, muted: number) => q`
  insert into publishing.mutes (muter_id, muted_id) values (${muter}, ${muted}) on conflict do nothing`
export const deleteMute = (q: Sql, muter: number, muted: number) => q`
  delete from publishing.mutes where muter_id = ${muter} and muted_id = ${muted}`

type Listed = { ids: number[]; total: number }

const listed = async (rows: PromiseLike<Listed[]>) => (await rows)[0]!

/** Newest first; suspended accounts are neither shown nor counted. */
export const listFollowers = (q: Sql, id: number, accepted: boolean, limit: number, offset: number) =>
  listed(q<Listed[]>`
    select (select count(*)::int from publishing.follows f join publishing.users u on u.id = f.follower_id
        where f.followee_id = ${id} and f.is_accepted = ${accepted} and not u.is_suspended) as total,
      array(select f.follower_id from publishing.follows f join publishing.users u on u.id = f.follower_id
        where f.followee_id = ${id} and f.is_accepted = ${accepted} and not u.is_suspended
        order by f.id desc limit ${limit} offset ${offset}) as ids`)

export const listFollowing = (q: Sql, id: number, limit: number, offset: number) =>
  listed(q<Listed[]>`
    select (select count(*)::int from publishing.follows f join publishing.users u on u.id = f.followee_id
        where f.follower_id = ${id} and f.is_accepted and not u.is_suspended) as total,
      array(select f.followee_id from publishing.follows f join publishing.users u on u.id = f.followee_id
        where f.follower_id = ${id} and f.is_accepted and not u.is_suspended
        order by f.id desc limit ${limit} offset ${offset}) as ids`)
