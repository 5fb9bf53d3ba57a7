-- How many contents of a key were replaced or deleted after the one at this position.
create or replace function storage.newer_noncurrent(p_bucket uuid, p_key text, p_position bigint) returns bigint
language sql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
  with held as materialized (
    select id, position, deleted_at from storage.objects
    where bucket_id = p_bucket and left(object_key, 600) = left(p_key, 600) and object_key = p_key and deleted_at is null
    union all
    select id, position, deleted_at from storage.objects
    where bucket_id = p_bucket and left(object_key, 600) = left(p_key, 600) and object_key = p_key
      and deleted_at is not null)
  select (select count(*) from held where deleted_at is not null and position > p_position)
    + (select count(*) from held h join storage.versions v on v.object_id = h.id where v.position > p_position)
$$;

-- What lies around a marker in the history of its key: when the entry above it was added, null if it lies on top, and
-- whether nothing lies below it.
create or replace function storage.around_marker(m storage.markers)
returns table (above_at timestamptz, is_last boolean)
language sql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
  with held as materialized (
    select id, position, stored_at from storage.objects
    where bucket_id = m.bucket_id and left(object_key, 600) = left(m.object_key, 600) and object_key = m.object_key
      and deleted_at is null
    union all
    select id, position, stored_at from storage.objects
    where bucket_id = m.bucket_id and left(object_key, 600) = left(m.object_key, 600) and object_key = m.object_key
      and deleted_at is not null and marker_id is not null),
  entries as materialized (
    select position, stored_at as at from held
    union all
    select v.position, v.stored_at from held h join storage.versions v on v.object_id = h.id
    union all
    select position, marked_at from storage.markers
    where bucket_id = m.bucket_id and left(object_key, 600) = left(m.object_key, 600) and object_key = m.object_key)
  select (select at from entries where position > m.position order by position limit 1),
    not exists (select from entries where position < m.position)
$$;

-- Removes for good what the rules of a bucket do not keep any longer: contents that were replaced or deleted, and markers.
-- Nothing happens to an entry that is not where it was found, that was recovered, or that the rules keep by now: contents
-- with fewer than `newer` newer ones, markers that are not on top since `before`, or without it, have something below
-- them. Returns how many were removed. Locks as `write_objects` does.
create or replace function storage.expire_entries(p_org uuid, p_bucket uuid, p_names text[], p_entries jsonb,
  p_now timestamptz)
returns int language plpgsql as $$
#variable_conflict use_column
declare
  e record;
  m storage.markers;
  o storage.objects;
  c record;
  v_position bigint;
  v_is_current boolean;
  v_removed uuid[] := '{}';
  v_changes storage.usage_change[] := '{}';
begin
  perform storage.lock_names(p_names);
  -- A bucket is deleted with everything in it, and without locking the keys.
  perform from storage.buckets where org_id = p_org and id = p_bucket for key share;
  if not found then return 0; end if;

  for e in
    select * from jsonb_to_recordset(p_entries) as e (
      id uuid, key text, object_id uuid, newer int, before timestamptz, audit_id uuid)
  loop
    if e.object_id is null then
      select * into m from storage.markers where id = e.id and bucket_id = p_bucket and object_key = e.key;
      continue when not found;
      select * into c from storage.around_marker(m);
      continue when not coalesce(c.above_at <= e.before, e.before is null and c.above_at is null and c.is_last);
      select * into c from storage.remove_marker(m.id, p_now);
      insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, ip_address, payload, created_at)
      values (e.audit_id, p_org, 'marker.removed', 'marker', m.id, '',
        jsonb_build_object('bucketId', p_bucket, 'objectKey', e.key), p_now);
    else
      select * into o from storage.objects
      where id = e.object_id and bucket_id = p_bucket and object_key = e.key for update;
      continue when not found;
      v_is_current := o.version_id = e.id;
      continue when v_is_current and o.deleted_at is null;
      v_position := case when v_is_current then o.position
        else (select position from storage.versions where id = e.id and object_id = o.id) end;
      continue when v_position is null;
      continue when e.newer > 0 and storage.newer_noncurrent(p_bucket, e.key, v_position) < e.newer;
      select * into c from storage.remove_content(o.id, e.id, p_now);
      v_is_current := v_is_current and not exists (select from storage.objects where id = o.id);
      insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, ip_address, payload, created_at)
      values (e.audit_id, p_org, case when v_is_current then 'object.purged' else 'version.purged' end, 'object',
        case when v_is_current then o.id else e.id end, '',
        jsonb_build_object('bucketId', p_bucket, 'objectKey', e.key, 'retainedBytes', -(c.change).retained_bytes), p_now);
      v_removed := v_removed || c.blobs;
    end if;
    v_changes := v_changes || c.change;
  end loop;

  if cardinality(v_removed) > 0 then perform storage.count_references('{}', v_removed, p_now); end if;
  if cardinality(v_changes) > 0 then perform storage.add_usage(p_org, v_changes, p_now, false, 0); end if;
  return cardinality(v_changes);
end $$;
