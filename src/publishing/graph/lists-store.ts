import { type CountedPage, type Page, readCountedPage } from '#platform/db/counted-page.ts'
import type { Sql } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'

export const listFollowers = (q: Sql, id: number, page: Page) =>
  readCountedPage(
    q,
    {
      total: q`select follower_count from publishing.users where id = ${id}`,
      entries: q`publishing.follows where followee_id = ${id} and is_accepted and counts_as_follower`,
      key: 'id',
      order: 'desc',
      column: 'follower_id',
    },
    page,
  )

export const listFollowing = (q: Sql, id: number, page: Page) =>
  readCountedPage(
    q,
    {
      total: q`select following_count from publishing.users where id = ${id}`,
      entries: q`publishing.follows where follower_id = ${id} and is_accepted and counts_as_following`,
      key: 'id',
      order: 'desc',
      column: 'followee_id',
    },
    page,
  )

/** Newest first, without suspended accounts. */
export const listRequests = (q: Sql, id: number, { limit, offset }: Page) =>
  one(q<CountedPage[]>`
    with waiting as materialized (
      select f.id, f.follower_id from publishing.follows f join publishing.users u on u.id = f.follower_id
      where f.followee_id = ${id} and not f.is_accepted and not u.is_suspended
    )
    select (select count(*)::int from waiting) as total,
      array(select follower_id from waiting order by id desc limit ${limit} offset ${offset}) as ids`)

/** All whom an account follows, suspended ones included. */
export const listAllFollowing = (q: Sql, me: number, { limit, offset }: Page) =>
  one(q<CountedPage[]>`
    select (select count(*)::int from publishing.follows where follower_id = ${me} and is_accepted) as total,
      array(select followee_id from publishing.follows where follower_id = ${me} and is_accepted
        order by id desc limit ${limit} offset ${offset}) as ids`)

export const listBlocked = (q: Sql, me: number, { limit, offset }: Page) =>
  one(q<CountedPage[]>`
    select (select count(*)::int from publishing.blocks where blocker_id = ${me}) as total,
      array(select blocked_id from publishing.blocks where blocker_id = ${me}
        order by blocked_id desc limit ${limit} offset ${offset}) as ids`)

export const listMuted = (q: Sql, me: number, { limit, offset }: Page) =>
  one(q<CountedPage[]>`
    select (select count(*)::int from publishing.mutes where muter_id = ${me}) as total,
      array(select muted_id from publishing.mutes where muter_id = ${me}
        order by muted_id desc limit ${limit} offset ${offset}) as ids`)
