import type { Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import * as store from './store.ts'

/** The posts whose counters include a like of a suspended account, or lack one of an account that is not suspended. */
export const findMismatchedLikes = (ctx: Publishing, userId: number) =>
  store.findMismatchedLikes(ctx.db.sql, userId)

export const reconcileLikes = (ctx: Publishing, userId: number, postIds: number[]) =>
  ctx.db.transaction(async (tx) => {
    await store.lockPosts(tx, postIds)
    const counts = await store.lockLikesCount(tx, userId)
    invalidateSoon(ctx, { post: await store.countLikes(tx, userId, postIds, counts) })
  })
