import type { Sql } from '#platform/db/database.ts'

export type RelationRow = { is_accepted: boolean | null; blocks: boolean; mutes: boolean }

/** What an account has decided about another one, in one look. */
export const findRelation = async (q: Sql, me: number, other: number): Promise<RelationRow> =>
  (
    await q<RelationRow[]>`
      select (select is_accepted from publishing.follows where follower_id = ${me} and followee_id = ${other}),
        exists (select from publishing.blocks where blocker_id = ${me} and blocked_id = ${other}) as blocks,
        exists (select from publishing.mutes where muter_id = ${me} and muted_id = ${other}) as mutes`
  )[0]!

type Listed = { ids: number[]; total: number }

export const listFollowed = async (q: Sql, me: number, limit: number, offset: number) =>
  (
    await q<Listed[]>`
      select (select count(*)::int from publishing.follows where follower_id = ${me} and is_accepted) as total,
        array(select followee_id from publishing.follows where follower_id = ${me} and is_accepted
          order by id desc limit ${limit} offset ${offset}) as ids`
  )[0]!

export const listBlocked = async (q: Sql, me: number, limit: number, offset: number) =>
  (
    await q<Listed[]>`
      select (select count(*)::int from publishing.blocks where blocker_id = ${me}) as total,
        array(select blocked_id from publishing.blocks where blocker_id = ${me}
          order by blocked_id desc limit ${limit} offset ${offset}) as ids`
  )[0]!

export const listMuted = async (q: Sql, me: number, limit: number, offset: number) =>
  (
    await q<Listed[]>`
      select (select count(*)::int from publishing.mutes where muter_id = ${me}) as total,
        array(select muted_id from publishing.mutes where muter_id = ${me}
          order by muted_id desc limit ${limit} offset ${offset}) as ids`
  )[0]!
