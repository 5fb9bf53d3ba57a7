import type { Finding } from '#platform/http/service.ts'
import type { Inventory } from '../context.ts'
import { checks } from './store.ts'

/** Checks every invariant against what is stored, one after the other, so that others are hardly disturbed. */
export const verify = async (ctx: Inventory, tenantId: number | null = null): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const check of checks) findings.push(...(await check(ctx.db.sql, tenantId)))
  return findings
}
