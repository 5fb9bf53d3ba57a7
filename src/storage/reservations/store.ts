import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

/** How many bytes the quotas leave; null for a bucket without a quota. `live` is the size of its live objects. */
export type Room = { organization: number; bucket: number | null; live: number; objects: number }

export const findRoom = (q: Sql, orgId: string, bucketId: string) =>
  maybeOne(q<Room[]>`
    select o.storage_quota_bytes - o.storage_used_bytes as organization,
      b.storage_quota_bytes - b.retained_bytes as bucket, b.total_size_bytes as live,
      o.object_quota - o.retained_objects as objects
    from storage.buckets b join storage.organizations o on o.id = b.org_id
    where b.org_id = ${orgId} and b.id = ${bucketId}`)
