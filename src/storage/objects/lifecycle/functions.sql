-- Marks the live objects of keys of one organization as deleted. A key occurs at most once among the deletions. Returns a
-- row for each deletion, with the object or the reason why there is none: `object_not_found` or `precondition`. Locks keys,
-- audit counters, buckets and the organization, in this order. For the settings see `write_objects`.
create or replace function storage.delete_objects(p_org uuid, p_names text[], p_deletions jsonb)
returns table (n int, refusal text, object storage.objects)
language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
as $$
#variable_conflict use_column
declare
  v_buckets uuid[] := '{}';
  v_sizes bigint[] := '{}';
  v_deletion record;
begin
  perform storage.lock_names(p_names);

  for v_deletion in
    with decided as materialized (
      select d.*, o.id, case
        when o.id is null then 'object_not_found'
        when not (o.etag = any (d.only_if) or '*' = any (d.only_if)) then 'precondition'
        when o.etag = any (d.unless) or '*' = any (d.unless) then 'precondition'
      end as refusal
      from jsonb_to_recordset(p_deletions) as d (
          n int, now timestamptz, bucket uuid, key text, only_if text[], unless text[],
          audit_id uuid, actor uuid, ip text)
        left join storage.objects o on o.bucket_id = d.bucket and left(o.object_key, 600) = left(d.key, 600)
          and o.object_key = d.key and o.deleted_at is null and o.org_id = p_org
    ), deleted as (
      update storage.objects o set deleted_at = d.now, updated_at = d.now
      from decided d where d.refusal is null and o.id = d.id
      returning o
    ), audited as (
      insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload,
        created_at)
      select d.audit_id, p_org, 'object.deleted', 'object', d.id::text, d.actor, d.ip, jsonb_build_object(
        'bucketId', d.bucket, 'objectKey', d.key, 'sizeBytes', (x.o).size_bytes), d.now
      from deleted x join decided d on d.id = (x.o).id
    ), happened as (
      insert into platform.events (service, owner, type, subject, data)
      select 'storage', p_org::text, 'object.deleted', 'object/' || (x.o).id, storage.object_json(x.o) from deleted x
    )
    select d.n, d.refusal, x.o as object from decided d left join deleted x on (x.o).id = d.id order by d.n
  loop
    n := v_deletion.n;
    refusal := v_deletion.refusal;
    object := v_deletion.object;
    return next;
    continue when refusal is not null;
    v_buckets := v_buckets || object.bucket_id;
    v_sizes := v_sizes || object.size_bytes;
  end loop;

  if cardinality(v_buckets) = 0 then return; end if;
  perform storage.add_usage(p_org, v_buckets, array_fill(-1::bigint, array[cardinality(v_buckets)]),
    array(select -size from unnest(v_sizes) with ordinality as s (size, position) order by position),
    array_fill(0::bigint, array[cardinality(v_buckets)]), false, null);
end $$;
