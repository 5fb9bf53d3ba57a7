import type { Sql } from '#platform/db/database.ts'

export type AuditRow = {
  id: string
  orgId: string
  action: string
  resourceType: string
  resourceId: string
  actorUserId: string | null
  ip: string
  payload: Record<string, string | number | boolean | null>
  now: Date
}

export const insertAudit = (q: Sql, r: AuditRow) => q`
  insert into storage.audit_logs
    (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload, created_at)
  values (${r.id}, ${r.orgId}, ${r.action}, ${r.resourceType}, ${r.resourceId}, ${r.actorUserId}, ${r.ip},
    ${q.json(r.payload)}, ${r.now})`
