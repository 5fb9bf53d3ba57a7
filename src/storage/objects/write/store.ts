import type { Sql } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'
import type { AuditPayload } from '../../audit/audit.ts'
import type { Tags } from '../../tags/tags.ts'
import { type Checksum, columns, type KeptHeaders, type Metadata, type ObjectRow } from '../store.ts'

/** A write as `storage.write_objects` reads it, but for its number and the place of its bytes. */
type WriteRow = {
  now: Date
  bucket: string
  key: string
  /** The id of the object, if the key has none yet, and that of its new version. */
  id: string
  version: string
  type: string
  size: number
  etag: string
  metadata: Metadata
  headers: KeptHeaders
  tags: Tags
  checksum: Checksum | null
  blobs: string[]
  keep: boolean
  keep_versions: boolean
  /** How many retained bytes, and pending uploads, become the content. */
  freed: number
  uploads: number
  only_if: string[] | null
  unless: string[] | null
  is_expected: boolean
  expected_id: string | null
  /** Of a new blob. */
  md5?: string
  piece_sums?: string | null
  /** Of a content that is shared. */
  source_id?: string
  source_version?: string
  source_bucket?: string
  source_key?: string
  source_is_version?: boolean
  audit_id: string
  action: string
  /** Why there is a new object, for its event. */
  reason: 'upload' | 'copy' | 'multipart' | 'restored'
  actor: string | null
  ip: string
  payload: AuditPayload
}

/** With the name of its key, that of the key whose content is shared, and the bytes of a new small blob. */
export type Write = { row: WriteRow; name: string; source: string | null; bytes: Buffer | null }

export type WrittenRow = {
  refusal: string | null
  previous_id: string | null
  created_at: string | null
  unversioned: boolean
}

/** What `storage.write_objects` is called with. */
export const asParameters = (writes: readonly Write[]) => {
  let at = 0
  const rows = writes.map(({ row, bytes }, n) => {
    const blob_at = bytes ? at : null
    at += bytes?.length ?? 0
    return { ...row, n, blob_at }
  })
  return {
    rows,
    /** Of all keys that are locked. */
    names: writes.flatMap(({ name, source }) => [name, ...(source === null ? [] : [source])]),
    bytes: Buffer.concat(writes.flatMap(({ bytes }) => bytes ?? [])),
  }
}

/** Stores contents of one organization, in the order of the writes. */
export const writeObjects = (q: Sql, orgId: string, writes: readonly Write[]) => {
  const { rows, names, bytes } = asParameters(writes)
  return q<WrittenRow[]>`
    select refusal, previous_id, created_at, unversioned
    from storage.write_objects(${orgId}, ${names}::text[], ${q.json(rows)}, ${bytes}) order by n`
}

export type MoveRow = {
  source_bucket: string
  source_key: string
  source_id: string
  source_version: string
  bucket: string
  key: string
  is_expected: boolean
  expected_id: string | null
  audit_id: string
  actor: string | null
  ip: string
  payload: AuditPayload
  now: Date
}

/** The object that has moved, or the reason why it has not, and the id of the object that was there. */
type MovedRow = ObjectRow & { refusal: string | null; replaced_id: string | null }

export const moveObject = (q: Sql, orgId: string, names: string[], move: MoveRow) =>
  one(q<MovedRow[]>`
    select refusal, replaced_id, ${columns(q)}
    from storage.move_object(${orgId}, ${names}::text[], ${q.json(move)}) moved left join lateral (select (moved.object).*) moved_object on true`)
