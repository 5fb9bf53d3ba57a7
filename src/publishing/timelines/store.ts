import type { Sql } from '#platform/db/database.ts'

const idsOf = async (rows: PromiseLike<{ id: number }[]>) => (await rows).map(({ id }) => id)

export const explore = (q: Sql, before: number, limit: number) =>
  idsOf(q<{ id: number }[]>`
    select id from publishing.posts where audience = 'public' and type <> 'repost' and id < ${before}
    order by id desc limit ${limit}`)

export const byTag = (q: Sql, tag: string, before: number, limit: number) =>
  idsOf(q<{ id: number }[]>`
    select post_id as id from publishing.post_tags where tag = ${tag} and post_id < ${before}
    order by post_id desc limit ${limit}`)

/**
 * Posts of these authors among the newest `depth` of all. When the authors write a fair share of everything, as
 * those of a well-filled home timeline do, this finds a stretch without asking for each author. `is true` keeps
 * it a filter that ends with the last post wanted; as a join it would read all of `depth` first.
 */
export const amongRecent = (q: Sql, authors: string, before: number, limit: number, depth: number) =>
  idsOf(q<{ id: number }[]>`
    select id from (
      select id, author_id from publishing.posts where audience <> 'nobody' and id < ${before}
      order by id desc limit ${depth}
    ) recent where (author_id in (select unnest((${authors}::text)::bigint[]))) is true order by id desc limit ${limit}`)

/** The same for authors who write seldom: the newest of each, merged. */
export const ofEach = (q: Sql, authors: string, before: number, limit: number) =>
  idsOf(q<{ id: number }[]>`
    select newest.id from unnest((${authors}::text)::bigint[]) author (id) cross join lateral (
      select p.id from publishing.posts p
      where p.author_id = author.id and p.deleted_at is null and p.audience <> 'nobody' and p.id < ${before}
      order by p.author_id, p.id desc limit ${limit}
    ) newest order by newest.id desc limit ${limit}`)
