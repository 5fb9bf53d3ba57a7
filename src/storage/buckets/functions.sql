-- Adds what a statement has changed to the counters of an organization and of its buckets. Call it last: from here on, all
-- writers of the organization wait for the commit. Locks the buckets in the order of their ids, and the organization after
-- them. `p_checked`: refuses a change that exceeds a quota or comes after the end of the plan. What does not grow exceeds
-- nothing. `p_uploaded`: the bytes that were received.
create or replace function storage.add_usage(p_org uuid, p_changes storage.usage_change[], p_now timestamptz,
  p_checked boolean, p_uploaded bigint)
returns void language plpgsql as $$
declare
  v_change record;
  v_after record;
  v_is_over boolean;
  v_is_bucket_over boolean := false;
  v_sum storage.usage_change := (null, 0, 0, 0, 0, 0);
  v_today date := (p_now at time zone 'UTC')::date;
begin
  for v_change in
    select bucket, sum(objects) as objects, sum(live) as live, sum(retained_objects) as retained_objects,
      sum(retained_bytes) as retained_bytes, sum(uploads) as uploads
    from unnest(p_changes) group by bucket order by bucket
  loop
    update storage.buckets set object_count = object_count + v_change.objects,
      total_size_bytes = total_size_bytes + v_change.live,
      retained_objects = retained_objects + v_change.retained_objects,
      retained_bytes = retained_bytes + v_change.retained_bytes
    where org_id = p_org and id = v_change.bucket
    returning v_change.retained_bytes > 0 and coalesce(retained_bytes > storage_quota_bytes, false) into v_is_over;
    if not found and p_checked then perform platform.refuse('bucket_not_found'); end if;
    v_is_bucket_over := v_is_bucket_over or coalesce(v_is_over, false);
    v_sum.objects := v_sum.objects + v_change.objects;
    v_sum.retained_objects := v_sum.retained_objects + v_change.retained_objects;
    v_sum.retained_bytes := v_sum.retained_bytes + v_change.retained_bytes;
    v_sum.uploads := v_sum.uploads + v_change.uploads;
  end loop;
  update storage.organizations set storage_used_bytes = storage_used_bytes + v_sum.retained_bytes,
    retained_objects = retained_objects + v_sum.retained_objects,
    pending_uploads = pending_uploads + v_sum.uploads,
    object_count = object_count + v_sum.objects, usage_day = greatest(usage_day, v_today),
    day_uploaded_bytes = p_uploaded + case when usage_day < v_today then 0 else day_uploaded_bytes end,
    day_downloaded_bytes = case when usage_day < v_today then 0 else day_downloaded_bytes end
  where id = p_org
  returning storage_used_bytes > storage_quota_bytes as is_over, retained_objects > object_quota as has_too_many,
    pending_uploads > 10000 as has_too_many_uploads, plan_expires_at <= p_now as is_expired into v_after;
  if not p_checked then return; end if;
  if v_after.is_expired then perform platform.refuse('plan_expired'); end if;
  if v_sum.retained_bytes > 0 and v_after.is_over then perform platform.refuse('organization_quota'); end if;
  if v_is_bucket_over then perform platform.refuse('bucket_quota'); end if;
  if v_sum.retained_objects > 0 and v_after.has_too_many then perform platform.refuse('object_quota'); end if;
  if v_sum.uploads > 0 and v_after.has_too_many_uploads then perform platform.refuse('too_many_uploads'); end if;
end $$;

-- Writes down what happens to buckets and their policies, with the bucket as `GET /buckets/{id}` returns it. The
-- policy is kept too: that of a deleted bucket still decides who may read what happened in it before.
create or replace function storage.add_bucket_event() returns trigger language plpgsql as $$
declare
  b storage.buckets := coalesce(new, old);
begin
  insert into platform.events (service, owner, type, subject, data)
  values ('storage', b.org_id::text, tg_argv[0], 'bucket/' || b.id, case tg_argv[0]
    when 'policy.updated' then json_build_object('bucket_id', b.id, 'statements', b.policy)
    else json_build_object('id', b.id, 'name', b.name, 'visibility', b.visibility,
      'versioning_enabled', b.versioning_enabled, 'region', b.region, 'storage_quota_bytes', b.storage_quota_bytes,
      'object_count', b.object_count, 'total_size_bytes', b.total_size_bytes,
      'created_at', platform.iso_time(b.created_at), 'policy', b.policy)
  end);
  return null;
end $$;
create or replace trigger bucket_created after insert on storage.buckets
  for each row execute function storage.add_bucket_event('bucket.created');
create or replace trigger bucket_deleted after delete on storage.buckets
  for each row execute function storage.add_bucket_event('bucket.deleted');
create or replace trigger bucket_updated after update of name, visibility, versioning_enabled, region, storage_quota_bytes,
  lifecycle on storage.buckets
  for each row when (
    (old.name, old.visibility, old.versioning_enabled, old.region, old.storage_quota_bytes, old.lifecycle) is distinct from
    (new.name, new.visibility, new.versioning_enabled, new.region, new.storage_quota_bytes, new.lifecycle))
  execute function storage.add_bucket_event('bucket.updated');
create or replace trigger policy_updated after update of policy on storage.buckets
  for each row when (old.policy is distinct from new.policy)
  execute function storage.add_bucket_event('policy.updated');
