import type { Finding } from '#platform/http/service.ts'
import { accountChecks } from './account-checks-store.ts'
import type { Storage } from './context.ts'

export const verify = async (ctx: Storage): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const [invariant, check] of Object.entries(accountChecks))
    for (const { subject, detail } of await check(ctx.db.sql)) findings.push({ invariant, subject, detail })
  return findings
}
