import type { Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import { toSearchText } from '../search-text.ts'
import * as store from './reconcile-store.ts'
import { indexPosts, unindexPosts } from './store.ts'

/** The posts whose audience does not match whether their author is public, protected or suspended. */
export const findMismatchedPosts = (ctx: Publishing, authorId: number) =>
  store.findMismatchedPosts(ctx.db.sql, authorId)

export const reconcilePosts = (ctx: Publishing, authorId: number, postIds: number[]) =>
  ctx.db.transaction(async (tx) => {
    await store.lockWithOriginals(tx, postIds)
    const audience = await store.lockAudience(tx, authorId)
    if (!audience) return
    const { changed, recounted } = await store.updateAudience(tx, authorId, postIds, audience)
    const ids = changed.map(({ id }) => id)
    await unindexPosts(tx, ids)
    if (audience === 'public') {
      const texts = changed.map(({ content }) => toSearchText(content))
      await indexPosts(tx, ids, texts)
    }
    invalidateSoon(ctx, { post: recounted })
  })
