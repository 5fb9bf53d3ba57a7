import { csvStream, runsAfter } from '#platform/csv.ts'
import type { Principal, Storage } from '../context.ts'
import type { AuditFilter } from './schema.ts'
import { type ExportedRow, listAuditAfter } from './store.ts'

const header = [
  'created_at', 'action', 'actor_user_id', 'actor_email', 'ip_address', 'resource_type', 'resource_id', 'object_key',
  'payload',
] as const satisfies (keyof ExportedRow)[] // biome-ignore format: one list
const batchSize = 500

/** The entries that match, newest first, as a CSV file. */
export const exportAudit = (
  ctx: Storage,
  me: Principal,
  { bom, ...filter }: AuditFilter & { bom: number },
) => {
  const next = (after: ExportedRow | null) =>
    listAuditAfter(ctx.db.long, me.orgId, { filter, after, limit: batchSize })
  const batches = async function* () {
    for await (const run of runsAfter(null, next))
      yield run.map((row) =>
        header.map((column) => (column === 'payload' ? JSON.stringify(row.payload) : row[column])),
      )
  }
  return csvStream(header, batches(), { bom })
}
