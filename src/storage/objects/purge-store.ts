import type { Sql } from '#platform/db/database.ts'
import { columns, idsOfKey, type ObjectRow } from './store.ts'

/** Every object of a key, live and deleted, newest last. */
export const lockAllOfKey = (q: Sql, bucketId: string, key: string) => q<ObjectRow[]>`
  select ${columns(q)} from storage.objects
  where id in (${idsOfKey(q, bucketId, key)})
  order by deleted_at nulls last, id for update`

type Held = { size: number; blobs: string[] }

export const deleteVersionsOf = (q: Sql, objectIds: string[]) => q<Held[]>`
  delete from storage.versions where object_id = any(${objectIds}::uuid[]) returning size_bytes as size, blobs`

export const deleteObjects = (q: Sql, ids: string[]) => q<Held[]>`
  delete from storage.objects where id = any(${ids}::uuid[]) returning size_bytes as size, blobs`

export const objectsOfBucket = (q: Sql, orgId: string, bucketId: string) => q<{ id: string }[]>`
  select id from storage.objects where org_id = ${orgId} and bucket_id = ${bucketId}`

export type Place = { id: string; org_id: string; bucket_id: string; object_key: string }

/** Objects that were deleted before then. */
export const findExpiredObjects = (q: Sql, before: Date, limit: number) => q<Place[]>`
  select id, org_id, bucket_id, object_key from storage.objects
  where deleted_at < ${before} order by deleted_at limit ${limit}`

/** Versions that were replaced before then. */
export const findExpiredVersions = (q: Sql, before: Date, limit: number) => q<Place[]>`
  select v.id, o.org_id, o.bucket_id, o.object_key from (
    select id, object_id from storage.versions where replaced_at < ${before} order by replaced_at limit ${limit}) v
  join storage.objects o on o.id = v.object_id`

export const lockExpiredObject = async (q: Sql, id: string, before: Date) =>
  (
    await q<Place[]>`
      select id, org_id, bucket_id, object_key from storage.objects
      where id = ${id} and deleted_at < ${before} for update`
  )[0]

/** Where the object of a version is now; none if the version has gone, and from here on nobody else removes it. */
export const lockVersion = async (q: Sql, id: string) =>
  (
    await q<Place[]>`
      select v.id, o.org_id, o.bucket_id, o.object_key from storage.versions v
      join storage.objects o on o.id = v.object_id where v.id = ${id} for update of v`
  )[0]

/** One that is locked. */
export const deleteVersion = async (q: Sql, id: string) =>
  (await q<Held[]>`delete from storage.versions where id = ${id} returning size_bytes as size, blobs`)[0]!
