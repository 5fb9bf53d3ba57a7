import type { Sql } from '#platform/db/database.ts'

/** How many bytes the quotas leave; of the bucket null if it has none. `live` are those of its live objects. */
export type Room = { organization: number; bucket: number | null; live: number }

export const findRoom = async (q: Sql, orgId: string, bucketId: string) =>
  (
    await q<Room[]>`
      select o.storage_quota_bytes - o.storage_used_bytes as organization,
        b.storage_quota_bytes - b.retained_bytes as bucket, b.total_size_bytes as live
      from storage.buckets b join storage.organizations o on o.id = b.org_id
      where b.org_id = ${orgId} and b.id = ${bucketId}`
  )[0]
