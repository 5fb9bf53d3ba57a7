import type { Sql } from '#platform/db/database.ts'
import type { NewBucket } from './schema.ts'

export type BucketRow = {
  id: string
  name: string
  visibility: 'private' | 'public'
  versioning_enabled: boolean
  region: string
  storage_quota_bytes: number | null
  object_count: number
  total_size_bytes: number
  created_at: string
}

const columns = (q: Sql) => q`
  id, name, visibility, versioning_enabled, region, storage_quota_bytes, object_count, total_size_bytes, created_at`

export const listBuckets = (q: Sql, orgId: string) => q<BucketRow[]>`
  select ${columns(q)} from storage.buckets where org_id = ${orgId} order by id desc`

/** Nothing when the organization already has a bucket of that name. */
export const insertBucket = async (q: Sql, id: string, orgId: string, b: NewBucket, now: Date) =>
  (
    await q<BucketRow[]>`
      insert into storage.buckets (id, org_id, name, visibility, versioning_enabled, region, storage_quota_bytes, created_at)
      values (${id}, ${orgId}, ${b.name}, ${b.visibility}, ${b.versioningEnabled}, ${b.region}, ${b.storageQuotaBytes ?? null}, ${now})
      on conflict on constraint buckets_name_key do nothing
      returning ${columns(q)}`
  )[0]
