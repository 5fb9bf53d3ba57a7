import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Tags } from '../tags/tags.ts'
import type { ObjectRef } from './key.ts'

export type Metadata = Record<string, string>

/** Headers of downloads that are kept with an object, by their lower-case names. Those with `x-` are of one dialect only. */
export type KeptHeaders = Record<string, string>

/** What a client has verified a content with, in the words of its protocol. */
export type Checksum = { algorithm: string; value: string; type: 'FULL_OBJECT' | 'COMPOSITE' }

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
  /** Stored without versioning: its key has only one such content. */
  unversioned: boolean
  content_type: string
  size_bytes: number
  etag: string
  metadata: Metadata
  headers: KeptHeaders
  tags: Tags
  checksum: Checksum | null
  blobs: string[]
  stored_at: string
}

/** An object with what is needed to send it. */
export type ObjectHead = ContentRow & { id: string; object_key: string }

export type Content = Omit<ContentRow, 'version_id' | 'unversioned' | 'stored_at'>

export const columns = (q: Sql) => q`
  id, bucket_id, object_key, content_type, size_bytes, etag, deleted_at is not null as is_deleted,
  created_at, updated_at, metadata`

const contentColumns = (q: Sql) =>
  q`unversioned, content_type, size_bytes, etag, metadata, headers, tags, checksum, blobs, stored_at`

/** The indexes hold the first 600 characters of a key. */
export const isKey = (q: Sql, { bucketId, key }: ObjectRef) => q`
  bucket_id = ${bucketId} and left(object_key, 600) = left(${key}, 600) and object_key = ${key}`

/** Live and deleted objects have an index each, and this uses both. */
export const idsOfKey = (q: Sql, ref: ObjectRef) => q`
  select id from storage.objects where ${isKey(q, ref)} and deleted_at is null
  union all
  select id from storage.objects where ${isKey(q, ref)} and deleted_at is not null`

/** Locks names until the transaction ends. */
export const lockNames = (q: Sql, names: string[]) => q`select storage.lock_names(${names}::text[])`

export const findHead = (q: Sql, ref: ObjectRef) =>
  maybeOne(q<ObjectHead[]>`
    select id, object_key, version_id, ${contentColumns(q)} from storage.objects
    where ${isKey(q, ref)} and deleted_at is null`)

/** Looks up key by key; for all keys at once, the planner may choose to scan the whole bucket. */
export const findHeads = (q: Sql, bucketId: string, keys: string[]) => q<ObjectHead[]>`
  select o.id, o.object_key, o.version_id, ${contentColumns(q)} from unnest(${keys}::text[]) as asked (key)
  cross join lateral (
    select * from storage.objects
    where bucket_id = ${bucketId} and left(object_key, 600) = left(asked.key, 600) and object_key = asked.key
      and deleted_at is null limit 1) o`

export const findObject = (q: Sql, id: string) =>
  maybeOne(q<ObjectRow[]>`select ${columns(q)} from storage.objects where id = ${id}`)

/** A version by its id. The content that was stored without versioning is meant by null. */
export type VersionId = string | null

/** A content by its version id: of the live object of this key, or of one that was deleted. */
export const findVersion = (q: Sql, ref: ObjectRef, versionId: VersionId) => {
  const id =
    versionId === null
      ? q`(select id from storage.find_entry(${ref.bucketId}, ${ref.key}, null) where not is_marker)`
      : q`${versionId}`
  return maybeOne(q<ObjectHead[]>`
    select id, object_key, version_id, ${contentColumns(q)} from storage.objects
    where version_id = ${id} and id in (${idsOfKey(q, ref)})
    union all
    select o.id, o.object_key, v.id, v.unversioned, v.content_type, v.size_bytes, v.etag, v.metadata, v.headers, v.tags,
      v.checksum, v.blobs, v.stored_at
    from storage.versions v join storage.objects o on o.id = v.object_id
    where v.id = ${id} and o.bucket_id = ${ref.bucketId} and o.object_key = ${ref.key}`)
}

export type LockedObject = ObjectRow & { version_id: string; blobs: string[] }

export const lockLive = (q: Sql, ref: ObjectRef) => q<LockedObject[]>`
  select ${columns(q)}, version_id, blobs from storage.objects
  where ${isKey(q, ref)} and deleted_at is null for update`

/** The object of a key that was deleted last. */
export const lockDeleted = (q: Sql, ref: ObjectRef) => q<LockedObject[]>`
  select ${columns(q)}, version_id, blobs from storage.objects
  where ${isKey(q, ref)} and deleted_at is not null
  order by position desc limit 1 for update`

/** Makes a locked object live again, and removes the markers above it. */
export const recover = (q: Sql, id: string, now: Date) =>
  one(q<(ObjectRow & { markers: number })[]>`
    with recovered as (
      update storage.objects set deleted_at = null, marker_id = null, updated_at = ${now} where id = ${id} returning *
    ), unmarked as (
      delete from storage.markers m using recovered r
      where m.bucket_id = r.bucket_id and left(m.object_key, 600) = left(r.object_key, 600)
        and m.object_key = r.object_key and m.position > r.position
      returning m.id
    ), happened as (
      insert into platform.events (service, owner, type, subject, data)
      select 'storage', org_id::text, 'object.recovered', 'object/' || id, storage.object_json(recovered) from recovered
    )
    select ${columns(q)}, (select count(*) from unmarked) as markers from recovered`)

export const contentOf = ({
  content_type,
  size_bytes,
  etag,
  metadata,
  headers,
  tags,
  checksum,
  blobs,
}: Content): Content => ({
  content_type,
  size_bytes,
  etag,
  metadata,
  headers,
  tags,
  checksum,
  blobs,
})
