import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { PolicyStatement } from '../policies/schema.ts'
import type { Tags } from '../tags/tags.ts'
import type { CorsRule } from './cors.ts'
import type { PublicAccessBlock } from './public-access.ts'
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

export const findBucket = (q: Sql, orgId: string, id: string) =>
  maybeOne(q<BucketRow[]>`select ${columns(q)} from storage.buckets where org_id = ${orgId} and id = ${id}`)

export type FactsRow = {
  id: string
  orgId: string
  name: string
  visibility: 'private' | 'public'
  versioningEnabled: boolean
  hasHadVersions: boolean
  region: string
  policy: PolicyStatement[]
  cors: CorsRule[]
  publicAccessBlock: PublicAccessBlock | null
}

export const listFacts = (q: Sql, ids: string[]) => q<FactsRow[]>`
  select id, org_id as "orgId", name, visibility, versioning_enabled as "versioningEnabled",
    has_had_versions as "hasHadVersions", region, policy, cors, public_access_block as "publicAccessBlock"
  from storage.buckets where id = any (${ids}::uuid[])`

export const findIdByName = async (q: Sql, orgId: string, name: string) => {
  const row = await maybeOne(
    q<{ id: string }[]>`select id from storage.buckets where org_id = ${orgId} and name = ${name}`,
  )
  return row?.id
}

export const findFacts = (q: Sql, id: string) => maybeOne(listFacts(q, [id]))

/** Returns nothing if the organization already has a bucket of that name. */
export const insertBucket = (q: Sql, b: NewBucket & { id: string; orgId: string; tags?: Tags; now: Date }) =>
  maybeOne(q<BucketRow[]>`
    insert into storage.buckets (id, org_id, name, visibility, versioning_enabled, has_had_versions, region,
      storage_quota_bytes, tags, created_at)
    values (${b.id}, ${b.orgId}, ${b.name}, ${b.visibility}, ${b.versioningEnabled}, ${b.versioningEnabled}, ${b.region},
      ${b.storageQuotaBytes ?? null}, ${q.json(b.tags ?? [])}, ${b.now})
    on conflict on constraint buckets_name_key do nothing
    returning ${columns(q)}`)

/** Changes only what is given. A quota of null removes the quota. */
export const updateBucket = (
  q: Sql,
  orgId: string,
  id: string,
  { hasHadVersions = false, ...c }: BucketChange & { hasHadVersions?: boolean },
) =>
  maybeOne(q<BucketRow[]>`
    update storage.buckets set
      visibility = coalesce(${c.visibility ?? null}, visibility),
      versioning_enabled = coalesce(${c.versioningEnabled ?? null}, versioning_enabled),
      has_had_versions = has_had_versions or ${hasHadVersions || (c.versioningEnabled ?? false)},
      storage_quota_bytes = case when ${c.storageQuotaBytes === undefined} then storage_quota_bytes
        else ${c.storageQuotaBytes ?? null}::bigint end
    where org_id = ${orgId} and id = ${id} returning ${columns(q)}`)

export const updatePolicy = (
  q: Sql,
  orgId: string,
  id: string,
  statements: PolicyStatement[],
  document: string | null,
) => q`
  update storage.buckets set policy = ${q.json(statements)}, policy_document = ${document}
  where org_id = ${orgId} and id = ${id}`

/** What a policy says: its statements and the visibility, and the document that they come from. */
export type PolicyRow = Pick<FactsRow, 'policy' | 'visibility'> & { document: string | null }

export const findPolicy = (q: Sql, id: string) =>
  maybeOne(q<PolicyRow[]>`
    select policy, visibility, policy_document as document from storage.buckets where id = ${id}`)

/** The same, locked against changes until the transaction ends. */
export const lockPolicy = (q: Sql, id: string) =>
  maybeOne(q<PolicyRow[]>`
    select policy, visibility, policy_document as document from storage.buckets where id = ${id} for no key update`)

/** What is configured for a bucket besides its own fields. */
export type Settings = {
  tags: Tags
  cors: CorsRule[]
  publicAccessBlock: PublicAccessBlock | null
  objectOwnership: string | null
}

export const findSettings = (q: Sql, id: string) =>
  maybeOne(q<Settings[]>`
    select tags, cors, public_access_block as "publicAccessBlock", object_ownership as "objectOwnership"
    from storage.buckets where id = ${id}`)

/** Changes only what is given; null removes what may be missing. */
export const updateSettings = (q: Sql, orgId: string, id: string, s: Partial<Settings>) => q`
  update storage.buckets set
    tags = coalesce(${s.tags ? q.json(s.tags) : null}, tags),
    cors = coalesce(${s.cors ? q.json(s.cors) : null}, cors),
    public_access_block = case when ${s.publicAccessBlock === undefined} then public_access_block
      else ${s.publicAccessBlock ? q.json(s.publicAccessBlock) : null} end,
    object_ownership = case when ${s.objectOwnership === undefined} then object_ownership
      else ${s.objectOwnership ?? null} end
  where org_id = ${orgId} and id = ${id}`

export const lockForDeletion = (q: Sql, orgId: string, id: string) =>
  maybeOne(q<{ objects: number; retainedObjects: number; retainedBytes: number }[]>`
    select object_count as objects, retained_objects as "retainedObjects", retained_bytes as "retainedBytes"
    from storage.buckets
    where org_id = ${orgId} and id = ${id} for update`)

export const deleteBucketRow = (q: Sql, orgId: string, id: string) => q`
  delete from storage.buckets where org_id = ${orgId} and id = ${id}`

/** Keeps the bucket from being deleted until the transaction ends. */
export const lockBucket = (q: Sql, orgId: string, id: string) => q<{ versioning: boolean }[]>`
  select versioning_enabled as versioning from storage.buckets
  where org_id = ${orgId} and id = ${id} for key share`

/** By how much the counters change: live objects and their bytes, all that is kept, its bytes, and pending uploads. */
export type UsageChange = {
  bucketId: string
  objects?: number
  live?: number
  retainedObjects?: number
  retainedBytes?: number
  uploads?: number
}

/** With `checked`, refuses what the quotas or the plan do not allow. */
export const addUsage = (
  q: Sql,
  orgId: string,
  { bucketId, objects = 0, live = 0, retainedObjects = 0, retainedBytes = 0, uploads = 0 }: UsageChange,
  { now, checked }: { now: Date; checked: boolean },
) => q`
  select storage.add_usage(${orgId}, array[(${bucketId}::uuid, ${objects}::bigint, ${live}::bigint,
    ${retainedObjects}::bigint, ${retainedBytes}::bigint, ${uploads}::bigint)::storage.usage_change], ${now},
    ${checked}, 0)`

/** How many live objects a bucket holds, by its counter. */
export const liveObjectCount = async (q: Sql, id: string) => {
  const row = await maybeOne(
    q<{ count: number }[]>`select object_count as count from storage.buckets where id = ${id}`,
  )
  return row?.count ?? 0
}
