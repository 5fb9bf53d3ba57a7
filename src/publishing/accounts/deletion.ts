import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { notFound, unauthorized } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { revokeAllKeys } from '../keys/keys.ts'
import { forget } from '../memory.ts'
import { removePosts } from '../posts/removal.ts'
import { lockUser, lockWithPosts } from '../profiles/profiles.ts'
import * as store from './deletion-store.ts'
import { findOwnCredentials } from './store.ts'

/** Ends an account: its posts, likes and follows go as if each had been taken back, its handle is free again. */
export const deleteAccount = async (ctx: Publishing, me: Principal, password: string) => {
  const { email, passwordHash } = (await findOwnCredentials(ctx.db.sql, me.userId)) ?? unauthorized()
  const prove = async () => {
    if (!(await ctx.passwords.verify(passwordHash, password))) throw new WrongProof(401, 'Invalid password')
  }
  await attempt(ctx, { service: 'publishing', email }, prove, async (tx) => {
    await lockWithPosts(tx, me.userId)
    const { handle } = (await lockUser(tx, me.userId)) ?? notFound('User not found')
    await removePosts(ctx, tx, await store.livePostsOf(tx, me.userId))
    const unliked = await store.unlikeAll(tx, me.userId)
    const unfollowed = await store.unfollowAll(tx, me.userId)
    await store.forgetRelations(tx, me.userId)
    await revokeAllKeys(ctx, tx, me.userId)
    await store.entomb(tx, me.userId, ctx.clock.now())
    await forget(ctx, tx, {
      person: [me.userId],
      handle: [handle.toLowerCase()],
      post: unliked,
      tallies: unfollowed,
      circle: unfollowed,
    })
  })
}
