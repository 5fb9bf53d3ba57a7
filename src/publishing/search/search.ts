import { invalid } from '#platform/errors.ts'
import type { Publishing, Viewer } from '../context.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { showPosts } from '../posts/views.ts'
import { readProfiles } from '../profiles/profiles.ts'
import { gramsOf, type Wanted, wantedBy } from './query.ts'
import { rarest, sampleOf, shareOf, type Way } from './sample.ts'
import * as store from './store.ts'
import { totalOf } from './totals.ts'

export type SearchQuery = PageQuery & { q: string; type: 'post' | 'user' | 'hashtag' }

/** A match in 2 of 100 posts is common: reading the newest ones is then quicker than the index. */
const common = 0.02
/** In every fifth post: walking to any page is then quicker than sorting what the index finds. */
const ubiquitous = 0.2

/** Every further run costs the index more than the texts it rules out; one word alone needs some. */
const runsFor = ({ words }: Wanted) => (words.length === 1 ? 3 : 1)

/** Pages up to here are walked to when matches are common; further ones are left to the index. */
const walkable = 1_000

/** What so many posts hold that the index would hand over a good part of all: walked to from the nearer end. */
const walkedPosts = async (ctx: Publishing, wanted: Wanted, total: number, limit: number, offset: number) => {
  if (offset <= total / 2) return store.walkMatches(ctx.db.sql, wanted, 'newest', limit, offset)
  const after = Math.max(0, total - offset - limit)
  const size = Math.max(0, total - offset - after)
  return (await store.walkMatches(ctx.db.sql, wanted, 'oldest', size, after)).reverse()
}

/** The same words are asked for again, page by page and by many. */
const wayFor = async (ctx: Publishing, wanted: Wanted): Promise<Way> => {
  const sample = await sampleOf(ctx)
  const key = wanted.words.join(' ')
  const known = sample.ways.get(key)
  if (known) return known
  const grams = gramsOf(wanted, rarest(sample, runsFor(wanted)))
  const way = { share: shareOf(sample, wanted.words), grams }
  sample.ways.set(key, way)
  return way
}

const findPosts = async (ctx: Publishing, wanted: Wanted, { limit, ...page }: PageQuery) => {
  const offset = offsetOf({ limit, ...page })
  const { share, grams } = await wayFor(ctx, wanted)
  if (share < common || (share < ubiquitous && offset + limit > walkable))
    return store.searchByIndex(ctx.db.sql, wanted, grams, limit, offset)
  const total = await totalOf(ctx, wanted, grams)
  return { total, ids: await walkedPosts(ctx, wanted, total, limit, offset) }
}

const posts = async (ctx: Publishing, viewer: Viewer, wanted: Wanted, page: PageQuery) => {
  const { ids, total } = await findPosts(ctx, wanted, page)
  return { data: { posts: await showPosts(ctx, viewer, ids) }, total }
}

const users = async (ctx: Publishing, wanted: Wanted, page: PageQuery) => {
  const { ids, total } = await store.searchUsers(ctx.db.sql, wanted, page.limit, offsetOf(page))
  return { data: { posts: [], users: await readProfiles(ctx, ids) }, total }
}

const hashtags = async (ctx: Publishing, viewer: Viewer, wanted: Wanted, page: PageQuery) => {
  const { hashtags, total } = await store.searchTags(ctx.db.sql, wanted, page.limit, offsetOf(page))
  const ids = await store.newestWithTags(
    ctx.db.sql,
    hashtags.map(({ tag }) => tag),
    page.limit,
  )
  return { data: { posts: await showPosts(ctx, viewer, ids), hashtags }, total }
}

export const search = async (ctx: Publishing, viewer: Viewer, { q, type, ...page }: SearchQuery) => {
  const wanted = wantedBy(q) ?? invalid('q', 'must not be empty')
  if (type === 'user') return users(ctx, wanted, page)
  if (type === 'hashtag') return hashtags(ctx, viewer, wanted, page)
  return posts(ctx, viewer, wanted, page)
}
