import type { Publishing, Viewer } from '../context.ts'
import { type PageQuery, sliceOf } from '../paging.ts'
import { readPost } from '../posts/posts.ts'
import { renderPosts } from '../posts/render.ts'
import { readProfiles } from '../profiles/profiles.ts'
import * as store from './lists-store.ts'

export const listLikers = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  const { ids, total } = await store.listLikers(ctx.db.sql, id, sliceOf(page))
  return { users: await readProfiles(ctx, ids), total }
}

const counters = { replies: 'reply_count', quotes: 'quote_count', reposts: 'repost_count' } as const

/** Most viewers see what everybody sees; only those who see more are given a list of their own, which is slower. */
const listBelow = async (ctx: Publishing, viewer: Viewer, below: store.BelowPost, page: PageQuery) => {
  const { [counters[below.kind]]: counted } = await readPost(ctx, viewer, below.postId)
  const uncounted = viewer ? await store.countUncounted(ctx.db.sql, below, viewer.userId) : 0
  if (!viewer || uncounted === 0) return store.listCounted(ctx.db.sql, below, sliceOf(page))
  const ids = await store.listVisible(ctx.db.sql, below, viewer.userId, sliceOf(page))
  return { ids, total: counted + uncounted }
}

export const listReposters = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  const { ids, total } = await listBelow(ctx, viewer, { kind: 'reposts', postId: id }, page)
  return { users: await readProfiles(ctx, ids), total }
}

export const listReplies = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  const { ids, total } = await listBelow(ctx, viewer, { kind: 'replies', postId: id }, page)
  return { posts: await renderPosts(ctx, viewer, ids), total }
}

export const listQuotes = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  const { ids, total } = await listBelow(ctx, viewer, { kind: 'quotes', postId: id }, page)
  return { posts: await renderPosts(ctx, viewer, ids), total }
}
