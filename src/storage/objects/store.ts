import type { Sql } from '#platform/db/database.ts'

export type Metadata = Record<string, string>

export type ObjectRow = {
  id: string
  bucket_id: string
  object_key: string
  content_type: string
  size_bytes: number
  etag: string
  is_deleted: boolean
  created_at: string
  updated_at: string
  metadata: Metadata
}

/** One content of an object: the current one, or an earlier version. */
type ContentRow = {
  version_id: string
  content_type: string
  size_bytes: number
  etag: string
  metadata: Metadata
  blobs: string[]
  stored_at: string
}

/** An object with what is needed to send it. */
export type ObjectHead = ContentRow & { id: string; object_key: string }

export type Content = Omit<ContentRow, 'version_id' | 'stored_at'>

export const columns = (q: Sql) => q`
  id, bucket_id, object_key, content_type, size_bytes, etag, deleted_at is not null as is_deleted,
  created_at, updated_at, metadata`

const contentColumns = (q: Sql) => q`content_type, size_bytes, etag, metadata, blobs, stored_at`

/** The indexes know the first 600 characters of a key. */
const isKey = (q: Sql, bucketId: string, key: string) => q`
  bucket_id = ${bucketId} and left(object_key, 600) = left(${key}, 600) and object_key = ${key}`

/** Live and deleted objects of a key have an index each, so that both are asked. */
export const idsOfKey = (q: Sql, bucketId: string, key: string) => q`
  select id from storage.objects where ${isKey(q, bucketId, key)} and deleted_at is null
  union all
  select id from storage.objects where ${isKey(q, bucketId, key)} and deleted_at is not null`

/** Whoever changes what a key stands for does so alone. Keys are locked in one order wherever several are. */
export const lockKeys = async (q: Sql, names: string[]) => {
  await q`
    select pg_advisory_xact_lock(hash)
    from (select distinct hashtextextended(name, 0) as hash from unnest(${names}::text[]) as name order by 1) held`
}

export const findHead = async (q: Sql, bucketId: string, key: string) =>
  (
    await q<ObjectHead[]>`
      select id, object_key, version_id, ${contentColumns(q)} from storage.objects
      where ${isKey(q, bucketId, key)} and deleted_at is null`
  )[0]

export const findObject = async (q: Sql, id: string) =>
  (await q<ObjectRow[]>`select ${columns(q)} from storage.objects where id = ${id}`)[0]

/** A content by its version id: of the live object of this key, or of one that was deleted. */
export const findVersion = async (q: Sql, bucketId: string, key: string, versionId: string) =>
  (
    await q<ObjectHead[]>`
      select id, object_key, version_id, ${contentColumns(q)} from storage.objects
      where version_id = ${versionId} and id in (${idsOfKey(q, bucketId, key)})
      union all
      select o.id, o.object_key, v.id, v.content_type, v.size_bytes, v.etag, v.metadata, v.blobs, v.stored_at
      from storage.versions v join storage.objects o on o.id = v.object_id
      where v.id = ${versionId} and o.bucket_id = ${bucketId} and o.object_key = ${key}`
  )[0]

export type VersionRow = Omit<ContentRow, 'blobs' | 'metadata' | 'stored_at'> & {
  object_key: string
  is_current: boolean
  created_at: string
}

export const listVersions = (q: Sql, bucketId: string, key: string, limit: number) => q<VersionRow[]>`
  select version_id, object_key, content_type, size_bytes, etag, deleted_at is null as is_current,
    stored_at as created_at
  from storage.objects where id in (${idsOfKey(q, bucketId, key)})
  union all
  select v.id, o.object_key, v.content_type, v.size_bytes, v.etag, false, v.stored_at
  from storage.objects o join storage.versions v on v.object_id = o.id
  where o.id in (${idsOfKey(q, bucketId, key)})
  order by is_current desc, created_at desc, version_id desc limit ${limit}`

type LockedRow = ObjectRow & { version_id: string; blobs: string[] }

export const lockLive = async (q: Sql, bucketId: string, key: string) =>
  (
    await q<LockedRow[]>`
      select ${columns(q)}, version_id, blobs from storage.objects
      where ${isKey(q, bucketId, key)} and deleted_at is null for update`
  )[0]

/** The one that was deleted last. */
export const lockDeleted = async (q: Sql, bucketId: string, key: string) =>
  (
    await q<LockedRow[]>`
      select ${columns(q)}, version_id, blobs from storage.objects
      where ${isKey(q, bucketId, key)} and deleted_at is not null
      order by deleted_at desc, id desc limit 1 for update`
  )[0]

export type NewObject = {
  id: string
  orgId: string
  bucketId: string
  key: string
  versionId: string
  now: Date
}

export const insertObject = async (q: Sql, o: NewObject, c: Content) => {
  await q`
    insert into storage.objects (id, org_id, bucket_id, object_key, version_id, content_type, size_bytes, etag,
      metadata, blobs, stored_at, created_at, updated_at)
    values (${o.id}, ${o.orgId}, ${o.bucketId}, ${o.key}, ${o.versionId}, ${c.content_type}, ${c.size_bytes},
      ${c.etag}, ${q.json(c.metadata)}, ${c.blobs}::uuid[], ${o.now}, ${o.now}, ${o.now})`
}

export const replaceContent = async (q: Sql, id: string, versionId: string, c: Content, now: Date) => {
  await q`
    update storage.objects set version_id = ${versionId}, content_type = ${c.content_type},
      size_bytes = ${c.size_bytes}, etag = ${c.etag}, metadata = ${q.json(c.metadata)},
      blobs = ${c.blobs}::uuid[], stored_at = ${now}, updated_at = ${now}
    where id = ${id}`
}

/** Keeps the object's present content as a version of it. */
export const keepAsVersion = async (q: Sql, id: string, now: Date) => {
  await q`
    insert into storage.versions (id, org_id, object_id, content_type, size_bytes, etag, metadata, blobs, stored_at, replaced_at)
    select version_id, org_id, id, content_type, size_bytes, etag, metadata, blobs, stored_at, ${now}
    from storage.objects where id = ${id}`
}

export const markDeleted = async (q: Sql, id: string, deleted: boolean, now: Date) =>
  (
    await q<ObjectRow[]>`
      update storage.objects set deleted_at = case when ${deleted} then ${now}::timestamptz end, updated_at = ${now}
      where id = ${id} returning ${columns(q)}`
  )[0]!

export const moveObject = async (q: Sql, id: string, bucketId: string, key: string, now: Date) =>
  (
    await q<ObjectRow[]>`
      update storage.objects set bucket_id = ${bucketId}, object_key = ${key}, updated_at = ${now}
      where id = ${id} returning ${columns(q)}`
  )[0]!

/** What an object that gives way to another had, becomes the history of that other. */
export const adoptVersions = (q: Sql, from: string, to: string) => q`
  update storage.versions set object_id = ${to} where object_id = ${from}`

export const deleteRow = (q: Sql, id: string) => q`delete from storage.objects where id = ${id}`

export const retainedBy = async (q: Sql, id: string) =>
  (
    await q<{ bytes: number }[]>`
      select (coalesce(sum(size_bytes), 0))::bigint as bytes from (
        select size_bytes from storage.objects where id = ${id}
        union all select size_bytes from storage.versions where object_id = ${id}) held`
  )[0]?.bytes ?? 0
