import { forbidden } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { dropSignalled, invalidateSoon, signalling } from '../invalidation.ts'
import { readPost } from './posts.ts'
import { newRow, renderNew } from './render.ts'
import * as store from './reposts-store.ts'
import { postNotFound, requireAllowed } from './target.ts'

/** Reposts a post, once: `created` is false if it was reposted before. */
export const repost = async (ctx: Publishing, me: Principal, requested: number) => {
  const now = ctx.clock.now()
  const found = await ctx.db.write((q) => store.repost(q, requested, me.userId, now))
  const { id: originalId, audience, reposted } = requireAllowed(found)
  if (audience !== 'public') forbidden('Posts of a protected account cannot be reposted')
  if (!reposted || reposted.refusal)
    return reposted?.refusal === 'suspended' ? forbidden('Account suspended') : postNotFound()
  const { id, created } = reposted
  if (!created) return { post: await readPost(ctx, me, id), created }
  invalidateSoon(ctx, { post: [originalId], counters: [me.userId] })
  const text = { content: '', content_html: '', hashtags: [], mentions: [], mention_ids: [] }
  const row = newRow({ id, author_id: me.userId, type: 'repost', ...text, repost_of_id: originalId }, now)
  return { post: await renderNew(ctx, me, row), created }
}

export const unrepost = async (ctx: Publishing, me: Principal, id: number) => {
  const found = await ctx.db.write((q) =>
    store.unrepost(q, id, me.userId, ctx.clock.now(), (ids) => signalling(ctx, q, 'post', ids)),
  )
  const { original, repost } = found ?? postNotFound()
  if (repost !== null) {
    dropSignalled(ctx, { post: [original, repost] })
    invalidateSoon(ctx, { counters: [me.userId] })
  }
  const { repost_count } = await readPost(ctx, me, original)
  return { reposted: false, repost_count }
}
