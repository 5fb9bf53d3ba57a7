import type { Tx } from '#platform/db/database.ts'
import type { Publishing } from '../context.ts'
import { forget } from '../memory.ts'
import * as store from './removal-store.ts'
import { withdrawTerms } from './store.ts'

/**
 * Deletes posts for good: their text, history and likes go, reposts of them vanish, replies and quotes stay.
 * Answers whether any of them was still there. Rows are locked in the order posts (by id), accounts (by id), tags.
 */
export const removePosts = async (ctx: Publishing, tx: Tx, asked: readonly number[]) => {
  const found = await store.lockWithOriginals(tx, asked)
  if (found.length === 0) return false
  const reposts = await store.lockReposts(
    tx,
    found.map(({ id }) => id),
  )
  const doomed = [...found, ...reposts]
  const ids = [...new Set(doomed.map(({ id }) => id))]
  const authors = doomed.map(({ author_id }) => author_id)
  await store.lockAuthors(tx, authors)
  const relatives = await store.uncount(tx, ids)
  await withdrawTerms(tx, ids)
  await store.entomb(tx, ids, ctx.clock.now())
  await forget(ctx, tx, { post: [...ids, ...relatives], tallies: authors })
  return true
}
