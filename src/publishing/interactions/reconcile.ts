import { inChunks } from '../chunks.ts'
import type { Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import * as store from './store.ts'

/** Includes the likes of an account in the counters of posts, or excludes them while it is suspended. */
export const reconcileLikes = async (ctx: Publishing, userId: number) =>
  inChunks(await store.findMismatchedLikes(ctx.db.sql, userId), (postIds) =>
    ctx.db.transaction(async (tx) => {
      await store.lockPosts(tx, postIds)
      const counts = await store.lockLikesCount(tx, userId)
      invalidateSoon(ctx, { post: await store.countLikes(tx, userId, postIds, counts) })
    }),
  )
