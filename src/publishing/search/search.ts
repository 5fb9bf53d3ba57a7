import { lru } from '#platform/cache/lru.ts'
import { invalid } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Publishing, Viewer } from '../context.ts'
import { type PageQuery, sliceOf } from '../paging.ts'
import { renderPosts } from '../posts/render.ts'
import { readProfiles } from '../profiles/profiles.ts'
import { planFor } from './plan.ts'
import * as store from './store.ts'
import { parseTerms, type SearchTerms } from './terms.ts'

export type SearchQuery = PageQuery & { q: string; type: 'post' | 'user' | 'hashtag' }

/** If 2 of 100 posts match, scanning the newest posts is quicker than the index. */
const common = 0.02
/** If every fifth post matches, scanning up to any page is quicker than sorting what the index finds. */
const ubiquitous = 0.2
/** Pages up to here are scanned for if matches are common; for further ones the index is used. */
const maxScanned = 1_000

/** Counting more than this takes a while; a minute later the count is off by very little. */
const largeTotal = 10_000
const maxTotalAgeMs = 60_000
const largeTotals = moduleState(() => lru<{ total: number; until: number }>(1_000))

/** How many posts match: exact up to 10,000, beyond that as of the last minute. */
const countPosts = async (ctx: Publishing, terms: SearchTerms, tsquery: string) => {
  const key = terms.words.toSorted().join(' ')
  const known = largeTotals(ctx).get(key)
  if (known && known.until > performance.now()) return known.total
  const total = await store.countMatches(ctx.db.long, terms, tsquery)
  if (total > largeTotal) largeTotals(ctx).set(key, { total, until: performance.now() + maxTotalAgeMs })
  return total
}

type Slice = { limit: number; offset: number }

/** Scans posts from the end of time that is nearer to the page. */
const scanPosts = async (ctx: Publishing, terms: SearchTerms, total: number, { limit, offset }: Slice) => {
  if (offset <= total / 2) return store.scanMatches(ctx.db.long, terms, { order: 'newest', limit, offset })
  const after = Math.max(0, total - offset - limit)
  const size = Math.max(0, total - offset - after)
  return (
    await store.scanMatches(ctx.db.long, terms, { order: 'oldest', limit: size, offset: after })
  ).reverse()
}

const findPosts = async (ctx: Publishing, terms: SearchTerms, slice: Slice) => {
  const { selectivity, tsquery } = await planFor(ctx, terms)
  const isFar = slice.offset + slice.limit > maxScanned
  if (selectivity < common || (selectivity < ubiquitous && isFar))
    return store.searchByIndex(ctx.db.long, terms, tsquery, slice)
  const total = await countPosts(ctx, terms, tsquery)
  return { total, ids: await scanPosts(ctx, terms, total, slice) }
}

const searchPosts = async (ctx: Publishing, viewer: Viewer, terms: SearchTerms, page: PageQuery) => {
  const { ids, total } = await findPosts(ctx, terms, sliceOf(page))
  return { data: { posts: await renderPosts(ctx, viewer, ids) }, total }
}

const searchUsers = async (ctx: Publishing, terms: SearchTerms, page: PageQuery) => {
  const { ids, total } = await store.searchUsers(ctx.db.long, terms, sliceOf(page))
  return { data: { posts: [], users: await readProfiles(ctx, ids) }, total }
}

const searchTags = async (ctx: Publishing, viewer: Viewer, terms: SearchTerms, page: PageQuery) => {
  const { hashtags, total } = await store.searchTags(ctx.db.long, terms, sliceOf(page))
  const tags = hashtags.map(({ tag }) => tag)
  const ids = await store.newestWithTags(ctx.db.long, tags, page.limit)
  return { data: { posts: await renderPosts(ctx, viewer, ids), hashtags }, total }
}

export const search = async (ctx: Publishing, viewer: Viewer, { q, type, ...page }: SearchQuery) => {
  const terms = parseTerms(q) ?? invalid('q', 'must not be empty')
  if (type === 'user') return searchUsers(ctx, terms, page)
  if (type === 'hashtag') return searchTags(ctx, viewer, terms, page)
  return searchPosts(ctx, viewer, terms, page)
}
