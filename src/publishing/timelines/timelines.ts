import type { Principal, Publishing, Viewer } from '../context.ts'
import { readPage } from '../numbered.ts'
import { beforeId, type CursorQuery, type PageQuery, stretch } from '../paging.ts'
import { tagOf } from '../posts/text.ts'
import { showPosts } from '../posts/views.ts'
import * as store from './store.ts'

const shown = async (ctx: Publishing, viewer: Viewer, found: number[], limit: number) => {
  const { ids, nextCursor } = stretch(found, limit)
  return { posts: await showPosts(ctx, viewer, ids), nextCursor }
}

export const readExplore = async (ctx: Publishing, viewer: Viewer, query: CursorQuery) =>
  shown(ctx, viewer, await store.explore(ctx.db.sql, beforeId(query), query.limit + 1), query.limit)

/** `#Tag`, `tag` and `TAG` are the same. */
const tagFrom = (text: string) => tagOf(text.replace(/^#/, ''))

export const readTagTimeline = async (ctx: Publishing, viewer: Viewer, tag: string, query: CursorQuery) =>
  shown(
    ctx,
    viewer,
    await store.byTag(ctx.db.sql, tagFrom(tag), beforeId(query), query.limit + 1),
    query.limit,
  )

export const readTagPage = async (ctx: Publishing, viewer: Viewer, tag: string, page: PageQuery) => {
  const { ids, total } = await readPage(ctx, { name: 'tag', owner: tagFrom(tag) }, page)
  return { posts: await showPosts(ctx, viewer, ids), total }
}

/** What you and those you follow wrote and reposted, without those you mute. */
export const readHome = async (ctx: Publishing, me: Principal, query: CursorQuery) => {
  const { authors, mutes } = await ctx.memory.circles.get(String(me.userId))
  const before = beforeId(query)
  const wanted = query.limit + 1
  const exact = () => store.ofEach(ctx.db.sql, authors, before, wanted)
  const found = (await ctx.newest(authors, before, wanted)) ?? (await exact())
  const page = await shown(ctx, me, found, query.limit)
  // Some have gone since they were remembered: others take their place.
  const isWhole = page.posts.length === Math.min(found.length, query.limit)
  const { posts, nextCursor } = isWhole ? page : await shown(ctx, me, await exact(), query.limit)
  return {
    posts: posts.filter(
      ({ type, reposted_post }) =>
        type !== 'repost' || (reposted_post !== null && !mutes.has(reposted_post.author.id)),
    ),
    nextCursor,
  }
}
