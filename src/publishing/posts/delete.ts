import type { Tx } from '#platform/db/database.ts'
import type { Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import * as store from './delete-store.ts'
import { unindexPosts } from './store.ts'

/**
 * Deletes posts of one account for good, with their text, history, likes and reposts; replies and quotes stay. Returns whether there was
 * anything to delete. Locks are taken in the order posts, accounts, tags, and by id within each table.
 */
export const deletePosts = async (ctx: Publishing, tx: Tx, requested: readonly number[]) => {
  const found = await store.lockWithOriginals(tx, requested)
  const [first] = found
  if (!first) return false
  const reposts = await store.lockReposts(
    tx,
    found.map(({ id }) => id),
  )
  const deleted = [...found, ...reposts]
  const ids = [...new Set(deleted.map(({ id }) => id))]
  const authors = deleted.map(({ author_id }) => author_id)
  await store.lockAuthors(tx, authors)
  await store.addDeletionEvents(tx, ids, first.author_id)
  const recounted = await store.decrementCounters(tx, ids)
  await unindexPosts(tx, ids)
  await store.markDeleted(tx, ids, ctx.clock.now())
  await invalidate(ctx, tx, { post: [...ids, ...recounted], counters: authors })
  return true
}
