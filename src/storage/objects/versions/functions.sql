-- The history of a key: the contents of its objects, and the markers of its deletions, ordered by their positions. The live
-- object is on top. A marker lies directly above the object that it hides; some markers hide none. Objects that are
-- deleted and have no marker are not part of it. Callers of these functions have locked the key.

-- An entry in the history of a key by its id. Without an id: the one that was added without versioning, or while that is being
-- replaced, both. Of a marker, `object_id` is the object that it hides. `at` is when it was added.
create or replace function storage.find_entry(p_bucket uuid, p_key text, p_id uuid)
returns table (id uuid, is_marker boolean, object_id uuid, unversioned boolean, content_type text,
  size_bytes storage.amount, etag text, "position" bigint, at timestamptz)
language plpgsql stable as $$
#variable_conflict use_column
declare
  o storage.objects;
begin
  for o in
    select * from storage.objects
    where bucket_id = p_bucket and left(object_key, 600) = left(p_key, 600) and object_key = p_key and deleted_at is null
    union all
    select * from storage.objects
    where bucket_id = p_bucket and left(object_key, 600) = left(p_key, 600) and object_key = p_key
      and deleted_at is not null and marker_id is not null
  loop
    if o.version_id = p_id or p_id is null and o.unversioned then
      return query select o.version_id, false, o.id, o.unversioned, o.content_type, o.size_bytes, o.etag, o.position,
        o.stored_at;
    end if;
    if p_id is null then
      return query select v.id, false, o.id, true, v.content_type, v.size_bytes, v.etag, v.position, v.stored_at
        from storage.versions v where v.object_id = o.id and v.unversioned;
    end if;
  end loop;

  if p_id is not null then
    return query select v.id, false, o.id, v.unversioned, v.content_type, v.size_bytes, v.etag, v.position, v.stored_at
      from storage.versions v join storage.objects o on o.id = v.object_id
      where v.id = p_id and o.bucket_id = p_bucket and o.object_key = p_key
        and (o.deleted_at is null or o.marker_id is not null);
  end if;
  return query select m.id, true, h.id, m.unversioned, null::text, null::storage.amount, null::text, m.position,
      m.marked_at
    from (
      select * from storage.markers m where m.id = p_id and m.bucket_id = p_bucket and m.object_key = p_key
      union all
      select * from storage.markers m
      where p_id is null and m.unversioned
        and m.bucket_id = p_bucket and left(m.object_key, 600) = left(p_key, 600) and m.object_key = p_key) m
    left join lateral (
      select h.id from storage.objects h
      where h.bucket_id = p_bucket and left(h.object_key, 600) = left(p_key, 600) and h.object_key = p_key
        and h.deleted_at is not null and h.marker_id = m.id) h on true;
end $$;

-- Removes one content of an object for good. If it is the current one, the newest of the others takes its place, and
-- without others the object goes. Returns by how much the counters change, and the blobs that are released.
create or replace function storage.remove_content(p_object uuid, p_version uuid, p_now timestamptz)
returns table (change storage.usage_change, blobs uuid[])
language plpgsql as $$
#variable_conflict use_column
declare
  o storage.objects;
  v storage.versions;
begin
  delete from storage.versions where id = p_version and object_id = p_object returning * into v;
  if found then
    change := (v.bucket_id, 0, 0, -1, -v.size_bytes, 0);
    blobs := v.blobs;
    return next;
    return;
  end if;

  select * into strict o from storage.objects where id = p_object and version_id = p_version;
  change := (o.bucket_id, 0, 0, -1, -o.size_bytes, 0);
  blobs := o.blobs;
  select * into v from storage.versions where object_id = p_object order by position desc limit 1;
  if found then
    delete from storage.versions where id = v.id;
    update storage.objects set version_id = v.id, position = v.position, unversioned = v.unversioned,
      content_type = v.content_type, size_bytes = v.size_bytes, etag = v.etag, metadata = v.metadata, headers = v.headers,
      tags = v.tags, checksum = v.checksum, blobs = v.blobs, stored_at = v.stored_at, updated_at = p_now
    where id = p_object returning * into o;
    perform storage.add_object_event('object.updated', o, '{"reason": "restored"}');
    if o.deleted_at is null then change.live := o.size_bytes + change.retained_bytes; end if;
  else
    delete from storage.objects where id = p_object;
    perform storage.add_object_event('object.purged', o, '{}');
    if o.deleted_at is null then
      change.objects := -1;
      change.live := change.retained_bytes;
    end if;
  end if;
  return next;
end $$;

-- Removes a marker. What it has hidden comes back if nothing lies above it; otherwise it is hidden by the marker above, or
-- becomes earlier contents of the object above. Returns by how much the counters change, and the object that came back.
create or replace function storage.remove_marker(p_marker uuid, p_now timestamptz)
returns table (change storage.usage_change, recovered storage.objects)
language plpgsql as $$
#variable_conflict use_column
declare
  m storage.markers;
  v_hidden storage.objects;
  v_above storage.objects;
  v_marker_above uuid;
