import { planChanged } from '#storage/billing/plans.ts'
import type { Booted } from '#test/support/boot.ts'

/** Moves the end of an organization's plan, and lets every node know. */
export const planEnds = ({ platform }: Booted, orgId: string, at: Date) =>
  platform.db.transaction(async (tx) => {
    await tx`update storage.organizations set plan_expires_at = ${at} where id = ${orgId}`
    await planChanged(platform, tx, orgId)
  })
