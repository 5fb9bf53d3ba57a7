import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

export type UsageRow = {
  storage_used_bytes: number
  storage_quota_bytes: number
  bandwidth_used_bytes: number
  bandwidth_quota_bytes: number
  object_count: number
  bucket_count: number
}

/** One statement, so that all figures are of one snapshot. */
export const readUsage = (q: Sql, orgId: string, now: Date) =>
  maybeOne(q<UsageRow[]>`
    select o.storage_used_bytes, o.storage_quota_bytes,
      storage.bandwidth_in_month(o, ${now}) as bandwidth_used_bytes, o.bandwidth_quota_bytes,
      b.object_count, b.bucket_count
    from storage.organizations o, lateral (
      select coalesce(sum(object_count), 0)::int8 as object_count, count(*) as bucket_count
      from storage.buckets where org_id = o.id) b
    where o.id = ${orgId}`)

export type Bandwidth = { used: number; quota: number }

const thisMonth = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

export const findBandwidth = (q: Sql, orgId: string, now: Date) =>
  maybeOne(q<Bandwidth[]>`
    select bandwidth_quota_bytes as quota,
      storage.bandwidth_in_month(organizations, ${now}) as used
    from storage.organizations where id = ${orgId}`)

/** The first download of a month resets the counter. */
export const addBandwidth = (q: Sql, orgId: string, bytes: number, now: Date) =>
  maybeOne(q<Bandwidth[]>`
    update storage.organizations set bandwidth_month = ${thisMonth(now)}::date,
      bandwidth_used_bytes = ${bytes} + case when bandwidth_month = ${thisMonth(now)}::date
        then bandwidth_used_bytes else 0 end
    where id = ${orgId} returning bandwidth_quota_bytes as quota, bandwidth_used_bytes as used`)
