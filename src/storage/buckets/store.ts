import type { Sql } from '#platform/db/database.ts'
import type { PolicyStatement } from '../policies/schema.ts'
import type { BucketChange, NewBucket } from './schema.ts'

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

export const findBucket = async (q: Sql, orgId: string, id: string) =>
  (await q<BucketRow[]>`select ${columns(q)} from storage.buckets where org_id = ${orgId} and id = ${id}`)[0]

export type FactsRow = {
  id: string
  orgId: string
  name: string
  visibility: 'private' | 'public'
  versioningEnabled: boolean
  policy: PolicyStatement[]
}

export const listFacts = (q: Sql, ids: string[]) => q<FactsRow[]>`
  select id, org_id as "orgId", name, visibility, versioning_enabled as "versioningEnabled", policy
  from storage.buckets where id = any (${ids}::uuid[])`

export const findFacts = async (q: Sql, id: string) => (await listFacts(q, [id]))[0]

/** Nothing when the organization already has a bucket of that name. */
export const insertBucket = async (q: Sql, id: string, orgId: string, b: NewBucket, now: Date) =>
  (
    await q<BucketRow[]>`
      insert into storage.buckets (id, org_id, name, visibility, versioning_enabled, region, storage_quota_bytes, created_at)
      values (${id}, ${orgId}, ${b.name}, ${b.visibility}, ${b.versioningEnabled}, ${b.region}, ${b.storageQuotaBytes ?? null}, ${now})
      on conflict on constraint buckets_name_key do nothing
      returning ${columns(q)}`
  )[0]

/** Only what was given changes. A quota of null takes the quota away. */
export const updateBucket = async (q: Sql, orgId: string, id: string, c: BucketChange) =>
  (
    await q<BucketRow[]>`
      update storage.buckets set
        visibility = coalesce(${c.visibility ?? null}, visibility),
        versioning_enabled = coalesce(${c.versioningEnabled ?? null}, versioning_enabled),
        storage_quota_bytes = case when ${c.storageQuotaBytes === undefined} then storage_quota_bytes
          else ${c.storageQuotaBytes ?? null}::bigint end
      where org_id = ${orgId} and id = ${id} returning ${columns(q)}`
  )[0]

export const updatePolicy = (q: Sql, orgId: string, id: string, statements: PolicyStatement[]) => q`
  update storage.buckets set policy = ${q.json(statements)} where org_id = ${orgId} and id = ${id}`

export const lockForDeletion = async (q: Sql, orgId: string, id: string) =>
  (
    await q<{ object_count: number; retained: number }[]>`
      select object_count, retained_bytes as retained from storage.buckets
      where org_id = ${orgId} and id = ${id} for update`
  )[0]

export const deleteBucket = (q: Sql, orgId: string, id: string) => q`
  delete from storage.buckets where org_id = ${orgId} and id = ${id}`

/** Keeps the bucket from being deleted until the transaction ends. */
export const holdBucket = async (q: Sql, orgId: string, id: string) =>
  (
    await q<{ versioning: boolean }[]>`
      select versioning_enabled as versioning from storage.buckets
      where org_id = ${orgId} and id = ${id} for key share`
  )[0]

export type Change = { objects: number; live: number; retained: number }

export const countInBucket = async (q: Sql, orgId: string, id: string, { objects, live, retained }: Change) =>
  (
    await q<{ over: boolean }[]>`
      update storage.buckets set object_count = object_count + ${objects},
        total_size_bytes = total_size_bytes + ${live}, retained_bytes = retained_bytes + ${retained}
      where org_id = ${orgId} and id = ${id}
      returning coalesce(retained_bytes > storage_quota_bytes, false) as over`
  )[0]

export const countInOrganization = async (q: Sql, orgId: string, retained: number, now: Date) =>
  (
    await q<{ over: boolean; expired: boolean }[]>`
      update storage.organizations set storage_used_bytes = storage_used_bytes + ${retained}
      where id = ${orgId}
      returning storage_used_bytes > storage_quota_bytes as over,
        coalesce(plan_expires_at <= ${now}, false) as expired`
  )[0]

export const objectCount = async (q: Sql, id: string) =>
  (await q<{ count: number }[]>`select object_count as count from storage.buckets where id = ${id}`)[0]
    ?.count ?? 0
