import type { Principal, Publishing } from '../context.ts'
import { changedSoon } from '../invalidation.ts'
import { postNotFound, postRefusals } from '../posts/refusals.ts'
import { requireAllowed } from '../posts/target.ts'
import * as store from './store.ts'

export const like = async (ctx: Publishing, me: Principal, id: number) => {
  const found = await ctx.db.write((q) => store.like(q, id, me.userId, ctx.clock.now()))
  const { id: postId, liked } = requireAllowed(found)
  if (!liked) return postNotFound()
  if (liked.refusal) return postRefusals[liked.refusal]()
  changedSoon(ctx, { post: [postId] })
  return { liked: true, like_count: liked.like_count }
}

/** A like can always be taken back, also if the author has blocked the account since. */
export const unlike = async (ctx: Publishing, me: Principal, id: number) => {
  const found = await ctx.db.write((q) => store.unlike(q, id, me.userId))
  if (!found || found.like_count === null) return postNotFound()
  changedSoon(ctx, { post: [found.id] })
  return { liked: false, like_count: found.like_count }
}

/** The posts whose counters include a like of a suspended account, or lack one of an account that is not suspended. */
export const findMismatchedLikes = (ctx: Publishing, userId: number) =>
  store.findMismatchedLikes(ctx.db.sql, userId)

export const reconcileLikes = (ctx: Publishing, userId: number, postIds: number[]) =>
  ctx.db.transaction(async (tx) => {
    await store.lockPosts(tx, postIds)
    const counts = await store.lockLikesCount(tx, userId)
    changedSoon(ctx, { post: await store.countLikes(tx, userId, postIds, counts) })
  })
