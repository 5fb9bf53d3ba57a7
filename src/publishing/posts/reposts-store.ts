import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import { type Target, targetQuery } from './store.ts'

/** Returns whether the post is still there. */
export const lockOriginal = async (q: Sql, id: number) =>
  (await q`select from publishing.posts where id = ${id} and deleted_at is null for no key update`).length > 0

export const findRepost = async (q: Sql, originalId: number, authorId: number) =>
  (
    await maybeOne(q<{ id: number }[]>`
      select id from publishing.posts
      where repost_of_id = ${originalId} and author_id = ${authorId} and deleted_at is null`)
  )?.id

type Reposted = { refusal: 'gone' | 'suspended' } | { refusal?: never; id: number; created: boolean }

/** Reposts a post if it may be reposted; undefined if there is no such post, `reposted` is null if it may not. */
export const repost = (q: Sql, id: number, authorId: number, now: Date) =>
  maybeOne(q<(Target & { reposted: Reposted | null })[]>`
    with target as materialized (${targetQuery(q, id, authorId)})
    select t.*, case when visible and not blocked and audience = 'public'
      then publishing.repost(t.id, ${authorId}, ${now}) end as reposted
    from target t`)
