import type { Finding } from '#platform/http/service.ts'
import { findOrphans, scrubBlobs } from '../blobs/upkeep.ts'
import type { Storage } from '../context.ts'
import { accountChecks } from './account-checks-store.ts'
import { objectChecks } from './object-checks-store.ts'

/** Compares counters with a recount, references in both directions, and every blob with its hash. */
export const verify = async (ctx: Storage): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const [invariant, check] of Object.entries({ ...accountChecks, ...objectChecks }))
    for (const { subject, detail } of await check(ctx.db.sql)) findings.push({ invariant, subject, detail })
  for await (const { id, damage } of scrubBlobs(ctx))
    if (damage)
      findings.push({ invariant: 'blobs hold the bytes that were stored', subject: id, detail: damage })
  for await (const id of findOrphans(ctx))
    findings.push({ invariant: 'bytes belong to a blob', subject: id, detail: 'no row knows them' })
  return findings
}
