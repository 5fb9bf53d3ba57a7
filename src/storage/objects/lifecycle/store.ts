import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { ObjectRef } from '../key.ts'
import { columns, idsOfKey, isKey, type ObjectRow } from '../store.ts'

type VersionRow = {
  version_id: string
  object_key: string
  content_type: string
  size_bytes: number
  etag: string
  is_current: boolean
  created_at: string
}

export const listVersions = (q: Sql, ref: ObjectRef, limit: number) => q<VersionRow[]>`
  select version_id, object_key, content_type, size_bytes, etag, deleted_at is null as is_current,
    stored_at as created_at
  from storage.objects where id in (${idsOfKey(q, ref)})
  union all
  select v.id, o.object_key, v.content_type, v.size_bytes, v.etag, false, v.stored_at
  from storage.objects o join storage.versions v on v.object_id = o.id
  where o.id in (${idsOfKey(q, ref)})
  order by is_current desc, created_at desc, version_id desc limit ${limit}`

/** A deletion as `storage.delete_objects` reads it, but for its number. */
export type DeletionRow = {
  now: Date
  bucket: string
  key: string
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
  signals: number
}

/** Marks the live objects of keys as deleted, in the order of the rows. `changed` publishes the keys that had one. */
export const deleteLive = (
  q: Sql,
  orgId: string,
  { names, rows }: { names: string[]; rows: readonly DeletionRow[] },
  changed: (q: Sql, keys: Fragment) => Fragment,
) => q<DeletedRow[]>`
  with gone as materialized (
    select * from storage.delete_objects(${orgId}, ${names}::text[], ${q.json(rows.map((row, n) => ({ ...row, n })))})
  ), signalled as (${changed(
    q,
    q`select (object).bucket_id || '/' || (object).object_key from gone where (object).id is not null`,
  )})
  select refusal, gone.marker_id, gone.unversioned, deleted_object.*, (select count(*) from signalled) as signals
  from gone left join lateral (
    select ${columns(q)} from (select (gone.object).*) o) deleted_object on true order by n`

/** Every object of a key, live and deleted; the live one, or else the one deleted last, comes last. */
export const lockAllOfKey = (q: Sql, ref: ObjectRef) => q<ObjectRow[]>`
  select ${columns(q)} from storage.objects
  where id in (${idsOfKey(q, ref)})
  order by deleted_at nulls last, id for update`

type Removed = { size: number; blobs: string[] }

export const deleteVersionsOf = (q: Sql, objectIds: string[]) => q<Removed[]>`
  delete from storage.versions where object_id = any(${objectIds}::uuid[]) returning size_bytes as size, blobs`

/** Deletes objects for good, with the markers that hide them. Their keys are locked. */
export const deleteObjects = (q: Sql, ids: string[]) => q<Removed[]>`
  with gone as (
    delete from storage.objects where id = any(${ids}::uuid[]) returning *
  ), unmarked as (
    delete from storage.markers m using gone where m.id = gone.marker_id
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

/** An object, version or marker that has expired, and where it was found. */
export type Expired = { id: string; orgId: string } & ObjectRef

/** Objects that were deleted before then. */
export const findExpiredObjects = (q: Sql, before: Date, limit: number) => q<Expired[]>`
  select id, org_id as "orgId", bucket_id as "bucketId", object_key as key from storage.objects
  where deleted_at < ${before} order by deleted_at limit ${limit}`

/** Versions that were replaced before then. */
export const findExpiredVersions = (q: Sql, before: Date, limit: number) => q<Expired[]>`
  select v.id, o.org_id as "orgId", o.bucket_id as "bucketId", o.object_key as key from (
    select id, object_id from storage.versions where replaced_at < ${before} order by replaced_at limit ${limit}) v
  join storage.objects o on o.id = v.object_id`

/** Markers that were added before then and hide nothing, any more or ever. */
export const findExpiredMarkers = (q: Sql, before: Date, limit: number) => q<Expired[]>`
  select m.id, m.org_id as "orgId", m.bucket_id as "bucketId", m.object_key as key from storage.markers m
  where m.marked_at < ${before} and ${hidesNothing(q)} order by m.marked_at limit ${limit}`

const hidesNothing = (q: Sql) => q`
  not exists (select from storage.objects o where o.bucket_id = m.bucket_id
    and left(o.object_key, 600) = left(m.object_key, 600) and o.deleted_at is not null and o.marker_id = m.id)`

/** The same marker, if it still hides nothing. Its key is locked. */
export const findExpiredMarker = (q: Sql, id: string) =>
  maybeOne(q<Expired[]>`
    select m.id, m.org_id as "orgId", m.bucket_id as "bucketId", m.object_key as key from storage.markers m
    where m.id = ${id} and ${hidesNothing(q)}`)

export const deleteMarker = (q: Sql, id: string) => q`delete from storage.markers where id = ${id}`

export const lockExpiredObject = (q: Sql, id: string, before: Date) =>
  maybeOne(q<Expired[]>`
    select id, org_id as "orgId", bucket_id as "bucketId", object_key as key from storage.objects
    where id = ${id} and deleted_at < ${before} for update`)

/** A version with the present place of its object, locked against removal by others; none if it was removed. */
export const lockVersion = (q: Sql, id: string) =>
  maybeOne(q<Expired[]>`
    select v.id, o.org_id as "orgId", o.bucket_id as "bucketId", o.object_key as key from storage.versions v
    join storage.objects o on o.id = v.object_id where v.id = ${id} for update of v`)

/** Deletes a locked version. */
export const deleteVersion = (q: Sql, id: string) =>
  one(q<Removed[]>`delete from storage.versions where id = ${id} returning size_bytes as size, blobs`)