begin
  delete from storage.markers where id = p_marker returning * into strict m;
  change := (m.bucket_id, 0, 0, -1, 0, 0);
  select * into v_hidden from storage.objects
  where bucket_id = m.bucket_id and left(object_key, 600) = left(m.object_key, 600) and object_key = m.object_key
    and deleted_at is not null and marker_id = m.id;
  if not found then return next; return; end if;

  select id into v_marker_above from storage.markers
  where bucket_id = m.bucket_id and left(object_key, 600) = left(m.object_key, 600) and object_key = m.object_key
    and position > m.position order by position limit 1;
  if v_marker_above is null then
    select * into v_above from storage.objects
    where bucket_id = m.bucket_id and left(object_key, 600) = left(m.object_key, 600) and object_key = m.object_key
      and deleted_at is null;
  else
    select * into v_above from storage.objects
    where bucket_id = m.bucket_id and left(object_key, 600) = left(m.object_key, 600) and object_key = m.object_key
      and deleted_at is not null and marker_id = v_marker_above;
  end if;

  if v_above.id is not null then
    insert into storage.versions (id, org_id, bucket_id, object_id, position, unversioned, content_type, size_bytes, etag, metadata,
      headers, tags, checksum, blobs, stored_at, replaced_at)
    values (v_hidden.version_id, v_hidden.org_id, v_hidden.bucket_id, v_above.id, v_hidden.position, v_hidden.unversioned,
      v_hidden.content_type, v_hidden.size_bytes, v_hidden.etag, v_hidden.metadata, v_hidden.headers, v_hidden.tags,
      v_hidden.checksum, v_hidden.blobs, v_hidden.stored_at, v_hidden.deleted_at);
    update storage.versions set object_id = v_above.id where object_id = v_hidden.id;
    delete from storage.objects where id = v_hidden.id;
    perform storage.add_object_event('object.purged', v_hidden, '{"reason": "replaced"}');
  elsif v_marker_above is not null then
    update storage.objects set marker_id = v_marker_above where id = v_hidden.id;
  else
    update storage.objects set deleted_at = null, marker_id = null, updated_at = p_now
    where id = v_hidden.id returning * into recovered;
    perform storage.add_object_event('object.recovered', recovered, '{}');
    change.objects := 1;
    change.live := recovered.size_bytes;
  end if;
  return next;
end $$;

-- A content or marker without versioning was added to a key, which has only one: an older one is removed, or with
-- `p_removes` false becomes an ordinary one. Returns by how much the counters change, and the blobs that are released.
create or replace function storage.replace_unversioned(p_bucket uuid, p_key text, p_added uuid, p_removes boolean,
  p_now timestamptz)
returns table (change storage.usage_change, blobs uuid[])
language plpgsql as $$
#variable_conflict use_column
declare
  v_old record;
begin
  select * into v_old from storage.find_entry(p_bucket, p_key, null) e where e.id <> p_added;
  if not found then return; end if;
  if not p_removes then
    update storage.objects set unversioned = false where id = v_old.object_id and version_id = v_old.id;
    update storage.versions set unversioned = false where id = v_old.id;
    update storage.markers set unversioned = false where id = v_old.id;
  elsif v_old.is_marker then
    return query select m.change, '{}'::uuid[] from storage.remove_marker(v_old.id, p_now) m;
  else
    return query select * from storage.remove_content(v_old.object_id, v_old.id, p_now);
  end if;
end $$;

-- Removes entries from the histories of keys of one organization, for good, in the order of the deletions. Returns a row
-- for each; one that is refused changes nothing:
--   version_not_found  the key has no such entry any more
--   object_changed     it is about another object than `expected_id`, on which the policy was evaluated
--   precondition       its entity tag is none of `only_if`
-- Locks as `write_objects` does.
create or replace function storage.delete_versions(p_org uuid, p_names text[], p_deletions jsonb)
returns table (n int, refusal text)
language plpgsql as $$
#variable_conflict use_column
declare
  d record;
  e record;
  c record;
  v_now timestamptz;
  v_removed uuid[] := '{}';
  v_changes storage.usage_change[] := '{}';
begin
  perform storage.lock_names(p_names);

  for d in
    select * from jsonb_to_recordset(p_deletions) as d (n int, now timestamptz, bucket uuid, key text, version uuid,
      only_if text[], is_expected boolean, expected_id uuid, audit_id uuid, actor uuid, ip text) order by d.n
  loop
    n := d.n;
    select * into e from storage.find_entry(d.bucket, d.key, d.version);
    refusal := case
      when e.id is null then 'version_not_found'
      when d.is_expected and e.object_id is distinct from d.expected_id then 'object_changed'
      when not coalesce(e.etag = any (d.only_if) or '*' = any (d.only_if), d.only_if is null) then 'precondition'
    end;
    return next;
    continue when refusal is not null;
    if e.is_marker then
      select change, '{}'::uuid[] as blobs, (recovered).id as recovered_id into c
      from storage.remove_marker(e.id, d.now);
    else
      select *, null::uuid as recovered_id into c from storage.remove_content(e.object_id, e.id, d.now);
    end if;
    perform storage.signal_object(d.bucket, d.key);
    insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, actor_user_id, ip_address, payload,
      created_at)
    values (d.audit_id, p_org,
      case when c.recovered_id is not null then 'object.recovered' when e.is_marker then 'marker.removed'
        else 'version.purged' end,
      case when e.is_marker and c.recovered_id is null then 'marker' else 'object' end,
      coalesce(c.recovered_id, case when e.is_marker then e.id else e.object_id end)::text, d.actor, d.ip,
      jsonb_build_object('bucketId', d.bucket, 'objectKey', d.key) || case
        when c.recovered_id is not null then jsonb_build_object('sizeBytes', (c.change).live)
        when e.is_marker then '{}'
        else jsonb_build_object('versionId', e.id, 'retainedBytes', -(c.change).retained_bytes) end,
      d.now);
    v_now := greatest(v_now, d.now);
    v_removed := v_removed || c.blobs;
    v_changes := v_changes || c.change;
  end loop;

  if v_now is null then return; end if;
  if cardinality(v_removed) > 0 then perform storage.count_references('{}', v_removed, v_now); end if;
  perform storage.add_usage(p_org, v_changes, v_now, false, 0);
end $$;
