import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { ObjectRef } from './key.ts'

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

/** The indexes hold the first 600 characters of a key. */
const isKey = (q: Sql, { bucketId, key }: ObjectRef) => q`
  bucket_id = ${bucketId} and left(object_key, 600) = left(${key}, 600) and object_key = ${key}`

/** Live and deleted objects have an index each, and this uses both. */
export const idsOfKey = (q: Sql, ref: ObjectRef) => q`
  select id from storage.objects where ${isKey(q, ref)} and deleted_at is null
  union all
  select id from storage.objects where ${isKey(q, ref)} and deleted_at is not null`

/** Locks names until the transaction ends, always in the same order. */
export const lockNames = (q: Sql, names: string[]) => q`
  select pg_advisory_xact_lock(hash)
  from (select distinct hashtextextended(name, 0) as hash from unnest(${names}::text[]) as name order by 1) held`

export const findHead = (q: Sql, ref: ObjectRef) =>
  maybeOne(q<ObjectHead[]>`
    select id, object_key, version_id, ${contentColumns(q)} from storage.objects
    where ${isKey(q, ref)} and deleted_at is null`)

export const findObject = (q: Sql, id: string) =>
  maybeOne(q<ObjectRow[]>`select ${columns(q)} from storage.objects where id = ${id}`)

/** A content by its version id: of the live object of this key, or of one that was deleted. */
export const findVersion = (q: Sql, ref: ObjectRef, versionId: string) =>
  maybeOne(q<ObjectHead[]>`
    select id, object_key, version_id, ${contentColumns(q)} from storage.objects
    where version_id = ${versionId} and id in (${idsOfKey(q, ref)})
    union all
    select o.id, o.object_key, v.id, v.content_type, v.size_bytes, v.etag, v.metadata, v.blobs, v.stored_at
    from storage.versions v join storage.objects o on o.id = v.object_id
    where v.id = ${versionId} and o.bucket_id = ${ref.bucketId} and o.object_key = ${ref.key}`)

export type LockedObject = ObjectRow & { version_id: string; blobs: string[] }

export const lockLive = (q: Sql, ref: ObjectRef) => q<LockedObject[]>`
  select ${columns(q)}, version_id, blobs from storage.objects
  where ${isKey(q, ref)} and deleted_at is null for update`

/** The object of a key that was deleted last. */
export const lockDeleted = (q: Sql, ref: ObjectRef) => q<LockedObject[]>`
  select ${columns(q)}, version_id, blobs from storage.objects
  where ${isKey(q, ref)} and deleted_at is not null
  order by deleted_at desc, id desc limit 1 for update`

export type NewObject = { id: string; orgId: string; versionId: string; now: Date } & ObjectRef

export const insertObject = (q: Sql, o: NewObject, c: Content) => q`
  insert into storage.objects (id, org_id, bucket_id, object_key, version_id, content_type, size_bytes, etag,
    metadata, blobs, stored_at, created_at, updated_at)
  values (${o.id}, ${o.orgId}, ${o.bucketId}, ${o.key}, ${o.versionId}, ${c.content_type}, ${c.size_bytes},
    ${c.etag}, ${q.json(c.metadata)}, ${c.blobs}::uuid[], ${o.now}, ${o.now}, ${o.now})`

export const replaceContent = (q: Sql, o: { id: string; versionId: string; now: Date }, c: Content) => q`
  update storage.objects set version_id = ${o.versionId}, content_type = ${c.content_type},
    size_bytes = ${c.size_bytes}, etag = ${c.etag}, metadata = ${q.json(c.metadata)},
    blobs = ${c.blobs}::uuid[], stored_at = ${o.now}, updated_at = ${o.now}
  where id = ${o.id}`

/** Keeps the object's current content as a version. */
export const keepAsVersion = (q: Sql, id: string, now: Date) => q`
  insert into storage.versions
    (id, org_id, object_id, content_type, size_bytes, etag, metadata, blobs, stored_at, replaced_at)
  select version_id, org_id, id, content_type, size_bytes, etag, metadata, blobs, stored_at, ${now}
  from storage.objects where id = ${id}`

export const markDeleted = (q: Sql, id: string, deleted: boolean, now: Date) =>
  one(q<ObjectRow[]>`
    update storage.objects set deleted_at = case when ${deleted} then ${now}::timestamptz end, updated_at = ${now}
    where id = ${id} returning ${columns(q)}`)

export const moveObject = (q: Sql, id: string, { bucketId, key }: ObjectRef, now: Date) =>
  one(q<ObjectRow[]>`
    update storage.objects set bucket_id = ${bucketId}, object_key = ${key}, updated_at = ${now}
    where id = ${id} returning ${columns(q)}`)

/** The versions of an object that is replaced by another become versions of that other. */
export const adoptVersions = (q: Sql, from: string, to: string) => q`
  update storage.versions set object_id = ${to} where object_id = ${from}`

export const deleteRow = (q: Sql, id: string) => q`delete from storage.objects where id = ${id}`

/** The bytes of an object and all its versions. */
export const retainedBytes = async (q: Sql, id: string) => {
  const { bytes } = await one(q<{ bytes: number }[]>`
    select (coalesce(sum(size_bytes), 0))::bigint as bytes from (
      select size_bytes from storage.objects where id = ${id}
      union all select size_bytes from storage.versions where object_id = ${id}) held`)
  return bytes
}

export const contentOf = ({ content_type, size_bytes, etag, metadata, blobs }: Content): Content => ({
  content_type,
  size_bytes,
  etag,
  metadata,
  blobs,
})
