import { verifyEvents } from '#events/verify.ts'
import type { Finding } from '#platform/http/service.ts'
import { type Report, unreported } from '#platform/progress.ts'
import { scrubBlobs } from '../blobs/scrub.ts'
import { findOrphans } from '../blobs/upkeep.ts'
import type { Storage } from '../context.ts'
import { accountChecks } from './account-checks-store.ts'
import { eventChecks } from './event-checks-store.ts'
import { historyChecks } from './history-checks-store.ts'
import { objectChecks } from './object-checks-store.ts'

/** Compares counters with a recount, references in both directions, and every blob with its hash. */
export const verify = async (ctx: Storage, report: Report = unreported): Promise<Finding[]> => {
  const findings: Finding[] = []
  const checks = Object.entries({ ...accountChecks, ...objectChecks, ...historyChecks, ...eventChecks })
  for (const [n, [invariant, check]] of checks.entries()) {
    report(`check ${n + 1} of ${checks.length}`)
    for (const { subject, detail } of await check(ctx.db.long)) findings.push({ invariant, subject, detail })
  }
  findings.push(...(await verifyEvents(ctx.db.long, 'storage')))
  let blobs = 0
  for await (const { id, damage } of scrubBlobs(ctx)) {
    report(`${++blobs} blobs read`)
    if (damage)
      findings.push({ invariant: 'blobs hold the bytes that were stored', subject: id, detail: damage })
  }
  for await (const id of findOrphans(ctx))
    findings.push({ invariant: 'bytes belong to a blob', subject: id, detail: 'no row knows them' })
  return findings
}
