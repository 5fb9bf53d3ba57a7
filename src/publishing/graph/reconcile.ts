import type { Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import * as counters from './follow-counters-store.ts'

/** The accounts with which this one has a follow that does not match whether both are public, protected or suspended. */
export const findMismatchedFollows = (ctx: Publishing, id: number) =>
  counters.findMismatchedFollows(ctx.db.sql, id)

export const reconcileFollows = (ctx: Publishing, id: number, others: number[]) =>
  ctx.db.transaction(async (tx) => {
    await counters.lockAccounts(tx, [id, ...others])
    await counters.notifyOfAcceptance(tx, id, others, ctx.clock.now())
    const changed = await counters.recountFollows(tx, id, others)
    invalidateSoon(ctx, { counters: changed, relations: changed })
  })
