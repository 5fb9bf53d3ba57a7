import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

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
