import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

export type UsageRow = {
  storage_used_bytes: number
  storage_quota_bytes: number
  retained_objects: number
  object_quota: number
  bandwidth_used_bytes: number
  bandwidth_quota_bytes: number
  object_count: number
  bucket_count: number
}

/** One statement, so that all figures are of one snapshot. */
export const readUsage = (q: Sql, orgId: string, now: Date) =>
  maybeOne(q<UsageRow[]>`
    select o.storage_used_bytes, o.storage_quota_bytes, o.retained_objects, o.object_quota,
      storage.bandwidth_in_month(o, ${now}) as bandwidth_used_bytes, o.bandwidth_quota_bytes,
      b.object_count, b.bucket_count
    from storage.organizations o, lateral (
      select coalesce(sum(object_count), 0)::int8 as object_count, count(*) as bucket_count
      from storage.buckets where org_id = o.id) b
    where o.id = ${orgId}`)

/** How a day ended. `bandwidth_used_bytes` is of its month, until the end of the day. */
export type UsageDay = {
  day: string
  stored_bytes: number
  object_count: number
  uploaded_bytes: number
  downloaded_bytes: number
  bandwidth_used_bytes: number
}

/** Days on which something changed, oldest first: those after `from` and the last one before, until `to`. */
export const listUsageDays = (q: Sql, orgId: string, { from, to }: { from: string; to: string }) => q<
  UsageDay[]
>`
  with days as (
    select day, stored_bytes, object_count, uploaded_bytes, downloaded_bytes, bandwidth_used_bytes
    from storage.usage_days where org_id = ${orgId}
    union all
    select usage_day, storage_used_bytes, object_count, day_uploaded_bytes, day_downloaded_bytes,
      storage.bandwidth_in_month(o, usage_day::timestamp at time zone 'UTC')
    from storage.organizations o where id = ${orgId})
  select * from days where day <= ${to}::date
    and day >= coalesce((select max(day) from days where day <= ${from}::date), ${from}::date)
  order by day`

export const findUsageFrame = (q: Sql, orgId: string) =>
  maybeOne(q<{ since: string; storage_quota_bytes: number; bandwidth_quota_bytes: number }[]>`
    select (created_at at time zone 'UTC')::date as since, storage_quota_bytes, bandwidth_quota_bytes
    from storage.organizations where id = ${orgId}`)

export type Bandwidth = { used: number; quota: number }

const thisMonth = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

export const findBandwidth = (q: Sql, orgId: string, now: Date) =>
  maybeOne(q<Bandwidth[]>`
    select bandwidth_quota_bytes as quota,
      storage.bandwidth_in_month(organizations, ${now}) as used
    from storage.organizations where id = ${orgId}`)

const today = (now: Date) => now.toISOString().slice(0, 10)

/** The first download of a month, and that of a day, reset the counters. */
export const addBandwidth = (q: Sql, orgId: string, bytes: number, now: Date) =>
  maybeOne(q<Bandwidth[]>`
    update storage.organizations set bandwidth_month = ${thisMonth(now)}::date,
      bandwidth_used_bytes = ${bytes} + case when bandwidth_month = ${thisMonth(now)}::date
        then bandwidth_used_bytes else 0 end,
      usage_day = greatest(usage_day, ${today(now)}::date),
      day_uploaded_bytes = case when usage_day < ${today(now)}::date then 0 else day_uploaded_bytes end,
      day_downloaded_bytes = ${bytes}
        + case when usage_day < ${today(now)}::date then 0 else day_downloaded_bytes end
    where id = ${orgId} returning bandwidth_quota_bytes as quota, bandwidth_used_bytes as used`)
