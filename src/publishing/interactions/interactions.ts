import { forbidden, notFound } from '#platform/errors.ts'
import type { Principal, Publishing, Viewer } from '../context.ts'
import { forget, forgetSoon } from '../memory.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { findTarget, readPost } from '../posts/posts.ts'
import { removePosts } from '../posts/removal.ts'
import { showNew, showPosts } from '../posts/views.ts'
import { readProfiles } from '../profiles/profiles.ts'
import * as store from './store.ts'

const missing = () => notFound('Post not found')

export const setLiked = async (ctx: Publishing, me: Principal, id: number, liked: boolean) => {
  // A like can always be taken back, also from somebody who has blocked since.
  const post = liked ? await findTarget(ctx.db.sql, me, id) : await readPost(ctx, me, id)
  const target = 'repost_of_id' in post ? (post.repost_of_id ?? post.id) : post.id
  const like_count = await ctx.db.transaction(async (tx) => {
    if (!(await store.lockOriginal(tx, target))) missing()
    return liked ? store.like(tx, target, me.userId, ctx.clock.now()) : store.unlike(tx, target, me.userId)
  })
  forgetSoon(ctx, { post: [target] })
  return { liked, like_count: like_count ?? missing() }
}

/** The repost of a post by its reader; `created` is false when it was there before. */
export const repost = async (ctx: Publishing, me: Principal, id: number) => {
  const target = await findTarget(ctx.db.sql, me, id)
  if (target.audience !== 'public') forbidden('Posts of a protected account cannot be reposted')
  const { row, existing } = await ctx.db.transaction(async (tx) => {
    if (!(await store.lockOriginal(tx, target.id))) missing()
    const existing = await store.findRepost(tx, target.id, me.userId)
    if (existing !== undefined) return { row: null, existing }
    const row = await store.insertRepost(tx, target.id, me.userId, ctx.clock.now())
    await forget(ctx, tx, { post: [target.id], tallies: [me.userId] })
    return { row, existing: 0 }
  })
  if (!row) return { post: await readPost(ctx, me, existing), created: false }
  return { post: await showNew(ctx, me, row), created: true }
}

export const unrepost = async (ctx: Publishing, me: Principal, id: number) => {
  const post = await readPost(ctx, me, id)
  const target = post.repost_of_id ?? post.id
  await ctx.db.transaction(async (tx) => {
    await store.lockOriginal(tx, target)
    const own = await store.findRepost(tx, target, me.userId)
    if (own !== undefined) await removePosts(ctx, tx, [own])
  })
  const { repost_count } = await readPost(ctx, me, target)
  return { reposted: false, repost_count }
}

export const listLikers = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  const { ids, total } = await store.listLikers(ctx.db.sql, id, page.limit, offsetOf(page))
  return { users: await readProfiles(ctx, ids), total }
}

export const listReposters = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  const { ids, total } = await store.listReposters(
    ctx.db.sql,
    viewer?.userId ?? null,
    id,
    page.limit,
    offsetOf(page),
  )
  return { users: await readProfiles(ctx, ids), total }
}

export const listReplies = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  const { ids, total } = await store.listReplies(
    ctx.db.sql,
    viewer?.userId ?? null,
    id,
    page.limit,
    offsetOf(page),
  )
  return { posts: await showPosts(ctx, viewer, ids), total }
}

export const listQuotes = async (ctx: Publishing, viewer: Viewer, id: number, page: PageQuery) => {
  await readPost(ctx, viewer, id)
  const { ids, total } = await store.listQuotes(
    ctx.db.sql,
    viewer?.userId ?? null,
    id,
    page.limit,
    offsetOf(page),
  )
  return { posts: await showPosts(ctx, viewer, ids), total }
}
