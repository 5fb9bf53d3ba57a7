import { forbidden, notFound } from '#platform/errors.ts'
import { inBatches } from '../batches.ts'
import type { Principal, Publishing } from '../context.ts'
import { forget, forgetSoon } from '../memory.ts'
import { findTarget, readPost } from '../posts/posts.ts'
import { removePosts } from '../posts/removal.ts'
import { showNew } from '../posts/views.ts'
import * as store from './store.ts'

const missing = () => notFound('Post not found')
/** Since the request was let in. */
const suspended = () => forbidden('Account suspended')

export const setLiked = async (ctx: Publishing, me: Principal, id: number, liked: boolean) => {
  // A like can always be taken back, also from somebody who has blocked since.
  const post = liked ? await findTarget(ctx.db.sql, me, id) : await readPost(ctx, me, id)
  const target = 'repost_of_id' in post ? (post.repost_of_id ?? post.id) : post.id
  const like_count = await ctx.db.transaction(async (tx) => {
    if (!(await store.lockOriginal(tx, target))) missing()
    return liked ? store.like(tx, target, me.userId, ctx.clock.now()) : store.unlike(tx, target, me.userId)
  })
  forgetSoon(ctx, { post: [target] })
  return { liked, like_count: like_count ?? suspended() }
}

/** The repost of a post by its reader; `created` is false when it was there before. */
export const repost = async (ctx: Publishing, me: Principal, id: number) => {
  const target = await findTarget(ctx.db.sql, me, id)
  if (target.audience !== 'public') forbidden('Posts of a protected account cannot be reposted')
  const { row, existing } = await ctx.db.transaction(async (tx) => {
    if (!(await store.lockOriginal(tx, target.id))) missing()
    const existing = await store.findRepost(tx, target.id, me.userId)
    if (existing !== undefined) return { row: null, existing }
    const row = (await store.insertRepost(tx, target.id, me.userId, ctx.clock.now())) ?? suspended()
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

/** Brings the likes of an account in line with whether they count. */
export const settleLikes = async (ctx: Publishing, userId: number) =>
  inBatches(await store.strayLikes(ctx.db.sql, userId), (batch) =>
    ctx.db.transaction(async (tx) => {
      await store.lockPosts(tx, batch)
      const counts = await store.holdCounting(tx, userId)
      forgetSoon(ctx, { post: await store.countLikes(tx, userId, batch, counts) })
    }),
  )
