import type { Sql, Tx } from '#platform/db/database.ts'
import type { Principal, Publishing } from '../context.ts'
import { dropSignalled, signalling } from '../invalidation.ts'
import * as store from './delete-store.ts'
import { postNotFound } from './target.ts'

const signal = (ctx: Publishing, q: Sql): Parameters<typeof store.deletePost>[4] => ({
  post: (ids) => signalling(ctx, q, 'post', ids),
  counters: (ids) => signalling(ctx, q, 'counters', ids),
})

/** Deletes a post for good, with its text, history, likes and reposts; replies and quotes stay. */
export const deletePost = async (ctx: Publishing, me: Principal, id: number) => {
  const deleted = await ctx.db.write((q) =>
    store.deletePost(q, me.userId, id, ctx.clock.now(), signal(ctx, q)),
  )
  const { posts, authors } = deleted ?? postNotFound()
  dropSignalled(ctx, { post: posts, counters: authors })
}

/** Deletes all posts of an account in the same way. */
export const deletePostsOf = async (ctx: Publishing, tx: Tx, authorId: number) => {
  const deleted = await store.deletePostsOf(tx, authorId, ctx.clock.now(), signal(ctx, tx))
  if (deleted) dropSignalled(ctx, { post: deleted.posts, counters: deleted.authors })
}
