import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { NewBlob } from '../blobs/blobs.ts'
import type { Checksum, KeptHeaders, Metadata } from '../objects/objects.ts'
import { asParameters, type Write, type WrittenRow } from '../objects/write/write.ts'
import type { Tags } from '../tags/tags.ts'

export type UploadRef = { bucketId: string; uploadId: string }

export type SessionRow = {
  uploadId: string
  objectKey: string
  bucketId: string
  totalSizeBytes: number | null
  status: 'pending' | 'completed' | 'failed'
  created_at: string
}

const columns = (q: Sql) => q`
  id as "uploadId", object_key as "objectKey", bucket_id as "bucketId", total_size_bytes as "totalSizeBytes", status,
  created_at`

/** Uploads that began then or earlier, and whose key begins with the prefix, have failed, even if they are pending. */
export type Expiry = { prefix: string; time: Date }

const isExpired = (q: Sql, expiries: readonly Expiry[]) => q`exists (
  select from unnest(${expiries.map(({ prefix }) => prefix)}::text[],
    ${expiries.map(({ time }) => time.toISOString())}::timestamptz[]) as expiry (prefix, time)
  where created_at <= expiry.time and starts_with(object_key, expiry.prefix))`

/** Which checksum the parts of an upload have, and how that of the object follows from them. */
export type ChecksumPlan = Pick<Checksum, 'algorithm' | 'type'> & {
  /** The client has not asked for one. */
  implied?: boolean
}

export type NewUpload = {
  id: string
  orgId: string
  bucketId: string
  key: string
  contentType: string
  metadata: Metadata
  headers: KeptHeaders
  tags: Tags
  checksum: ChecksumPlan | null
  totalSize: number | null
  now: Date
  audit: Audit
}

/** An entry of the audit log about an upload. */
type Audit = { id: string; actor: string; ip: string }

export const startUpload = (q: Sql, u: NewUpload) =>
  one(q<SessionRow[]>`
    select ${columns(q)} from storage.start_upload(${u.orgId}, ${u.bucketId}, ${u.id}, ${u.key}, ${u.contentType},
      ${q.json(u.metadata)}, ${q.json(u.headers)}, ${q.json(u.tags)}, ${u.checksum && q.json(u.checksum)},
      ${u.totalSize}, ${u.now}, ${u.audit.id}, ${u.audit.actor}, ${u.audit.ip})`)

/** Says what is copied with an upload. */
export const setSource = (q: Sql, { bucketId, uploadId }: UploadRef, source: string) => q`
  update storage.uploads set source = ${source} where bucket_id = ${bucketId} and id = ${uploadId}`

/** Pending uploads of a key with which something is copied. */
export const findSources = (q: Sql, bucketId: string, key: string) => q<
  { uploadId: string; source: string }[]
>`
  select id as "uploadId", source from storage.uploads
  where bucket_id = ${bucketId} and object_key = ${key} and status = 'pending' and source is not null order by id`

export const listUploads = (q: Sql, orgId: string, limit: number) => q<SessionRow[]>`
  select ${columns(q)} from storage.uploads where org_id = ${orgId} order by id desc limit ${limit}`

/** An upload of a page, or a folder: all uploads whose keys begin with it. */
export type PendingRow = SessionRow & { headers: KeptHeaders; folder: string | null }

export type PendingPage = {
  prefix: string
  delimiter: string
  after: UploadPlace | null
  limit: number
}

/** Uploads of a bucket that are pending, in the order of their keys and then of their ids, after a key and an id. */
export const listPending = (
  q: Sql,
  bucketId: string,
  { prefix, delimiter, after, expiries, limit }: PendingPage & { expiries: readonly Expiry[] },
) => q<PendingRow[]>`
  select distinct on (entry, entry_id) * from (
    select *, coalesce(folder, "objectKey") as entry, case when folder is null then "uploadId" end as entry_id from (
      select ${columns(q)}, headers, ${folderOf(q, prefix, delimiter)} as folder from storage.uploads
      where bucket_id = ${bucketId} and status = 'pending' and not ${isExpired(q, expiries)} and starts_with(object_key, ${prefix})
        ${after === null ? q`` : after.uploadId === null ? q`and object_key > ${after.key}` : q`and (object_key, id) > (${after.key}, ${after.uploadId}::uuid)`}
      ) pending
    ${after === null ? q`` : q`where folder is distinct from ${after.key}`}
    ) entries
  order by entry, entry_id, "objectKey", "uploadId" limit ${limit}`

/** The start of a key up to the first delimiter after a prefix; null if it has none there. */
const folderOf = (q: Sql, prefix: string, delimiter: string) =>
  delimiter === ''
    ? q`null::text collate "C"`
    : q`case when strpos(substr(object_key, length(${prefix}::text) + 1), ${delimiter}) > 0 then
        left(object_key, length(${prefix}::text) + strpos(substr(object_key, length(${prefix}::text) + 1), ${delimiter})
          + length(${delimiter}::text) - 1) end`

/** Where a page of uploads ended: with an upload, or with a folder. Without an id, all uploads of its key are on that page. */
type UploadPlace = { key: string; uploadId: string | null }

