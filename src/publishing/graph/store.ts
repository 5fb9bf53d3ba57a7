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

type Followed = { refusal: 'gone' | 'blocked' } | { refusal?: never; accepted: boolean; added: boolean }
type Pair = { follower: number; followee: number }

export const follow = (q: Sql, { follower, followee }: Pair, now: Date) =>
  value<Followed>(q`select publishing.follow(${follower}, ${followee}, ${now}) as result`)

/** Returns whether there was a follow that had been accepted. */
export const unfollow = (q: Sql, { follower, followee }: Pair) =>
  value<boolean>(q`select publishing.unfollow(${follower}, ${followee}) as changed`)

/** Returns whether there was a request. */
export const acceptFollow = (q: Sql, { follower, followee }: Pair, now: Date) =>
  value<boolean>(q`select publishing.accept_follow(${follower}, ${followee}, ${now}) as changed`)

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
export const block = (q: Sql, blocker: number, blocked: number) =>
  value<number[] | null>(q`select publishing.block(${blocker}, ${blocked}) as unfollowed`)

const relationsOf = (q: Sql, column: Fragment) => q`platform.signal('publishing.relations', ${column}::text)`

export const deleteBlock = (q: Sql, blocker: number, blocked: number) => q`
  delete from publishing.blocks where blocker_id = ${blocker} and blocked_id = ${blocked}
  returning ${relationsOf(q, q`blocker_id`)}`

export const insertMute = (q: Sql, muter: number, muted: number) => q`
  insert into publishing.mutes (muter_id, muted_id) values (${muter}, ${muted}) on conflict do nothing
  returning ${relationsOf(q, q`muter_id`)}`

export const deleteMute = (q: Sql, muter: number, muted: number) => q`
  delete from publishing.mutes where muter_id = ${muter} and muted_id = ${muted}
  returning ${relationsOf(q, q`muter_id`)}`
