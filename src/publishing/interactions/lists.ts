import type { Publishing, Viewer } from '../context.ts'
import { readPage } from '../numbered.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { readPost } from '../posts/posts.ts'
import { showPosts } from '../posts/views.ts'
import { readProfiles } from '../profiles/profiles.ts'
import * as store from './lists-store.ts'

const counters = { replies: 'reply_count', quotes: 'quote_count', reposts: 'repost_count' } as const

export const listLikers = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  const { ids, total } = await readPage(ctx, { name: 'likes', owner: id }, page)
  return { users: await readProfiles(ctx, ids), total }
}

/** Most readers see what everybody sees, and share its milestones; the lists of others are their own. */
const below = async (ctx: Publishing, kind: store.Kind, viewer: Viewer, id: number, page: PageQuery) => {
  const { [counters[kind]]: shared } = await readPost(ctx, viewer, id)
  const extra = viewer ? await store.countPrivate(ctx.db.sql, kind, viewer.userId, id) : 0
  if (!viewer || extra === 0) return readPage(ctx, { name: kind, owner: id }, page)
  const ids = await store.listVisible(ctx.db.sql, kind, viewer.userId, id, page.limit, offsetOf(page))
  return { ids, total: shared + extra }
}

export const listReposters = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  const { ids, total } = await below(ctx, 'reposts', viewer, id, page)
  return { users: await readProfiles(ctx, ids), total }
}

const posts =
  (kind: 'replies' | 'quotes') => async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
    const { ids, total } = await below(ctx, kind, viewer, id, page)
    return { posts: await showPosts(ctx, viewer, ids), total }
  }
export const listReplies = posts('replies')
export const listQuotes = posts('quotes')