/** An upload with what becomes of its object. */
export type FoundUpload = SessionRow & {
  content_type: string
  metadata: Metadata
  headers: KeptHeaders
  tags: Tags
  checksum: ChecksumPlan | null
  object_id: string | null
  version_id: string | null
}

const found = (q: Sql) =>
  q`${columns(q)}, content_type, metadata, headers, tags, checksum, object_id, version_id`

export const findUpload = (q: Sql, { bucketId, uploadId }: UploadRef) =>
  maybeOne(q<FoundUpload[]>`
    select ${found(q)} from storage.uploads where bucket_id = ${bucketId} and id = ${uploadId}`)

/** The same with its parts, of one snapshot: an upload that is pending has all of them. */
export const findWithParts = (q: Sql, { bucketId, uploadId }: UploadRef) =>
  maybeOne(q<(FoundUpload & { parts: PartRow[] })[]>`
    select ${found(q)}, array(
      select json_build_object('partNumber', p.part_number, 'etag', encode(p.md5, 'hex'), 'sizeBytes', p.size_bytes,
        'blob_id', p.blob_id, 'checksum', b.checksum, 'stored_at', p.stored_at)
      from storage.parts p join storage.blobs b on b.id = p.blob_id
      where p.upload_id = uploads.id order by p.part_number) as parts
    from storage.uploads where bucket_id = ${bucketId} and id = ${uploadId}`)

/** Locks an upload to end it. Waits for parts that are being stored, and they wait for it. */
export const lockUpload = (q: Sql, { bucketId, uploadId }: UploadRef) =>
  maybeOne(q<SessionRow[]>`
    select ${columns(q)} from storage.uploads
    where bucket_id = ${bucketId} and id = ${uploadId} for update`)

export type PartRow = {
  partNumber: number
  etag: string
  sizeBytes: number
  blob_id: string
  checksum: Checksum | null
  stored_at: string
}

export const findPartSize = async (q: Sql, uploadId: string, partNumber: number) => {
  const part = await maybeOne(q<{ size: number }[]>`
    select size_bytes as size from storage.parts where upload_id = ${uploadId} and part_number = ${partNumber}`)
  return part?.size ?? 0
}

type NewPart = UploadRef & {
  orgId: string
  partNumber: number
  blob: NewBlob
  checksum: Checksum | null
  expiry: Date
  now: Date
}

/** Returns the status of the upload, null if there is none. The part is stored if it is pending. */
export const putPart = async (q: Sql, p: NewPart) => {
  const { id, size, md5, data, pieceSums } = p.blob
  const status = await value<SessionRow['status'] | null>(q`
    select storage.put_part(${p.orgId}, ${p.bucketId}, ${p.uploadId}, ${p.expiry}, ${p.partNumber}, ${id}, ${size},
      ${md5}, ${data}, ${pieceSums}, ${p.checksum && q.json(p.checksum)}, ${p.now}) as status`)
  return status
}

type Completion = UploadRef & {
  orgId: string
  parts: readonly PartRow[]
  write: Write
  expiry: Date
  now: Date
  audit: Audit
}

/** Makes parts an object, unless they have changed. */
export const completeUpload = (q: Sql, c: Completion) => {
  const {
    names,
    rows: [row],
  } = asParameters([c.write])
  return one(q<WrittenRow[]>`
    select refusal, previous_id, created_at, unversioned
    from storage.complete_upload(${c.orgId}, ${c.bucketId}, ${c.uploadId}, ${c.expiry},
      ${c.parts.map(({ blob_id }) => blob_id)}::uuid[], ${names}::text[], ${q.json(row)}, ${c.now},
      ${c.audit.id}, ${c.audit.actor}, ${c.audit.ip})`)
}

export const deleteParts = (q: Sql, uploadId: string) => q<{ blob_id: string; size: number }[]>`
  delete from storage.parts where upload_id = ${uploadId} returning blob_id, size_bytes as size`

export const markFailed = (q: Sql, id: string, now: Date) => q`
  update storage.uploads set status = 'failed', ended_at = ${now} where id = ${id}`

export const findExpired = (q: Sql, bucketId: string, expiries: readonly Expiry[], limit: number) => q<
  SessionRow[]
>`
  select ${columns(q)} from storage.uploads
  where bucket_id = ${bucketId} and status = 'pending' and created_at <= ${latest(expiries)} and ${isExpired(q, expiries)}
  order by created_at limit ${limit}`

/** For the index. */
const latest = (expiries: readonly Expiry[]) =>
  new Date(Math.max(0, ...expiries.map(({ time }) => time.getTime())))

export const deleteEnded = async (q: Sql, before: Date, limit: number) =>
  (
    await q`
      delete from storage.uploads where id in (
        select id from storage.uploads where ended_at < ${before} order by ended_at limit ${limit})`
  ).count

export const deletePartsOfBucket = (q: Sql, bucketId: string) => q<{ blob_id: string }[]>`
  delete from storage.parts p using storage.uploads u
  where u.id = p.upload_id and u.bucket_id = ${bucketId} returning p.blob_id`

export const deleteUploadsOfBucket = (q: Sql, bucketId: string) => q<Pick<SessionRow, 'status'>[]>`
  delete from storage.uploads where bucket_id = ${bucketId} returning status`
