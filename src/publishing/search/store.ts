import type { CountedPage, Page } from '#platform/db/counted-page.ts'
import type { Sql } from '#platform/db/database.ts'
import { one, value } from '#platform/db/rows.ts'
import { type SearchTerms, tsqueryOf } from './terms.ts'

const contains = (q: Sql, column: 'words' | 'tag', words: string[]) =>
  words.reduce((all, word) => q`${all} and strpos(${q(column)}, ${word}) > 0`, q`true`)

/** Texts spread evenly over all posts. */
export const samplePosts = async (q: Sql, size: number) =>
  (
    await q<{ words: string }[]>`
      select picked.words from generate_series(1, ${size}::int) n cross join lateral (
        select words from publishing.post_words
        where post_id <= (select max(post_id) from publishing.post_words) * n / ${size}::int
        order by post_id desc limit 1
      ) picked`
  ).map(({ words }) => words)

const matching = (q: Sql, { unproven }: SearchTerms, tsquery: string) =>
  q`publishing.trigrams(words) @@ ${tsquery}::tsquery and ${contains(q, 'words', unproven)}`

/** Newest first. The index returns all matches in any case, so they are counted as well. */
export const searchByIndex = (q: Sql, terms: SearchTerms, tsquery: string, { limit, offset }: Page) =>
  one(q<CountedPage[]>`
    with matches as materialized (
      select post_id from publishing.post_words where ${matching(q, terms, tsquery)}
    )
    select (select count(*)::int from matches) as total,
      array(select post_id from matches order by post_id desc limit ${limit} offset ${offset}) as ids`)

export const countMatches = (q: Sql, terms: SearchTerms, tsquery: string) =>
  value<number>(q`
      select count(*)::int as total from publishing.post_words where ${matching(q, terms, tsquery)}`)

type Scan = Page & { order: 'newest' | 'oldest' }

/** For common words, of which a scan in the order of time soon meets enough. */
export const scanMatches = async (q: Sql, { words }: SearchTerms, { order, limit, offset }: Scan) =>
  (
    await q<{ post_id: number }[]>`
      select post_id from publishing.post_words where ${contains(q, 'words', words)}
      order by post_id ${order === 'newest' ? q`desc` : q`asc`} limit ${limit} offset ${offset}`
  ).map(({ post_id }) => post_id)

export const searchUsers = (q: Sql, terms: SearchTerms, { limit, offset }: Page) =>
  one(q<CountedPage[]>`
    with matches as materialized (
      select id, follower_count from publishing.users
      where publishing.trigrams(words) @@ ${tsqueryOf(terms)}::tsquery and deleted_at is null and not is_suspended
        and ${contains(q, 'words', terms.unproven)}
    )
    select (select count(*)::int from matches) as total, array(
      select id from matches order by follower_count desc, id limit ${limit} offset ${offset}) as ids`)

type FoundTag = { tag: string; post_count: number }

export const searchTags = (q: Sql, terms: SearchTerms, { limit, offset }: Page) =>
  one(q<{ hashtags: FoundTag[]; total: number }[]>`
    with matches as materialized (
      select tag, post_count from publishing.tags
      where publishing.trigrams(tag) @@ ${tsqueryOf(terms)}::tsquery and post_count > 0
        and ${contains(q, 'tag', terms.unproven)}
    ), page as (select * from matches order by post_count desc, tag limit ${limit} offset ${offset})
    select (select count(*)::int from matches) as total, (
      select coalesce(json_agg(page order by post_count desc, tag), '[]') from page) as hashtags`)

/** The newest posts that have any of these tags. */
export const newestWithTags = async (q: Sql, tags: string[], limit: number) =>
  (
    await q<{ id: number }[]>`
      select distinct newest.id from unnest(${tags}::text[]) wanted (tag) cross join lateral (
        select post_id as id from publishing.post_tags t where t.tag = wanted.tag order by post_id desc limit ${limit}
      ) newest order by newest.id desc limit ${limit}`
  ).map(({ id }) => id)
