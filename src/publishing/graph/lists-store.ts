import type { Sql } from '#platform/db/database.ts'

type Listed = { ids: number[]; total: number }

const listed = async (rows: PromiseLike<Listed[]>) => (await rows)[0]!

/** All newest first; suspended accounts are neither shown nor counted. */
export const listFollowers = (q: Sql, id: number, limit: number, offset: number) =>
  listed(q<Listed[]>`
    select follower_count as total, array(
      select follower_id from publishing.follows where followee_id = ${id} and is_accepted and follower_counts
      order by id desc limit ${limit} offset ${offset}) as ids
    from publishing.users where id = ${id}`)

export const listFollowing = (q: Sql, id: number, limit: number, offset: number) =>
  listed(q<Listed[]>`
    select following_count as total, array(
      select followee_id from publishing.follows where follower_id = ${id} and is_accepted and followee_counts
      order by id desc limit ${limit} offset ${offset}) as ids
    from publishing.users where id = ${id}`)

export const listRequests = (q: Sql, id: number, limit: number, offset: number) =>
  listed(q<Listed[]>`
    with waiting as materialized (
      select f.id, f.follower_id from publishing.follows f join publishing.users u on u.id = f.follower_id
      where f.followee_id = ${id} and not f.is_accepted and not u.is_suspended
    )
    select (select count(*)::int from waiting) as total,
      array(select follower_id from waiting order by id desc limit ${limit} offset ${offset}) as ids`)
