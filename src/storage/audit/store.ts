import type { Sql } from '#platform/db/database.ts'
import { escapeLike } from '#platform/db/rows.ts'
import type { AuditFilter, AuditQuery } from './schema.ts'

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

type Filter = Pick<AuditFilter, 'action' | 'objectKey' | 'actorUserId' | 'from' | 'to'>
type Values = (string | number)[]

/** The condition that selects the rows of an organization, whose id is the first value. Adds its other values. */
const matching = ({ action, objectKey, actorUserId, from, to }: Filter, values: Values) => {
  const add = (value: string) => `$${values.push(value)}`
  // Numbers, because the database does not know every day that the format allows.
  const time = (text: string) => `to_timestamp($${values.push(Date.parse(text))}::int8 / 1000.0)`
  const conditions = ['org_id = $1']
  if (action) conditions.push(`action = ${add(action)}`)
  if (actorUserId) conditions.push(`actor_user_id = ${add(actorUserId)}`)
  if (from) conditions.push(`created_at >= ${time(from)}`)
  if (to) conditions.push(`created_at < ${time(to)}`)
  if (objectKey)
    conditions.push(
      hasTrigram(objectKey)
        ? `object_key like ${add(`%${escapeLike(objectKey)}%`)}`
        : `strpos(object_key, ${add(objectKey)}) > 0`,
    )
  return conditions.join(' and ')
}

/**
 * One page and the number of all matches, of one snapshot. Where only an action is asked for, the number comes from the counters.
 * With one, whether the trigram index or the newest rows are faster depends on the text, so the statement is planned
 * for every search. If the number shows that the page is empty, the page is not searched for.
 */
export const pageOfAudit = async (q: Sql, orgId: string, { limit, offset, ...filter }: AuditQuery) => {
  const values: Values = [orgId, limit, offset]
  const matches = matching(filter, values)
  const { objectKey, actorUserId, from, to } = filter
  const total = !(objectKey || actorUserId || from || to)
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

export type ExportedRow = AuditLogRow & { actor_email: string | null; object_key: string | null }

/** The next rows, newest first, with who did it as far as they are still members. */
export const listAuditAfter = (
  q: Sql,
  orgId: string,
  { filter, after, limit }: { filter: Filter; after: ExportedRow | null; limit: number },
) => {
  const values: Values = [orgId, limit]
  const matches = matching(filter, values)
  const rest = after
    ? `and (created_at, id) < ($${values.push(after.created_at)}::timestamptz, $${values.push(after.id)}::uuid)`
    : ''
  return q.unsafe<ExportedRow[]>(
    `select a.*, u.email as actor_email from (
       select id, action, resource_type, resource_id, actor_user_id, ip_address, payload, created_at, object_key, org_id
       from storage.audit_logs where ${matches} ${rest} order by created_at desc, id desc limit $2) a
     left join storage.users u on u.org_id = a.org_id and u.id = a.actor_user_id
     order by a.created_at desc, a.id desc`,
    values,
  )
}

export const countByAction = (q: Sql, orgId: string) => q<{ action: string; rows: number }[]>`
  select action, sum(rows)::int8 as rows from storage.audit_counts where org_id = ${orgId}
  group by action having sum(rows) > 0 order by action`

export const listActors = (q: Sql, orgId: string) => q<{ id: string; full_name: string; email: string }[]>`
  select id, full_name, email from storage.users where org_id = ${orgId} order by full_name, id`

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
