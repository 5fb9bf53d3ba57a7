import type { Publishing } from '../context.ts'
import { reconcileFollows } from '../graph/reconcile.ts'
import { reconcileLikes } from '../interactions/reconcile.ts'
import { reconcilePosts } from '../posts/reconcile.ts'
import * as store from './store.ts'

/**
 * Adapts the posts, likes and follows of an account, and all counters they are part of, to whether it is public,
 * protected or suspended. There may be many, so it takes many short transactions. Each applies what the account is at
 * that moment, so several runs may overlap. The account stays marked until all is done: after a crash the job goes on.
 */
export const reconcileAccount = async (ctx: Publishing, id: number) => {
  const mark = await store.readMark(ctx.db.sql, id)
  await reconcilePosts(ctx, id)
  await reconcileLikes(ctx, id)
  await reconcileFollows(ctx, id)
  await ctx.db.write((q) => store.clearMark(q, id, mark))
}

export const reconcileMarkedAccounts = async (ctx: Publishing) => {
  for (const id of await store.listMarked(ctx.db.sql)) await reconcileAccount(ctx, id)
}
