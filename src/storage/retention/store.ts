import type { Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'
import type { Tags } from '../tags/tags.ts'

export type Bucket = { id: string; orgId: string }

/** Longer than one portion takes, and short enough that what a process has left is soon continued. */
const claimSeconds = 120

const isFree = (q: Sql) => q`coalesce(sweeping_until < clock_timestamp(), true)`

/** Buckets that have rules, and to which these were not applied since; in the order of their ids. */
export const findUnswept = (q: Sql, since: Date, after: string, limit: number) => q<Bucket[]>`
  select id, org_id as "orgId" from storage.buckets
  where id > ${after} and coalesce(swept_at < ${since}, true) and ${isFree(q)} and lifecycle is distinct from '[]'
  order by id limit ${limit}`

/** Buckets whose sweep nobody continues: its process has ended. */
export const findInterrupted = (q: Sql) => q<Bucket[]>`
  select id, org_id as "orgId" from storage.buckets where sweep_id is not null and ${isFree(q)} order by id`

const claim = (q: Sql, sweepId: string) => q`
  sweep_id = ${sweepId}, sweeping_until = clock_timestamp() + make_interval(secs => ${claimSeconds}::int)`

/** Whether no other run has begun with this bucket. */
export const claimSweep = async (q: Sql, { id }: Bucket, sweepId: string, since: Date) =>
  (
    await q`
      update storage.buckets set ${claim(q, sweepId)}
      where id = ${id} and coalesce(swept_at < ${since}, true) and ${isFree(q)}`
  ).count === 1

/** Whether the bucket still is this run's; not, if its rules were replaced. */
export const keepSweep = async (q: Sql, { id }: Bucket, sweepId: string) =>
  (await q`update storage.buckets set ${claim(q, sweepId)} where id = ${id} and sweep_id = ${sweepId}`)
    .count === 1

/** Without a time, the next run begins with this bucket again. */
export const endSweep = (q: Sql, { id }: Bucket, sweepId: string, sweptAt: Date | null) => q`
  update storage.buckets set swept_at = ${sweptAt}, sweep_id = null, sweeping_until = null
  where id = ${id} and sweep_id = ${sweepId}`

export const findBucketsWithUploads = (q: Sql) => q<Bucket[]>`
  select distinct bucket_id as id, org_id as "orgId" from storage.uploads where status = 'pending'`

/** Where a portion ends: entries are read in the order of a time and their ids. */
export type Place = { at: string; id: string }

export const start: Place = { at: new Date(0).toISOString(), id: '00000000-0000-0000-0000-000000000000' }

export type Portion = { bucket: Bucket; after: Place; before: Date; limit: number }

type ContentRow = Place & { key: string; size: number; tags: Tags }

/** `id` is that of the object. */
export type LiveRow = ContentRow & { version: string; stored_at: string }

/** An object is never newer than its content, so that what was created later need not be read. */
export const findLive = (q: Sql, { bucket, after, before, limit }: Portion) => q<LiveRow[]>`
  select id, created_at as at, object_key as key, version_id as version, size_bytes as size, tags, stored_at
  from storage.objects
  where org_id = ${bucket.orgId} and bucket_id = ${bucket.id} and created_at <= ${before} and deleted_at is null
    and (created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)
  order by created_at, id limit ${limit}`

/** A content that was replaced or deleted at a time; `id` is that of its version. */
export type NoncurrentRow = ContentRow & { objectId: string; newer: number }

/** Counting newer ones is left out where no rule asks for it. */
const newer = (q: Sql, isCounted: boolean) =>
  isCounted ? q`storage.newer_noncurrent(o.bucket_id, o.object_key, c.position)` : q`0`

export const findReplaced = (q: Sql, { bucket, after, before, limit }: Portion, isCounted: boolean) => q<
  NoncurrentRow[]
>`
  select c.id, c.replaced_at as at, o.object_key as key, c.size_bytes as size, c.tags, c.object_id as "objectId",
    ${newer(q, isCounted)} as newer
  from (
    select * from storage.versions
    where bucket_id = ${bucket.id} and replaced_at <= ${before}
      and (replaced_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)
    order by replaced_at, id limit ${limit}) c
  join storage.objects o on o.id = c.object_id order by c.replaced_at, c.id`

/** Portions end with the id of an object here, which `objectId` is. */
export const findDeleted = (q: Sql, { bucket, after, before, limit }: Portion, isCounted: boolean) => q<
  NoncurrentRow[]
>`
  select c.version_id as id, c.deleted_at as at, c.object_key as key, c.size_bytes as size, c.tags, c.id as "objectId",
    ${newer(q, isCounted)} as newer
  from (
    select * from storage.objects
    where bucket_id = ${bucket.id} and deleted_at <= ${before}
      and (deleted_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)
    order by deleted_at, id limit ${limit}) c
  join storage.objects o on o.id = c.id order by c.deleted_at, c.id`

export type MarkerRow = Place & { key: string; above_at: string | null; is_last: boolean }

export const findMarkers = (q: Sql, { bucket, after, before, limit }: Portion) => q<MarkerRow[]>`
  select m.id, m.marked_at as at, m.object_key as key, a.above_at, a.is_last
  from (
    select * from storage.markers
    where bucket_id = ${bucket.id} and marked_at <= ${before}
      and (marked_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)
    order by marked_at, id limit ${limit}) m
  cross join lateral storage.around_marker(row(m.*)::storage.markers) a order by m.marked_at, m.id`

/** An entry as `storage.expire_entries` reads it. Without `object_id` it is a marker. */
export type ExpiredEntry = {
  id: string
  key: string
  object_id: string | null
  /** Of a content: how many newer ones there must be. */
  newer: number
  /** Of a marker: since when another entry is above it; null if none is, and none below it. */
  before: string | null
  audit_id: string
}

export const expireEntries = async (
  q: Sql,
  { id, orgId }: Bucket,
  { names, entries, now }: { names: string[]; entries: readonly ExpiredEntry[]; now: Date },
) => {
  const count = await value<number>(q`
    select storage.expire_entries(${orgId}, ${id}, ${names}::text[], ${q.json(entries)}, ${now}) as count`)
  return count
}
