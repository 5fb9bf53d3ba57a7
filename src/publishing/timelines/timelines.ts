import type { Principal, Publishing, Viewer } from '../context.ts'
import { relations } from '../graph/relations.ts'
import { beforeId, type CursorQuery, type PageQuery, sliceByCursor, sliceOf } from '../paging.ts'
import { renderPosts } from '../posts/render.ts'
import { parseTag } from '../posts/text.ts'
import { newestPosts } from './newest.ts'
import * as store from './store.ts'

const renderSlice = async (ctx: Publishing, viewer: Viewer, found: number[], limit: number) => {
  const { ids, nextCursor } = sliceByCursor(found, limit)
  return { posts: await renderPosts(ctx, viewer, ids), nextCursor }
}

export const readExplore = async (ctx: Publishing, viewer: Viewer, query: CursorQuery) =>
  renderSlice(ctx, viewer, await store.explore(ctx.db.sql, beforeId(query), query.limit + 1), query.limit)

export const readTagTimeline = async (ctx: Publishing, viewer: Viewer, tag: string, query: CursorQuery) =>
  renderSlice(
    ctx,
    viewer,
    await store.byTag(ctx.db.sql, parseTag(tag), beforeId(query), query.limit + 1),
    query.limit,
  )

export const readTagPage = async (ctx: Publishing, viewer: Viewer, tag: string, page: PageQuery) => {
  const { ids, total } = await store.listByTag(ctx.db.sql, parseTag(tag), sliceOf(page))
  return { posts: await renderPosts(ctx, viewer, ids), total }
}

/** Posts and reposts of an account and those it follows, without those it mutes. */
export const readHome = async (ctx: Publishing, me: Principal, query: CursorQuery) => {
  const { authors, mutes } = await relations(ctx).get(String(me.userId))
  const before = beforeId(query)
  const wanted = query.limit + 1
  const readExact = () => store.newestByAuthors(ctx.db.sql, authors, before, wanted)
  const found = (await newestPosts(ctx).of(authors, before, wanted)) ?? (await readExact())
  const slice = await renderSlice(ctx, me, found, query.limit)
  // Posts may have been deleted since the list of the newest was read: others take their place.
  const isComplete = slice.posts.length === Math.min(found.length, query.limit)
  const { posts, nextCursor } = isComplete
    ? slice
    : await renderSlice(ctx, me, await readExact(), query.limit)
  return {
    posts: posts.filter(
      ({ type, reposted_post }) =>
        type !== 'repost' || (reposted_post !== null && !mutes.has(reposted_post.author.id)),
    ),
    nextCursor,
  }
}

export const countTagged = (ctx: Publishing, tags: readonly string[]) => store.countTagged(ctx.db.sql, tags)
