import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { notFound, unauthorized } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import { revokeAllKeys } from '../keys/keys.ts'
import { deletePostsOf } from '../posts/posts.ts'
import * as store from './deletion-store.ts'
import { findOwnCredentials } from './store.ts'

/** Deletes an account with its posts, likes and follows, as if each had been taken back, and frees its handle. */
export const deleteAccount = async (ctx: Publishing, me: Principal, password: string) => {
  const { email, passwordHash } = (await findOwnCredentials(ctx.db.sql, me.userId)) ?? unauthorized()
  const prove = async () => {
    if (!(await ctx.passwords.verify(passwordHash, password))) throw new WrongProof(401, 'Invalid password')
  }
  await attempt(ctx, { service: 'publishing', email }, prove, async (tx) => {
    const { handle } = (await store.lockWithPosts(tx, me.userId)) ?? notFound('User not found')
    await store.addDeletionEvents(tx, me.userId)
    await deletePostsOf(ctx, tx, me.userId)
    const unliked = await store.unlikeAll(tx, me.userId)
    const unfollowed = await store.unfollowAll(tx, me.userId)
    await store.deleteRelationsAndSessions(tx, me.userId)
    await revokeAllKeys(ctx, tx, me.userId)
    await store.markDeleted(tx, me.userId, ctx.clock.now())
    await invalidate(ctx, tx, {
      account: [me.userId],
      handle: [handle.toLowerCase()],
      post: unliked,
      counters: unfollowed,
      relations: unfollowed,
    })
  })
}
