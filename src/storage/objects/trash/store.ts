import type { Sql } from '#platform/db/database.ts'
import { escapeLike } from '#platform/db/rows.ts'

export type TrashRow = {
  id: string
  object_key: string
  version_id: string
  content_type: string
  size_bytes: number
  etag: string
  is_deleted: true
  deleted_at: string
  is_recoverable: boolean
}

/** Where a page ends: the deletion of its last object. */
export type Place = { deletedAt: string; id: string }

type Wanted = { bucketId: string; search: string; after: Place | null; limit: number }

/** Deleted objects, the last deletion first: in the order of an index, so that their number costs nothing. */
export const listTrash = (q: Sql, { bucketId, search, after, limit }: Wanted) => q<TrashRow[]>`
  select id, object_key, version_id, content_type, size_bytes, etag, true as is_deleted, deleted_at,
    not exists (
      select from storage.objects other
      where other.bucket_id = found.bucket_id and left(other.object_key, 600) = left(found.object_key, 600)
        and other.object_key = found.object_key and other.deleted_at is null)
    and not exists (
      select from storage.objects other
      where other.bucket_id = found.bucket_id and left(other.object_key, 600) = left(found.object_key, 600)
        and other.object_key = found.object_key and other.deleted_at is not null
        and other.position > found.position) as is_recoverable
  from (
    select * from storage.objects
    where bucket_id = ${bucketId} and deleted_at is not null
      ${search ? q`and object_key like ${`%${escapeLike(search)}%`}` : q``}
      ${after ? q`and (deleted_at, id) < (${after.deletedAt}, ${after.id}::uuid)` : q``}
    order by deleted_at desc, id desc limit ${limit}) found
  order by deleted_at desc, id desc`
