import type { Sql } from '#platform/db/database.ts'

type Row = { subject: string; detail: string }

/** Invariants of objects and blobs. Each statement returns the violations. */
export const objectChecks: Record<string, (q: Sql) => Promise<readonly Row[]>> = {
  'bucket counters equal a recount': (q) => q<Row[]>`
    select b.id as subject, format(
      'counted %s objects, %s bytes live, %s kept with %s bytes; recounted %s, %s, %s with %s', b.object_count,
      b.total_size_bytes, b.retained_objects, b.retained_bytes, r.objects, r.live, r.kept, r.retained) as detail
    from storage.buckets b, lateral (
      select (select count(*) from storage.objects o where o.bucket_id = b.id and o.deleted_at is null) as objects,
        (select coalesce(sum(o.size_bytes), 0) from storage.objects o
          where o.bucket_id = b.id and o.deleted_at is null) as live,
        (select count(*) from storage.objects o where o.bucket_id = b.id)
          + (select count(*) from storage.versions v join storage.objects o on o.id = v.object_id
              where o.bucket_id = b.id)
          + (select count(*) from storage.markers m where m.bucket_id = b.id)
          + (select count(*) from storage.uploads u where u.bucket_id = b.id and u.status = 'pending') as kept,
        (select coalesce(sum(o.size_bytes), 0) from storage.objects o where o.bucket_id = b.id)
          + (select coalesce(sum(v.size_bytes), 0) from storage.versions v
              join storage.objects o on o.id = v.object_id where o.bucket_id = b.id)
          + (select coalesce(sum(p.size_bytes), 0) from storage.parts p
              join storage.uploads u on u.id = p.upload_id where u.bucket_id = b.id) as retained) r
    where (b.object_count, b.total_size_bytes, b.retained_objects, b.retained_bytes)
      is distinct from (r.objects, r.live, r.kept, r.retained)`,

  'storage used equals what the buckets keep': (q) => q<Row[]>`
    select o.id as subject, format(
      '%s bytes used, %s kept; %s objects counted, %s in buckets; %s retained, %s in buckets; %s pending uploads, %s there',
      o.storage_used_bytes, b.bytes, o.object_count, b.objects, o.retained_objects, b.kept, o.pending_uploads,
      u.pending) as detail
    from storage.organizations o, lateral (
      select coalesce(sum(retained_bytes), 0) as bytes, coalesce(sum(object_count), 0) as objects,
        coalesce(sum(retained_objects), 0) as kept
      from storage.buckets where org_id = o.id) b, lateral (
      select count(*) as pending from storage.uploads where org_id = o.id and status = 'pending') u
    where (o.storage_used_bytes, o.object_count, o.retained_objects, o.pending_uploads)
      <> (b.bytes, b.objects, b.kept, u.pending)`,

  'blobs are held as often as they say': (q) => q<Row[]>`
    with holders as (
      select unnest(blobs) as id from storage.objects
      union all select unnest(blobs) from storage.versions
      union all select blob_id from storage.parts),
    held as (select id, count(*) as times from holders group by id)
    select coalesce(b.id, h.id)::text as subject,
      case when b.id is null then 'held, but there is no such blob'
        else format('says %s, held %s times', b.refs, coalesce(h.times, 0)) end as detail
    from storage.blobs b full join held h on h.id = b.id
    where b.refs is distinct from coalesce(h.times, 0)`,

  'versions are in the bucket of their object': (q) => q<Row[]>`
    select v.id as subject, format('in %s, its object is in %s', v.bucket_id, o.bucket_id) as detail
    from storage.versions v join storage.objects o on o.id = v.object_id where v.bucket_id <> o.bucket_id`,

  'contents are as long as their blobs': (q) => q<Row[]>`
    select c.id::text as subject, format('%s bytes, its blobs have %s', c.size_bytes, s.bytes) as detail
    from (select version_id as id, size_bytes, blobs from storage.objects
      union all select id, size_bytes, blobs from storage.versions) c,
    lateral (select coalesce(sum(b.size_bytes), 0) as bytes from storage.blobs b where b.id = any(c.blobs)) s
    where c.size_bytes <> s.bytes`,
}
