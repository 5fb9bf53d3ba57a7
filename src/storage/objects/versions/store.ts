import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { ObjectRef } from '../key.ts'
import { type Filter, inOrder, matches, startingAt } from '../list/store.ts'
import { isKey, type VersionId } from '../store.ts'

/** An entry in the history of a key. */
type EntryRow = {
  /** Of a content, its version id. */
  id: string
  is_marker: boolean
  unversioned: boolean
  /** When it was added. */
  at: string
  /** Later entries of a key have greater positions. */
  position: number
}

export type FoundEntry = EntryRow & {
  /** The object that has the content, or that the marker hides. */
  object_id: string | null
  content_type: string | null
  size_bytes: number | null
  etag: string | null
}

/** `n` is the place in the question of what was found. Null is what was added without versioning. */
export const findEntries = (
  q: Sql,
  bucketId: string,
  asked: readonly { key: string; versionId: VersionId }[],
) => q<(FoundEntry & { n: number })[]>`
  select asked.n - 1 as n, found.* from unnest(${asked.map(({ key }) => key)}::text[],
    ${asked.map(({ versionId }) => versionId)}::uuid[]) with ordinality as asked (key, id, n)
  cross join lateral storage.find_entry(${bucketId}, asked.key, asked.id) found
  where found.unversioned = (asked.id is null)`

export const findLastMarker = (q: Sql, ref: ObjectRef) =>
  maybeOne(q<Pick<EntryRow, 'id' | 'unversioned' | 'at'>[]>`
    select id, unversioned, marked_at as at from storage.markers where ${isKey(q, ref)}
    order by position desc limit 1`)

/** A deletion as `storage.delete_versions` reads it, but for its number. */
export type VersionDeletion = {
  now: Date
  bucket: string
  key: string
  version: string
  only_if: string[] | null
  is_expected: boolean
  expected_id: string | null
  audit_id: string
  actor: string | null
  ip: string
}

/** Removes entries for good, in the order of the rows. */
export const deleteVersions = (
  q: Sql,
  orgId: string,
  { names, rows }: { names: string[]; rows: readonly VersionDeletion[] },
) => q<{ refusal: string | null }[]>`
  select refusal
  from storage.delete_versions(${orgId}, ${names}::text[], ${q.json(rows.map((row, n) => ({ ...row, n })))})
  order by n`

/**
 * The next keys that have a history, in order. A key with many markers takes the place of others here, but never of so many
 * that the entries of all these keys would not fill the page.
 */
export const listKeys = (q: Sql, f: Filter, limit: number) => {
  const those = (from: Fragment, state: Fragment) => q`
    (select object_key from ${from} where ${matches(q, f)} ${startingAt(q, f.startAt)} ${state}
      ${inOrder(q)} limit ${limit})`
  return q<{ object_key: string }[]>`
    select object_key from (
      ${those(q`storage.objects`, q`and deleted_at is null`)} union ${those(q`storage.markers`, q``)}) keys
    order by object_key limit ${limit}`
}

export type ListedEntry = EntryRow & {
  object_key: string
  is_latest: boolean
  size_bytes: number | null
  etag: string | null
}

/** The histories of keys, newest first; of the first key, entries below a position only. Looks up key by key. */
export const listEntries = (
  q: Sql,
  bucketId: string,
  keys: readonly string[],
  { below, limit }: { below: number | null; limit: number },
) => {
  const ofKey = q`bucket_id = ${bucketId} and left(object_key, 600) = left(asked.key, 600) and object_key = asked.key`
  const held = (columns: Fragment) => q`
    select ${columns} from storage.objects where ${ofKey} and deleted_at is null
    union all
    select ${columns} from storage.objects where ${ofKey} and deleted_at is not null and marker_id is not null`
  return q<ListedEntry[]>`
    select asked.key as object_key, entry.*, entry.position = latest.position as is_latest
    from (
      select key, n, case when n = 1 then ${below}::int8 end as below
      from unnest(${keys}::text[]) with ordinality as asked (key, n)) asked
    cross join lateral (select coalesce(
      (select position from storage.objects where ${ofKey} and deleted_at is null),
      (select max(position) from storage.markers where ${ofKey})) as position) latest
    cross join lateral (
      select * from (
        ${held(q`version_id as id, false as is_marker, unversioned, stored_at as at, position, size_bytes, etag`)}
        union all
        select v.* from (${held(q`id`)}) held cross join lateral (
          select id, false, unversioned, stored_at, position, size_bytes, etag from storage.versions
          where object_id = held.id and (asked.below is null or position < asked.below)
          order by position desc limit ${limit}) v
        union all
        select * from (
          select id, true, unversioned, marked_at, position, null::int8, null::text from storage.markers
          where ${ofKey} and (asked.below is null or position < asked.below)
          order by position desc limit ${limit}) m) entries
      where asked.below is null or position < asked.below order by position desc limit ${limit}) entry
    order by asked.n, entry.position desc limit ${limit}`
}
