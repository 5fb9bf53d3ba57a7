import { verifyEvents } from '#events/verify.ts'
import type { Finding } from '#platform/http/service.ts'
import { type Report, unreported } from '#platform/progress.ts'
import type { Inventory } from '../context.ts'
import { findings } from './checks-store.ts'
import { eventChecks } from './events-store.ts'
import { orderChecks } from './orders-store.ts'
import { stockChecks } from './stock-store.ts'
import { totalChecks } from './totals-store.ts'

const mostOfAKind = 1000
export const checks = [...stockChecks, ...orderChecks, ...totalChecks, ...eventChecks]

/** Checks every invariant of the stored data, one after the other, to leave the database to others. */
export const verify = async (
  ctx: Inventory,
  tenantId: number | null = null,
  report: Report = unreported,
): Promise<Finding[]> => {
  const found: Finding[][] = []
  for (const [n, check] of checks.entries()) {
    report(`check ${n + 1} of ${checks.length}`)
    found.push(await findings(ctx.db.long, check, tenantId, mostOfAKind))
  }
  if (tenantId === null) found.push(await verifyEvents(ctx.db.long, 'inventory'))
  return found.flat()
}
