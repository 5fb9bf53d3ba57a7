-- Marks the live objects of keys of one organization as deleted. A key occurs at most once among the deletions. In a bucket
-- that has, or has had, versions, each is hidden by a marker; with `marks` a marker is added even if there is no object, and
-- while versioning is suspended it replaces what the key has without versioning. Returns a row for each deletion, with the
-- object and the marker, or the reason why there is none: `object_not_found`, `precondition` or `object_quota`. What is there
-- can always be deleted, but a marker that hides nothing needs a place in the quota. This is checked for each alone and, under
-- the locks of `add_usage`, for all of them, which refuses the whole statement. Locks keys, blobs, audit counters, buckets
-- and the organization, in this order.
create or replace function storage.delete_objects(p_org uuid, p_names text[], p_deletions jsonb)
returns table (n int, refusal text, object storage.objects, marker_id uuid, unversioned boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_deletions storage.decided_deletion[];
begin
  perform storage.lock_names(p_names);
  v_deletions := array(select x from storage.decide_deletions(p_org, p_deletions) x order by (x.d).n);
  return query
    select (x.d).n, x.refusal, gone.object, case when x.has_had_versions then (x.d).marker end, x.unversioned
    from unnest(v_deletions) x left join storage.store_deletions(p_org, v_deletions) gone on gone.n = (x.d).n;
  perform storage.signal_object((x.d).bucket, (x.d).key) from unnest(v_deletions) x
  where x.refusal is null and x.id is not null;
  perform storage.count_deletions(p_org, v_deletions);
end $$;

-- Decides about deletions whose keys are locked.
create or replace function storage.decide_deletions(p_org uuid, p_deletions jsonb)
returns setof storage.decided_deletion
language plpgsql as $$
begin
  return query
    select d, case
      when o.id is null and not (d.marks and coalesce(b.has_had_versions, false)) then 'object_not_found'
      when o.id is null and d.only_if is not null or o.version_id <> d.version then 'precondition'
      when not (o.etag = any (d.only_if) or '*' = any (d.only_if)) then 'precondition'
      when o.etag = any (d.unless) or o.id is not null and '*' = any (d.unless) then 'precondition'
      -- Where versioning is suspended, something may go in return.
      when o.id is null and b.versioning_enabled and g.retained_objects >= g.object_quota then 'object_quota'
    end, o.id, o.size_bytes::bigint, b.has_had_versions, d.marks and not b.versioning_enabled
    from jsonb_populate_recordset(null::storage.object_deletion, p_deletions) d
      join storage.organizations g on g.id = p_org
      left join storage.buckets b on b.org_id = p_org and b.id = d.bucket
      left join storage.objects o on o.bucket_id = d.bucket and left(o.object_key, 600) = left(d.key, 600)
        and o.object_key = d.key and o.deleted_at is null and o.org_id = p_org;
end $$;

-- Deletes and marks what was not refused, and returns the objects.
create or replace function storage.store_deletions(p_org uuid, p_deletions storage.decided_deletion[])
returns table (n int, object storage.objects)
language plpgsql as $$
#variable_conflict use_column
begin
  return query with accepted as materialized (
    select (x.d).*, x.id, x.has_had_versions, x.unversioned from unnest(p_deletions) x where x.refusal is null
  ), marked as (
    insert into storage.markers (id, org_id, bucket_id, object_key, unversioned, marked_at)
    select marker, p_org, bucket, key, unversioned, now from accepted where has_had_versions
  ), deleted as (
    update storage.objects o set deleted_at = a.now, updated_at = a.now,
      marker_id = case when a.has_had_versions then a.marker end
    from accepted a where o.id = a.id
    returning o, a.n, a.now, a.bucket, a.key, a.audit_id, a.actor, a.ip
  ), audited as (
    insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload,
      created_at)
    select x.audit_id, p_org, 'object.deleted', 'object', (x.o).id::text, x.actor, x.ip, jsonb_build_object(
      'bucketId', x.bucket, 'objectKey', x.key, 'sizeBytes', (x.o).size_bytes), x.now
    from deleted x
    union all
    select audit_id, p_org, 'marker.added', 'marker', marker::text, actor, ip, jsonb_build_object(
      'bucketId', bucket, 'objectKey', key), now
    from accepted where id is null
  ), happened as (
    insert into platform.events (service, owner, type, subject, data)
    select 'storage', p_org::text, 'object.deleted', 'object/' || (x.o).id, storage.object_json(x.o) from deleted x
  )
  select x.n, x.o from deleted x;
end $$;

-- Counts what was deleted, the markers, and what these have replaced.
create or replace function storage.count_deletions(p_org uuid, p_deletions storage.decided_deletion[]) returns void
language plpgsql as $$
declare
  x storage.decided_deletion;
  v_gone record;
  v_now timestamptz;
  v_removed uuid[] := '{}';
  v_changes storage.usage_change[] := '{}';
  -- How many markers hide nothing.
  v_bare int := 0;
begin
  foreach x in array p_deletions loop
    continue when x.refusal is not null;
    v_now := greatest(v_now, (x.d).now);
    v_changes := v_changes || row((x.d).bucket, case when x.id is null then 0 else -1 end, -coalesce(x.size, 0),
      case when x.has_had_versions then 1 else 0 end, 0, 0)::storage.usage_change;
    if x.id is null then v_bare := v_bare + 1; end if;
  end loop;
  if v_now is null then return; end if;

  for v_gone in
    select s.id is null as is_bare, r.* from unnest(p_deletions) s,
      storage.replace_unversioned((s.d).bucket, (s.d).key, (s.d).marker, true, (s.d).now) r
    where s.refusal is null and s.unversioned and s.has_had_versions
  loop
    v_removed := v_removed || v_gone.blobs;
    v_changes := v_changes || v_gone.change;
    if v_gone.is_bare then v_bare := v_bare - 1; end if;
  end loop;
  if cardinality(v_removed) > 0 then perform storage.count_references('{}', v_removed, v_now); end if;
  perform storage.add_usage(p_org, v_changes, v_now, false, 0);
  if v_bare > 0 then
    perform from storage.organizations where id = p_org and retained_objects > object_quota;
    if found then perform platform.refuse('object_quota'); end if;
  end if;
end $$;
