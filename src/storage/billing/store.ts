import type { Sql } from '#platform/db/database.ts'
import type { KnownPlan } from '../context.ts'

export const findPlanEnd = async (q: Sql, orgId: string): Promise<KnownPlan | undefined> => {
  const [row] = await q<{ plan_expires_at: string }[]>`
    select plan_expires_at from storage.organizations where id = ${orgId}`
  return row && { expiresAt: new Date(row.plan_expires_at) }
}
