import { planChanged } from '#storage/billing/plans.ts'
import type { Booted } from '#test/support/boot.ts'

/** Changes the end of an organization's plan on every node. */
export const planEnds = ({ platform }: Booted, orgId: string, at: Date) =>
  platform.db.transaction(async (tx) => {
    await tx`update storage.organizations set plan_expires_at = ${at} where id = ${orgId}`
    await planChanged(platform, tx, orgId)
  })
