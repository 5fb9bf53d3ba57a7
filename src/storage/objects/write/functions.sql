-- Stores contents under keys of one organization: objects, versions, blobs, references, audit rows, events and counters, in
-- one statement. A key occurs at most once among the writes. Returns a row for each write; one that is refused changes nothing:
--   bucket_not_found, plan_expired, organization_quota, bucket_quota, object_quota
--   nothing_to_match   there is no object, and `only_if` wants one
--   precondition       the object that is there does not satisfy `only_if` or `unless`, lists of entity tags
--   object_changed     the object that is there is not `expected_id`, on which the policy was evaluated
--   source_changed     the content to be copied is not there any more
-- The quotas are checked twice: here for each write alone, so that one that cannot fit does not affect the others, and by
-- `add_usage` for all of them under its locks, which refuses the whole statement.
--
-- `p_names` are the names of all keys, sources included. Locks are taken in the order keys, blobs, audit counters, buckets,
-- organization. Whoever changes which object a key refers to holds the lock of the key, so the objects themselves need
-- no lock here. `p_bytes` are the bytes of all small blobs, one after the other.
--
-- Where versioning is suspended, what was stored without versioning before goes if `keep_versions`, whose writes then keep
-- what was stored with versioning; other writes replace the current content, whichever it is.
--
-- Decides about all of them, stores what is not refused, then counts it.
create or replace function storage.write_objects(p_org uuid, p_names text[], p_writes jsonb, p_bytes bytea)
returns table (n int, refusal text, previous_id uuid, created_at timestamptz, unversioned boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  v_writes storage.decided_write[];
begin
  perform storage.lock_names(p_names);
  v_writes := array(select d from storage.decide_writes(p_org, p_writes) d order by (d.w).n);
  perform storage.store_writes(p_org, v_writes, p_bytes);
  perform storage.signal_object((d.w).bucket, (d.w).key) from unnest(v_writes) d
  where d.refusal is null and d.previous_id is not null;
  perform storage.count_writes(p_org, v_writes);
  return query
    select (d.w).n, d.refusal, d.previous_id, d.previous_created_at, not d.versioning_enabled from unnest(v_writes) d;
end $$;

-- Decides about writes whose keys are locked.
create or replace function storage.decide_writes(p_org uuid, p_writes jsonb) returns setof storage.decided_write
language plpgsql as $$
begin
  return query with known as materialized (
    select w, b.id is not null as has_bucket, o.id as previous_id, o.size_bytes as previous_size, o.blobs as previous_blobs,
      o.etag as previous_etag, o.created_at as previous_created_at, b.versioning_enabled, b.has_had_versions, k.keeps,
      w.size - w.freed - case when o.id is null or k.keeps then 0 else o.size_bytes end as growth,
      case when o.id is null or k.keeps then 1 else 0 end - w.uploads as more,
      g.plan_expires_at, g.storage_quota_bytes - g.storage_used_bytes as room,
      g.object_quota - g.retained_objects as places,
      b.storage_quota_bytes - b.retained_bytes as bucket_room
    from jsonb_populate_recordset(null::storage.object_write, p_writes) w
      join storage.organizations g on g.id = p_org
      left join storage.buckets b on b.org_id = p_org and b.id = w.bucket
      left join storage.objects o on o.bucket_id = w.bucket and left(o.object_key, 600) = left(w.key, 600)
        and o.object_key = w.key and o.deleted_at is null
      cross join lateral (
        select w.keep or b.versioning_enabled or w.keep_versions and not o.unversioned as keeps) k
  )
  select k.w, case
    when not k.has_bucket then 'bucket_not_found'
    when (k.w).source_id is not null and not exists (
      select from storage.objects s
      where s.id = (k.w).source_id and s.bucket_id = (k.w).source_bucket and s.object_key = (k.w).source_key
        and (s.version_id = (k.w).source_version and s.deleted_at is null or (k.w).source_is_version and (
          s.version_id = (k.w).source_version or exists (
            select from storage.versions v where v.id = (k.w).source_version and v.object_id = s.id)))
    ) then 'source_changed'
    when (k.w).is_expected and k.previous_id is distinct from (k.w).expected_id then 'object_changed'
    when k.previous_id is null and (k.w).only_if is not null then 'nothing_to_match'
    when not (k.previous_etag = any ((k.w).only_if) or '*' = any ((k.w).only_if)) then 'precondition'
    when k.previous_etag = any ((k.w).unless) or k.previous_id is not null and '*' = any ((k.w).unless) then 'precondition'
    when k.plan_expires_at <= (k.w).now then 'plan_expired'
    when k.growth > 0 and k.growth > k.room then 'organization_quota'
    when k.growth > 0 and k.growth > k.bucket_room then 'bucket_quota'
    -- Where versioning is suspended, something may go in return.
    when k.more > 0 and k.more > k.places and (k.versioning_enabled or not k.has_had_versions) then 'object_quota'
  end, k.previous_id, k.previous_size::bigint, k.previous_blobs, k.previous_created_at, k.versioning_enabled,
    k.has_had_versions, k.keeps, k.growth::bigint, k.more
  from known k;
end $$;

-- Stores what was not refused: objects, versions, small blobs, audit rows and events.
create or replace function storage.store_writes(p_org uuid, p_writes storage.decided_write[], p_bytes bytea) returns void
language plpgsql as $$
begin
  with accepted as materialized (
    select (d.w).*, d.previous_id, d.previous_created_at, d.versioning_enabled, d.keeps
    from unnest(p_writes) d where d.refusal is null
  ), stored as (
    insert into storage.blobs (id, org_id, size_bytes, md5, data, piece_sums, created_at)
    select blobs[1], p_org, size, decode(md5, 'hex'), substring(p_bytes from blob_at + 1 for size::int),
      decode(piece_sums, 'hex'), now
    from accepted where md5 is not null
  ), kept as (
    insert into storage.versions (id, org_id, bucket_id, object_id, position, unversioned, content_type, size_bytes, etag,
      metadata, headers, tags, checksum, blobs, stored_at, replaced_at)
    select o.version_id, o.org_id, o.bucket_id, o.id, o.position, o.unversioned and a.versioning_enabled, o.content_type,
      o.size_bytes, o.etag, o.metadata, o.headers, o.tags, o.checksum, o.blobs, o.stored_at, a.now
    from accepted a join storage.objects o on o.id = a.previous_id where a.keeps
  ), replaced as (
    update storage.objects o set version_id = a.version, position = nextval('storage.positions'),
      unversioned = not a.versioning_enabled, content_type = a.type, size_bytes = a.size, etag = a.etag,
      metadata = a.metadata, headers = a.headers, tags = a.tags, checksum = a.checksum, blobs = a.blobs,
      stored_at = a.now, updated_at = a.now
    from accepted a where o.id = a.previous_id
  ), created as (
    insert into storage.objects (id, org_id, bucket_id, object_key, version_id, unversioned, content_type, size_bytes,
      etag, metadata, headers, tags, checksum, blobs, stored_at, created_at, updated_at)
    select id, p_org, bucket, key, version, not versioning_enabled, type, size, etag, metadata, headers, tags, checksum,
      blobs, now, now, now
    from accepted where previous_id is null
  ), audited as (
    insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload,
      created_at)
    select audit_id, p_org, action, 'object', coalesce(previous_id, id)::text, actor, ip, payload, now from accepted
  )
  insert into platform.events (service, owner, type, subject, data)
  select 'storage', p_org::text, case when previous_id is null then 'object.created' else 'object.updated' end,
    'object/' || coalesce(previous_id, id), json_build_object('id', coalesce(previous_id, id), 'bucket_id', bucket,
      'object_key', key, 'content_type', type, 'size_bytes', size, 'etag', etag, 'is_deleted', false,
      'created_at', platform.iso_time(coalesce(previous_created_at, now)), 'updated_at', platform.iso_time(now),
      'metadata', metadata, 'reason', case when previous_id is null or reason = 'restored' then reason
        else 'overwritten' end)
  from accepted order by n;
