import type { Fragment, Sql } from '#platform/db/database.ts'
import { one, value } from '#platform/db/rows.ts'

/** Whom an account follows (accepted), mutes and blocks; `authors` are those of its home timeline, itself included. */
export type Relations = {
  follows: ReadonlySet<number>
  mutes: ReadonlySet<number>
  blocks: ReadonlySet<number>
  authors: ReadonlySet<number>
}

export const readRelations = async (q: Sql, id: number): Promise<Relations> => {
  const { follows, mutes, blocks } = await one(q<Record<'follows' | 'mutes' | 'blocks', number[]>[]>`
    select array(select followee_id from publishing.follows where follower_id = ${id} and is_accepted) as follows,
      array(select muted_id from publishing.mutes where muter_id = ${id}) as mutes,
      array(select blocked_id from publishing.blocks where blocker_id = ${id}) as blocks`)
  const authors = new Set([id, ...follows]).difference(new Set(mutes))
  return { follows: new Set(follows), mutes: new Set(mutes), blocks: new Set(blocks), authors }
}

type RelationshipRow = { id: number; is_accepted: boolean | null; blocks: boolean; mutes: boolean }

export const findRelationships = (q: Sql, me: number, others: readonly number[]) => q<RelationshipRow[]>`
  select other.id, f.is_accepted,
    exists (select from publishing.blocks where blocker_id = ${me} and blocked_id = other.id) as blocks,
    exists (select from publishing.mutes where muter_id = ${me} and muted_id = other.id) as mutes
  from unnest(${[...others]}::bigint[]) other (id)
    left join publishing.follows f on f.follower_id = ${me} and f.followee_id = other.id`

/**
 * What a change of the graph signals: a query for the accounts whose relations changed, and one for those whose counters
 * did. Both refer to `done`, the change itself.
 */
export type Signalled = (
  relations: Fragment,
  counters: Fragment,
) => { relations: Fragment; counters: Fragment }

type Followed = { refusal: 'gone' | 'blocked' } | { refusal?: never; accepted: boolean; added: boolean }
type Pair = { follower: number; followee: number }

const signalFollow = (q: Sql, signalled: Signalled, { follower, followee }: Pair, isChange: Fragment) =>
  signalled(
    q`select ${follower}::bigint::text from done where ${isChange}`,
    q`select unnest(array[${follower}, ${followee}]::bigint[])::text from done where ${isChange}`,
  )

export const follow = async (q: Sql, pair: Pair, now: Date, signalled: Signalled) => {
  const isChange = q`(result -> 'added')::boolean and (result -> 'accepted')::boolean`
  const { relations, counters } = signalFollow(q, signalled, pair, isChange)
  const result = await value<Followed>(q`
    with done as materialized (select publishing.follow(${pair.follower}, ${pair.followee}, ${now}) as result),
      relations as (${relations}), counters as (${counters})
    select result, (select count(*) from relations), (select count(*) from counters) from done`)
  return result
}

const changeFollow = async (q: Sql, pair: Pair, change: Fragment, signalled: Signalled) => {
  const { relations, counters } = signalFollow(q, signalled, pair, q`changed`)
  const changed = await value<boolean>(q`
    with done as materialized (select ${change} as changed), relations as (${relations}), counters as (${counters})
    select changed, (select count(*) from relations), (select count(*) from counters) from done`)
  return changed
}

/** Returns whether there was a follow that had been accepted. */
export const unfollow = (q: Sql, pair: Pair, signalled: Signalled) =>
  changeFollow(q, pair, q`publishing.unfollow(${pair.follower}, ${pair.followee})`, signalled)

/** Returns whether there was a request. */
export const acceptFollow = (q: Sql, pair: Pair, now: Date, signalled: Signalled) =>
  changeFollow(q, pair, q`publishing.accept_follow(${pair.follower}, ${pair.followee}, ${now})`, signalled)

/** Returns whether there was a request. */
export const deleteRequest = async (q: Sql, { follower, followee }: Pair) =>
  (
    await q`
      with deleted as (
        delete from publishing.follows
        where follower_id = ${follower} and followee_id = ${followee} and not is_accepted returning 1
      ), untold as (
        delete from publishing.notifications where actor_id = ${follower} and post_id is null
          and type = 'follow_request' and user_id = ${followee} and exists (select from deleted)
      )
      select from deleted`
  ).length > 0

/** Returns which of the two had followed the other; null if one of them is deleted. */
export const block = async (q: Sql, blocker: number, blocked: number, signalled: Signalled) => {
  const { relations, counters } = signalled(
    q`select unnest(unfollowed || ${blocker}::bigint)::text from done where unfollowed is not null`,
    q`select unnest(array[${blocker}, ${blocked}]::bigint[])::text from done where cardinality(unfollowed) > 0`,
  )
  const unfollowed = await value<number[] | null>(q`
    with done as materialized (select publishing.block(${blocker}, ${blocked}) as unfollowed),
      relations as (${relations}), counters as (${counters})
    select unfollowed, (select count(*) from relations), (select count(*) from counters) from done`)
  return unfollowed
}

type Signal = (changed: Fragment) => Fragment

export const deleteBlock = (q: Sql, blocker: number, blocked: number, signal: Signal) => q`
  with done as (
    delete from publishing.blocks where blocker_id = ${blocker} and blocked_id = ${blocked} returning blocker_id
  ), signalled as (${signal(q`select blocker_id::text from done`)})
  select count(*) from signalled`

export const insertMute = (q: Sql, muter: number, muted: number, signal: Signal) => q`
  with done as (
    insert into publishing.mutes (muter_id, muted_id) values (${muter}, ${muted}) on conflict do nothing
    returning muter_id
  ), signalled as (${signal(q`select muter_id::text from done`)})
  select count(*) from signalled`

export const deleteMute = (q: Sql, muter: number, muted: number, signal: Signal) => q`
  with done as (
    delete from publishing.mutes where muter_id = ${muter} and muted_id = ${muted} returning muter_id
  ), signalled as (${signal(q`select muter_id::text from done`)})
  select count(*) from signalled`
