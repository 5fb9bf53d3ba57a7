import { inChunks } from '../chunks.ts'
import type { Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import * as counters from './follow-counters-store.ts'

/** Adapts the follows of and by an account to whether it is public, protected or suspended. */
export const reconcileFollows = async (ctx: Publishing, id: number) =>
  inChunks(await counters.findMismatchedFollows(ctx.db.sql, id), (others) =>
    ctx.db.transaction(async (tx) => {
      await counters.lockAccounts(tx, [id, ...others])
      const changed = await counters.recountFollows(tx, id, others)
      invalidateSoon(ctx, { counters: changed, relations: changed })
    }),
  )
