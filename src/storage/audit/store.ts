import type { Sql } from '#platform/db/database.ts'
import { escapeLike } from '#platform/db/rows.ts'
import type { AuditQuery } from './schema.ts'

export type AuditPayload = Record<string, string | number | boolean | null>

export type AuditRow = {
  id: string
  orgId: string
  action: string
  resourceType: string
  resourceId: string
  actorUserId: string | null
  ip: string
  payload: AuditPayload
  now: Date
}

export const insertAudit = (q: Sql, r: AuditRow) => q`
  insert into storage.audit_logs
    (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload, created_at)
  values (${r.id}, ${r.orgId}, ${r.action}, ${r.resourceType}, ${r.resourceId}, ${r.actorUserId}, ${r.ip},
    ${q.json(r.payload)}, ${r.now})`

/** The commit of this transaction does not wait for the disk. */
export const commitWithoutWaiting = async (q: Sql) => {
  await q`select set_config('synchronous_commit', 'off', true)`
}

export type AuditLogRow = {
  id: string
  action: string
  resource_type: string
  resource_id: string
  actor_user_id: string | null
  ip_address: string
  payload: Record<string, unknown>
  created_at: string
}

/** Whether the trigram index can be used: for a text without a whole trigram, all of it would be read. */
const hasTrigram = (text: string) => /[\p{L}\p{N}]{3}/u.test(text)

/**
 * One page and the number of all matches, of one snapshot. Without an object key the number comes from the counters.
 * With one, whether the trigram index or the newest rows are faster depends on the text, so the statement is planned
 * for every search. If the number shows that the page is empty, the page is not searched for.
 */
export const pageOfAudit = async (
  q: Sql,
  orgId: string,
  { action, objectKey, limit, offset }: AuditQuery,
) => {
  const values: (string | number)[] = [orgId, limit, offset]
  const add = (value: string) => `$${values.push(value)}`
  const matches = [
    'org_id = $1',
    ...(action ? [`action = ${add(action)}`] : []),
    ...(objectKey
      ? [
          hasTrigram(objectKey)
            ? `object_key like ${add(`%${escapeLike(objectKey)}%`)}`
            : `strpos(object_key, ${add(objectKey)}) > 0`,
        ]
      : []),
  ].join(' and ')
  const total = !objectKey
    ? `select coalesce(sum(rows), 0)::int8 from storage.audit_counts where ${matches}`
    : `select count(*) from storage.audit_logs where ${matches}`
  const [page] = await q.unsafe<{ total: number; rows: AuditLogRow[] }[]>(
    `with counted as (${total})
     select (table counted) as total, array(
       select json_build_object('id', id, 'action', action, 'resource_type', resource_type,
         'resource_id', resource_id, 'actor_user_id', actor_user_id, 'ip_address', ip_address,
         'payload', payload, 'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       from (select id from storage.audit_logs where ${matches} and (table counted) > $3
             order by created_at desc, id desc limit $2 offset $3) page
       join storage.audit_logs using (id) order by created_at desc, id desc) as rows`,
    values,
  )
  return page!
}
export type DownloadRow = {
  id: string
  orgId: string
  userId: string | null
  ip: string
  objectId: string
  bucketId: string
  objectKey: string
  bytes: number
  at: Date
  /** How many downloads it stands for, if more than one. */
  times?: number
}

export const insertDownloads = (q: Sql, rows: DownloadRow[]) => q`
  insert into storage.audit_logs
    (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload, created_at)
  select (d->>'id')::uuid, (d->>'orgId')::uuid, 'object.downloaded', 'object', d->>'objectId',
    (d->>'userId')::uuid, d->>'ip',
    jsonb_build_object('bucketId', d->'bucketId', 'objectKey', d->'objectKey', 'bytesSent', d->'bytes')
      || jsonb_strip_nulls(jsonb_build_object('downloads', d->'times')),
    (d->>'at')::timestamptz
  from jsonb_array_elements(${q.json(rows)}) as d`
