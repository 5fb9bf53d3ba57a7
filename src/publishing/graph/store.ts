import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'

/** Whom an account follows (accepted) and mutes; `authors` are those of its home timeline, itself included. */
export type Relations = {
  follows: ReadonlySet<number>
  mutes: ReadonlySet<number>
  authors: ReadonlySet<number>
}

export const readRelations = async (q: Sql, id: number): Promise<Relations> => {
  const { follows, mutes } = await one(q<{ follows: number[]; mutes: number[] }[]>`
    select array(select followee_id from publishing.follows where follower_id = ${id} and is_accepted) as follows,
      array(select muted_id from publishing.mutes where muter_id = ${id}) as mutes`)
  const authors = new Set([id, ...follows]).difference(new Set(mutes))
  return { follows: new Set(follows), mutes: new Set(mutes), authors }
}

type RelationshipRow = { is_accepted: boolean | null; blocks: boolean; mutes: boolean }

export const findRelationship = (q: Sql, me: number, other: number) =>
  one(q<RelationshipRow[]>`
    select (select is_accepted from publishing.follows where follower_id = ${me} and followee_id = ${other}),
      exists (select from publishing.blocks where blocker_id = ${me} and blocked_id = ${other}) as blocks,
      exists (select from publishing.mutes where muter_id = ${me} and muted_id = ${other}) as mutes`)

/** Locks both accounts, in the order of their ids. */
export const lockPair = (q: Sql, a: number, b: number) => q<{ id: number; is_protected: boolean }[]>`
  select id, is_protected from publishing.users
  where id in (${a}, ${b}) and deleted_at is null order by id for no key update`

export const isBlockedBetween = async (q: Sql, a: number, b: number) =>
  (
    await q`
      select 1 from publishing.blocks
      where (blocker_id = ${a} and blocked_id = ${b}) or (blocker_id = ${b} and blocked_id = ${a})`
  ).length > 0

export const findFollow = (q: Sql, follower: number, followee: number) =>
  maybeOne(q<{ is_accepted: boolean }[]>`
    select is_accepted from publishing.follows where follower_id = ${follower} and followee_id = ${followee}`)

export type NewFollow = { follower: number; followee: number; isAccepted: boolean; now: Date }

/** It is not counted yet; `recountFollows` does that. */
export const insertFollow = (q: Sql, { follower, followee, isAccepted, now }: NewFollow) => q`
  insert into publishing.follows (follower_id, followee_id, is_accepted, counts_as_follower, counts_as_following, created_at)
  values (${follower}, ${followee}, ${isAccepted}, false, false, ${now})`

/** Removes a follow and adjusts the counters; returns whether there was one that had been accepted. */
export const deleteFollow = async (q: Sql, follower: number, followee: number) =>
  (
    await maybeOne(q<{ is_accepted: boolean }[]>`
      with deleted as (
        delete from publishing.follows where follower_id = ${follower} and followee_id = ${followee}
        returning is_accepted, counts_as_follower, counts_as_following
      ), counted as (
        update publishing.users set
          following_count = following_count - case when id = ${follower} then counts_as_following::int else 0 end,
          follower_count = follower_count - case when id = ${followee} then counts_as_follower::int else 0 end
        from deleted where id in (${follower}, ${followee}) and is_accepted
      )
      select is_accepted from deleted`)
  )?.is_accepted === true

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
