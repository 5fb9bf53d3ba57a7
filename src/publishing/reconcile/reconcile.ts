import type { Publishing } from '../context.ts'
import { findMismatchedFollows, reconcileFollows } from '../graph/graph.ts'
import { findMismatchedLikes, reconcileLikes } from '../interactions/likes.ts'
import { findMismatchedPosts, reconcilePosts } from '../posts/posts.ts'
import * as store from './store.ts'

const steps = [
  { find: findMismatchedPosts, reconcile: reconcilePosts },
  { find: findMismatchedLikes, reconcile: reconcileLikes },
  { find: findMismatchedFollows, reconcile: reconcileFollows },
]

/** How many rows are reconciled in one transaction: few enough not to hold up others. */
const chunkSize = 500

/**
 * Adapts the posts, likes and follows of an account, and all counters they are part of, to whether it is public,
 * protected or suspended. There may be many, so it takes many short transactions. Each applies what the account is at
 * that moment, so several runs may overlap. The account stays marked until all is done: after a crash the job goes on.
 */
export const reconcileAccount = async (ctx: Publishing, id: number) => {
  const mark = await store.readMark(ctx.db.sql, id)
  for (const { find, reconcile } of steps) {
    const mismatched = await find(ctx, id)
    for (let start = 0; start < mismatched.length; start += chunkSize)
      await reconcile(ctx, id, mismatched.slice(start, start + chunkSize))
  }
  await ctx.db.write((q) => store.clearMark(q, id, mark))
}

/** The job: finishes what a crash has interrupted. */
export const reconcileMarkedAccounts = async (ctx: Publishing) => {
  for (const id of await store.listMarked(ctx.db.sql)) await reconcileAccount(ctx, id)
}
