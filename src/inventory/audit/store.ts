import type { Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'
import type { AuditEntry, AuditQuery } from './schema.ts'

export type Details = Record<string, string | number | boolean | null>

export type NewEntry = {
  tenantId: number
  action: string
  type: string
  id: string | null
  userId: number | null
  keyId: number | null
  ip: string
  details: Details
  now: Date
}

export const insertEntry = (q: Sql, e: NewEntry) => q`
  insert into inventory.audit_logs
    (tenant_id, action, resource_type, resource_id, user_id, api_key_id, ip_address, details, created_at)
  values (${e.tenantId}, ${e.action}, ${e.type}, ${e.id}, ${e.userId}, ${e.keyId}, ${e.ip}, ${q.json(e.details)}, ${e.now})`

type Filter = Pick<AuditQuery, 'user_id' | 'action' | 'from' | 'to'>

/** Days are those of the tenant's time zone. */
const matching = (q: Sql, tenantId: number, { user_id, action, from, to }: Filter) => q`
  a.tenant_id = ${tenantId}
    ${user_id === undefined ? q`` : q`and a.user_id = ${user_id}`}
    ${action === undefined ? q`` : q`and a.action = ${action}`}
    ${from === undefined ? q`` : q`and a.created_at >= inventory.day_start(${tenantId}, ${from}::date)`}
    ${to === undefined ? q`` : q`and a.created_at < inventory.day_start(${tenantId}, ${to}::date + 1)`}`

/** Newest first, from below an entry on. */
export const listEntries = (
  q: Sql,
  tenantId: number,
  filter: Filter,
  { below, limit }: { below: number | null; limit: number },
) => q<AuditEntry[]>`
  select a.id, a.action, a.resource_type, a.resource_id, a.user_id, u.name as user_name, a.api_key_id, k.name as key_name,
    a.ip_address, a.details, a.created_at
  from (select * from inventory.audit_logs a
    where ${matching(q, tenantId, filter)} ${below === null ? q`` : q`and a.id < ${below}`}
    order by a.id desc limit ${limit}) a
  left join inventory.users u on u.tenant_id = a.tenant_id and u.id = a.user_id
  left join inventory.api_keys k on k.tenant_id = a.tenant_id and k.id = a.api_key_id
  order by a.id desc`

export const countEntries = (q: Sql, tenantId: number, filter: Filter) =>
  value<number>(q`
      select count(*) as total from inventory.audit_logs a where ${matching(q, tenantId, filter)}`)
