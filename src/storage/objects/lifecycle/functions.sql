-- Marks the live objects of keys of one organization as deleted. A key occurs at most once among the deletions. In a bucket
-- that has, or has had, versions, each is hidden by a marker; with `marks` a marker is added even if there is no object, and
-- while versioning is suspended it replaces what the key has without versioning. Returns a row for each deletion, with the
-- object and the marker, or the reason why there is none: `object_not_found`, `precondition` or `object_quota`. What is there
-- can always be deleted, but a marker that hides nothing needs a place in the quota. This is checked for each alone and, under
-- the locks of `add_usage`, for all of them, which refuses the whole statement. Locks keys, blobs, audit counters, buckets
-- and the organization, in this order. For the settings see `write_objects`.
create or replace function storage.delete_objects(p_org uuid, p_names text[], p_deletions jsonb)
returns table (n int, refusal text, object storage.objects, marker_id uuid, unversioned boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_removed uuid[] := '{}';
  v_changes storage.usage_change[] := '{}';
  -- How many markers hide nothing.
  v_bare int := 0;
  v_suspended jsonb[] := '{}';
  v_deletion record;
begin
  perform storage.lock_names(p_names);

  for v_deletion in
    with decided as materialized (
      select d.*, o.id, b.has_had_versions, d.marks and not b.versioning_enabled as unversioned, case
        when o.id is null and not (d.marks and coalesce(b.has_had_versions, false)) then 'object_not_found'
        when o.id is null and d.only_if is not null or o.version_id <> d.version then 'precondition'
        when not (o.etag = any (d.only_if) or '*' = any (d.only_if)) then 'precondition'
        when o.etag = any (d.unless) or o.id is not null and '*' = any (d.unless) then 'precondition'
        -- Where versioning is suspended, something may go in return.
        when o.id is null and b.versioning_enabled and g.retained_objects >= g.object_quota then 'object_quota'
      end as refusal
      from jsonb_to_recordset(p_deletions) as d (
          n int, now timestamptz, bucket uuid, key text, version uuid, marker uuid, marks boolean, only_if text[], unless text[],
          audit_id uuid, actor uuid, ip text)
        join storage.organizations g on g.id = p_org
        left join storage.buckets b on b.org_id = p_org and b.id = d.bucket
        left join storage.objects o on o.bucket_id = d.bucket and left(o.object_key, 600) = left(d.key, 600)
          and o.object_key = d.key and o.deleted_at is null and o.org_id = p_org
    ), marked as (
      insert into storage.markers (id, org_id, bucket_id, object_key, unversioned, marked_at)
      select d.marker, p_org, d.bucket, d.key, d.unversioned, d.now
      from decided d where d.refusal is null and d.has_had_versions
    ), deleted as (
      update storage.objects o set deleted_at = d.now, updated_at = d.now,
        marker_id = case when d.has_had_versions then d.marker end
      from decided d where d.refusal is null and o.id = d.id
      returning o, d.n, d.now, d.bucket, d.key, d.audit_id, d.actor, d.ip
    ), audited as (
      insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload,
        created_at)
      select x.audit_id, p_org, 'object.deleted', 'object', (x.o).id::text, x.actor, x.ip, jsonb_build_object(
        'bucketId', x.bucket, 'objectKey', x.key, 'sizeBytes', (x.o).size_bytes), x.now
      from deleted x
      union all
      select audit_id, p_org, 'marker.added', 'marker', marker::text, actor, ip, jsonb_build_object(
        'bucketId', bucket, 'objectKey', key), now
      from decided where refusal is null and id is null
    ), happened as (
      insert into platform.events (service, owner, type, subject, data)
      select 'storage', p_org::text, 'object.deleted', 'object/' || (x.o).id, storage.object_json(x.o) from deleted x
    )
    select d.n, d.refusal, d.now, d.bucket, d.key, d.marker, d.unversioned, d.has_had_versions, x.o as object
    from decided d left join deleted x on x.n = d.n order by d.n
  loop
    n := v_deletion.n;
    refusal := v_deletion.refusal;
    object := v_deletion.object;
    marker_id := case when v_deletion.has_had_versions then v_deletion.marker end;
    unversioned := v_deletion.unversioned;
    return next;
    continue when refusal is not null;
    v_now := greatest(v_now, v_deletion.now);
    v_changes := v_changes || row(v_deletion.bucket, case when object.id is null then 0 else -1 end,
      -coalesce(object.size_bytes, 0), case when v_deletion.has_had_versions then 1 else 0 end, 0, 0)::storage.usage_change;
    if object.id is null then v_bare := v_bare + 1; end if;
    if v_deletion.unversioned and v_deletion.has_had_versions then
      v_suspended := v_suspended || jsonb_build_object('bucket', v_deletion.bucket, 'key', v_deletion.key,
        'marker', v_deletion.marker, 'now', v_deletion.now, 'bare', object.id is null);
    end if;
  end loop;

  if v_now is null then return; end if;
  for v_deletion in
    select s.bare, r.* from unnest(v_suspended) as item,
      jsonb_to_record(item) as s (bucket uuid, key text, marker uuid, now timestamptz, bare boolean),
      storage.replace_unversioned(s.bucket, s.key, s.marker, true, s.now) r
  loop
    v_removed := v_removed || v_deletion.blobs;
    v_changes := v_changes || v_deletion.change;
    if v_deletion.bare then v_bare := v_bare - 1; end if;
  end loop;
  if cardinality(v_removed) > 0 then perform storage.count_references('{}', v_removed, v_now); end if;
  perform storage.add_usage(p_org, v_changes, v_now, false, 0);
  if v_bare > 0 then
    perform from storage.organizations where id = p_org and retained_objects > object_quota;
    if found then perform storage.refuse('object_quota'); end if;
  end if;
end $$;
