import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { KnownPlan, Storage } from '../context.ts'
import * as store from './store.ts'

const topic = 'storage.plan'

/** When each organization's plan ends, remembered until it changes. */
export const createPlanCache = ({ db, signals }: Platform) =>
  signalledCache<KnownPlan | undefined>(signals, {
    topic,
    max: 50_000,
    load: (orgId) => store.findPlanEnd(db.sql, orgId),
  })

export const planChanged = (ctx: Platform, tx: Tx, orgId: string) => ctx.signals.publish(tx, topic, orgId)

/** Everything that stores something asks this first: with an expired plan only reads and deletes work. */
export const requireActivePlan = async (ctx: Storage, { orgId }: { orgId: string }) => {
  const plan = await ctx.plans.get(orgId)
  if (!plan || plan.expiresAt <= ctx.clock.now()) forbidden('The plan has expired')
}

/** Active for so many months more; answers until when. */
export const activatePlan = async (ctx: Storage, tx: Tx, orgId: string, months: number) => {
  const expiresAt = await store.extendPlan(tx, orgId, months, ctx.clock.now())
  await planChanged(ctx, tx, orgId)
  return expiresAt
}
