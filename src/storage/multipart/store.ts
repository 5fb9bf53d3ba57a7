import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Metadata } from '../objects/objects.ts'

export type UploadRef = { bucketId: string; uploadId: string }

export type SessionRow = {
  uploadId: string
  objectKey: string
  bucketId: string
  totalSizeBytes: number | null
  status: 'pending' | 'completed' | 'failed'
  created_at: string
}

/** An upload that began at `expiry` or before has failed, whether or not its parts were removed already. */
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

export const insertUpload = (q: Sql, u: NewUpload) =>
  one(q<SessionRow[]>`
    insert into storage.uploads
      (id, org_id, bucket_id, object_key, content_type, metadata, total_size_bytes, created_at)
    values (${u.id}, ${u.orgId}, ${u.bucketId}, ${u.key}, ${u.contentType}, ${q.json(u.metadata)},
      ${u.totalSize}, ${u.now})
    returning ${columns(q, new Date(0))}`)

export const listUploads = (q: Sql, orgId: string, expiry: Date, limit: number) => q<SessionRow[]>`
  select ${columns(q, expiry)} from storage.uploads where org_id = ${orgId} order by id desc limit ${limit}`

export const findUpload = (q: Sql, { bucketId, uploadId }: UploadRef, expiry: Date) =>
  maybeOne(q<SessionRow[]>`
    select ${columns(q, expiry)} from storage.uploads where bucket_id = ${bucketId} and id = ${uploadId}`)

export type LockedUpload = SessionRow & {
  content_type: string
  metadata: Metadata
  object_id: string | null
  version_id: string | null
  /** Its parts are still stored, even if it has expired. */
  unended: boolean
}

/** Parts may be stored concurrently; ending the upload waits for them, and they wait for it. */
export const lockUpload = (
  q: Sql,
  { bucketId, uploadId }: UploadRef,
  { expiry, purpose }: { expiry: Date; purpose: 'part' | 'end' },
) =>
  maybeOne(q<LockedUpload[]>`
    select ${columns(q, expiry)}, content_type, metadata, object_id, version_id, status = 'pending' as unended
    from storage.uploads
    where bucket_id = ${bucketId} and id = ${uploadId} ${purpose === 'end' ? q`for update` : q`for share`}`)

export type PartRow = { partNumber: number; etag: string; sizeBytes: number; blob_id: string }

const partColumns = (q: Sql) => q`
  part_number as "partNumber", encode(md5, 'hex') as etag, size_bytes as "sizeBytes", blob_id`

export const listParts = (q: Sql, uploadId: string) => q<PartRow[]>`
  select ${partColumns(q)} from storage.parts where upload_id = ${uploadId} order by part_number`

export const findPart = (q: Sql, uploadId: string, partNumber: number) =>
  maybeOne(q<PartRow[]>`
    select ${partColumns(q)} from storage.parts where upload_id = ${uploadId} and part_number = ${partNumber}`)

/** Of two clients that send the same part, the second waits here for the first. */
export const lockPart = async (q: Sql, uploadId: string, partNumber: number) => {
  await q`select pg_advisory_xact_lock(hashtextextended(${`${uploadId}/${partNumber}`}, 0))`
  return findPart(q, uploadId, partNumber)
}

export const putPart = (
  q: Sql,
  p: { orgId: string; uploadId: string; partNumber: number; blobId: string; size: number; md5: Buffer },
) => q`
  insert into storage.parts (org_id, upload_id, part_number, blob_id, size_bytes, md5)
  values (${p.orgId}, ${p.uploadId}, ${p.partNumber}, ${p.blobId}, ${p.size}, ${p.md5})
  on conflict (upload_id, part_number) do update
    set blob_id = excluded.blob_id, size_bytes = excluded.size_bytes, md5 = excluded.md5`

export const deleteParts = (q: Sql, uploadId: string) => q<{ blob_id: string; size: number }[]>`
  delete from storage.parts where upload_id = ${uploadId} returning blob_id, size_bytes as size`

type End = { status: 'completed' | 'failed'; object?: { id: string; versionId: string }; now: Date }

export const endUpload = (q: Sql, id: string, { status, object, now }: End) => q`
  update storage.uploads set status = ${status}, ended_at = ${now}, object_id = ${object?.id ?? null},
    version_id = ${object?.versionId ?? null} where id = ${id}`

export const findExpired = (q: Sql, expiry: Date, limit: number) => q<
  { id: string; orgId: string; bucketId: string }[]
>`
  select id, org_id as "orgId", bucket_id as "bucketId" from storage.uploads
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
