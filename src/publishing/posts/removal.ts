import type { Tx } from '#platform/db/database.ts'
import type { Publishing } from '../context.ts'
import { forget } from '../memory.ts'
import * as store from './removal-store.ts'
import { withdrawTerms } from './store.ts'

/**
 * Deletes posts for good: their text, history and likes go, reposts of them vanish, replies and quotes stay.
 * Rows are locked in the order posts (by id), accounts (by id), tags.
 */
export const removePosts = async (ctx: Publishing, tx: Tx, asked: readonly number[]) => {
  const doomed = await store.lockWithRelatives(tx, asked)
  const ids = doomed.map(({ id }) => id)
  if (ids.length === 0) return
  const authors = doomed.map(({ author_id }) => author_id)
  await store.lockAuthors(tx, authors)
  const relatives = await store.uncount(tx, ids)
  await withdrawTerms(tx, ids)
  await store.entomb(tx, ids, ctx.clock.now())
  await forget(ctx, tx, { post: [...ids, ...relatives], tallies: authors })
}
