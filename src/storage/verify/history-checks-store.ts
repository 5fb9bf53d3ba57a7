import type { Sql } from '#platform/db/database.ts'

type Row = { subject: string; detail: string }

/** All contents and markers in the histories of keys. An object that is deleted and has no marker is in none. */
const entries = (q: Sql) => q`
  select o.bucket_id, o.object_key, o.version_id as id, o.position, o.unversioned, o.deleted_at is null as is_live
  from storage.objects o where o.deleted_at is null or o.marker_id is not null
  union all
  select o.bucket_id, o.object_key, v.id, v.position, v.unversioned, false
  from storage.versions v join storage.objects o on o.id = v.object_id
  where o.deleted_at is null or o.marker_id is not null
  union all
  select bucket_id, object_key, id, position, unversioned, false from storage.markers`

/** Invariants of the histories of keys. Each statement returns the violations. */
export const historyChecks: Record<string, (q: Sql) => Promise<readonly Row[]>> = {
  'a marker that hides an object is of its key, and newer': (q) => q<Row[]>`
    select 'object/' || o.id as subject, case when m.id is null then 'its marker is not there'
      else format('is hidden by a marker of %L at %s, and is at %s', m.object_key, m.position, o.position) end as detail
    from storage.objects o left join storage.markers m on m.id = o.marker_id
    where o.marker_id is not null
      and (m.id is null or (m.bucket_id, m.object_key) <> (o.bucket_id, o.object_key) or m.position < o.position)`,

  'a marker hides at most one object': (q) => q<Row[]>`
    select 'marker/' || marker_id as subject, format('hides %s objects', count(*)) as detail
    from storage.objects where marker_id is not null group by marker_id having count(*) > 1`,

  'the live object of a key is its newest entry': (q) => q<Row[]>`
    select format('%L of %s', object_key, bucket_id) as subject, 'something is newer than its live object' as detail
    from (${entries(q)}) e group by bucket_id, object_key
    having max(position) filter (where is_live) < max(position)`,

  'the contents of an object are older than its current one': (q) => q<Row[]>`
    select 'object/' || o.id as subject, format('version %s is at %s, the current one at %s', v.id, v.position, o.position)
      as detail
    from storage.objects o join storage.versions v on v.object_id = o.id where v.position >= o.position`,

  'a key has one entry without versioning': (q) => q<Row[]>`
    select format('%L of %s', object_key, bucket_id) as subject, format('%s entries', count(*)) as detail
    from (${entries(q)}) e where unversioned group by bucket_id, object_key having count(*) > 1`,
}
