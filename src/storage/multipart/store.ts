import type { Sql } from '#platform/db/database.ts'
import type { Metadata } from '../objects/store.ts'

export type SessionRow = {
  uploadId: string
  objectKey: string
  bucketId: string
  totalSizeBytes: number | null
  status: 'pending' | 'completed' | 'failed'
  created_at: string
}

/** What began at `expiry` or before has failed, whether or not it was tidied up since. */
const columns = (q: Sql, expiry: Date) => q`
  id as "uploadId", object_key as "objectKey", bucket_id as "bucketId", total_size_bytes as "totalSizeBytes",
  case when status = 'pending' and created_at <= ${expiry} then 'failed' else status end as status, created_at`

export type NewUpload = {
  id: string
  orgId: string
  bucketId: string
  key: string
  contentType: string
  metadata: Metadata
  totalSize: number | null
  now: Date
}

export const insertUpload = async (q: Sql, u: NewUpload): Promise<SessionRow> =>
  (
    await q<SessionRow[]>`
      insert into storage.uploads (id, org_id, bucket_id, object_key, content_type, metadata, total_size_bytes, created_at)
      values (${u.id}, ${u.orgId}, ${u.bucketId}, ${u.key}, ${u.contentType}, ${q.json(u.metadata)},
        ${u.totalSize}, ${u.now})
      returning ${columns(q, new Date(0))}`
  )[0]!

export const listUploads = (q: Sql, orgId: string, expiry: Date, limit: number) => q<SessionRow[]>`
  select ${columns(q, expiry)} from storage.uploads where org_id = ${orgId} order by id desc limit ${limit}`

export const findUpload = async (q: Sql, bucketId: string, id: string, expiry: Date) =>
  (
    await q<SessionRow[]>`
      select ${columns(q, expiry)} from storage.uploads where bucket_id = ${bucketId} and id = ${id}`
  )[0]

export type LockedUpload = SessionRow & {
  content_type: string
  metadata: Metadata
  object_id: string | null
  version_id: string | null
  /** Its parts are still kept: nobody has ended it yet. */
  unended: boolean
}

/** Parts may come side by side; whoever ends the session waits for them, and they for it. */
export const lockUpload = async (
  q: Sql,
  bucketId: string,
  id: string,
  { expiry, how }: { expiry: Date; how: 'part' | 'end' },
) =>
  (
    await q<LockedUpload[]>`
      select ${columns(q, expiry)}, content_type, metadata, object_id, version_id, status = 'pending' as unended
      from storage.uploads
      where bucket_id = ${bucketId} and id = ${id} ${how === 'end' ? q`for update` : q`for share`}`
  )[0]

export type PartRow = { partNumber: number; etag: string; sizeBytes: number; blob_id: string }

const partColumns = (q: Sql) => q`
  part_number as "partNumber", encode(md5, 'hex') as etag, size_bytes as "sizeBytes", blob_id`

export const listParts = (q: Sql, uploadId: string) => q<PartRow[]>`
  select ${partColumns(q)} from storage.parts where upload_id = ${uploadId} order by part_number`

export const findPart = async (q: Sql, uploadId: string, n: number) =>
  (
    await q<PartRow[]>`
      select ${partColumns(q)} from storage.parts where upload_id = ${uploadId} and part_number = ${n}`
  )[0]

/** Two senders of the same part: the second waits here for the first. */
export const lockPart = async (q: Sql, uploadId: string, n: number) => {
  await q`select pg_advisory_xact_lock(hashtextextended(${`${uploadId}/${n}`}, 0))`
  return findPart(q, uploadId, n)
}

export const putPart = (
  q: Sql,
  p: { orgId: string; uploadId: string; n: number; blobId: string; size: number; md5: Buffer },
) => q`
  insert into storage.parts (org_id, upload_id, part_number, blob_id, size_bytes, md5)
  values (${p.orgId}, ${p.uploadId}, ${p.n}, ${p.blobId}, ${p.size}, ${p.md5})
  on conflict (upload_id, part_number) do update
    set blob_id = excluded.blob_id, size_bytes = excluded.size_bytes, md5 = excluded.md5`

export const deleteParts = (q: Sql, uploadId: string) => q<{ blob_id: string; size: number }[]>`
  delete from storage.parts where upload_id = ${uploadId} returning blob_id, size_bytes as size`

export const endUpload = (
  q: Sql,
  id: string,
  status: 'completed' | 'failed',
  object: { id: string; versionId: string } | null,
  now: Date,
) => q`
  update storage.uploads set status = ${status}, ended_at = ${now}, object_id = ${object?.id ?? null},
    version_id = ${object?.versionId ?? null} where id = ${id}`

export const findExpired = (q: Sql, expiry: Date, limit: number) => q<
  { id: string; org_id: string; bucket_id: string; object_key: string }[]
>`
  select id, org_id, bucket_id, object_key from storage.uploads
  where status = 'pending' and created_at <= ${expiry} order by created_at limit ${limit}`

export const deleteEnded = async (q: Sql, before: Date, limit: number) =>
  (
    await q`
      delete from storage.uploads where id in (
        select id from storage.uploads where ended_at < ${before} order by ended_at limit ${limit})`
  ).count

export const deletePartsOfBucket = (q: Sql, bucketId: string) => q<{ blob_id: string }[]>`
  delete from storage.parts p using storage.uploads u
  where u.id = p.upload_id and u.bucket_id = ${bucketId} returning p.blob_id`

export const deleteUploadsOfBucket = (q: Sql, bucketId: string) => q`
  delete from storage.uploads where bucket_id = ${bucketId}`
