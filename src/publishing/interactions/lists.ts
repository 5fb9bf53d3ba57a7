import type { Publishing, Viewer } from '../context.ts'
import { readPage } from '../numbered.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { readPost } from '../posts/posts.ts'
import { showPosts } from '../posts/views.ts'
import { readProfiles } from '../profiles/profiles.ts'
import * as store from './lists-store.ts'

export const listLikers = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  const { ids, total } = await readPage(ctx, { name: 'likes', owner: id }, page)
  return { users: await readProfiles(ctx, ids), total }
}

const below = async (ctx: Publishing, kind: store.Kind, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  return store.listBelow(ctx.db.sql, kind, viewer?.userId ?? null, id, page.limit, offsetOf(page))
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
