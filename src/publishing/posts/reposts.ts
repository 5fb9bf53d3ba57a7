import { forbidden } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import { deletePosts } from './delete.ts'
import { readPost } from './posts.ts'
import { originalId, renderNew } from './render.ts'
import * as store from './reposts-store.ts'
import { postNotFound, requireTarget } from './target.ts'

/** Reposts a post, once: `created` is false if it was reposted before. */
export const repost = async (ctx: Publishing, me: Principal, id: number) => {
  const target = await requireTarget(ctx.db.sql, me, id)
  if (target.audience !== 'public') forbidden('Posts of a protected account cannot be reposted')
  const { row, existing } = await ctx.db.transaction(async (tx) => {
    if (!(await store.lockOriginal(tx, target.id))) postNotFound()
    const existing = await store.findRepost(tx, target.id, me.userId)
    if (existing !== undefined) return { row: null, existing }
    const added = await store.insertRepost(tx, target.id, me.userId, ctx.clock.now())
    const row = added ?? forbidden('Account suspended')
    await invalidate(ctx, tx, { post: [target.id], counters: [me.userId] })
    return { row, existing: 0 }
  })
  if (!row) return { post: await readPost(ctx, me, existing), created: false }
  return { post: await renderNew(ctx, me, row), created: true }
}

export const unrepost = async (ctx: Publishing, me: Principal, id: number) => {
  const original = originalId(await readPost(ctx, me, id))
  await ctx.db.transaction(async (tx) => {
    await store.lockOriginal(tx, original)
    const own = await store.findRepost(tx, original, me.userId)
    if (own !== undefined) await deletePosts(ctx, tx, [own])
  })
  const { repost_count } = await readPost(ctx, me, original)
  return { reposted: false, repost_count }
}
