import { invalid } from '#platform/errors.ts'
import type { Publishing, Viewer } from '../context.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { showPosts } from '../posts/views.ts'
import { readProfiles } from '../profiles/profiles.ts'
import { gramsOf, type Wanted, wantedBy } from './query.ts'
import { isCommon, rarest, sampleOf } from './sample.ts'
import * as store from './store.ts'

export type SearchQuery = PageQuery & { q: string; type: 'post' | 'user' | 'hashtag' }

/** Every further run costs the index more than the texts it rules out; one word alone needs some. */
const runsFor = ({ words }: Wanted) => (words.length === 1 ? 3 : 1)

const posts = async (ctx: Publishing, viewer: Viewer, wanted: Wanted, page: PageQuery) => {
  const sample = await sampleOf(ctx)
  const grams = isCommon(sample, wanted.words) ? null : gramsOf(wanted, rarest(sample, runsFor(wanted)))
  const { ids, total } = await store.searchPosts(ctx.db.sql, wanted, grams, page.limit, offsetOf(page))
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
