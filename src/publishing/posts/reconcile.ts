import { inChunks } from '../chunks.ts'
import type { Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import { toSearchText } from '../search-text.ts'
import { lockWithOriginals } from './delete-store.ts'
import * as store from './reconcile-store.ts'
import { indexPosts, unindexPosts } from './store.ts'

/** Adapts the posts of an account to whether it is public, protected or suspended. */
export const reconcilePosts = async (ctx: Publishing, authorId: number) =>
  inChunks(await store.findMismatchedPosts(ctx.db.sql, authorId), (chunk) =>
    ctx.db.transaction(async (tx) => {
      await lockWithOriginals(tx, chunk)
      const audience = await store.lockAudience(tx, authorId)
      if (!audience) return
      const { changed, recounted } = await store.updateAudience(tx, authorId, chunk, audience)
      const ids = changed.map(({ id }) => id)
      await unindexPosts(tx, ids)
      if (audience === 'public') {
        const texts = changed.map(({ content }) => toSearchText(content))
        await indexPosts(tx, ids, texts)
      }
      invalidateSoon(ctx, { post: recounted })
    }),
  )
