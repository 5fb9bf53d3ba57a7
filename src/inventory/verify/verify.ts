import type { Finding } from '#platform/http/service.ts'
import type { Inventory } from '../context.ts'
import { checks, findings } from './store.ts'

const mostOfAKind = 1000

/** Checks every invariant against what is stored, one after the other, so that others are hardly disturbed. */
export const verify = async (ctx: Inventory, tenantId: number | null = null): Promise<Finding[]> => {
  const found: Finding[][] = []
  for (const check of checks) found.push(await findings(ctx.db.sql, check, tenantId, mostOfAKind))
  return found.flat()
}
