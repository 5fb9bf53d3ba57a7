import { forbidden } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import { readPost } from '../posts/posts.ts'
import { originalId } from '../posts/render.ts'
import { postNotFound, requireTarget } from '../posts/target.ts'
import * as store from './store.ts'

export const like = async (ctx: Publishing, me: Principal, id: number) => {
  const { id: postId } = await requireTarget(ctx.db.sql, me, id)
  const like_count = await ctx.db.transaction(async (tx) => {
    if (!(await store.lockPost(tx, postId))) postNotFound()
    return store.insertLike(tx, postId, me.userId, ctx.clock.now())
  })
  invalidateSoon(ctx, { post: [postId] })
  return { liked: true, like_count: like_count ?? forbidden('Account suspended') }
}

/** A like can always be taken back, also if the author has blocked the account since. */
export const unlike = async (ctx: Publishing, me: Principal, id: number) => {
  const postId = originalId(await readPost(ctx, me, id))
  const like_count = await ctx.db.transaction(async (tx) => {
    if (!(await store.lockPost(tx, postId))) postNotFound()
    return store.deleteLike(tx, postId, me.userId)
  })
  invalidateSoon(ctx, { post: [postId] })
  return { liked: false, like_count }
}