end $$;

-- Counts what was stored, and what has gone in return: references to blobs, and the usage, under whose locks the quotas hold.
create or replace function storage.count_writes(p_org uuid, p_writes storage.decided_write[]) returns void
language plpgsql as $$
declare
  d storage.decided_write;
  v_gone record;
  v_now timestamptz;
  v_added uuid[] := '{}';
  v_removed uuid[] := '{}';
  v_changes storage.usage_change[] := '{}';
  v_uploaded bigint := 0;
begin
  foreach d in array p_writes loop
    continue when d.refusal is not null;
    v_now := greatest(v_now, (d.w).now);
    if (d.w).source_id is not null then v_added := v_added || (d.w).blobs; end if;
    if d.previous_id is not null and not d.keeps then v_removed := v_removed || d.previous_blobs; end if;
    v_changes := v_changes || row((d.w).bucket, case when d.previous_id is null then 1 else 0 end,
      (d.w).size - coalesce(d.previous_size, 0), d.more, d.growth, -(d.w).uploads)::storage.usage_change;
    if (d.w).md5 is not null then v_uploaded := v_uploaded + (d.w).size; end if;
  end loop;
  if v_now is null then return; end if;

  for v_gone in
    select r.* from unnest(p_writes) s,
      storage.replace_unversioned((s.w).bucket, (s.w).key, (s.w).version, (s.w).keep_versions, (s.w).now) r
    where s.refusal is null and s.has_had_versions and not s.versioning_enabled
  loop
    v_removed := v_removed || v_gone.blobs;
    v_changes := v_changes || v_gone.change;
  end loop;
  if cardinality(v_added) + cardinality(v_removed) > 0 then
    perform storage.count_references(v_added, v_removed, v_now);
  end if;
  perform storage.add_usage(p_org, v_changes, v_now, true, v_uploaded);
end $$;

