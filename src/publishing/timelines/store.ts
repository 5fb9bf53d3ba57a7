import { type Page, readCountedPage } from '#platform/db/counted-page.ts'
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

export const listByTag = (q: Sql, tag: string, page: Page) =>
  readCountedPage(
    q,
    {
      total: q`select post_count from publishing.tags where tag = ${tag}`,
      entries: q`publishing.post_tags where tag = ${tag}`,
      key: 'post_id',
      order: 'desc',
      column: 'post_id',
    },
    page,
  )

/** How many posts carry each of these tags. */
export const countTagged = async (q: Sql, tags: readonly string[]) => {
  const rows = await q<{ tag: string; post_count: number }[]>`
    select tag, post_count from publishing.tags where tag = any (${tags})`
  return new Map(rows.map(({ tag, post_count }) => [tag, post_count]))
}

export type Authored = { id: number; author_id: number }

/** The posts of all accounts after `since`, newest first. */
export const newestSince = (q: Sql, since: number, limit: number) => q<Authored[]>`
  select id, author_id from publishing.posts where audience <> 'nobody' and id > ${since}
  order by id desc limit ${limit}`

/** The newest posts of each of `authors`, rows with an `id`. */
const newestOf = (q: Sql, authors: Fragment, before: number, limit: number) => q`
  ${authors} cross join lateral (
    select p.id from publishing.posts p
    where p.author_id = author.id and p.deleted_at is null and p.audience <> 'nobody' and p.id < ${before}
    order by p.author_id, p.id desc limit ${limit}
  ) newest order by newest.id desc`

/**
 * The newest posts of these authors, whenever they were written. Only the `limit` authors with the newest posts can have
 * any among the first `limit`.
 */
export const newestByAuthors = (q: Sql, authors: ReadonlySet<number>, before: number, limit: number) => {
  const all = q`unnest(${[...authors]}::bigint[]) author (id)`
  const first = q`(select author.id from ${newestOf(q, all, before, 1)} limit ${limit}) author`
  return idsOf(q<{ id: number }[]>`select newest.id from ${newestOf(q, first, before, limit)} limit ${limit}`)
}
