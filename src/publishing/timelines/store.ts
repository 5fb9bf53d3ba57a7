import type { Fragment, Sql } from '#platform/db/database.ts'

const idsOf = async (rows: PromiseLike<{ id: number }[]>) => (await rows).map(({ id }) => id)

export const explore = (q: Sql, before: number, limit: number) =>
  idsOf(q<{ id: number }[]>`
    select id from publishing.posts where audience = 'public' and type <> 'repost' and id < ${before}
    order by id desc limit ${limit}`)

export const byTag = (q: Sql, tag: string, before: number, limit: number) =>
  idsOf(q<{ id: number }[]>`
    select post_id as id from publishing.post_tags where tag = ${tag} and post_id < ${before}
    order by post_id desc limit ${limit}`)

export type Written = { id: number; author_id: number }

/** What everybody wrote after `since`, newest first. */
export const newestSince = (q: Sql, since: number, limit: number) => q<Written[]>`
  select id, author_id from publishing.posts where audience <> 'nobody' and id > ${since}
  order by id desc limit ${limit}`

/** The newest posts of each of `authors`, who have an `id`; in the order of the index, which is that of time too. */
const newestOf = (q: Sql, authors: Fragment, before: number, limit: number) => q`
  ${authors} cross join lateral (
    select p.id from publishing.posts p
    where p.author_id = author.id and p.deleted_at is null and p.audience <> 'nobody' and p.id < ${before}
    order by p.author_id, p.id desc limit ${limit}
  ) newest order by newest.id desc`

/**
 * For authors who write seldom: the newest of each, merged. Whoever is not among the first `limit` by their newest
 * post has none to add. One text is faster to send than a thousand numbers.
 */
export const ofEach = (q: Sql, authors: ReadonlySet<number>, before: number, limit: number) => {
  const all = q`unnest((${`{${[...authors].join()}}`}::text)::bigint[]) author (id)`
  const first = q`(select author.id from ${newestOf(q, all, before, 1)} limit ${limit}) author`
  return idsOf(q<{ id: number }[]>`select newest.id from ${newestOf(q, first, before, limit)} limit ${limit}`)
}
