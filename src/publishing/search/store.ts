import type { Sql } from '#platform/db/database.ts'
import { gramsOf, type Wanted } from './query.ts'

type Found = { ids: number[]; total: number }

const contains = (q: Sql, words: string[]) =>
  words.reduce((all, word) => q`${all} and strpos(words, ${word}) > 0`, q`true`)

/** Texts from all over the time that posts have been written. */
export const samplePosts = async (q: Sql, size: number) =>
  (
    await q<{ words: string }[]>`
      select picked.words from generate_series(1, ${size}::int) n cross join lateral (
        select words from publishing.post_words
        where post_id <= (select max(post_id) from publishing.post_words) * n / ${size}::int
        order by post_id desc limit 1
      ) picked`
  ).map(({ words }) => words)

const matching = (q: Sql, { long }: Wanted, grams: string) =>
  q`publishing.grams(words) @@ ${grams}::tsquery and ${contains(q, long)}`

/** Newest first. The index hands over all that it finds, so that they may as well be counted. */
export const searchByIndex = async (
  q: Sql,
  wanted: Wanted,
  grams: string,
  limit: number,
  offset: number,
): Promise<Found> =>
  (
    await q<Found[]>`
      with matches as materialized (
        select post_id from publishing.post_words where ${matching(q, wanted, grams)}
      )
      select (select count(*)::int from matches) as total,
        array(select post_id from matches order by post_id desc limit ${limit} offset ${offset}) as ids`
  )[0]!

export const countMatches = async (q: Sql, wanted: Wanted, grams: string) =>
  (
    await q<{ total: number }[]>`
      select count(*)::int as total from publishing.post_words where ${matching(q, wanted, grams)}`
  )[0]!.total

/** Posts that hold something common, in the order of time or against it: they are met soon enough by walking. */
export const walkMatches = async (
  q: Sql,
  { words }: Wanted,
  order: 'newest' | 'oldest',
  limit: number,
  offset: number,
) =>
  (
    await q<{ post_id: number }[]>`
      select post_id from publishing.post_words where ${contains(q, words)}
      order by post_id ${order === 'newest' ? q`desc` : q`asc`} limit ${limit} offset ${offset}`
  ).map(({ post_id }) => post_id)

export const searchUsers = async (q: Sql, wanted: Wanted, limit: number, offset: number): Promise<Found> =>
  (
    await q<Found[]>`
      with matches as materialized (
        select id, follower_count from publishing.users
        where publishing.grams(words) @@ ${gramsOf(wanted)}::tsquery and deleted_at is null and not is_suspended
          and ${contains(q, wanted.long)}
      )
      select (select count(*)::int from matches) as total, array(
        select id from matches order by follower_count desc, id limit ${limit} offset ${offset}) as ids`
  )[0]!

type FoundTags = { hashtags: { tag: string; post_count: number }[]; total: number }

const tagContains = (q: Sql, words: string[]) =>
  words.reduce((all, word) => q`${all} and strpos(tag, ${word}) > 0`, q`true`)

export const searchTags = async (
  q: Sql,
  wanted: Wanted,
  limit: number,
  offset: number,
): Promise<FoundTags> => {
  const rows = await q<{ tag: string; post_count: number; total: number }[]>`
    with matches as materialized (
      select tag, post_count from publishing.tags
      where publishing.grams(tag) @@ ${gramsOf(wanted)}::tsquery and post_count > 0 and ${tagContains(q, wanted.long)}
    )
    select tag, post_count, total from (select count(*)::int as total from matches) counted left join (
      select tag, post_count from matches order by post_count desc, tag limit ${limit} offset ${offset}
    ) page on true`
  return {
    total: rows[0]!.total,
    hashtags: rows.filter(({ tag }) => tag !== null).map(({ tag, post_count }) => ({ tag, post_count })),
  }
}

/** The newest posts that carry any of these tags. */
export const newestWithTags = async (q: Sql, tags: string[], limit: number) =>
  (
    await q<{ id: number }[]>`
      select distinct newest.id from unnest(${tags}::text[]) wanted (tag) cross join lateral (
        select post_id as id from publishing.post_tags t where t.tag = wanted.tag order by post_id desc limit ${limit}
      ) newest order by newest.id desc limit ${limit}`
  ).map(({ id }) => id)
