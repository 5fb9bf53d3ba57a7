import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Storage } from '../context.ts'
import { refuseExpiredPlan } from '../refusals.ts'
import * as store from './store.ts'

const topic = 'storage.plan'

/** When each organization's plan ends. */
const planEnds = moduleState(({ db, signals }: Platform) =>
  signalledCache<store.PlanEnd | undefined>(signals, {
    topic,
    max: 50_000,
    load: (orgId) => store.findPlanEnd(db.sql, orgId),
  }),
)

export const planChanged = (ctx: Platform, tx: Tx, orgId: string) => ctx.signals.publish(tx, topic, orgId)

/** To be called before anything is stored: with an expired plan only reads and deletes are allowed. */
export const requireActivePlan = async (ctx: Storage, { orgId }: { orgId: string }) => {
  const plan = await planEnds(ctx).get(orgId)
  if (!plan || plan.expiresAt <= ctx.clock.now()) refuseExpiredPlan()
}

/** Extends the plan by so many months, with other tiers if they are given; returns when it ends. */
export const activatePlan = async (
  ctx: Storage,
  tx: Tx,
  orgId: string,
  { months, tiers }: { months: number; tiers?: store.TierChange },
) => {
  const expiresAt = await store.extendPlan(tx, orgId, { months, tiers, now: ctx.clock.now() })
  await planChanged(ctx, tx, orgId)
  return expiresAt
}

const toldAtOnce = 100

/** Plans end without a request. Whoever listens is told by this job. */
export const tellOfEndedPlans = async ({ db, clock }: Platform) => {
  while ((await db.write((q) => store.tellOfEnds(q, clock.now(), toldAtOnce))) === toldAtOnce);
}