-- Removes an object that another one replaces, which takes over its history, and its content if `p_keeps`.
create or replace function storage.hand_over(p_old storage.objects, p_heir uuid, p_keeps boolean, p_now timestamptz)
returns storage.usage_change
language plpgsql as $$
begin
  if p_keeps then
    insert into storage.versions (id, org_id, bucket_id, object_id, position, unversioned, content_type, size_bytes, etag, metadata,
      headers, tags, checksum, blobs, stored_at, replaced_at)
    values (p_old.version_id, p_old.org_id, p_old.bucket_id, p_heir, p_old.position, p_old.unversioned, p_old.content_type,
      p_old.size_bytes, p_old.etag, p_old.metadata, p_old.headers, p_old.tags, p_old.checksum, p_old.blobs,
      p_old.stored_at, p_now);
  else
    perform storage.count_references('{}', p_old.blobs, p_now);
  end if;
  update storage.versions set object_id = p_heir where object_id = p_old.id;
  delete from storage.objects where id = p_old.id;
  perform storage.add_object_event('object.purged', p_old, '{"reason": "replaced"}');
  return (p_old.bucket_id, -1, -p_old.size_bytes, case when p_keeps then 0 else -1 end,
    case when p_keeps then 0 else -p_old.size_bytes end, 0)::storage.usage_change;
end $$;

-- Moves an object with its id and its versions to another key of its organization. An object that it replaces becomes part
-- of its history, or goes if the bucket has no versioning. `p_move`: source_bucket, source_key, source_id, source_version,
-- bucket, key, is_expected, expected_id, audit_id, actor, ip, payload, now. Returns the object or the reason of a refusal,
-- which are those of `write_objects`; locks as that does.
create or replace function storage.move_object(p_org uuid, p_names text[], p_move jsonb)
returns table (refusal text, replaced_id uuid, object storage.objects)
language plpgsql as $$
#variable_conflict use_column
declare
  m record;
  v_moving storage.objects;
  v_old storage.objects;
  v_keeps boolean;
  v_is_suspended boolean;
  v_count bigint;
  v_bytes bigint;
  v_changes storage.usage_change[] := '{}';
begin
  select * into m from jsonb_to_record(p_move) as m (
    source_bucket uuid, source_key text, source_id uuid, source_version uuid, bucket uuid, key text,
    is_expected boolean, expected_id uuid, audit_id uuid, actor uuid, ip text, payload jsonb, now timestamptz);
  perform storage.lock_names(p_names);

  select versioning_enabled, has_had_versions and not versioning_enabled into v_keeps, v_is_suspended
  from storage.buckets where org_id = p_org and id = m.bucket;
  if not found then refusal := 'bucket_not_found'; return next; return; end if;
  select * into v_moving from storage.objects o
  where o.id = m.source_id and o.bucket_id = m.source_bucket and o.object_key = m.source_key
    and o.version_id = m.source_version and o.deleted_at is null;
  if not found then refusal := 'source_changed'; return next; return; end if;
  select * into v_old from storage.objects o
  where o.bucket_id = m.bucket and left(o.object_key, 600) = left(m.key, 600) and o.object_key = m.key
    and o.deleted_at is null;
  replaced_id := v_old.id;
  if m.is_expected and v_old.id is distinct from m.expected_id then refusal := 'object_changed'; return next; return; end if;

  select count(*), sum(size_bytes) into v_count, v_bytes from (
    select v_moving.size_bytes union all select size_bytes from storage.versions where object_id = v_moving.id) held;
  -- Its versions come with it: they are newer than the history of the other key.
  update storage.versions v set bucket_id = m.bucket, position = moved.position, unversioned = false
  from (
    select id, nextval('storage.positions') as position
    from (select id from storage.versions where object_id = v_moving.id order by position) held) moved
  where v.id = moved.id;
  if v_old.id is not null then v_changes := array[storage.hand_over(v_old, v_moving.id, v_keeps, m.now)]; end if;
  update storage.objects o set bucket_id = m.bucket, object_key = m.key, updated_at = m.now,
    position = nextval('storage.positions'), unversioned = not v_keeps
  where o.id = v_moving.id returning o.* into object;
  perform storage.signal_object(m.source_bucket, m.source_key);
  perform storage.signal_object(m.bucket, m.key);
  if v_is_suspended then perform storage.replace_unversioned(m.bucket, m.key, v_moving.version_id, false, m.now); end if;
  insert into storage.audit_logs
    (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload, created_at)
  values (m.audit_id, p_org, 'object.moved', 'object', v_moving.id, m.actor, m.ip, m.payload, m.now);
  perform storage.add_object_event('object.updated', object, jsonb_build_object('reason', 'moved', 'previous',
    jsonb_build_object('bucket_id', m.source_bucket, 'object_key', m.source_key)));
  v_changes := v_changes || array[
    (m.source_bucket, -1, -v_moving.size_bytes, -v_count, -v_bytes, 0)::storage.usage_change,
    (m.bucket, 1, v_moving.size_bytes, v_count, v_bytes, 0)::storage.usage_change];
  perform storage.add_usage(p_org, v_changes, m.now, true, 0);
  return next;
end $$;
