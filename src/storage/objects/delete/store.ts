import type { Sql } from '#platform/db/database.ts'
import type { Tags } from '../../tags/tags.ts'
import type { ObjectRef } from '../key.ts'
import { type Checksum, columns, idsOfKey, isKey, type ObjectRow } from '../store.ts'

export type VersionRow = {
  version_id: string
  object_key: string
  content_type: string
  size_bytes: number
  etag: string
  is_current: boolean
  created_at: string
  /** What its client has verified it with, if anything. */
  checksum: Checksum | null
  tags: Tags
  /** When it was replaced or deleted, and how many contents of its key were after it. */
  since: string | null
  newer: number
}

export const listVersions = (q: Sql, ref: ObjectRef, limit: number) => q<VersionRow[]>`
  select version_id, object_key, content_type, size_bytes, etag, is_current, created_at, checksum, tags, since,
    count(since) over (order by position desc) - 1 as newer
  from (
    select version_id, object_key, content_type, size_bytes, etag, deleted_at is null as is_current,
      stored_at as created_at, checksum, tags, deleted_at as since, position
    from storage.objects where id in (${idsOfKey(q, ref)})
    union all
    select v.id, o.object_key, v.content_type, v.size_bytes, v.etag, false, v.stored_at, v.checksum, v.tags,
      v.replaced_at, v.position
    from storage.objects o join storage.versions v on v.object_id = o.id
    where o.id in (${idsOfKey(q, ref)})) held
  order by is_current desc, created_at desc, version_id desc limit ${limit}`

/** A content that was replaced or deleted; `newer` are the contents of its key to which that happened later. */
export type NoncurrentContent = {
  id: string
  key: string
  size: number
  tags: Tags
  since: string
  newer: number
}

/** Deleted objects among these. What is newer is counted only if asked for. */
export const findNoncurrent = (q: Sql, ids: string[], isCounted: boolean) => q<NoncurrentContent[]>`
  select id, object_key as key, size_bytes as size, tags, deleted_at as since,
    ${isCounted ? q`storage.newer_noncurrent(bucket_id, object_key, position)` : q`0`} as newer
  from storage.objects where id = any(${ids}::uuid[]) and deleted_at is not null`

/** A deletion as `storage.delete_objects` reads it, but for its number. */
export type DeletionRow = {
  now: Date
  bucket: string
  key: string
  /** Deletes only this content. */
  version?: string
  /** The id of its marker, if the bucket has, or has had, versions. */
  marker: string
  /** Adds a marker even if there is no live object. */
  marks: boolean
  only_if: string[] | null
  unless: string[] | null
  audit_id: string
  actor: string | null
  ip: string
}

/** The deleted object, its marker if the bucket has one, or the reason why neither is there. */
export type DeletedRow = ObjectRow & {
  refusal: string | null
  marker_id: string | null
  unversioned: boolean
}

/** Marks the live objects of keys as deleted, in the order of the rows. */
export const deleteLive = (
  q: Sql,
  orgId: string,
  { names, rows }: { names: string[]; rows: readonly DeletionRow[] },
) => q<DeletedRow[]>`
  select refusal, gone.marker_id, gone.unversioned, deleted_object.*
  from storage.delete_objects(${orgId}, ${names}::text[], ${q.json(rows.map((row, n) => ({ ...row, n })))}) gone
  left join lateral (
    select ${columns(q)} from (select (gone.object).*) o) deleted_object on true order by n`

/** Every object of a key, live and deleted; the live one, or else the one deleted last, comes last. */
export const lockAllOfKey = (q: Sql, ref: ObjectRef) => q<ObjectRow[]>`
  select ${columns(q)} from storage.objects
  where id in (${idsOfKey(q, ref)})
  order by deleted_at nulls last, id for update`

type Removed = { size: number; blobs: string[] }

export const deleteVersionsOf = (q: Sql, objectIds: string[]) => q<Removed[]>`
  delete from storage.versions where object_id = any(${objectIds}::uuid[]) returning size_bytes as size, blobs`

/** Deletes objects for good, but not the markers that hide them. */
export const deleteObjects = (q: Sql, ids: string[]) => q<Removed[]>`
  with gone as (
    delete from storage.objects where id = any(${ids}::uuid[]) returning *
  ), happened as (
    insert into platform.events (service, owner, type, subject, data)
    select 'storage', org_id::text, 'object.purged', 'object/' || id, storage.object_json(gone) from gone
  )
  select size_bytes as size, blobs from gone`

export const objectsOfBucket = (q: Sql, orgId: string, bucketId: string, limit: number | null = null) => q<
  { id: string }[]
>`
  select id from storage.objects where org_id = ${orgId} and bucket_id = ${bucketId} limit ${limit}`

export const deleteMarkersOf = (q: Sql, ref: ObjectRef) => q`
  delete from storage.markers where ${isKey(q, ref)}`

export const deleteMarkersOfBucket = (q: Sql, bucketId: string) => q`
  delete from storage.markers where bucket_id = ${bucketId}`

export const markersOfBucket = (q: Sql, bucketId: string, limit: number) => q<{ id: string }[]>`
  select id from storage.markers where bucket_id = ${bucketId} limit ${limit}`
